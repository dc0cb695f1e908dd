import FileTracing
import Files

/// Something that a program left to chance: what a power cut at the end of its run could take or tear.
package struct LintFinding: Hashable, Sendable {
  /// What kind of thing was left.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Bytes or a size that no fsync of the file made durable.
    case data = "unsynced-data"
    /// A name that was made, moved or removed, and no fsync of its directory.
    case name = "unsynced-name"
    /// Two steps in an order that nothing enforces: a rename over a file before the new one's bytes are durable.
    case order = "unordered"
  }

  /// What kind of thing was left.
  package var kind: Kind
  /// The path it is about.
  package var path: BytePath
  /// The number of the record in the log that left it so.
  package var record: UInt64

  /// A finding of these values.
  package init(kind: Kind, path: BytePath, record: UInt64) {
    self.kind = kind
    self.path = path
    self.record = record
  }
}
