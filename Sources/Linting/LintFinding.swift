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

  /// How it came about; each belongs to one kind.
  package enum Cause: String, Hashable, Sendable, CaseIterable {
    /// A file that never was durable was written, and not synced.
    case newData = "new-file-written"
    /// A file that was durable was changed, and not synced.
    case changedData = "file-changed"
    /// A name was made, and its directory not synced.
    case made = "name-made"
    /// A name was moved, and a directory of the move not synced.
    case moved = "name-moved"
    /// A name was removed, and its directory not synced.
    case removed = "name-removed"
    /// A file got its final name before its bytes were durable.
    case renamedBeforeData = "renamed-before-synced"
    /// A file was emptied before what replaces its content was durable.
    case emptiedFirst = "emptied-before-rewritten"
    /// A durable file was removed while what was made before it was not durable.
    case removedBeforeNew = "removed-before-new-is-durable"
    /// A name was removed and then made again, instead of being replaced by a rename.
    case removedThenMade = "removed-then-made-again"
    /// The old directory of a move was synced before the new one.
    case oldDirectoryFirst = "old-directory-synced-first"

    /// What kind of thing it is.
    package var kind: Kind {
      switch self {
      case .newData, .changedData: .data
      case .made, .moved, .removed: .name
      case .renamedBeforeData, .emptiedFirst, .removedBeforeNew, .removedThenMade, .oldDirectoryFirst: .order
      }
    }
  }

  /// How it came about.
  package var cause: Cause
  /// The path it is about, as it is at the end or as it was at the step.
  package var path: BytePath
  /// The step in the log that left it so.
  package var step: LintStep
  /// An earlier step that belongs to it: the write behind a rename, the making behind a removal.
  package var earlier: LintStep?
  /// The files whose fsync would settle it, at the names they had at the step.
  package var files: [BytePath] = []
  /// The directories whose fsync would settle it; the root is "".
  package var directories: [BytePath] = []
  /// True where the step replaced something, or the name stood for something durable before.
  package var replaces = false
  /// True where the name of the file is not durable either.
  package var nameIsDoubtful = false
  /// How many more steps are the same matter.
  package var alikeCount = 0
  /// The fsync of the file itself, or of anything, behind the step. Some file systems let it settle names.
  package var laterSync: LaterSync?

  /// What kind of thing was left.
  package var kind: Kind { cause.kind }

  /// A finding of these values.
  package init(_ cause: Cause, _ path: BytePath, at step: LintStep) {
    self.cause = cause
    self.path = path
    self.step = step
  }

  /// An fsync behind a step that made a name, of something else than its directory.
  package enum LaterSync: Hashable, Sendable {
    /// Of the file that has the name, in this line.
    case ofFile(UInt64)
    /// Of anything, in this line.
    case ofAnything(UInt64)
  }
}

/// A line of the log that a finding names.
package struct LintStep: Hashable, Sendable {
  /// The number of the record.
  package var number: UInt64
  /// What was done.
  package var operation: OperationKind
  /// To what.
  package var path: BytePath
  /// The target of a rename or link.
  package var otherPath: BytePath?

  /// The step of a record.
  package init(_ record: OperationRecord) {
    number = record.number
    operation = record.kind
    path = record.path
    otherPath = record.kind == .rename || record.kind == .link ? record.otherPath : nil
  }

  /// "rename a.tmp -> a".
  package var words: String {
    let place = path.isRoot ? "." : path.description
    return "\(operation.rawValue) \(place)" + (otherPath.map { " -> \($0)" } ?? "")
  }
}
