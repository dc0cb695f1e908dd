import CrashModel
import Pages
import Terminal

extension ScenarioReport {
  /// The report as a page for a browser: the sweeps over crash states, and what failed besides.
  ///
  /// - Parameter again: the command line that repeats the run.
  package func page(again: String) -> CrashPage {
    let tone: CrashPage.Verdict =
      switch verdict {
      case .passed: .good
      case .failed: .failing
      case .inconclusive: .unknown
      }
    let sweeps = cases.compactMap { one in one.sweep.map { (one, $0) } }
    let named = cases.count > 1
    var sentences: [String] = []
    for (one, sweep) in sweeps { sentences.append((named ? "\(one.name ?? ""): " : "") + sweep.summary + ".") }
    if sentences.isEmpty { sentences = [Figures.counted(cases.count, "case") + "."] }
    if promised != kept { sentences.append("Promised: \(promised.sentence). Kept: \(kept.sentence).") }
    var page = CrashPage(title: title, subtitle: setting, verdict: tone, summary: sentences.joined(separator: " "))
    for (one, sweep) in sweeps {
      let prefix = named ? "\(one.name ?? ""): " : ""
      var depths: [SweepReport] = [sweep]
      while let deeper = depths.last?.recovery { depths.append(deeper) }
      for depth in depths { page.findings += depth.classes.map { depth.finding(of: $0) } }
      page.models += sweep.models.map { model in
        CrashPage.Model(
          name: prefix + model.name, states: model.states, failing: model.failing,
          completeness: model.completeness.words, isMeasured: PersistenceModel.named(model.name)?.isMeasured ?? true)
      }
      if let fix = sweep.fix { page.fix = (page.fix.map { "\($0). " } ?? "") + prefix + fix.text + "." }
    }
    for one in cases where one.sweep == nil && one.verdict == .failed {
      var finding = CrashPage.Finding(
        sentence: one.lines.first { !$0.holds }.map(SweepReport.sentence) ?? "It failed.", count: one.name ?? "one run")
      finding.said = one.lines.map(\.saidText)
      page.findings.append(finding)
    }
    page.notes = cases.flatMap(\.trouble)
    page.again = again
    return page
  }
}

extension SweepReport {
  /// One reason, for a page and for JSON.
  func finding(of reason: Class) -> CrashPage.Finding {
    var finding = reason.example.finding
    finding.sentence = reason.sentence
    let things = Figures.counted(reason.count, subject == .states ? "state" : "failure")
    finding.count = reason.models.isEmpty ? things : "\(things), on \(reason.models.sorted().joined(separator: ", "))"
    finding.name = reason.example.stateName
    finding.facts.append(("first", "\(reason.example.name), \(reason.example.moment)"))
    if let name = reason.example.stateName { finding.facts.append(("name", name)) }
    finding.said = reason.example.lines.map(\.saidText)
    finding.again = reason.example.again.map { [$0.hasSuffix("{") ? "\($0) … }" : $0] } ?? []
    return finding
  }
}

extension ReportLine {
  /// The line as a page shows it, and whether it convicts.
  fileprivate var saidText: (text: String, isBad: Bool) {
    let result = resultText.isEmpty ? "" : ": \(resultText)"
    return ((line == 0 ? "" : "\(line)  ") + step + result, !holds)
  }
}
