import CrashModel
import FaultDisk
import FileTracing
import Files
import LNoteFormat
import LNoteStore
import Scenarios

extension CaseRun {
  /// Records a sweep's steps, then judges each state that a crash in the course of them may leave.
  func perform(_ sweep: CrashSweep, _ plan: CrashPlan, _ step: CheckedStep) throws(HarnessError) {
    guard let disk = disk as? InProcessDisk else {
      throw .disk("crash states are shown on the disk in this process, and not on a mount")
    }
    failures = []
    let first = disk.status().records + 1
    epochs = LedgerEpochs()
    try perform(sweep.steps)
    if isOver || report.verdict == .inconclusive { return }
    let epochs = lastEpochs(number: number)
    self.epochs = nil
    subject?.kill()
    subject = nil
    guard var recording = disk.disk.recording else {
      throw .disk("the log has let go of operations, so that no crash states can be made of it")
    }
    var editedPath: BytePath?
    if let edit = plan.edit {
      guard let edited = recording.applying(edit, from: first) else {
        throw .disk("there is no sync \(edit.index + 1): there are \(recording.syncs(from: first).count)")
      }
      editedPath = recording.syncs(from: first)[edit.index].path
      recording = edited
    }
    for rule in armed { try settle(rule) }
    armed = []
    disk.clearAll()
    disk.setFreeSpace(nil)
    let states = try SweepStates(recording, on: disk.disk, plan.models, from: first, plan.limits)
    disk.beginShowing()
    let bench = CrashBench(run: self, disk: disk, sweep: sweep, recording: recording, epochs: epochs, plan: plan)
    let outcome = bench.judge(states)
    report.sweep = outcome.report
    report.sweep?.editedPath = editedPath
    (report.promised, report.kept) = (outcome.promised, outcome.kept)
    let holds = outcome.report.failing == 0
    let result = (holds ? "" : "NO: ") + outcome.report.summary
    report.lines.append(
      ReportLine(line: step.place.line, step: spelling(of: step), result: result, holds: holds))
    report.trouble += outcome.trouble
    if !outcome.trouble.isEmpty { report.verdict = report.verdict.joined(.inconclusive) }
    if !holds { report.verdict = .failed }
  }

  /// The epochs of the steps so far, with the one behind the last command.
  private func lastEpochs(number: UInt64) -> LedgerEpochs {
    var all = epochs ?? LedgerEpochs()
    all.add(
      LedgerEpochs.Epoch(
        lastRecord: .max, ledger: ledger, remembered: remembered, number: number,
        acknowledgements: acknowledgements, step: current.map { ($0.place.line, spelling(of: $0)) }))
    return all
  }

  /// Judges one state: the steps of the check on what a crash left, then what was acknowledged by then.
  ///
  /// The disk shows the state; what the check writes to it is its own.
  func judge(_ check: [CheckedStep], behind epoch: LedgerEpochs.Epoch) -> CaseReport {
    ledger = epoch.ledger
    remembered = epoch.remembered
    number = epoch.number
    loseMemory()
    unopenedSinceCut = Set(ledger.documentIDs)
    do throws(HarnessError) {
      try keep(as: .crashed)
      try perform(check)
      for rule in armed { try settle(rule) }
      try judgeAtEnd()
    } catch {
      report.trouble.append(error.description)
      report.verdict = report.verdict.joined(.inconclusive)
    }
    subject?.kill()
    return report
  }
}

/// How far a sweep over crash states goes.
struct CrashPlan {
  /// The models.
  var models: [PersistenceModel]
  /// How much of each is made.
  var limits = ExplorationLimits()
  /// How many states are judged, spread over all of them; nil for each.
  var judgedMax: Int?
  /// A sync that is taken away or postponed in the recording, to see whether it is needed.
  var edit: SyncEdit?
}

/// Shows the states of a recording one after the other, and has each judged.
struct CrashBench {
  let run: CaseRun
  let disk: InProcessDisk
  let sweep: CrashSweep
  let recording: Recording
  let epochs: LedgerEpochs
  let plan: CrashPlan

  /// What came of all of them.
  struct Outcome {
    var report: SweepReport
    var promised = Promise()
    var kept = Promise()
    var trouble: [String] = []

