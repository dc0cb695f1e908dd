import FileTracing
import Scenarios
import Terminal

/// A sweep over failures: the first operation fails, the second, the third …, until a run in which none did.
struct FailureRun {
  /// One run, and whether its failure happened.
  struct Outcome {
    let report: CaseReport
    let hasFailed: Bool
  }

  /// How many failures are tried where the scenario sets no bound.
  static let failuresMax = 10_000

  let scenario: CheckedScenario
  let plan: CaseRun.Plan
  let rule: FaultRule

  /// Runs the case with each failure.
  ///
  /// - Parameter runOnce: runs a case on a fresh disk, and keeps its packages where it is told to.
  func run(
    _ runOnce: (CaseRun.Plan, _ keeps: Bool) throws(HarnessError) -> Outcome
  ) throws(HarnessError) -> CaseReport {
    guard let choice = plan.choice, let step = scenario.steps.first(where: { $0.place == choice.place }),
      case .failures(let sweep) = step.action
    else { throw .preparation("'\(rule.name)' belongs to no sweep") }
    var outcomes: [CaseReport] = []
    var isAtEnd = false
    let bound = sweep.atMost ?? FailureRun.failuresMax
    while !isAtEnd {
      let plan = self.plan(outcomes.count + 1)
      var outcome = try runOnce(plan, false)
      isAtEnd = !outcome.hasFailed
      // What is wrong without a failure is told as the scenario's own.
      if isAtEnd && outcome.report.verdict == .passed { break }
      if isAtEnd || outcomes.count == bound { return isAtEnd ? outcome.report : summed(outcomes, step, isWhole: false) }
      if outcome.report.verdict == .failed { outcome = try runOnce(plan, true) }
      outcomes.append(outcome.report)
    }
    return summed(outcomes, step, isWhole: true)
  }

  private func plan(_ nth: Int) -> CaseRun.Plan {
    var rule = rule
    rule.occurrence.nth = UInt64(nth)
    rule.isOptional = true
    let choice = plan.choice.map { CaseRun.SweepChoice(place: $0.place, way: .failing(rule)) }
    let name = [plan.name, "failure-\(nth)"].compactMap { $0 }.joined(separator: ", ")
    return CaseRun.Plan(
      name: name, durability: plan.durability, choice: choice, reached: plan.reached, drawsPages: plan.drawsPages,
      work: plan.work)
  }

  private func summed(_ outcomes: [CaseReport], _ step: CheckedStep, isWhole: Bool) -> CaseReport {
    var report = CaseReport(name: plan.name)
    var sweep = SweepReport(.failures, count: outcomes.count, isWhole: isWhole)
    for (place, outcome) in outcomes.enumerated() {
      sweep.judged += 1
      sweep.judgements += 1
      report.promised = report.promised + outcome.promised
      report.kept = report.kept + outcome.kept
      report.faultsFired += outcome.faultsFired
      report.refused += outcome.refused
      report.trouble += outcome.trouble.filter { !report.trouble.contains($0) }.prefix(1)
      report.verdict = report.verdict.joined(outcome.verdict)
      guard outcome.verdict == .failed, let finding = outcome.lines.first(where: { !$0.holds }) else { continue }
      sweep.failing += 1
      sweep.note(finding, models: []) {
        var example = SweepReport.Example(
          name: "failure \(place + 1) of \(outcomes.count)", moment: moment(outcome), lines: outcome.lines)
        example.views = outcome.views
        return example
      }
    }
    if outcomes.isEmpty {
      report.trouble.append("line \(step.place.line): '\(step.description)' met no such operation")
      report.verdict = report.verdict.joined(.inconclusive)
    }
    let result = (sweep.failing == 0 ? "" : "NO: ") + sweep.summary
    report.lines = [
      ReportLine(line: step.place.line, step: step.description, result: result, holds: sweep.failing == 0)
    ]
    report.sweep = sweep
    return report
  }

  /// "fired once, at operation 14 of 19".
  private func moment(_ outcome: CaseReport) -> String {
    outcome.lines.last { $0.step.hasPrefix("for each failure") }?.result ?? "a failure"
  }
}
