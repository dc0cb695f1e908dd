/// Turns the steps of a scenario about another program into commands.
struct ExternalChecker {
  private let vocabulary: ScenarioVocabulary
  private var environment: Environment
  private(set) var diagnostics = DiagnosticList()
  private var external: ExternalScenario

  /// True where the file says `store external`.
  static func isExternal(_ scenario: Scenario) -> Bool {
    scenario.items.contains { item in
      guard case .setting(let setting) = item, case .store(let words) = setting.kind else { return false }
      return words.contains { $0.value == "external" }
    }
  }

  static func check(
    _ scenario: Scenario, vocabulary: ScenarioVocabulary, parameters: Environment
  ) -> (external: ExternalScenario, diagnostics: DiagnosticList) {
    var checker = ExternalChecker(
      vocabulary: vocabulary, environment: parameters, external: ExternalScenario(title: scenario.title))
    for item in scenario.items { checker.attempt { (checker: inout Self) throws(Diagnostic) in try checker.add(item) } }
    if checker.external.setup.isEmpty, checker.external.sweep == nil, !checker.diagnostics.forbidsRun {
      let place = SourcePlace(line: 1, column: 1, length: 0)
      checker.diagnostics.add(.error, place, "nothing is run: exec \"COMMAND\"")
    }
    return (checker.external, checker.diagnostics)
  }

  private init(vocabulary: ScenarioVocabulary, environment: Environment, external: ExternalScenario) {
    self.vocabulary = vocabulary
    self.environment = environment
    self.external = external
  }

  private mutating func attempt(_ part: (inout Self) throws(Diagnostic) -> Void) {
    do throws(Diagnostic) { try part(&self) } catch { diagnostics.add(error) }
  }

  private mutating func add(_ item: ScenarioItem) throws(Diagnostic) {
    switch item {
    case .setting(let setting): try apply(setting)
    case .step(let step): try add(step)
    case .document(let document):
      throw Diagnostic(.error, document.place, "with 'store external' there are no documents - commands make the files")
    case .definition(let definition): throw ExternalChecker.notYet(definition.name.place)
    case .parameter, .include: break
    }
  }

  private mutating func apply(_ setting: Setting) throws(Diagnostic) {
    switch setting.kind {
    case .store(let words):
      guard words.count == 1 else {
        throw Diagnostic(.error, setting.place, "'external' stands alone - other stores need documents")
      }
    case .command(let text): external.program = text
    case .seed(let word): external.seed = UInt64(word.value)
    case .model(let words):
      for word in words where !vocabulary.models.contains(word.value) {
        let near = Spelling.suggestion(for: word.value, among: vocabulary.models)
        throw Diagnostic(.error, word.place, "unknown model '\(word.value)'\(near)")
      }
      external.models += words.map(\.value)
    case .tags, .issue: break
    case .autosave, .durability, .budget, .knownFailing, .mutant, .thumbnails:
      throw Diagnostic(.error, setting.place, "this is about the note store, and says nothing with 'store external'")
    }
  }

  private mutating func add(_ step: Step) throws(Diagnostic) {
    guard case .sweep(let sweep) = step.action, case .crash(nil) = sweep.kind, sweep.next == nil else {
      if external.sweep != nil {
        throw Diagnostic(.notYet, step.place, "behind the sweep nothing runs yet in this version with 'store external'")
      }
      return try add(step, to: &external.setup)
    }
    if external.sweep != nil {
      throw Diagnostic(.notYet, step.place, "one sweep runs in a file with 'store external', in this version")
    }
    let atMost = try sweep.atMost.map { (number) throws(Diagnostic) in
      try environment.whole(number, "'at-most'", in: 1...Checker.stepsMax)
    }
    external.sweep = ExternalScenario.Sweep(
      atMost: atMost, steps: try commands(sweep.body), check: try commands(sweep.check))
  }

  private func commands(_ block: Block) throws(Diagnostic) -> [ExternalScenario.Command] {
    var commands: [ExternalScenario.Command] = []
    for step in block.steps { try add(step, to: &commands) }
    if commands.isEmpty { throw Diagnostic(.error, block.open, "nothing is run in this block: exec \"COMMAND\"") }
    return commands
  }

  private func add(_ step: Step, to commands: inout [ExternalScenario.Command]) throws(Diagnostic) {
    switch step.action {
    case .exec(let text): commands.append(ExternalScenario.Command(line: step.place.line, text: text))
    case .note, .remember: break
    case .expect(let expectation):
      guard case .exit(let number) = expectation.kind else { throw ExternalChecker.notYet(step.place) }
      guard !commands.isEmpty else {
        throw Diagnostic(.error, step.place, "'expect exit' stands behind the 'exec' that it is about")
      }
      commands[commands.count - 1].status = try environment.whole(number, "an exit status", in: 0...255)
    default: throw ExternalChecker.notYet(step.place)
    }
  }

  private static func notYet(_ place: SourcePlace) -> Diagnostic {
    Diagnostic(
      .notYet, place,
      "with 'store external' this version runs exec, expect exit, and one 'for each crash' - for faults there is faultfs run"
    )
  }
}
