import FileTracing
import Files
import LNoteFormat
import LNoteStore
import Scenarios
import Terminal

extension CaseRun {
  /// Performs steps in order, until the end or until one convicts the store.
  func perform(_ steps: [CheckedStep]) throws(HarnessError) {
    for step in steps {
      if isOver { return }
      try expectTime()
      try work.step()
      if step.action.isSweep {
        guard let choice, choice.place == step.place else { continue }
        return try perform(step, choice.way)
      }
      try perform(step)
      try letDelayPass(step)
    }
  }

  /// Ends the run where it must stop.
  private func expectTime() throws(HarnessError) {
    if case .crashes(let plan)? = choice?.way, plan.mustStop() { throw .stopped }
  }

  /// Performs a sweep in the way that was chosen for this run; nothing behind it is run.
  private func perform(_ sweep: CheckedStep, _ way: SweepChoice.Way) throws(HarnessError) {
    switch (sweep.action, way) {
    case (.tornRenames(let torn), .torn(let rule)): try perform(torn, torn: rule, sweep)
    case (.crashes(let crashes), .crashes(let plan)): try perform(crashes, plan, sweep)
    case (.failures(let failing), .failing(let rule)): try perform(failing, failing: rule, sweep)
    default: throw .preparation("line \(sweep.place.line): '\(sweep.description)' is no such sweep")
    }
  }

  private func perform(_ step: CheckedStep) throws(HarnessError) {
    current = step
    try disk.mark("\(step.place.line) \(step.description)")
    if let asked = commands.commands(for: step.action, ledger: ledger) {
      try edit(step, asked)
      return
    }
    switch step.action {
    case .close: try close(step)
    case .reopen(let expected): try reopen(step, expecting: expected)
    case .kill:
      subject?.kill()
      try endByKill()
      tell(step, "the store was killed")
    case .powerCut(let surviving):
      try disk.powerCut(surviving)
      try endByPowerCut()
      tell(step, surviving == .keepAll ? "everything issued is kept" : "only what was synced is kept")
    case .chosenCut(let chosen):
      try disk.powerCut(.keepAll)
      let models = try endByPowerCut(leaving: chosen, line: step.place.line)
      tell(step, "possible on \(models.joined(separator: ", "))")
    case .fsck: try check(step)
    case .repair: try repair(step)
    case .arm(let rule): try arm(rule, step)
    case .clear(let name): try disarm { $0.rule.name == name }
    case .clearFaults: try disarm { _ in true }
    case .freeSpace(let bytes): try disk.setFreeSpace(bytes)
    case .armed(let conditions, let steps): try perform(steps, under: conditions, step)
    case .remember(let name): remembered[name] = ledger.pages.mapValues(\.workingIndex)
    case .note(let text): tell(step, text)
    case .sometimes(let text):
      reached.note(text)
      tell(step, "reached")
    case .untilSuccess(let rounds): try perform(rounds, untilSuccess: step)
    case .expect(let expectation): try expect(expectation, step)
    default: throw .preparation("line \(step.place.line): '\(step.description)' has no meaning here")
    }
  }

  // MARK: Editing, closing, opening

  private func edit(_ step: CheckedStep, _ asked: [StoreCommand]) throws(HarnessError) {
    var refused: [StoreFailure] = []
    var saved: Set<PageName> = []
    for command in asked {
      try expectTime()
      guard let answer = try ask(command) else { return }
      refused += answer.failures
      saved.formUnion(answer.durable.pages.map(\.page))
    }
    if let failure = refused.first {
      tell(step, words(for: failure))
    } else if !saved.isEmpty, step.action.isSaving {
      tell(step, "saved \(Figures.counted(saved.count, "page"))")
    }
  }

  private func close(_ step: CheckedStep) throws(HarnessError) {
    for failure in try closeDocuments() { tell(step, words(for: failure)) }
  }

  /// Closes every document; one that cannot be saved stays open with its changes. Returns what failed.
  private func closeDocuments() throws(HarnessError) -> [StoreFailure] {
    var failures: [StoreFailure] = []
    for document in open.sorted() {
      guard let answer = try ask(.close(document)) else { return failures }
      if answer.failures.isEmpty || !answer.unsaved.concerns(document) { open.remove(document) }
      failures += answer.failures.prefix(1)
    }
    return failures
  }

