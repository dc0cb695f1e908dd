import PropertyTesting

/// Chooses all that a scenario leaves to chance, in the order of its steps; what comes out is concrete.
///
/// Loops and definitions that hold something random are written out, each round a span of choices; the others stay.
struct Concretizer {
  let source: ChoiceSource
  let sources: ScenarioSources
  private let random: RandomParts
  private let definitions: [String: Definition]
  /// What parameters stand for, and what stands in the place of variables that are written out.
  private(set) var environment: Environment
  /// The variables that are written out.
  private(set) var written: [String: ScalarSyntax.Value] = [:]
  private var calls: [String] = []
  private var steps = 0

  private init(_ scenario: Scenario, _ parameters: Environment, _ source: ChoiceSource, _ sources: ScenarioSources) {
    self.source = source
    self.sources = sources
    random = RandomParts(scenario)
    environment = parameters
    var definitions: [String: Definition] = [:]
    for case .definition(let definition) in scenario.items { definitions[definition.name.value] = definition }
    self.definitions = definitions
  }

  /// The scenario with everything chosen.
  ///
  /// - Parameters:
  ///   - parameters: what the parameters stand for in this run.
  ///   - seed: the seed of points and pictures, and of faults with a probability.
  static func concrete(
    _ scenario: Scenario, parameters: Environment, seed: UInt64, source: ChoiceSource, sources: ScenarioSources
  ) throws(Diagnostic) -> Scenario {
    var concretizer = Concretizer(scenario, parameters, source, sources)
    var concrete = Scenario(title: scenario.title, items: [])
    for item in scenario.items { concrete.items += try concretizer.items(item) }
    let nowhere = SourcePlace(line: 1, column: 1, length: 0)
    concrete.items.insert(
      .setting(Setting(place: nowhere, kind: .seed(Word(String(seed), nowhere)))), at: 0)
    return concrete
  }

  private mutating func items(_ item: ScenarioItem) throws(Diagnostic) -> [ScenarioItem] {
    switch item {
    case .setting(let setting): return try self.setting(setting)
    case .parameter(var parameter):
      if let value = environment.variables[parameter.name.value] { parameter.value.value = value }
      return [.parameter(parameter)]
    case .include: return []
    case .definition(let definition): return random.isWrittenOut(definition) ? [] : [item]
    case .document(var document):
      for place in document.pages.indices {
        var page = document.pages[place]
        page.strokes = try number(page.strokes)
        page.points = try number(page.points)
        page.images = try number(page.images)
        document.pages[place] = page
      }
      return [.document(document)]
    case .step(let step): return try self.steps(step).map { .step($0) }
    }
  }

  private func setting(_ setting: Setting) throws(Diagnostic) -> [ScenarioItem] {
    var setting = setting
    switch setting.kind {
    // A concrete case is one case, with a seed of its own.
    case .budget, .seed: return []
    case .autosave(let time): setting.kind = .autosave(try duration(time))
    default: break
    }
    return [.setting(setting)]
  }

  // MARK: Steps

  mutating func block(_ block: Block) throws(Diagnostic) -> Block {
    Block(open: block.open, steps: try steps(block.steps))
  }

  mutating func steps(_ all: [Step]) throws(Diagnostic) -> [Step] {
    var chosen: [Step] = []
    for step in all { chosen += try steps(step) }
    return chosen
  }

  private mutating func steps(_ step: Step) throws(Diagnostic) -> [Step] {
    steps += 1
    guard steps <= Checker.stepsMax else {
      throw Diagnostic(.error, step.place, "chance has made more than \(Checker.stepsMax) steps of this")
    }
    switch step.action {
    case .anyOf(let choices): return try one(of: choices, step.place)
    case .shuffle(let block): return try shuffled(block)
    case .repetition(let count, let block) where random.isWrittenOut(step): return try repeated(count, block)
    case .loop(let loop) where random.isWrittenOut(step): return try written(loop, step.place)
    // A definition sees the variables of whoever calls it: what is written out has none.
    case .call(let name, let arguments) where random.isWrittenOut(step) || !written.isEmpty:
      return try written(name, arguments)
    default:
      var concrete = step
      concrete.action = try action(step.action)
      return [concrete]
    }
  }

