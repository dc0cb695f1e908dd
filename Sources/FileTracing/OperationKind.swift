import Files

/// The kinds of operation that a log records and a rule can name.
package enum OperationKind: String, CaseIterable, Hashable, Sendable {
  case create, open, read, write, truncate, fsync, rename, unlink, mkdir, rmdir, link, readdir, statfs, close
  /// Recorded: symbolic links, attributes, reserved or punched ranges, extended attributes, locks, sync(2).
  case symlink, setattr, allocate, getxattr, setxattr, listxattr, removexattr, lock, sync
  /// No operation of a program: a mark of the user, and what the control socket asked for.
  case mark, control

  /// Kinds that are the same on both doors of the fault disk. `nth` counts them when a rule names no kind.
  package static let counted: Set<OperationKind> = [
    .create, .write, .truncate, .fsync, .rename, .link, .unlink, .mkdir, .rmdir,
  ]

  /// Kinds that a rule can name.
  package static let nameable: [OperationKind] = allCases.filter { !unnameable.contains($0) }

  private static let unnameable: Set<OperationKind> = [.mark, .control]
}
