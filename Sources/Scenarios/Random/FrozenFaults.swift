/// Faults that chance has decided, written as the operations that they have hit.
///
/// What a probability draws depends on where a fault stands in the text. Written so, the text can be changed and the
/// faults stay where they are.
package struct FrozenFaults {
  /// The names of the rules that a run arms, in the order of the text.
  private let rules: [String]
  /// Which of the operations that it matches each has hit, from 1.
  private let hits: [String: [UInt64]]
  /// How many faults with a probability there were.
  private var count = 0
  /// False once there is a fault of which it cannot be said when it was armed.
  private var isCertain = true
  /// The names of a named fault, one for each hit.
  private var names: [String: [String]] = [:]

  private init(rules: [String], hits: [String: [UInt64]]) {
    self.rules = rules
    self.hits = hits
  }

  /// The text with `nth` in the place of each `probability`.
  ///
  /// Nil where it has none, and where it cannot be said, as of a fault that is armed several times in one line.
  ///
  /// - Parameters:
  ///   - text: a scenario without `any of`, ranges and the like, a step a line.
  ///   - rules: the names of the rules that the run armed.
  ///   - hits: what they have hit.
  package static func text(_ text: String, rules: [String], hits: [String: [UInt64]]) -> String? {
    var scenario = Parser.scenario(in: text).scenario
    var freezer = FrozenFaults(rules: rules, hits: hits)
    scenario.items = scenario.items.flatMap { item -> [ScenarioItem] in
      if case .step(let step) = item { freezer.steps([step]).map { .step($0) } } else { [item] }
    }
    return freezer.count > 0 && freezer.isCertain ? ScenarioPrinter().text(scenario) : nil
  }

  private mutating func steps(_ steps: [Step]) -> [Step] { steps.flatMap { self.steps($0) } }

  private mutating func block(_ block: Block) -> Block { Block(open: block.open, steps: steps(block.steps)) }

  private mutating func steps(_ step: Step) -> [Step] {
    var frozen = step
    switch step.action {
    case .fault(let fault):
      let faults = self.faults([fault], step.place)
      if let name = fault.name?.value { names[name] = faults.compactMap { $0.name?.value } }
      return faults.map { Step(place: step.place, action: .fault($0)) }
    case .clear(let name?):
      guard let all = names[name.value] else { return [step] }
      return all.map { Step(place: step.place, action: .clear(Word($0, name.place))) }
    case .with(let armed, let block):
      let faults = armed.compactMap { if case .fault(let fault) = $0 { fault } else { nil } }
      let spaces = armed.filter { if case .fault = $0 { false } else { true } }
      let conditions = self.faults(faults, step.place).map { ArmedSyntax.fault($0) } + spaces
      let inner = self.block(block)
      // Where nothing was hit nothing is around the steps.
      if conditions.isEmpty { return inner.steps }
      frozen.action = .with(conditions, inner)
    case .cutBlock(let effect, let trigger, let block):
      let fault = FaultSyntax(place: step.place, isOptional: false, name: nil, effect: effect, trigger: trigger)
      let first = faults([fault], step.place).first
      let inner = self.block(block)
      guard let first else { return inner.steps }
      frozen.action = .cutBlock(effect, first.trigger, inner)
    case .repetition(let number, let block): frozen.action = .repetition(number, self.block(block))
    case .whenStore(let store, let block): frozen.action = .whenStore(store, self.block(block))
    case .sweep(var sweep):
      sweep.body = block(sweep.body)
      if let next = sweep.next { sweep.next = block(next) }
      sweep.check = block(sweep.check)
      frozen.action = .sweep(sweep)
    case .loop(var loop):
      loop.body = block(loop.body)
      frozen.action = .loop(loop)
    default: break
    }
    return [frozen]
  }

  /// The faults of one step, each as often as it has hit.
  private mutating func faults(_ faults: [FaultSyntax], _ place: SourcePlace) -> [FaultSyntax] {
    guard faults.contains(where: \.trigger.hasProbability) else { return faults }
    let unnamed = rules.filter { $0.hasPrefix("line \(place.line), fault ") }
    isCertain = isCertain && unnamed.count == faults.count { $0.name == nil }
    var left = unnamed[...]
    return faults.flatMap { fault -> [FaultSyntax] in
      let rule = fault.name?.value ?? left.popFirst() ?? ""
      guard fault.trigger.hasProbability else { return [fault] }
      count += 1
      return (hits[rule] ?? []).enumerated().map { fault.hitting($0.element, number: $0.offset + 1) }
    }
  }
}

extension FaultSyntax {
  /// The fault with the nth operation as the only one that it hits.
  fileprivate func hitting(_ nth: UInt64, number: Int) -> FaultSyntax {
    var fault = self
    if let name, number > 1 { fault.name = Word("\(name.value)-\(number)", name.place) }
    let phases = trigger.selectors.filter { if case .phase = $0.kind { true } else { false } }
    let form = NumberSyntax.Form.exactly(.literal(Numeral(whole: Int(nth))))
    let only = SelectorSyntax(place: trigger.place, kind: .nth(NumberSyntax(place: trigger.place, form: form)))
    fault.trigger.selectors = [only] + phases
    return fault
  }
}
