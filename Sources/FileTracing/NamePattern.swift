import Files

/// A glob over paths: `*` within a name, `**` across names, `?` one byte; `*` and `?` match no leading dot.
///
/// A pattern is relative to the root of the mount; one that begins with `**/` may begin at any depth.
package struct NamePattern: Hashable, Sendable {
  /// The glob's bytes.
  package let glob: BytePath

  /// The pattern of this glob.
  package init(_ glob: BytePath) { self.glob = glob }
}
