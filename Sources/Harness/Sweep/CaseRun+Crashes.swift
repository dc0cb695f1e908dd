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
    disk.seam?.begin()
    try perform(sweep.steps)
    disk.seam?.end()
    if isOver || report.verdict == .inconclusive { return }
    if disk.seam != nil, let failure = failures.first {
      return fail(step, "NO: the store found out: \(failure.message)")
    }
    let epochs = lastEpochs()
    self.epochs = nil
    subject?.kill()
    subject = nil
    guard let recording = disk.disk.recording else {
      throw .disk("the log has let go of operations, so that no crash states can be made of it")
    }
    for rule in armed { try settle(rule) }
    armed = []
    disk.clearAll()
    disk.setFreeSpace(nil)
    let memory = plan.remembers ? SweepMemory(ledger: ledger) : nil
    var bench = CrashBench(
      run: self, disk: disk, sweep: sweep, recording: recording, first: first, epochs: epochs, plan: plan,
      memory: memory)
    if disk.seam != nil, let finding = try bench.findingWithoutCrash() {
      return fail(step, "NO: without a crash: \(finding)")
    }
    let states = try SweepStates(recording, on: disk.disk, plan, from: first)
    disk.beginShowing(memory: memory?.store)
    bench.names = states.names(in: recording, plan, epochs, FileRoles(scenario))
    let outcome = try bench.judge(states)
    report.sweep = outcome.report
    (report.promised, report.kept) = (outcome.promised, outcome.kept)
    let holds = outcome.report.holds
    let result = (holds ? "" : "NO: ") + outcome.report.summary
    report.lines.append(
      ReportLine(line: step.place.line, step: spelling(of: step), result: result, holds: holds))
    report.trouble += outcome.trouble
    if !outcome.trouble.isEmpty { report.verdict = report.verdict.joined(.inconclusive) }
    if !holds { report.verdict = .failed }
  }

  /// The epochs of the steps so far, with the one behind the last command.
  private func lastEpochs() -> LedgerEpochs {
    var all = epochs ?? LedgerEpochs()
    all.add(epoch(ledger, until: .max))
    return all
  }

  /// Judges one state: the steps of the check on what a crash left, then what was acknowledged by then.
  ///
  /// The disk shows the state; what the check writes to it is its own.
  func judge(_ sweep: CrashSweep, behind epoch: LedgerEpochs.Epoch) -> CaseReport {
    judge(behind: epoch) { () throws(HarnessError) in try perform(sweep.check) }
  }

  /// The same, and what was known at each moment of the check and of the session behind it.
  func judgeRecorded(
    _ sweep: CrashSweep, behind epoch: LedgerEpochs.Epoch
  ) -> (report: CaseReport, epochs: LedgerEpochs) {
    epochs = LedgerEpochs()
    let report = judge(behind: epoch) { () throws(HarnessError) in
      try perform(sweep.check)
      failures = []
      try perform(sweep.next)
      // Only what comes behind may be due to the repair at the end.
      epochs?.add(self.epoch(ledger, until: try disk.status().records))
    }
    hasRepaired = true
    return (report, lastEpochs())
  }

  private func judge(
    behind epoch: LedgerEpochs.Epoch, _ recover: () throws(HarnessError) -> Void
  ) -> CaseReport {
    ledger = epoch.ledger
    remembered = epoch.remembered
    number = epoch.number
    hasRepaired = epoch.hasRepaired
    loseMemory()
    unopenedSinceCut = Set(ledger.documentIDs)
    do throws(HarnessError) {
      try keep(as: .crashed)
      try recover()
      for rule in armed { try settle(rule) }
      try judgeAtEnd()
    } catch {
      report.trouble.append(error.description)
      report.verdict = report.verdict.joined(.inconclusive)
    }
    drawPages()
    subject?.kill()
    return report
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

/// How far a sweep over crash states goes.
struct CrashPlan {
  /// The models.
  var models: [PersistenceModel]
  /// How much of each is made.
  var limits = ExplorationLimits()
  /// How many states of each depth are judged, spread over all of them; nil for each.
  var judgedMax: Int?
  /// How deep crashes nest.
  var depth = 1
  /// The name of the only state that is judged; nil for all.
  var stateName: String?
  /// Where it says so, no more states are made or judged, and what was found until then is told.
  var mustStop: @Sendable () -> Bool = { false }
  /// False to read every file of every state anew, as a test of what is remembered.
  var remembers = true

  /// What a report says of a run that was stopped.
  static let stopped = "a signal ended it: what was found until then is told"

  /// The models of these names; every one that was measured where there are none.
  static func models(_ names: [String]) -> [PersistenceModel] {
    names.isEmpty ? PersistenceModel.all.filter(\.isMeasured) : names.compactMap { PersistenceModel.named($0) }
  }
}
