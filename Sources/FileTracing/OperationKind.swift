/// The kinds of operation that a log records and a rule can name.
package enum OperationKind: String, CaseIterable, Hashable, Sendable {
  case create, open, read, write, truncate, fsync, rename, unlink, mkdir, rmdir, link, readdir, statfs, close
  /// Recorded, but of no name in a plan: symlinks, look-ups, attributes.
  case symlink, setattr

  /// Kinds that are the same on both doors of the fault disk, and that `nth` counts when a rule names no kind.
  package static let counted: Set<OperationKind> = [
    .create, .write, .truncate, .fsync, .rename, .link, .unlink, .mkdir, .rmdir,
  ]

  /// Kinds that a rule can name.
  package static let nameable: [OperationKind] = allCases.filter { $0 != .symlink && $0 != .setattr }
}
