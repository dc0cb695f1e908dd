import CrashModel
import FaultDisk
import FileTracing
import Scenarios

/// Shows the states of a recording one after the other, and has each judged.
struct CrashBench {
  let run: CaseRun
  let disk: InProcessDisk
  let sweep: CrashSweep
  let recording: Recording
  /// The number of the first record of the sweep.
  let first: UInt64
  let epochs: LedgerEpochs
  let plan: CrashPlan
  /// What is known of contents that states share; nil where every file is read anew.
  let memory: SweepMemory?
  /// The names of the states; nil where they have none, as in recoveries.
  var names: StateNames?

  /// What came of all of them.
  struct Outcome {
    var report: SweepReport
    var promised = Promise()
    var kept = Promise()
    var trouble: [String] = []
    /// How many states of the first depth are still to be judged, this one included: each gets its share of the next.
    var statesToCome = 1
    /// What was judged at any depth, and what was found there.
    var known: [RecoveryKey: Bool] = [:]
    /// The models under which a state of the first depth fails, by the place of the state.
    var failing: [Int: Set<Int>] = [:]

    /// Each trouble is told once.
    mutating func note(trouble text: String?) {
      if let text, !trouble.contains(text) { trouble.append(text) }
    }

    /// The worst that was found is what the case tells.
    mutating func count(_ promised: Promise, _ kept: Promise) {
      let lost = promised.total - kept.total
      let known = self.promised.total - self.kept.total
      if lost > known || lost == known && promised.total > self.promised.total {
        (self.promised, self.kept) = (promised, kept)
      }
    }
  }

  func judge(_ states: SweepStates) throws(HarnessError) -> Outcome {
    let models = states.extents.map {
      SweepReport.Model(name: $0.model, states: $0.count, failing: 0, completeness: $0.completeness)
    }
    var outcome = Outcome(report: SweepReport(.states, count: states.states.count, models: models))
    let named = try plan.stateName.map { (name) throws(HarnessError) in try self.places(of: name) }
    let places = named ?? CrashBench.spread(states.states.count, judgedMax: plan.judgedMax)
    for (done, place) in places.enumerated() {
      // Whether an altered store is convicted is all that is asked.
      if disk.seam?.hasAltered == true, outcome.report.failing > 0 { break }
      if plan.mustStop() {
        outcome.note(trouble: CrashPlan.stopped)
        break
      }
      if let trouble = run.work.trouble {
        outcome.note(trouble: trouble)
        break
      }
      outcome.statesToCome = places.count - done
      judge(states.states[place], place, of: states.states.count, &outcome)
    }
    if outcome.report.failing > 0, outcome.report.judged == states.states.count, disk.seam == nil {
      outcome.report.fix = SweepFix(
        self, states, failing: outcome.failing, judgements: outcome.report.judgements)
    }
    return outcome
  }

  /// What is wrong with nothing lost, on the disk as the steps have made it: the packages, or what the check says.
  func findingWithoutCrash() throws(HarnessError) -> String? {
    guard let last = epochs.epochs.last else { return nil }
    let found = PackageCheck(volume: disk.volume, expectsThumbnails: run.scenario.settings.drawsThumbnails)
      .check(run.packages)
    if !found.problems.isEmpty { return found.sentence }
    let plan = CaseRun.Plan(name: nil, durability: run.durability, choice: nil)
    let report = CaseRun(run.scenario, plan, disk: disk, keeper: nil).judge(sweep, behind: last)
    if let trouble = report.trouble.first { throw .disk("without a crash: \(trouble)") }
    guard report.verdict == .failed, let line = report.lines.first(where: { !$0.holds }) else { return nil }
    return "line \(line.line), \(line.step): \(line.result)"
  }

  /// The places of all things, or of so many of them at equal distances.
  static func spread(_ count: Int, judgedMax: Int?) -> [Int] {
    guard let judgedMax, judgedMax < count else { return Array(0..<count) }
    return (0..<judgedMax).map { $0 * count / judgedMax }
  }

  private func judge(_ state: SweepStates.State, _ place: Int, of count: Int, _ outcome: inout Outcome) {
    let name = "state \(place + 1) of \(count)"
    var verdicts: [Int: CaseReport] = [:]
    var failing: [(epoch: Int, models: Set<Int>)] = []
    for (model, ranges) in state.sightings {
      for epoch in epochs.judged(in: ranges) {
        let report = verdicts[epoch] ?? judge(state, name, epoch, &outcome)
        if verdicts.updateValue(report, forKey: epoch) == nil {
          outcome.report.judgements += 1
          outcome.count(report.promised, report.kept)
          outcome.trouble += report.trouble.filter { !outcome.trouble.contains($0) }.prefix(1)
        }
        guard report.verdict == .failed else { continue }
        if let known = failing.firstIndex(where: { $0.epoch == epoch }) {
          failing[known].models.insert(model)
        } else {
          failing.append((epoch, [model]))
        }
      }
    }
    outcome.report.judged += 1
    if failing.isEmpty {
      if plan.stateName != nil, let (model, ranges) = state.sightings.first,
        let epoch = epochs.judged(in: ranges).first, let report = verdicts[epoch]
      {
        outcome.report.looked.append(example(state, place, name, epoch, model, report))
      }
      return
    }
    outcome.failing[place] = Set(failing.flatMap(\.models))
    outcome.report.failing += 1
    for model in Set(failing.flatMap(\.models)) { outcome.report.models[model].failing += 1 }
    for (epoch, models) in failing {
      guard let report = verdicts[epoch], let finding = report.lines.first(where: { !$0.holds }) else { continue }
      let names = Set(models.map { plan.models[$0].name })
      outcome.report.note(finding, models: names) {
        example(state, place, name, epoch, models.min() ?? 0, report)
      }
    }
  }

  /// Judges a state at one moment, and what a second crash leaves of the recovery where that is asked for.
  func judge(_ state: SweepStates.State, _ name: String, _ epoch: Int, _ outcome: inout Outcome) -> CaseReport {
    guard plan.depth > 1 else { return newRun(on: state.crash.tree).judge(sweep, behind: epochs.epochs[epoch]) }
    outcome.known[RecoveryKey(state, epochs.epochs[epoch])] = true
    let (report, recovered) = newRun(on: state.crash.tree).judgeRecorded(sweep, behind: epochs.epochs[epoch])
    if report.verdict == .passed { judgeRecovery(from: state, name, recovered, &outcome) }
    return report
  }

  /// A run on a disk that shows this tree.
  func newRun(on tree: DiskTree, keeper: Keeper? = nil, name: String? = nil) -> CaseRun {
    disk.show(tree, isRecorded: plan.depth > 1)
    let plan = CaseRun.Plan(name: name, durability: run.durability, choice: nil, reached: run.reached, work: run.work)
    return CaseRun(run.scenario, plan, disk: disk, keeper: keeper, memory: memory)
  }

  /// What comes of a tree at an epoch.
  func verdict(of tree: DiskTree, _ epoch: Int) -> Verdict {
    newRun(on: tree).judge(sweep, behind: epochs.epochs[epoch]).verdict
  }
}
