import PropertyTesting

/// A scenario that leaves something to chance.
///
/// Each seed, or each sequence of choices, makes a concrete case of it.
package struct RandomScenario: Sendable {
  let syntax: Scenario
  let vocabulary: ScenarioVocabulary
  let overrides: [(name: String, value: String)]
  let sources: ScenarioSources

  /// How many cases are drawn in a row, at the most, until one makes sense.
  package static let triesMax = 20
  /// How much may be chosen in one case.
  static let limits = ChoiceLimits(choicesMax: 100_000, depthMax: 1000)

  /// What was drawn.
  package enum Drawn: Sendable {
    case concrete(ConcreteScenario)
    /// The case makes no sense, as where a page is drawn on that chance has deleted: what is wrong with it.
    case refused(String)
  }

  /// How many cases its `budget` asks for; nil where it does not say.
  package var casesMax: Int? {
    budget?.cases.flatMap { Int($0.value) }
  }

  /// How long its `budget` lets it go on, in milliseconds; nil where it does not say.
  package var millisecondsMax: UInt64? {
    guard let time = budget?.time else { return nil }
    return try? parameters.duration(time, "the budget")
  }

  /// The seed that the file names; nil where it names none.
  package var seedOfFile: UInt64? {
    for case .setting(let setting) in syntax.items {
      if case .seed(let word) = setting.kind { return UInt64(word.value) }
    }
    return nil
  }

  private var budget: (cases: Word?, time: DurationSyntax?)? {
    for case .setting(let setting) in syntax.items {
      if case .budget(let cases, let time) = setting.kind { return (cases, time) }
    }
    return nil
  }

  private var parameters: Environment {
    Checker.parameters(of: syntax, overrides: overrides, vocabulary: vocabulary, sources: sources)
  }

  /// The case of a seed: everything that is drawn, and everything made up, comes from it.
  package func drawn(seed: UInt64) -> Drawn {
    drawn(from: ChoiceSource(beyond: .random(seed: seed), limits: RandomScenario.limits), seed: seed)
  }

  /// The case of these choices.
  package func drawn(from source: ChoiceSource, seed: UInt64) -> Drawn {
    do throws(Diagnostic) {
      let concrete = try self.concrete(from: source, seed: seed)
      let found = check(concrete).diagnostics
      if let wrong = found.all.first(where: { $0.severity != .warning }) { return .refused(sources.shown(wrong)) }
      // What is run is the text, so that the text is a test of its own.
      let text = ScenarioPrinter().text(concrete)
      let reading = ScenarioReading.read(
        Array(text.utf8), file: sources.all[0].name, vocabulary: vocabulary, files: sources.files)
      guard let scenario = reading.scenario else { return .refused(reading.text) }
      return .concrete(ConcreteScenario(scenario: scenario, text: text))
    } catch {
      return .refused(sources.shown(error))
    }
  }

  /// The case of a seed, with its places in the file, and what is wrong with it; fails where every case is wrong.
  func checked(seed: UInt64) throws(Diagnostic) -> (scenario: CheckedScenario?, diagnostics: DiagnosticList) {
    let source = ChoiceSource(beyond: .random(seed: seed), limits: RandomScenario.limits)
    return check(try concrete(from: source, seed: seed))
  }

  private func concrete(from source: ChoiceSource, seed: UInt64) throws(Diagnostic) -> Scenario {
    let concrete = try Concretizer.concrete(
      syntax, parameters: parameters, seed: seed, source: source, sources: sources)
    if source.isOverrun {
      let nowhere = SourcePlace(line: 1, column: 1, length: 0)
      throw Diagnostic(
        .error, nowhere, "chance has made more than \(RandomScenario.limits.choicesMax) choices of this file")
    }
    return concrete
  }

  private func check(_ concrete: Scenario) -> (scenario: CheckedScenario?, diagnostics: DiagnosticList) {
    let (scenario, diagnostics) = Checker.check(
      concrete, vocabulary: vocabulary, overrides: overrides, sources: sources)
    return (scenario, diagnostics)
  }
}

/// A case in which nothing is left to chance: what runs, and its text, which is a scenario of its own.
package struct ConcreteScenario: Sendable {
  /// What runs.
  package let scenario: CheckedScenario
  /// Its text, formatted.
  package let text: String
}

extension Diagnostic {
  /// The same as a warning: what is wrong with some of the cases that chance makes.
  var inSomeCases: Diagnostic {
    severity == .warning ? self : Diagnostic(.warning, place, "so it is in some cases, which are left out: \(message)")
  }
}
