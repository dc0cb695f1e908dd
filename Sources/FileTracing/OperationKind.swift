import Files

/// The kinds of operation that a log records and a rule can name.
package enum OperationKind: String, CaseIterable, Hashable, Sendable {
  case create, open, read, write, truncate, fsync, rename, unlink, mkdir, rmdir, link, readdir, statfs, close
  /// Recorded, but of no name in a plan: symbolic links, attributes, reserved or punched ranges, marks of the user.
  case symlink, setattr, allocate, mark

  /// Kinds that are the same on both doors of the fault disk. `nth` counts them when a rule names no kind.
  package static let counted: Set<OperationKind> = [
    .create, .write, .truncate, .fsync, .rename, .link, .unlink, .mkdir, .rmdir,
  ]

  /// Kinds that a rule can name.
  package static let nameable: [OperationKind] = allCases.filter { !unnameable.contains($0) }

  private static let unnameable: Set<OperationKind> = [.symlink, .setattr, .allocate, .mark]
}