    /// The worst that was found is what the case tells.
    mutating func count(_ promised: Promise, _ kept: Promise) {
      let lost = promised.total - kept.total
      let known = self.promised.total - self.kept.total
      if lost > known || lost == known && promised.total > self.promised.total {
        (self.promised, self.kept) = (promised, kept)
      }
    }
  }

  func judge(_ states: SweepStates) -> Outcome {
    let models = states.extents.map {
      SweepReport.Model(name: $0.model, states: $0.count, failing: 0, completeness: $0.completeness)
    }
    var outcome = Outcome(report: SweepReport(.states, count: states.states.count, models: models))
    for place in CrashBench.spread(states.states.count, judgedMax: plan.judgedMax) {
      judge(states.states[place], "state \(place + 1) of \(states.states.count)", &outcome)
    }
    return outcome
  }

  /// The places of all things, or of so many of them at equal distances.
  static func spread(_ count: Int, judgedMax: Int?) -> [Int] {
    guard let judgedMax, judgedMax < count else { return Array(0..<count) }
    return (0..<judgedMax).map { $0 * count / judgedMax }
  }

  private func judge(_ state: SweepStates.State, _ name: String, _ outcome: inout Outcome) {
    var verdicts: [Int: CaseReport] = [:]
    var failing: [(epoch: Int, models: Set<Int>)] = []
    for (model, ranges) in state.sightings {
      for epoch in epochs.judged(in: ranges) {
        let report = verdicts[epoch] ?? judge(state, epochs.epochs[epoch], keeper: nil)
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
    if failing.isEmpty { return }
    outcome.report.failing += 1
    for model in Set(failing.flatMap(\.models)) { outcome.report.models[model].failing += 1 }
    for (epoch, models) in failing {
      guard let report = verdicts[epoch], let finding = report.lines.first(where: { !$0.holds }) else { continue }
      let names = Set(models.map { plan.models[$0].name })
      outcome.report.note(finding, models: names) {
        example(state, name, epoch, models.min() ?? 0, report)
      }
    }
  }

  private func judge(
    _ state: SweepStates.State, _ epoch: LedgerEpochs.Epoch, keeper: Keeper?, name: String? = nil
  )
    -> CaseReport
  {
    disk.show(state.crash.tree)
    let plan = CaseRun.Plan(name: name, durability: run.durability, choice: nil)
    return CaseRun(run.scenario, plan, disk: disk, keeper: keeper).judge(sweep.check, behind: epoch)
  }

  /// The first of its kind is shown again, to be kept and told in full.
  private func example(
    _ state: SweepStates.State, _ name: String, _ epoch: Int, _ model: Int, _ report: CaseReport
  ) -> SweepReport.Example {
    if let keeper = run.keeper {
      let folder = name.split(separator: " ").prefix(2).joined(separator: "-")
      let parts = [run.report.name, folder].compactMap { $0 }
      _ = judge(state, epochs.epochs[epoch], keeper: keeper, name: parts.joined(separator: ", "))
    }
    let step = epochs.epochs[epoch].step.map { "in line \($0.line): \($0.words)" } ?? "in front of the first step"
    return SweepReport.Example(
      name: name, moment: step, explanation: explanation(of: state, epoch, model), lines: report.lines)
  }

  /// What was persisted and lost of the run in this state under one of its models, and why that may be.
  private func explanation(of state: SweepStates.State, _ epoch: Int, _ model: Int) -> [String] {
    let ranges = state.sightings.first { $0.model == model }?.ranges ?? []
    guard let moment = epochs.moment(in: ranges, of: epoch) else { return [] }
    do throws(HistoryError) {
      let explanation = try CrashExplanation(
        of: state.crash, at: moment, in: recording, plan.models[model], among: plan.models)
      return explanation.lines.map(run.scenario.withNames)
    } catch {
      return ["not explained: \(error)"]
    }
  }
}

extension CheckedScenario {
  /// A text with the scenario's names in the place of identities: "trip.lnote/pages/p1.content".
  func withNames(_ text: String) -> String {
    var text = text
    for document in documents {
      text = text.replacing("\(document.id).lnote", with: "\(document.name).lnote")
      for page in document.pages { text = text.replacing("\(page.reference.page)", with: page.reference.pageName) }
    }
    return text
  }
}

extension Promise {
  /// How many things there are in all.
  var total: Int { strokes + photos + pages }
}
