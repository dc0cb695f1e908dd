import CrashModel
import Scenarios

/// Alters the steps of a scenario's sweep over crashes, one at a time, to see which are needed.
package struct SeamTrial {
  /// What an altered store is convicted by.
  package enum Outcome: Hashable, Sendable {
    /// It answers with a failure, or its documents are wrong, and nothing crashed.
    case withoutCrash(String)
    /// A state that a crash may leave under this model breaks a promise.
    case crash(model: String, finding: String)
    /// Nothing; so many crash states were judged.
    case harmless(states: Int)
    /// It could not be told.
    case unknown(String)

    /// What convicts, in a word: "no crash", or a model's name; nil where nothing does.
    package var convicting: String? {
      switch self {
      case .withoutCrash: "no crash"
      case .crash(let model, _): model
      case .harmless, .unknown: nil
      }
    }
  }

  /// The scenario, whose last step is the sweep.
  package let scenario: CheckedScenario
  /// The names of the models that are asked, one after the other; the first that convicts is enough.
  package let models: [String]

  /// Trials of a scenario under these models.
  package init(_ scenario: CheckedScenario, models: [String]) {
    self.scenario = scenario
    self.models = models
  }

  /// The steps that the store makes in the course of the sweep.
  package func steps() throws(HarnessError) -> [SeamStep] {
    let seam = Seam()
    let report = run(seam, model: PersistenceModel.strict.name, statesMax: 1)
    if let trouble = report.cases.flatMap(\.trouble).first { throw .preparation(trouble) }
    if report.verdict != .passed {
      throw .preparation("unaltered: \(report.cases.flatMap(\.lines).last?.result ?? "")")
    }
    return seam.steps
  }

  /// What comes of an alteration.
  package func outcome(of alteration: SeamAlteration) -> Outcome {
    var states = 0
    for model in models {
      let seam = Seam(altering: alteration)
      let report = run(seam, model: model, statesMax: nil)
      if let trouble = report.cases.flatMap(\.trouble).first { return .unknown(trouble) }
      guard seam.hasAltered else { return .unknown("there is no step \(alteration.index + 1)") }
      guard let sweep = report.cases.first?.sweep else {
        let lines = report.cases.flatMap(\.lines).filter { !$0.holds }
        return lines.last.map { .withoutCrash($0.result) } ?? .unknown("the sweep was not run")
      }
      if let reason = sweep.classes.first { return .crash(model: model, finding: reason.sentence) }
      states += sweep.judged
    }
    return .harmless(states: states)
  }

  private func run(_ seam: Seam, model: String, statesMax: Int?) -> ScenarioReport {
    var scenario = scenario
    scenario.settings.models = [model]
    return ScenarioRunner(statesMax: statesMax, seam: seam) { seed throws(HarnessError) in
      try Doors(.inProcess).makeDisk(seed: seed)
    }.run(scenario)
  }
}
