/// What came of reading a scenario's text: the scenario, or why not.
package struct ScenarioReading: Sendable {
  /// What to run; nil where there is any error or anything that does not run yet.
  package var scenario: CheckedScenario?
  /// Errors, refusals and warnings in the order of the text, at most `Diagnostic.countMax`.
  package var diagnostics: [Diagnostic]
  /// The diagnostics as the user sees them, each with its source line and caret. Ends with a newline unless empty.
  package var text: String

  /// True where the file is wrong; false where it is right, even if it does not run yet.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Reads and checks a scenario.
  ///
  /// - Parameters:
  ///   - bytes: the file's content.
  ///   - file: how diagnostics call the file.
  ///   - overrides: the values of `-D NAME=VALUE`, in order.
  ///   - files: gets at the files that the scenario names.
  package static func read(
    _ bytes: [UInt8], file: String, vocabulary: ScenarioVocabulary, overrides: [(name: String, value: String)] = [],
    files: ScenarioFiles = .none
  ) -> ScenarioReading {
    let text: String
    do throws(Diagnostic) {
      text = try SourceText.decoded(bytes)
    } catch {
      let nothing = ScenarioSources(SourceText(""), name: file, files: files)
      return ScenarioReading(scenario: nil, diagnostics: DiagnosticList([error]), sources: nothing)
    }
    var resolver = IncludeResolver(ScenarioSources(SourceText(text), name: file, files: files))
    let (own, parsing) = Parser.scenario(in: text)
    let syntax = resolver.resolve(own)
    var found = parsing
    found.add(resolver.diagnostics)
    if found.hasErrors { return ScenarioReading(scenario: nil, diagnostics: found, sources: resolver.sources) }
    let (scenario, diagnostics) = Checker.check(
      syntax, vocabulary: vocabulary, overrides: overrides, sources: resolver.sources)
    return ScenarioReading(
      scenario: diagnostics.forbidsRun ? nil : scenario, diagnostics: diagnostics, sources: resolver.sources)
  }

  private init(scenario: CheckedScenario?, diagnostics: DiagnosticList, sources: ScenarioSources) {
    self.scenario = scenario
    self.diagnostics = diagnostics.reported
    text = self.diagnostics.map { sources.shown($0) }.joined()
  }
}
