import Harness
import Scenarios

/// A failure in a sentence for people.
enum FailureSentence {
  /// "Page p1 lost 1 stroke that the store had called durable, after a crash that lost a write of image a1".
  static func text(_ report: ScenarioReport, of scenario: CheckedScenario) -> String {
    guard let failure = Failure(report) else { return "Nothing failed" }
    let what = what(failure.line)
    if let name = failure.example?.stateName { return "\(what), \(CrashWords(name).sentence)" }
    if let rule = scenario.steps.flatMap(\.rules).first {
      return
        "\(what), after \(FailureSignature.hazard(of: rule.effect)) on \(FailureSignature.role(of: rule).replacing("-", with: " "))"
    }
    let hazard = FailureSignature.plainHazard(scenario.steps)
    return hazard == "none" ? what : "\(what), after a \(hazard.replacing("-", with: " "))"
  }

  /// What the check finds most often behind a mistake of a store, in words of those who use it.
  private static let problems = [
    ("known-loss", "Content is gone"), ("asset-missing", "A page shows a photo that is not there"),
    ("page-missing", "A page is listed that is not there"), ("zero-length", "A file of 0 bytes is left"),
  ]

  private static func what(_ line: ReportLine) -> String {
    let result = line.result.hasPrefix("NO: ") ? String(line.result.dropFirst(4)) : line.result
    for (name, sentence) in problems where result.contains("found \(name) ") { return sentence }
    let words = line.line == 0 ? result : "\(line.step): \(result)"
    return (words.first?.uppercased() ?? "") + words.dropFirst()
  }
}
