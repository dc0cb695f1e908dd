import Bytes
import CrashModel
import FaultDisk
import FileTracing
import LNoteStore
import Scenarios

/// What a state is judged by: equal for two that cannot be judged otherwise.
struct RecoveryKey: Hashable {
  private let digest: Digest128
  private let ledger: Ledger
  private let remembered: [String: [PageName: Int]]
  private let hasRepaired: Bool

  init(_ state: SweepStates.State, _ epoch: LedgerEpochs.Epoch) {
    digest = state.crash.digest
    ledger = epoch.ledger
    remembered = epoch.remembered
    hasRepaired = epoch.hasRepaired
  }
}

/// Crashes nest: what a check does on a crash state is a run as well, and so is the session behind it.
///
/// It was recorded, and every state that a crash in the course of it may leave is judged by the same check.
extension CrashBench {
  /// One state at one moment, and the models that allow it then.
  private struct Case {
    let state: SweepStates.State
    let epoch: Int
    var models: [Int]
  }

  /// Judges what a crash may leave of the run that has just been made on `state`.
  func judgeRecovery(
    from state: SweepStates.State, _ name: String, _ recovered: LedgerEpochs, _ outcome: inout Outcome
  ) {
    guard let recording = disk.disk.recording else {
      outcome.note(trouble: "\(name): the recovery was too long to be kept, so no crash in it was looked at")
      return
    }
    disk.beginShowing(memory: memory?.store)
    defer { disk.endShowing() }
    var deeper = plan
    deeper.depth -= 1
    deeper.models = state.sightings.map { plan.models[$0.model] }
    deeper.stateName = nil
    do throws(HarnessError) {
      let states = try SweepStates(recording, on: disk.disk, deeper, from: 0)
      let bench = CrashBench(
        run: run, disk: disk, sweep: sweep, recording: recording, first: 0, epochs: recovered, plan: deeper,
        memory: memory)
      bench.judgeRecovery(states, of: state, name, &outcome)
    } catch {
      outcome.note(trouble: "\(name), its recovery: \(error)")
    }
  }

  private func judgeRecovery(
    _ states: SweepStates, of before: SweepStates.State, _ name: String, _ outcome: inout Outcome
  ) {
    var recovery = outcome.report.recovery ?? SweepReport(.recoveries, count: 0)
    let cases = cases(states, of: before)
    for one in cases where outcome.known[key(of: one)] == nil {
      outcome.known[key(of: one)] = false
      recovery.count += 1
    }
    recovery.extent = max(recovery.extent, states.extents.map(\.completeness).max() ?? .complete)
    let open = cases.filter { outcome.known[key(of: $0)] == false }
    let places = CrashBench.spread(open.count, judgedMax: share(recovery.judged, outcome.statesToCome))
    outcome.report.recovery = recovery
    for place in places where !plan.mustStop() {
      if let trouble = run.work.trouble { return outcome.note(trouble: trouble) }
      // A deeper crash may have come to the same meanwhile.
      if outcome.known.updateValue(true, forKey: key(of: open[place])) == true { continue }
      judge(open[place], "\(name), state \(place + 1) of \(open.count) of its recovery", &outcome)
    }
  }

  private func key(of one: Case) -> RecoveryKey { RecoveryKey(one.state, epochs.epochs[one.epoch]) }

  /// How many of a recovery's states are judged; nil for each.
  private func share(_ judged: Int, _ statesToCome: Int) -> Int? {
    plan.judgedMax.map { max(0, $0 - judged + statesToCome - 1) / statesToCome }
  }

  /// All that has to be judged; what is as `before`, and promises no more, was judged already.
  private func cases(_ states: SweepStates, of before: SweepStates.State) -> [Case] {
    var cases: [Case] = []
    for state in states.states {
      if state.crash.digest == before.crash.digest && !epochs.haveAcknowledged { continue }
      let first = cases.count
      for (model, ranges) in state.sightings {
        for epoch in epochs.judged(in: ranges) {
          if let known = cases[first...].firstIndex(where: { $0.epoch == epoch }) {
            cases[known].models.append(model)
          } else {
            cases.append(Case(state: state, epoch: epoch, models: [model]))
          }
        }
      }
    }
    return cases
  }

  private func judge(_ one: Case, _ name: String, _ outcome: inout Outcome) {
    let report = judge(one.state, name, one.epoch, &outcome)
    outcome.note(trouble: report.trouble.first)
    var recovery = outcome.report.recovery ?? SweepReport(.recoveries, count: 0)
    recovery.judged += 1
    recovery.judgements += 1
    if report.verdict == .failed, let finding = report.lines.first(where: { !$0.holds }) {
      recovery.failing += 1
      recovery.note(finding, models: Set(one.models.map { plan.models[$0].name })) {
        example(one.state, 0, name, one.epoch, one.models.min() ?? 0, report)
      }
      outcome.count(report.promised, report.kept)
    }
    outcome.report.recovery = recovery
  }
}
