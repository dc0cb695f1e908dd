/// The exit status of a run: fsck(8)'s sum of bits, over all packages.
package struct ExitStatus: OptionSet, Hashable, Sendable {
  /// The sum.
  package let rawValue: Int32

  /// The status of this sum.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// This run repaired something.
  package static let repaired = ExitStatus(rawValue: 1)
  /// Damage is left, or content is known to be lost and nobody has accepted it.
  package static let errorsLeft = ExitStatus(rawValue: 4)
  /// Something could not be checked, or was not allowed to be repaired.
  package static let operational = ExitStatus(rawValue: 8)
  /// The command line makes no sense.
  package static let usage = ExitStatus(rawValue: 16)
  /// The user ended the run.
  package static let cancelled = ExitStatus(rawValue: 32)
  /// The program itself failed.
  package static let `internal` = ExitStatus(rawValue: 128)
}
