import FileTracing
import Files
import LNoteFormat
import LNoteStore
import Scenarios

/// One run of a scenario from its first step to the judgement: the whole of it, or one outcome of a sweep.
///
/// The steps go to the store in order; the ledger remembers what was accepted and what was called durable; a power cut
/// or a kill ends the store's process, and what it says afterwards counts for nothing.
final class CaseRun {
  /// What becomes of the steps of a sweep in this run.
  struct SweepChoice {
    /// Where the sweep stands in the scenario.
    let place: SourcePlace
    /// What becomes of them.
    let way: Way

    enum Way {
      /// The first matching rename is torn by this rule.
      case torn(FaultRule)
      /// They are recorded, and every crash in the course of them is judged.
      case crashes(CrashPlan)
      /// This rule lets one operation fail.
      case failing(FaultRule)
    }
  }

  /// Which of a scenario's cases this is.
  struct Plan {
    /// How reports and kept folders call it; nil for a scenario of one case.
    let name: String?
    /// What the store syncs.
    let durability: Durability
    /// The sweep's outcome; nil for a run without the sweeps.
    let choice: SweepChoice?
    /// Where it is noted what has come about.
    var reached = ReachedMarks()
    /// True where the page that a failure is about is drawn.
    var drawsPages = false
    /// Counts its steps.
    var work = WorkMeter()
  }

  let scenario: CheckedScenario
  let durability: Durability
  let disk: any TestDisk
  let choice: SweepChoice?
  let keeper: Keeper?
  let commands: StepCommands
  /// What this run shares with others that look at the same bytes; nil for a run that reads everything itself.
  let memory: SweepMemory?

  var ledger = Ledger()
  var report: CaseReport
  var subject: (any Subject)?
  /// The documents that the store has open.
  var open: Set<NoteID> = []
  /// What failed since the last expectation or the beginning of a block.
  var failures: [StoreFailure] = []
  /// The documents that were not opened again since the power was cut.
  var unopenedSinceCut: Set<NoteID> = []
  /// True once the power was cut or the store was killed.
  var hasCrashed = false
  /// True once the scenario has said that a loss is known: it is then told in the document, and no finding.
  var expectsKnownLoss = false
  /// True once a repair changed something.
  var hasRepaired = false
  /// The marks of `remember`: for each name, the version of every page then.
  var remembered: [String: [PageName: Int]] = [:]
  var armed: [ArmedRule] = []
  /// What was known at each moment, while the steps of a sweep are recorded.
  var epochs: LedgerEpochs?
  /// How many answers have called something durable.
  var acknowledgements = 0
  /// How many documents were opened behind a crash.
  var openings = 0
  /// True once the rule of a sweep over failures has fired.
  var hasFailed = false
  /// The step that is being performed; nil before the first.
  var current: CheckedStep?
  /// How many commands were given.
  var number: UInt64 = 0
  /// The states that rules which cut the power leave, by the name of the rule.
  var chosenCuts: [String: ChosenCut] = [:]
  /// What the checker last said, as long as nothing was written since.
  var known = KnownChecks()
  private var firingsSeen = 0
  /// How much failed in all.
  var failuresSeen = 0
  /// How many loops until success stand around the step: in them a fault need not happen.
  var loopsUntilSuccess = 0
  /// What `sometimes` waits for and what has come about.
  let reached: ReachedMarks
  /// What pictures of pages need; nil where none are drawn.
  var material: PageMaterial?
  /// Counts its steps, and those of others that belong to it.
  let work: WorkMeter
  /// By how much answers were late at the end of the last step, all together.
  private var delaySeen: UInt64 = 0

  /// A rule that waits for its operation, and the line of the report that tells of it.
  struct ArmedRule {
    let rule: FaultRule
    let line: Int
    let firingsBefore: Int
  }

  /// A state that a power cut leaves, and the models that allow it, once that is known.
  struct ChosenCut {
    let state: ChosenState
    var models: [String]?
  }

  init(
    _ scenario: CheckedScenario, _ plan: Plan, disk: any TestDisk, keeper: Keeper?, memory: SweepMemory? = nil
  ) {
    self.scenario = scenario
    durability = plan.durability
    self.disk = disk
    choice = plan.choice
    self.keeper = keeper
    self.memory = memory
    reached = plan.reached
    material = plan.drawsPages ? PageMaterial() : nil
    work = plan.work
    commands = StepCommands(seed: scenario.settings.seed)
    report = CaseReport(name: plan.name)
  }

