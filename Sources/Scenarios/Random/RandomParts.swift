/// Where a scenario leaves something to chance.
struct RandomParts: Sendable {
  /// The definitions whose steps leave something to chance.
  private(set) var definitions: Set<String> = []
  /// The definitions that arm a fault with a probability.
  private var chancy: Set<String> = []
  /// True where anything does, a fault with a probability included.
  private(set) var isAnywhere = false

  init(_ scenario: Scenario) {
    var bodies: [String: [Step]] = [:]
    for case .definition(let definition) in scenario.items { bodies[definition.name.value] = definition.body.steps }
    var count = -1
    while definitions.count > count {
      count = definitions.count
      for (name, steps) in bodies where isRandom(steps) { definitions.insert(name) }
    }
    count = -1
    while chancy.count > count {
      count = chancy.count
      for (name, steps) in bodies where steps.contains(where: { $0.hasProbability(chancy) }) { chancy.insert(name) }
    }
    isAnywhere = scenario.items.contains { item in
      switch item {
      case .document(let document): document.pages.contains { $0.isRandom }
      case .step(let step): isRandom(step) || step.hasProbability(chancy)
      case .setting(let setting): setting.isRandom
      case .definition, .parameter, .include: false
      }
    }
  }

  /// True for a step that is written out, round by round: each fault that chance decides is then armed once.
  func isWrittenOut(_ step: Step) -> Bool {
    if case .loop(let loop) = step.action, loop.untilSuccess != nil { return isRandom(step) }
    return isRandom(step) || step.hasProbability(chancy)
  }

  /// True for a definition that is written out wherever it is called.
  func isWrittenOut(_ definition: Definition) -> Bool {
    definitions.contains(definition.name.value) || chancy.contains(definition.name.value)
  }

  func isRandom(_ steps: [Step]) -> Bool { steps.contains { isRandom($0) } }

  func isRandom(_ step: Step) -> Bool {
    switch step.action {
    case .anyOf, .shuffle: true
    case .call(let name, _): definitions.contains(name.value)
    case .repetition(let count, let block): count.isRandom || isRandom(block.steps)
    case .with(let armed, let block): armed.contains { $0.isRandom } || isRandom(block.steps)
    case .whenStore(_, let block): isRandom(block.steps)
    case .cutBlock(let effect, let trigger, let block):
      effect.isRandom || trigger.isRandom || isRandom(block.steps)
    case .loop(let loop): isRandom(loop.body.steps)
    case .sweep(let sweep):
      sweep.isRandom || isRandom(sweep.body.steps) || isRandom(sweep.next?.steps ?? []) || isRandom(sweep.check.steps)
    default: step.action.hasRandomValue
    }
  }
}

extension Step.Action {
  /// True for a simple step with a number, size or duration that is drawn.
  fileprivate var hasRandomValue: Bool {
    switch self {
    case .stroke(let stroke):
      [stroke.points, stroke.width, stroke.origin?.x, stroke.origin?.y].contains { $0?.isRandom ?? false }
    case .erase(_, let count), .undo(let count, _), .redo(let count, _), .addPage(_, _, let count):
      count?.isRandom ?? false
    case .move(_, let dx, let dy): dx.isRandom || dy.isRandom
    case .movePage(_, let place): place.isRandom
    case .insertImage(let image): image.size?.isRandom ?? false
    case .wait(let time): time.form.isRandom
    case .freeSpace(let size): size?.isRandom ?? false
    case .fault(let fault): fault.effect.isRandom || fault.trigger.isRandom
    case .expect(let expectation): expectation.isRandom
    default: false
    }
  }
}

extension Step {
  /// True where the step, or one inside of it, arms a fault with a probability, as the definitions named do.
  fileprivate func hasProbability(_ definitions: Set<String>) -> Bool {
    let inside: [Step]
    switch action {
    case .fault(let fault): return fault.trigger.hasProbability
    case .with(let armed, let block):
      for case .fault(let fault) in armed where fault.trigger.hasProbability { return true }
      inside = block.steps
    case .cutBlock(_, let trigger, let block):
      if trigger.hasProbability { return true }
      inside = block.steps
    case .repetition(_, let block), .whenStore(_, let block), .shuffle(let block): inside = block.steps
    case .anyOf(let choices): inside = choices.flatMap(\.steps)
    case .loop(let loop): inside = loop.body.steps
    case .sweep(let sweep): inside = sweep.body.steps + (sweep.next?.steps ?? []) + sweep.check.steps
    case .call(let name, _): return definitions.contains(name.value)
    default: return false
    }
    return inside.contains { $0.hasProbability(definitions) }
  }
}

// MARK: Values

extension NumberSyntax {
  /// True for a range and for one of several.
  var isRandom: Bool { if case .exactly = form { false } else { true } }
}

extension SizeSyntax {
  var isRandom: Bool { form.isRandom }
}

extension SizeSyntax.Form {
  var isRandom: Bool { if case .range = self { true } else { false } }
}

extension PageSyntax {
  fileprivate var isRandom: Bool { [strokes, points, images].contains { $0?.isRandom ?? false } }
}

extension Setting {
  fileprivate var isRandom: Bool { if case .autosave(let time) = kind { time.form.isRandom } else { false } }
}

extension ArmedSyntax {
  fileprivate var isRandom: Bool {
    switch self {
    case .freeSpace(let size): size.isRandom
    case .fault(let fault): fault.effect.isRandom || fault.trigger.isRandom
    }
  }
}

extension EffectSyntax {
  fileprivate var isRandom: Bool {
    switch kind {
    case .shortWrite(let size), .tornWrite(let size), .shortRead(let size): size.isRandom
    case .tornRename(_, let size): size?.isRandom ?? false
    case .slow(let time): time.form.isRandom
    case .flip(let count): count.isRandom
    // A range of bytes of a lost write is no draw.
    case .errno, .fsyncFail, .powerCut, .kill, .plain: false
    }
  }
}

extension TriggerSyntax {
  fileprivate var isRandom: Bool {
    selectors.contains { selector in
      switch selector.kind {
      case .nth(let number), .every(let number), .times(let number): number.isRandom
      case .afterBytes(let size): size.isRandom
      case .probability, .phase: false
      }
    }
  }

  /// True where chance decides which operations are hit.
  var hasProbability: Bool {
    selectors.contains { if case .probability(let chance) = $0.kind { chance.millionths < 1_000_000 } else { false } }
  }
}

extension SweepSyntax {
  fileprivate var isRandom: Bool {
    if atMost?.isRandom ?? false { return true }
    switch kind {
    case .crash(let depth): return depth?.isRandom ?? false
    case .failure(_, let trigger): return trigger?.isRandom ?? false
    case .tornRename: return false
    }
  }
}

extension ExpectSyntax {
  fileprivate var isRandom: Bool {
    switch kind {
    case .exit(let number), .count(_, _, let number), .content(_, .hasElements(let number)): number.isRandom
    default: false
    }
  }
}
