/// What came of reading a scenario's text: the scenario, or why not.
package struct ScenarioReading: Sendable {
  /// What to run; nil where there is any error or anything that does not run yet.
  package var scenario: CheckedScenario?
  /// Errors, refusals and warnings in the order of the text, at most `Diagnostic.countMax`.
  package var diagnostics: [Diagnostic]
  /// The diagnostics as the user sees them, each with its source line and caret; ends with a newline unless empty.
  package var text: String

  /// Reads and checks a scenario.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: how diagnostics call the file.
  ///   - overrides: the values of `-D NAME=VALUE`, in order.
  package static func read(
    _ bytes: [UInt8], file: String, vocabulary: ScenarioVocabulary, overrides: [(name: String, value: String)] = []
  ) -> ScenarioReading {
    ScenarioReading(scenario: nil, diagnostics: [], text: "")
  }
}