  /// Runs everything. Trouble of the environment makes the case inconclusive and is told in the report.
  func run() -> CaseReport {
    do throws(HarnessError) {
      try build()
      try disk.beginRecording()
      try startStore()
      if let refusal = try openDocuments().first { convict(refusal.message) }
      try perform(scenario.steps)
      for rule in armed { try settle(rule) }
      // Behind a sweep over crashes the disk shows the last state, and each has been judged.
      if report.sweep == nil { try judgeAtEnd() }
    } catch {
      report.trouble.append(error.description)
      report.verdict = report.verdict.joined(.inconclusive)
    }
    drawPages()
    subject?.kill()
    return report
  }

  /// True once an expectation failed or a step could not be made: nothing behind it is run.
  var isOver: Bool { report.verdict == .failed }

  // MARK: The store

  func startStore() throws(HarnessError) {
    let settings = scenario.settings
    let configuration = StoreConfiguration(
      durability: durability, mutant: settings.mutant.flatMap { StoreMutant(rawValue: $0) }, now: startOfTime,
      seed: settings.seed &+ number, autosaveMilliseconds: Int64(clamping: settings.autosaveMilliseconds),
      drawsThumbnails: settings.drawsThumbnails)
    subject = try disk.startSubject(configuration)
    open = []
  }

  /// 2026-07-01 09:30 UTC, and a second more for each command given before, so that no two processes share a moment.
  private var startOfTime: Timestamp { Timestamp(milliseconds: 1_782_898_200_000 + Int64(number) * 1000) }

  /// Gives one command to the store; nil where the store is dead or died of it.
  func ask(_ command: StoreCommand) throws(HarnessError) -> StoreAnswer? {
    guard let store = subject else { return nil }
    number += 1
    let numbered = NumberedCommand(number, command)
    material?.note(command)
    if epochs != nil { noteEpoch(ledger, until: try disk.status().records) }
    let before = epochs == nil ? nil : ledger
    let answer = try store.perform(numbered)
    let status = try disk.status()
    if let before { noteEpoch(before, interrupting: numbered, until: status.records) }
    let fired = Set(status.firings.dropFirst(firingsSeen).map(\.rule))
    firingsSeen = status.firings.count
    if status.isCut {
      ledger.recordInterrupted(numbered)
      try endByPowerCut(of: fired)
      return nil
    }
    guard let answer else {
      ledger.recordInterrupted(numbered)
      let wasKilled = armed.contains { fired.contains($0.rule.name) && $0.rule.effect == .kill }
      // Whatever it was, an app that ends without being killed has crashed.
      if !wasKilled { convict("the store ended by itself at '\(command.word)'") }
      try endByKill()
      return nil
    }
    if answer.failures.isEmpty || !command.isEdit { ledger.record(numbered) }
    ledger.acknowledge(answer.durable)
    if !answer.durable.isEmpty { try noteAcknowledgement(answer.durable) }
    if case .letGo(let document) = command { ledger.letGo(document) }
    if !ledger.forgotten(by: answer.unsaved).isEmpty {
      convict("at '\(command.word)' the store calls \(Self.forgottenEdit)")
    }
    failures += answer.failures
    failuresSeen += answer.failures.count
    report.refused += answer.failures.filter { $0.errno != nil }.count
    return answer
  }

  /// What is wrong where nothing will ever save an edit.
  static let forgottenEdit = "an edit that it accepted neither durable nor unsaved"

  /// Notes what a crash finds up to this record: the ledger, and what the command under way may have made.
  private func noteEpoch(_ ledger: Ledger, interrupting command: NumberedCommand? = nil, until record: UInt64) {
    var ledger = ledger
    if let command { ledger.recordInterrupted(command) }
    epochs?.add(epoch(ledger, until: record))
  }

  /// What a crash finds up to this record.
  func epoch(_ ledger: Ledger, until record: UInt64) -> LedgerEpochs.Epoch {
    LedgerEpochs.Epoch(
      lastRecord: record, ledger: ledger, remembered: remembered, number: number, acknowledgements: acknowledgements,
      openings: openings, hasRepaired: hasRepaired, step: current.map { ($0.place.line, spelling(of: $0)) })
  }

  /// Counts an answer that calls something durable, and says so in the log of a recorded sweep.
  private func noteAcknowledgement(_ news: DurableNews) throws(HarnessError) {
    acknowledgements += 1
    if epochs == nil { return }
    let pages = news.pages.map { "page \(spelling(of: $0.page))" }
    try disk.mark("durable: " + (pages + news.documents.map { "document \($0.document)" }).joined(separator: ", "))
  }

  /// Convicts the store at the step that is being performed.
  private func convict(_ reason: String) {
    report.lines.append(
      ReportLine(
        line: current?.place.line ?? 0, step: current.map(spelling(of:)) ?? "before the first step",
        result: "NO: \(reason)", holds: false))
    report.verdict = .failed
  }

