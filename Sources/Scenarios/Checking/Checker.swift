import FileTracing

/// Goes through a scenario once, in the order of the steps, and turns it into what the harness runs.
///
/// Faults may name pages and images that later steps make; so it goes twice, the second time with the `known` names of
/// the first.
struct Checker {
  let vocabulary: ScenarioVocabulary
  let sources: ScenarioSources
  /// Nil in the first round, in which a fault may name what is not known yet.
  let known: NameRegistry?
  var diagnostics = DiagnosticList()
  var settings = ScenarioSettings()
  var definitions: [String: Definition] = [:]
  var environment = Environment()
  var names = NameTable()
  var made = NameRegistry()
  var life = AppLife()
  /// The names of armed faults, and where they were armed.
  var armed: [String: SourcePlace] = [:]
  var rounds: [CheckedStep.Round] = []
  var unrolled = Unrolling()
  var ruleCount = 0
  /// The faults that are armed and cut the power, by name, and the lines that armed them.
  var cutsArmed: [String: Int] = [:]
  /// The pictures that were read, by their paths.
  var pictures: [String: [UInt8]] = [:]
  /// True where crash states are gone through or chosen, which is what `model` is for.
  var usesModels = false

  /// The most steps that a scenario may have once its loops are unrolled.
  static let stepsMax = 100_000

  /// Checks a scenario.
  static func check(
    _ scenario: Scenario, vocabulary: ScenarioVocabulary, overrides: [(name: String, value: String)],
    sources: ScenarioSources
  ) -> (scenario: CheckedScenario, diagnostics: DiagnosticList) {
    var first = Checker(vocabulary: vocabulary, sources: sources, known: nil)
    _ = first.run(scenario, overrides)
    var second = Checker(vocabulary: vocabulary, sources: sources, known: first.made)
    second.pictures = first.pictures
    let checked = second.run(scenario, overrides)
    return (checked, second.diagnostics)
  }

  /// What the parameters of a scenario stand for; what is wrong with them is said by a check.
  static func parameters(
    of scenario: Scenario, overrides: [(name: String, value: String)], vocabulary: ScenarioVocabulary,
    sources: ScenarioSources
  ) -> Environment {
    var checker = Checker(vocabulary: vocabulary, sources: sources, known: nil)
    checker.readParameters(scenario, overrides)
    return checker.environment
  }

  private init(vocabulary: ScenarioVocabulary, sources: ScenarioSources, known: NameRegistry?) {
    self.sources = sources
    self.vocabulary = vocabulary
    self.known = known
  }

  private mutating func run(
    _ scenario: Scenario, _ overrides: [(name: String, value: String)]
  ) -> CheckedScenario {
    readParameters(scenario, overrides)
    readDefinitions(scenario)
    for item in scenario.items { check(item: item) }
    let documents = names.documents.map(\.value)
    let steps = check(steps: scenario.steps)
    if documents.isEmpty {
      let place = SourcePlace(line: 1, column: 1, length: 0)
      diagnostics.add(.error, place, "a scenario needs a document: document \"Trip\" { page p1 }")
    }
    warnOfIdleFaults(scenario.steps)
    warnOfIdleModels(scenario)
    return CheckedScenario(title: scenario.title, settings: settings, documents: documents, steps: steps)
  }

  private mutating func check(item: ScenarioItem) {
    switch item {
    case .setting(let setting): attempt { (checker: inout Checker) throws(Diagnostic) in try checker.apply(setting) }
    case .document(let document):
      attempt { (checker: inout Checker) throws(Diagnostic) in try checker.add(document) }
    case .parameter, .definition, .step, .include: break
    }
  }

  /// Runs a part that may fail; its failure becomes a diagnostic.
  mutating func attempt<R>(_ part: (inout Checker) throws(Diagnostic) -> R) -> R? {
    do throws(Diagnostic) {
      return try part(&self)
    } catch {
      diagnostics.add(error)
      return nil
    }
  }

  /// A fault that is armed behind the last step can never happen.
  private mutating func warnOfIdleFaults(_ steps: [Step]) {
    for step in steps.reversed() {
      switch step.action {
      case .fault: diagnostics.add(.warning, step.place, "never reached - no step follows")
      case .expect, .note, .remember, .clear, .freeSpace: continue
      default: return
      }
    }
  }
}

/// How far the unrolling of loops and definitions has gone.
struct Unrolling: Sendable {
  var steps = 0
  var nesting = 0
  var calls: [String] = []
  /// True once there were too many: nothing more is unrolled.
  var isStopped = false
}
