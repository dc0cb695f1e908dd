import Harness
import Scenarios

/// One run of a scenario, in process: from its text to what came of it.
package struct ScenarioTrial: Sendable {
  /// What the text says, checked; nil where it is wrong.
  package let scenario: CheckedScenario?
  /// What came of it; nil where it is wrong.
  package let report: ScenarioReport?
  /// What is wrong with the text, with its places; empty where nothing is.
  package let diagnostics: String

  /// Runs a scenario of this text.
  ///
  /// - Parameters:
  ///   - file: how diagnostics call it.
  ///   - seed: the seed of all that is made up in the run; nil for what the text says.
  ///   - files: gets at the files that the scenario names.
  ///   - doors: make the disks that it runs on.
  ///   - stepsMax: how many steps it may take, those of every crash state included; nil for any number.
  ///   - drawsPages: true to draw the page that a failure is about.
  package init(
    text: String, file: String, seed: UInt64? = nil, files: ScenarioFiles = .none, doors: Doors,
    stepsMax: Int? = nil, drawsPages: Bool = false
  ) {
    let reading = ScenarioReading.read(Array(text.utf8), file: file, vocabulary: .own, files: files)
    guard var scenario = reading.scenario else {
      self.init(scenario: nil, report: nil, diagnostics: reading.text)
      return
    }
    if let seed { scenario.settings.seed = seed }
    let runner = ScenarioRunner(drawsPages: drawsPages, stepsMax: stepsMax) { (seed) throws(HarnessError) in
      try doors.makeDisk(seed: seed)
    }
    self.init(scenario: scenario, report: runner.run(scenario), diagnostics: "")
  }

  private init(scenario: CheckedScenario?, report: ScenarioReport?, diagnostics: String) {
    self.scenario = scenario
    self.report = report
    self.diagnostics = diagnostics
  }
}
