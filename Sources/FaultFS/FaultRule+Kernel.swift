import FileTracing

// What a rule means for the kernel's memory of names and pages.
extension FaultRule {
  /// True where an operation that this rule hits can leave a name other than the caller was told.
  ///
  /// The kernel changes its own memory by the answer alone: it moves a name when told "renamed", and keeps it when told
  /// "failed". A torn rename says the first and does something else; an error behind the operation does it and says the
  /// second. What a power cut leaves is no matter, since nothing answers any more.
  var makesNamesLie: Bool {
    switch effect {
    case .tornRename: true
    case .errno, .kill: phase != .before && (operations.isEmpty || !operations.isDisjoint(with: Self.namingKinds))
    case .shortWrite, .powerCut: false
    }
  }

  /// True where this rule can hit a read, which the page cache would answer alone.
  var canHitReads: Bool { operations.contains(.read) }

  private static let namingKinds: Set<OperationKind> = [.create, .rename, .link, .unlink, .mkdir, .rmdir]
}