  private mutating func one(of choices: [ChoiceSyntax], _ place: SourcePlace) throws(Diagnostic) -> [Step] {
    var weighed: [(weight: Int, steps: [Step])] = []
    for choice in choices {
      guard let weight = Int(choice.weight.value), weight <= Concretizer.weightMax else {
        throw Diagnostic(.error, choice.weight.place, "a weight is at most \(Concretizer.weightMax)")
      }
      if weight > 0 { weighed.append((weight, choice.steps)) }
    }
    if weighed.isEmpty {
      throw Diagnostic(.error, place, "there is nothing to choose from: any of { 2: STEP; 1: STEP }")
    }
    source.open("any of")
    defer { source.close() }
    return try steps(weighed[source.pick(weights: weighed.map(\.weight))].steps)
  }

  private static let weightMax = 1_000_000

  /// In the order of the file where all choices are the simplest.
  private mutating func shuffled(_ block: Block) throws(Diagnostic) -> [Step] {
    var left = block.steps
    var chosen: [Step] = []
    while !left.isEmpty {
      source.open("shuffle")
      defer { source.close() }
      let place = left.count > 1 ? source.int(in: 0...(left.count - 1)) : 0
      chosen += try steps(left.remove(at: place))
    }
    return chosen
  }

  private mutating func repeated(_ count: NumberSyntax, _ block: Block) throws(Diagnostic) -> [Step] {
    let bounds = try self.bounds(count)
    var chosen: [Step] = []
    var rounds = source.many(bounds, usually: Double(bounds.lowerBound + bounds.upperBound) / 2, "repeat")
    while rounds.next() {
      steps += 1
      chosen += try steps(block.steps)
    }
    return chosen
  }

  /// How often a loop goes round, at least and at most.
  private mutating func bounds(_ count: NumberSyntax) throws(Diagnostic) -> ClosedRange<Int> {
    let limits = 0...Checker.stepsMax
    if case .range(let low, let high) = count.form {
      let ends = try [low, high].map { (operand) throws(Diagnostic) in
        let end = NumberSyntax(place: count.place, form: .exactly(operand))
        return try environment.whole(end, "the number of rounds", in: limits)
      }
      guard ends[0] <= ends[1] else { throw Concretizer.empty(count.place) }
      return ends[0]...ends[1]
    }
    let rounds = try environment.whole(try number(count), "the number of rounds", in: limits)
    return rounds...rounds
  }

  private mutating func written(_ loop: LoopSyntax, _ place: SourcePlace) throws(Diagnostic) -> [Step] {
    if let place = loop.untilSuccess {
      throw Diagnostic(.error, place, "each round of a loop until success is the same: nothing in it is random")
    }
    guard let from = Int(loop.from.value), let to = loop.to.flatMap({ Int($0.value) }), from <= to,
      to - from < Checker.stepsMax
    else { throw Diagnostic(.error, place, "this loop has no last number, or too many rounds") }
    let outer = (environment, written)
    defer { (environment, written) = outer }
    var chosen: [Step] = []
    for number in from...to {
      set(loop.name.value, .number(Numeral(whole: number)))
      source.open("for")
      defer { source.close() }
      steps += 1
      chosen += try steps(loop.body.steps)
    }
    return chosen
  }

  private mutating func written(_ name: Word, _ arguments: [ScalarSyntax]) throws(Diagnostic) -> [Step] {
    // What is wrong with it is said where it is checked.
    guard let definition = definitions[name.value] else {
      return [Step(place: name.place, action: .call(name, arguments))]
    }
    guard definition.parameters.count == arguments.count else { throw definition.mismatch(name) }
    guard !calls.contains(name.value) else {
      throw Diagnostic(.error, name.place, "'\(name.value)' calls itself, which never ends")
    }
    let values = try arguments.map { (argument) throws(Diagnostic) in try environment.scalar(argument) }
    let outer = (environment, written)
    calls.append(name.value)
    defer {
      calls.removeLast()
      (environment, written) = outer
    }
    for (parameter, value) in zip(definition.parameters, values) { set(parameter.value, value) }
    source.open("do")
    defer { source.close() }
    return try steps(definition.body.steps)
  }

  private mutating func set(_ name: String, _ value: ScalarSyntax.Value) {
    environment.variables[name] = value
    written[name] = value
  }

  /// Runs a part in which a variable is set anew: it is not written out there.
  mutating func shadowing<R>(_ name: String, _ part: (inout Self) throws(Diagnostic) -> R) throws(Diagnostic) -> R {
    let outer = written
    defer { written = outer }
    written[name] = nil
    return try part(&self)
  }

  static func empty(_ place: SourcePlace) -> Diagnostic {
    Diagnostic(.error, place, "this range is empty - write the smaller one first")
  }
}
