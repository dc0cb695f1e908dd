/// What a campaign came to, by its plan and what its shards wrote; the same for any number of shards.
package struct CampaignSummary: Sendable {
  /// A failure, and what is known of it.
  package struct Bucket: Sendable {
    /// How it stands against earlier runs.
    package enum State: String, Sendable, CaseIterable {
      /// Never seen before.
      case new
      /// Was fixed, and fails again.
      case back
      /// Fails in some runs only.
      case flaky
      /// Failed before, and still does.
      case known
      /// Fails, and people have parked it.
      case parked
      /// Failed before; its file passes now.
      case fixed
    }

    /// How it stands.
    package var state: State
    /// What is known of it, this run included.
    package var known: KnownBucket
    /// The smallest example of this run; nil for one that is fixed.
    package var finding: CampaignFinding?
    /// The cases that failed so, in the order of the plan.
    package var cases: [PlannedCase]
    /// The models under which any of them failed.
    package var models: [String]
    /// Who parked it, and why; nil where nobody did.
    package var parked: Triage.Parked?
  }

  /// Whether the run proves anything.
  package enum Canary: String, Sendable {
    /// The store that must be convicted was.
    case found
    /// It was not: nothing that passed means anything.
    case missed
    /// No such case was run.
    case none
  }

  /// The plan.
  package var plan: CampaignPlan
  /// The build of the run before; nil where there was none.
  package var before: String?
  /// Failures: those that need somebody first.
  package var buckets: [Bucket] = []
  /// The cases that were run, in the order of the plan.
  package var ran: [PlannedCase] = []
  /// How many of them passed.
  package var passed = 0
  /// Cases of which nothing can be said, and why.
  package var unknown: [(planned: PlannedCase, why: String)] = []
  /// Cases that must be run and have no record.
  package var missing: [PlannedCase] = []
  /// Those of them that were in flight when a process ended: it may have ended because of one.
  package var inFlight: [PlannedCase] = []
  /// Cases whose records differ between shards or runs.
  package var differing: [PlannedCase] = []
  /// How many crash states were judged.
  package var states = 0
  /// How many faults fired.
  package var faults = 0
  /// How many steps were taken.
  package var steps = 0
  /// How many cases covered each cell.
  package var coverage: [CoverageCell: Int] = [:]
  /// What is said to happen sometimes, and never did.
  package var neverReached: [String] = []
  /// Stores that must be convicted and were not.
  package var missedCanaries: [PlannedCase] = []
  /// Failures that were parked until a day that is over.
  package var expired: [Triage.Parked] = []

  /// How many cases were run.
  package var run: Int { ran.count }

  /// Whether the run proves anything.
  package var canary: Canary {
    if !missedCanaries.isEmpty { return .missed }
    return ran.contains { $0.kind == .canary } ? .found : .none
  }

  /// How many failures stand so.
  package func count(_ state: Bucket.State) -> Int { buckets.count { $0.state == state } }
}

extension CampaignSummary {
  /// The first word of every report.
  package enum Verdict: String, Sendable {
    /// The canary was missed: the run proves nothing.
    case blind = "BLIND"
    /// Something fails that did not before.
    case worse = "WORSE"
    /// Cases are missing.
    case incomplete = "INCOMPLETE"
    /// Nothing new fails, and something still does.
    case same = "SAME"
    /// Nothing new fails, and something was fixed.
    case better = "BETTER"
    /// Nothing fails.
    case clean = "CLEAN"
  }

  /// Is it worse than yesterday?
  package var verdict: Verdict {
    if canary == .missed { return .blind }
    if count(.new) + count(.back) + count(.flaky) > 0 || !neverReached.isEmpty || !differing.isEmpty { return .worse }
    if !missing.isEmpty { return .incomplete }
    if count(.fixed) > 0 { return .better }
    return count(.known) > 0 ? .same : .clean
  }

  /// The exit status of a program that made this summary.
  ///
  /// 0 clean, 1 findings, 2 cases are missing, 3 something is unknown, 4 the canary was missed.
  package var exitStatus: Int32 {
    if canary == .missed { return 4 }
    let standing: [Bucket.State] = [.new, .back, .flaky, .known]
    if buckets.contains(where: { standing.contains($0.state) }) || !neverReached.isEmpty || !differing.isEmpty {
      return 1
    }
    if !missing.isEmpty { return 2 }
    return unknown.isEmpty ? 0 : 3
  }
}
