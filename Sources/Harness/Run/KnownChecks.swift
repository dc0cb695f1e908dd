import Files

/// What the checker said of a disk, to be said again as long as nothing was written.
struct KnownChecks {
  /// Which packages, and how much had been changed on the disk.
  struct Moment: Equatable {
    let changes: UInt64
    let packages: [BytePath]
  }

  /// What a repair came to, and what a check behind it found.
  typealias Repair = (outcome: RepairOutcome, summary: CheckSummary)

  private var summary: (moment: Moment, value: CheckSummary)?
  private var repair: (moment: Moment, value: Repair)?

  /// What a check at this moment finds; nil where it has to look.
  func summary(at moment: Moment?) -> CheckSummary? { summary?.moment == moment ? summary?.value : nil }

  /// What a repair of a copy at this moment comes to; nil where it has to be done.
  ///
  /// Where a check finds nothing at all there is nothing to repair.
  func repair(at moment: Moment?) -> Repair? {
    if let repair, repair.moment == moment { return repair.value }
    guard let summary = summary(at: moment), summary.problems.isEmpty else { return nil }
    return (RepairOutcome(), summary)
  }

  /// Keeps what a check found.
  mutating func note(_ summary: CheckSummary, at moment: Moment?) { self.summary = moment.map { ($0, summary) } }

  /// Keeps what a repair of a copy came to.
  mutating func note(_ repair: Repair, at moment: Moment?) { self.repair = moment.map { ($0, repair) } }
}