  /// A refusal is a failure, unless the next line expects just that error.
  private func reopen(_ step: CheckedStep, expecting expected: Errno?) throws(HarnessError) {
    if subject == nil { try startStore() }
    for failure in try closeDocuments() { tell(step, words(for: failure)) }
    let refusals = try openDocuments()
    if isOver { return }
    if subject == nil { return tell(step, "the store ended while it opened the documents") }
    guard let refusal = refusals.first else {
      tell(step, pageCounts())
      return
    }
    if let expected, refusal.errno == expected {
      tell(step, words(for: refusal))
    } else {
      fail(step, "NO: \(refusal.message)")
    }
  }

  /// "page p1: 0 elements", for the few pages that a scenario has.
  private func pageCounts() -> String {
    let listed = ledger.documents.sorted { $0.key < $1.key }.flatMap { document, history in
      history.working.pages.map { PageName(document: document, page: $0) }
    }
    let texts = listed.prefix(3).map { page in
      "\(spelling(of: page)): \(Figures.counted(ledger.pages[page]?.working.count ?? 0, "element"))"
    }
    return "page " + texts.joined(separator: ", ") + (listed.count > 3 ? ", …" : "")
  }

  /// How the scenario calls a page.
  func spelling(of page: PageName) -> String {
    let pages = scenario.documents.flatMap(\.pages).map(\.reference)
    let reference = pages.first { PageName($0) == page } ?? Self.added(page, in: scenario.steps)
    return reference?.spelling ?? page.page.description
  }

  /// The page as the step calls it that adds it.
  private static func added(_ page: PageName, in steps: [CheckedStep]) -> PageReference? {
    for step in steps {
      if case .addPage(let added, _) = step.action, PageName(added.reference) == page { return added.reference }
      if let inner = added(page, in: step.action.inner) { return inner }
    }
    return nil
  }

  // MARK: Faults

  private func arm(_ rule: FaultRule, _ step: CheckedStep) throws(HarnessError) {
    let firings = try disk.status().firings.filter { $0.rule == rule.name }.count
    try disk.arm(rule)
    report.lines.append(
      ReportLine(line: step.place.line, step: spelling(of: step), result: "", label: rule.label))
    armed.append(ArmedRule(rule: rule, line: report.lines.count - 1, firingsBefore: firings))
  }

  private func disarm(_ isMeant: (ArmedRule) -> Bool) throws(HarnessError) {
    let ending = armed.filter(isMeant)
    armed.removeAll(where: isMeant)
    for rule in ending {
      try disk.clear(rule.rule.name)
      try settle(rule)
    }
  }

  /// Writes into the report whether the rule fired; one that had to and did not leaves the case open.
  func settle(_ armed: ArmedRule) throws(HarnessError) {
    let status = try disk.status()
    let firings = status.firings.filter { $0.rule == armed.rule.name }.dropFirst(armed.firingsBefore)
    report.faultsFired += firings.count
    report.hits[armed.rule.name, default: []] += firings.compactMap(\.matched)
    let line = report.lines[armed.line]
    var result = "never fired"
    if let first = firings.first {
      let often = firings.count == 1 ? "once" : "\(firings.count) times, first"
      let operation = first.countedNumber.map { ", at operation \($0) of \(status.operations)" } ?? ""
      result = "fired \(often)\(operation)"
      if let models = chosenCuts[armed.rule.name]?.models {
        result += "; possible on \(models.joined(separator: ", "))"
      }
    } else if !armed.rule.isOptional, loopsUntilSuccess == 0 {
      report.trouble.append("line \(line.line): '\(line.step)' never fired, so nothing was tested")
      report.verdict = report.verdict.joined(.inconclusive)
    }
    report.lines[armed.line] = ReportLine(
      line: line.line, step: line.step, result: result, label: armed.rule.label)
  }

