import CrashModel
import Exploring
import Pages
import Terminal

extension ExploreReport {
  /// The report as a page for a browser.
  var page: CrashPage {
    let verdict: CrashPage.Verdict =
      switch conclusion {
      case .pass: .good
      case .fail: .failing
      case .unknown: .unknown
      }
    var page = CrashPage(
      title: program, subtitle: "Every state that a crash may leave, put before a check", verdict: verdict,
      summary: firstLine)
    page.models = explorations.enumerated().map { place, exploration in
      CrashPage.Model(
        name: exploration.model.name, states: exploration.states.count,
        failing: Set(judging.failures.filter { $0.models.contains(place) }.map(\.entry)).count,
        completeness: exploration.extent, isMeasured: exploration.model.isMeasured)
    }
    page.findings = examples.map(finding)
    page.fix = fix?.text
    page.notes = notes + (differences.isEmpty ? [] : ["A second run did not do the same; this is about the first."])
    page.again = again
    return page
  }

  /// One kind of failure, for a page and for JSON.
  func finding(of example: ExploreExample) -> CrashPage.Finding {
    let failure = example.found.example
    let how = if case .failing(let how) = failure.outcome.verdict { how } else { "unknown" }
    let first = failure.outcome.firstLine
    let models = settings.models.indices.filter { example.found.models.contains($0) }.map { settings.models[$0].name }
    var finding = CrashPage.Finding(
      sentence: first.isEmpty ? "The check fails: \(how)" : "\(first) (\(how))",
      count: "\(Figures.counted(example.found.entries.count, "state")), on \(models.joined(separator: ", "))")
    finding.name = example.name
    example.explanation?.tell(to: &finding)
    let output = failure.outcome.text
    finding.said = output.split(separator: "\n").prefix(Self.saidMax).map { (String($0), false) }
    if example.isOfRecovery { finding.facts.append(("twice", Self.recoveryNote)) }
    if settings.check != nil { finding.facts.append(("printed until then", said(failure.outputCount))) }
    for answer in example.answers { finding.facts.append(("this kernel", answer)) }
    if let kept = example.kept { finding.facts.append(("tree", kept.description)) }
    if let name = example.name {
      finding.facts.append(("name", name))
      finding.again = ["faultfs explore --state \(ExploreCommand.quoted(name)) …"]
    }
    return finding
  }

  /// So many lines of what a check says are shown.
  private static let saidMax = 12
}
