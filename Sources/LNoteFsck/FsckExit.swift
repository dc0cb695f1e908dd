/// The exit status of a run: fsck(8)'s sum of bits, over all packages.
package struct FsckExit: OptionSet, Hashable, Sendable {
  /// The sum.
  package let rawValue: Int32

  /// The status of this sum.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// This run repaired something.
  package static let repaired = FsckExit(rawValue: 1)
  /// Damage is left, or content is known to be lost and nobody has accepted it.
  package static let errorsLeft = FsckExit(rawValue: 4)
  /// Something could not be checked, or was not allowed to be repaired.
  package static let operational = FsckExit(rawValue: 8)
  /// The command line makes no sense.
  package static let usage = FsckExit(rawValue: 16)
  /// The user ended the run.
  package static let cancelled = FsckExit(rawValue: 32)
  /// The program itself failed.
  package static let `internal` = FsckExit(rawValue: 128)
}
