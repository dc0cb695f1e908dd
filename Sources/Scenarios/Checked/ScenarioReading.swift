/// What came of reading a scenario's text: the scenario, or why not.
package struct ScenarioReading: Sendable {
  /// What to run; nil where there is any error or anything that does not run yet.
  ///
  /// Of a scenario that leaves something to chance it is one case.
  package var scenario: CheckedScenario?
  /// The scenario with what it leaves to chance; nil where it leaves nothing to chance, or cannot run.
  package var random: RandomScenario?
  /// One that leaves nothing to chance, with the values that it was read with.
  private var whole: RandomScenario?
  /// A scenario about another program; nil for one about the note store, and for one that cannot run.
  package var external: ExternalScenario?
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
    if ExternalChecker.isExternal(syntax) {
      let parameters = Checker.parameters(
        of: syntax, overrides: overrides, vocabulary: vocabulary, sources: resolver.sources)
      let (external, diagnostics) = ExternalChecker.check(syntax, vocabulary: vocabulary, parameters: parameters)
      var reading = ScenarioReading(scenario: nil, diagnostics: diagnostics, sources: resolver.sources)
      if !diagnostics.forbidsRun { reading.external = external }
      return reading
    }
    if RandomParts(syntax).isAnywhere {
      let random = RandomScenario(
        syntax: syntax, vocabulary: vocabulary, overrides: overrides, sources: resolver.sources)
      return ScenarioReading(random)
    }
    let (scenario, diagnostics) = Checker.check(
      syntax, vocabulary: vocabulary, overrides: overrides, sources: resolver.sources)
    var reading = ScenarioReading(
      scenario: diagnostics.forbidsRun ? nil : scenario, diagnostics: diagnostics, sources: resolver.sources)
    reading.whole = RandomScenario(
      syntax: syntax, vocabulary: vocabulary, overrides: overrides, sources: resolver.sources)
    return reading
  }

  /// The scenario as one file: the values that it was read with are written down, and what it includes.
  ///
  /// Nil where it leaves something to chance, or cannot run.
  package var wholeText: String? {
    guard scenario != nil, let whole, case .concrete(let concrete) = whole.drawn(seed: whole.seedOfFile ?? 1) else {
      return nil
    }
    return concrete.text
  }

  /// A scenario that leaves something to chance: one case of it, and what is wrong with cases.
  ///
  /// Chance may put together what makes no sense; where other cases make some, that is no reason to refuse the file.
  private init(_ random: RandomScenario) {
    var list = DiagnosticList()
    var scenario: CheckedScenario?
    do throws(Diagnostic) {
      let seed = random.seedOfFile ?? 1
      (scenario, list) = try random.checked(seed: seed)
      let isOfChance = list.hasErrors && !list.all.contains { $0.severity == .notYet }
      for other in 1..<UInt64(RandomScenario.triesMax) where isOfChance && list.forbidsRun {
        let (next, found) = try random.checked(seed: seed &+ other)
        if !found.forbidsRun { (scenario, list) = (next, DiagnosticList(found.all + list.all.map(\.inSomeCases))) }
      }
    } catch {
      list.add(error)
    }
    self.init(scenario: list.forbidsRun ? nil : scenario, diagnostics: list, sources: random.sources)
    if self.scenario != nil { self.random = random }
  }

  private init(scenario: CheckedScenario?, diagnostics: DiagnosticList, sources: ScenarioSources) {
    self.scenario = scenario
    self.diagnostics = diagnostics.reported
    text = self.diagnostics.map { sources.shown($0) }.joined()
  }
}
