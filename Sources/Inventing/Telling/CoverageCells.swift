import Campaigns
import Harness
import Scenarios

extension CoverageCell {
  /// What a run has covered: a cell for each fault of the scenario, or for what it does without any.
  static func cells(of report: ScenarioReport, _ scenario: CheckedScenario) -> Set<CoverageCell> {
    let store = scenario.settings.stores.first ?? "snapshot"
    let crashes = scenario.steps.contains(where: \.goesThroughCrashes)
    let models =
      crashes ? (scenario.settings.models.isEmpty ? ["measured"] : scenario.settings.models) : ["posix-weakest"]
    var hazards = scenario.steps.flatMap(\.rules).map {
      (FailureSignature.hazard(of: $0.effect), FailureSignature.role(of: $0))
    }
    if crashes { hazards.append(("every crash", "any step")) }
    if hazards.isEmpty { hazards.append((FailureSignature.plainHazard(scenario.steps), "any step")) }
    let verdict = verdict(of: report)
    return Set(
      models.flatMap { model in
        hazards.map {
          CoverageCell(store: store, model: model, fault: $0.0, role: $0.1, verdict: verdict)
        }
      })
  }

  /// The problems that the check found by name, or "clean".
  private static func verdict(of report: ScenarioReport) -> String {
    if report.verdict == .inconclusive { return "unknown" }
    let names = Set(report.cases.flatMap { $0.found.map(\.name) }).sorted()
    return names.isEmpty ? "clean" : names.joined(separator: "+")
  }
}