  private func perform(
    _ steps: [CheckedStep], under conditions: [ArmedCondition], _ step: CheckedStep
  ) throws(HarnessError) {
    failures = []
    let before = armed.count
    for condition in conditions {
      switch condition {
      case .fault(let rule): try arm(rule, step)
      case .chosenCut(let rule, let chosen):
        chosenCuts[rule.name] = ChosenCut(state: chosen)
        try arm(rule, step)
      case .freeSpace(let bytes): try disk.setFreeSpace(bytes)
      }
    }
    let rules = Set(armed.dropFirst(before).map(\.rule.name))
    try perform(steps)
    try disarm { rules.contains($0.rule.name) }
    if conditions.contains(where: { $0.isFreeSpace }) { try disk.setFreeSpace(nil) }
  }

  /// Runs round after round until one in which nothing failed.
  private func perform(_ rounds: [[CheckedStep]], untilSuccess step: CheckedStep) throws(HarnessError) {
    loopsUntilSuccess += 1
    defer { loopsUntilSuccess -= 1 }
    for (place, round) in rounds.enumerated() {
      failures = []
      let before = failuresSeen
      try perform(round)
      if isOver { return }
      if failuresSeen == before { return tell(step, "success in round \(place + 1)") }
    }
    fail(step, "NO: none of \(Figures.counted(rounds.count, "round")) went without a failure")
  }

  /// Runs a sweep's steps with one rename torn in one way and the power cut right behind it, then its check.
  private func perform(_ sweep: TornRenameSweep, torn rule: FaultRule, _ step: CheckedStep) throws(HarnessError) {
    var cut = rule
    cut.name = rule.name + "-cut"
    cut.effect = .powerCut(.keepNone)
    cut.phase = .after
    failures = []
    try arm(rule, step)
    try disk.arm(cut)
    try perform(sweep.steps)
    try disk.clear(cut.name)
    try disarm { $0.rule.name == rule.name }
    if !hasCrashed { return }
    failures = []
    try perform(sweep.check)
  }

  /// Runs a sweep's steps with one operation failing, then its check; without a failure there is nothing to check.
  private func perform(_ sweep: FailureSweep, failing rule: FaultRule, _ step: CheckedStep) throws(HarnessError) {
    failures = []
    try arm(rule, step)
    try perform(sweep.steps)
    let firings = try disk.status().firings
    hasFailed = firings.contains { $0.rule == rule.name }
    try disarm { $0.rule.name == rule.name }
    if !hasFailed { return }
    failures = []
    try perform(sweep.check)
  }

  // MARK: Telling

  /// What the store said of a failure, short enough for a line of the report.
  private func words(for failure: StoreFailure) -> String {
    guard let call = failure.call, let errno = failure.errno else { return "the store said: \(failure.message)" }
    return "the store said: \(call): \(errno)"
  }

  /// The step as a line of the report shows it, with the round of the innermost loop.
  func spelling(of step: CheckedStep) -> String {
    guard let round = step.rounds.last else { return step.description }
    return "\(step.description) (\(round.count.map { "\(round.number) of \($0)" } ?? "round \(round.number)"))"
  }

  /// Adds a line to the report.
  func tell(_ step: CheckedStep, _ result: String) {
    report.lines.append(ReportLine(line: step.place.line, step: spelling(of: step), result: result))
  }

  /// Adds a line that convicts the store; nothing behind it is run.
  func fail(_ step: CheckedStep, _ result: String) {
    report.lines.append(
      ReportLine(line: step.place.line, step: spelling(of: step), result: result, holds: false))
    report.verdict = .failed
  }
}

extension StepAction {
  /// True for `for each …`.
  var isSweep: Bool {
    switch self {
    case .tornRenames, .crashes, .failures: true
    default: false
    }
  }

  /// True for steps in which the store may save.
  var isSaving: Bool {
    switch self {
    case .wait, .waitUntilSaved, .background: true
    default: false
    }
  }
}

extension UnsavedWork {
  /// True where something of this document is not saved.
  func concerns(_ document: NoteID) -> Bool {
    documents.contains(document) || pages.contains { $0.document == document }
  }
}

extension ArmedCondition {
  /// True for a bound on space.
  var isFreeSpace: Bool {
    if case .freeSpace = self { return true }
    return false
  }
}