  /// Moves the clock by what rules made late in a step, once the step has ended.
  ///
  /// What is late while the clock moves counts for the next step: a save that is slow and fails each time has no end.
  func letDelayPass(_ step: CheckedStep) throws(HarnessError) {
    let delayed = try disk.status().delayedMilliseconds
    let passed = delayed - min(delayed, delaySeen)
    delaySeen = delayed
    guard passed > 0, subject != nil, !isOver else { return }
    tell(step, "answered \(PlanUnits.text(milliseconds: passed)) late")
    _ = try ask(.advance(milliseconds: Int64(clamping: passed)))
  }

  /// The cut of one of the rules that fired.
  private func endByPowerCut(of fired: Set<String>) throws(HarnessError) {
    let cut = armed.first { fired.contains($0.rule.name) && chosenCuts[$0.rule.name] != nil }
    guard let cut, let state = chosenCuts[cut.rule.name]?.state else {
      _ = try endByPowerCut()
      return
    }
    chosenCuts[cut.rule.name]?.models = try endByPowerCut(leaving: state, line: report.lines[cut.line].line)
  }

  /// Returns the names of the models that allow the state that was chosen; none where the disk's own rule decides.
  @discardableResult
  func endByPowerCut(leaving chosen: ChosenState? = nil, line: Int = 0) throws(HarnessError) -> [String] {
    subject?.kill()
    subject = nil
    loseMemory()
    unopenedSinceCut = Set(ledger.documentIDs)
    var models: [String] = []
    if let chosen {
      do throws(HarnessError) {
        models = try disk.restart(leaving: chosen, among: CrashPlan.models(scenario.settings.models))
      } catch {
        throw .disk("line \(line): \(error)")
      }
    } else {
      try disk.restart()
    }
    try keep(as: .crashed)
    return models
  }

  /// Whatever the store had in its memory only is gone, and no fault of its own.
  func loseMemory() {
    open = []
    for document in ledger.documentIDs { ledger.letGo(document) }
    hasCrashed = true
  }

  func endByKill() throws(HarnessError) {
    subject = nil
    loseMemory()
    try keep(as: .crashed)
  }

  func keep(as state: Keeper.State) throws(HarnessError) {
    guard let keeper else { return }
    try looking { () throws(HarnessError) in keeper.keep(disk.volume, as: state, of: report.name) }
  }

  /// Runs what only looks at the disk: faults are for the store, so no rule counts this or hits it. Never nest.
  func looking<Seen>(_ look: () throws(HarnessError) -> Seen) throws(HarnessError) -> Seen {
    if armed.isEmpty { return try look() }
    try disk.holdFaults(true)
    let seen: Seen
    do throws(HarnessError) {
      seen = try look()
    } catch {
      try disk.holdFaults(false)
      throw error
    }
    try disk.holdFaults(false)
    return seen
  }

  /// What a document holds on the disk; nil where it cannot be read.
  func contentOnDisk(_ document: NoteID) throws(HarnessError) -> DocumentContent? {
    try looking { () throws(HarnessError) in
      DocumentReading(volume: disk.volume, memory: memory?.documents).content(of: document)
    }
  }

  // MARK: Before the first step

  /// Builds the scenario's documents with a store that syncs and has no seeded bug; all of it is durable.
  private func build() throws(HarnessError) {
    let configuration = StoreConfiguration(
      now: startOfTime, seed: scenario.settings.seed, drawsThumbnails: scenario.settings.drawsThumbnails)
    let builder = StoreSession(volume: disk.volume, configuration: configuration)
    for document in scenario.documents {
      let steps = commands.building(document) + [.background, .letGo(document.id.noteID)]
      for command in steps {
        number += 1
        material?.note(command)
        let answer = builder.perform(NumberedCommand(number, command))
        if let failure = answer.failures.first { throw .preparation(failure.message) }
        ledger.record(NumberedCommand(number, command))
        ledger.acknowledge(answer.durable)
      }
    }
  }

  /// Opens every document that is not open; returns why some do not open.
  func openDocuments() throws(HarnessError) -> [StoreFailure] {
    var refusals: [StoreFailure] = []
    for document in ledger.documentIDs where !open.contains(document) {
      guard let answer = try ask(.open(document)) else { continue }
      if answer.failures.isEmpty {
        open.insert(document)
        let isDurable = unopenedSinceCut.remove(document) != nil
        if isDurable { openings += 1 }
        if let content = try contentOnDisk(document) {
          ledger.resume(content, number: number, isDurable: isDurable, isRepaired: hasRepaired)
        }
      } else {
        refusals += answer.failures
      }
    }
    return refusals
  }
}

extension StoreCommand {
  /// True for a command that changes a document, and changes nothing when it fails.
  var isEdit: Bool {
    switch self {
    case .open, .close, .letGo, .advance, .advanceUntilSaved, .background, .foreground, .list, .readPage: false
    default: true
    }
  }
}
