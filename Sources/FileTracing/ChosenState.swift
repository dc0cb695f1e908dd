/// What a power cut leaves, chosen by the operations that are lost, or by those that are kept.
///
/// Everything else that was issued is kept, or everything else that was not durable is lost.
package struct ChosenState: Hashable, Sendable {
  /// Whether the operations that are named are lost or kept.
  package enum Choice: String, Hashable, Sendable {
    case losing, keeping
  }

  /// Some operations: by what they are, by their files, by their place among those, and how much of them.
  package struct Part: Hashable, Sendable {
    /// The kinds; empty for every counted one.
    package var operations: Set<OperationKind>
    /// The files; of a rename the side says which of its names: what it took away, or what it gave.
    package var target: FaultTarget
    /// Only this one of those that match, from 1, since the recording or the last restart; nil for all.
    package var nth: UInt64?
    /// How much of a write; nil for all of it.
    package var bytes: Amount?
    /// How a scenario spells it: "write of page p1 nth 2".
    package var spelling: String

    /// Operations of these values.
    package init(
      operations: Set<OperationKind>, target: FaultTarget, nth: UInt64? = nil, bytes: Amount? = nil, spelling: String
    ) {
      self.operations = operations
      self.target = target
      self.nth = nth
      self.bytes = bytes
      self.spelling = spelling
    }

    /// True where kind and paths of a record are those meant, whichever of them it is.
    package func matches(_ record: OperationRecord) -> Bool {
      let kinds = operations.isEmpty ? OperationKind.counted : operations
      guard kinds.contains(record.kind) else { return false }
      return target.matches(FaultOperation(kind: record.kind, path: record.path, otherPath: record.otherPath))
    }
  }

  /// How much of a write is meant.
  package enum Amount: Hashable, Sendable {
    /// The file ends here: of the write only what is below is there.
    case upTo(UInt64)
    /// The blocks of this range of the file, and not its size.
    case blocks(Range<UInt64>)
  }

  /// Lost or kept.
  package var choice: Choice
  /// The operations.
  package var parts: [Part]

  /// A state of these values.
  package init(_ choice: Choice, _ parts: [Part]) {
    self.choice = choice
    self.parts = parts
  }

  /// "losing write of page p1, rename of page p1".
  package var spelling: String { "\(choice.rawValue) " + parts.map(\.spelling).joined(separator: ", ") }
}

extension OperationKind {
  /// The kinds of operation that a crash can lose or keep.
  package static let losable: [OperationKind] = [
    .create, .write, .truncate, .rename, .link, .unlink, .mkdir, .rmdir, .symlink, .setattr, .allocate, .setxattr,
    .removexattr,
  ]
}
