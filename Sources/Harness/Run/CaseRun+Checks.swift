import Files
import LNoteFormat
import LNoteStore
import Scenarios
import Terminal

extension CaseRun {
  /// Checks every package and shows what was found; decides nothing.
  func check(_ step: CheckedStep) throws(HarnessError) {
    tell(step, try checked().sentence)
  }

  /// Repairs in place: open documents are let go first and opened again afterwards.
  func repair(_ step: CheckedStep) throws(HarnessError) {
    let wereOpen = open
    for document in open.sorted() {
      _ = try ask(.letGo(document))
      open.remove(document)
    }
    let outcome = try repairInPlace()
    report.repairs += outcome.repairs
    hasRepaired = hasRepaired || outcome.didChange
    remember(outcome.found)
    if try disk.status().isCut { try endByPowerCut() }
    try keep(as: .repaired)
    if subject != nil, !wereOpen.isEmpty, let refusal = try openDocuments().first {
      fail(step, "NO: \(refusal.message)")
    } else if let refusal = outcome.refusal {
      tell(step, "refused: \(refusal)")
    } else {
      tell(step, outcome.repairs.isEmpty ? "nothing to do" : outcome.repairs.joined(separator: "; "))
    }
  }

  /// A fault may hit a repair; but a rule that kills has only this process to kill then, so it waits.
  private func repairInPlace() throws(HarnessError) -> RepairOutcome {
    let check = packageCheck(on: disk.volume)
    let moment = momentOfChecks
    if let summary = known.summary(at: moment), summary.problems.isEmpty { return RepairOutcome() }
    guard armed.contains(where: { $0.rule.effect == .kill }) else {
      let outcome = check.repair(packages)
      if !outcome.didChange && outcome.refusal == nil { known.note(outcome.found, at: moment) }
      return outcome
    }
    return try looking { () throws(HarnessError) in check.repair(packages) }
  }

  /// Holds what a check says against an expectation.
  func expectCheck(_ expectation: Expectation, _ step: CheckedStep) throws(HarnessError) {
    let found = try checked()
    switch expectation {
    case .fsckClean: answer(step, found.isClean, yes: "yes", no: found.sentence)
    case .fsckNoLoss:
      let after = try repairedCopy()
      let losses = after.summary.problems.filter(\.isError)
      let isLossless = losses.isEmpty && after.outcome.isWithoutLoss
      let seen = after.outcome.found.problems.isEmpty ? "" : "; \(after.outcome.found.sentence)"
      let reason = after.outcome.refusal ?? CheckSummary(problems: losses).sentence
      answer(step, isLossless, yes: "yes\(seen)", no: reason)
    case .fsckExactly(let wanted):
      let grave = found.problems.filter(\.isWarningOrError)
      let isExact =
        Set(grave.map(\.code)) == Set(wanted.map(\.code))
        && wanted.allSatisfy { want in
          want.count.map { count in grave.contains { $0.code == want.code && $0.count == count } } ?? true
        }
      if isExact, wanted.contains(where: { $0.name == "known-loss" }) { expectsKnownLoss = true }
      answer(step, isExact, yes: "yes", no: found.sentence)
    case .fsckNever(let unwanted):
      let seen = found.problems.filter { problem in unwanted.contains { $0.code == problem.code } }
      answer(step, seen.isEmpty, yes: "yes", no: CheckSummary(problems: seen).sentence)
    default: break
    }
  }

  /// Judges at the end what the disk holds: what was acknowledged must be there, and a repair must lose nothing.
  func judgeAtEnd() throws(HarnessError) {
    var contents: [NoteID: DocumentContent] = [:]
    for document in ledger.documentIDs { contents[document] = try contentOnDisk(document) }
    let judgement = Judgement(of: contents, against: ledger, isRepaired: hasRepaired, spelling: spelling)
    report.promised = judgement.promised
    report.kept = judgement.kept
    try keep(as: .repaired)
    if isOver { return }
    let recorded = contents.values.reduce(0) { $0 + $1.recordedLoss }
    let isTold =
      expectsKnownLoss && contents.values.contains(where: \.recordsLoss) && recorded >= judgement.goneCount
    for finding in judgement.findings where !isTold {
      report.lines.append(ReportLine(line: 0, step: "at the end", result: "NO: \(finding)", holds: false))
      report.verdict = .failed
    }
    // What convicts already needs no repair to tell more.
    if isOver { return }
    // Pages are drawn as they were before.
    let after = try disk.isForOneLook && material == nil ? repairedInItsPlace() : repairedCopy()
    let left = after.summary.problems.filter { $0.isError && !(isTold && $0.name == "known-loss") }
    if !left.isEmpty && judgement.findings.isEmpty {
      let sentence = CheckSummary(problems: left).sentence
      report.lines.append(ReportLine(line: 0, step: "at the end", result: "NO: \(sentence)", holds: false))
      report.verdict = .failed
    }
  }

  /// The packages of the scenario's documents, as far as the store said that they exist.
  var packages: [BytePath] { ledger.documentIDs.map { BytePath(PackageNames.package($0)) } }

  func packageCheck(on volume: any Volume) -> PackageCheck {
    PackageCheck(
      volume: volume, expectsThumbnails: scenario.settings.drawsThumbnails, memory: memory?.survey)
  }

  private func checked() throws(HarnessError) -> CheckSummary {
    let moment = momentOfChecks
    if let summary = known.summary(at: moment) { return summary }
    let summary = try looking { () throws(HarnessError) in
      packageCheck(on: disk.volume).check(packages)
    }
    known.note(summary, at: moment)
    remember(summary)
    return summary
  }

  /// What tells whether something was written since; nil where that cannot be told, or a rule may spoil what is read.
  private var momentOfChecks: KnownChecks.Moment? {
    guard memory != nil, armed.isEmpty, let changes = disk.changeCount else { return nil }
    return KnownChecks.Moment(changes: changes, packages: packages)
  }

  /// Keeps what the first check behind a crash found, for the report.
  private func remember(_ summary: CheckSummary) {
    guard hasCrashed, report.found.isEmpty else { return }
    report.found = summary.problems.map {
      CaseReport.Found(code: $0.code, name: $0.name, isDamage: $0.isError, count: $0.count)
    }
  }

  /// Repairs a copy in memory and checks it again; the disk stays as it is.
  private func repairedCopy() throws(HarnessError) -> (outcome: RepairOutcome, summary: CheckSummary) {
    let moment = momentOfChecks
    if let known = known.repair(at: moment) { return known }
    let after = repairedAndChecked(try looking { () throws(HarnessError) in try disk.copy() })
    known.note(after, at: moment)
    return after
  }

  /// The same on a disk that nobody looks at any more; the store ends first, since it holds its documents' locks.
  private func repairedInItsPlace() -> (outcome: RepairOutcome, summary: CheckSummary) {
    // Where a recovery is recorded, a crash may interrupt the repair too; so what it writes has to be written.
    let moment = momentOfChecks
    let mayDiffer = epochs != nil && known.summary(at: moment)?.problems.isEmpty != true
    if !mayDiffer, let known = known.repair(at: moment) { return known }
    subject?.kill()
    subject = nil
    return repairedAndChecked(disk.volume)
  }

  private func repairedAndChecked(_ volume: any Volume) -> (outcome: RepairOutcome, summary: CheckSummary) {
    let check = packageCheck(on: volume)
    let outcome = check.repair(packages)
    // A repair that comes to its end looks once more at all there is.
    return (outcome, outcome.refusal != nil ? check.check(packages) : outcome.left)
  }
}
