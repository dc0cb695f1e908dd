extension Parser {
  /// `{ … }`. What is wrong inside is said there; fails only where there is no block or no end of it.
  mutating func block() throws(Failure) -> Block {
    let open = current.place
    try require(.openBrace, "'{' is missing here, before \(current.spelling)")
    guard nesting < Scenario.nestingMax else {
      diagnostics.add(.error, open, "blocks stand in each other at most \(Scenario.nestingMax) deep")
      skipBlock()
      return Block(open: open, steps: [])
    }
    nesting += 1
    defer { nesting -= 1 }
    var steps: [Step] = []
    skipSeparators()
    while !at(.closeBrace) {
      guard current.kind != .end else { throw fail("this '{' is never closed", at: open) }
      do throws(Failure) {
        steps.append(try step())
        if !isAtEndOfStatement { throw fail("a new line is missing here, before \(current.spelling)") }
      } catch {
        recover()
      }
      skipSeparators()
    }
    advance()
    return Block(open: open, steps: steps)
  }

  /// To behind the `}` of a block whose `{` has been read.
  private mutating func skipBlock() {
    var open = 1
    while open > 0, current.kind != .end {
      if at(.openBrace) { open += 1 }
      if at(.closeBrace) { open -= 1 }
      advance()
    }
  }

  /// A step with a block; nil where the word begins none.
  mutating func compound(_ word: String, _ start: SourcePlace) throws(Failure) -> Step? {
    switch word {
    case "repeat": return try repetition(start)
    case "any": return try anyOf(start)
    case "shuffle":
      advance()
      return Step(place: start, action: .shuffle(try block()))
    case "with": return try with(start)
    case "when":
      advance()
      try require("store", "write 'when store snapshot { … }'")
      let store = try self.word("a store", among: Parser.stores)
      let head = place(from: start)
      return Step(place: head, action: .whenStore(store, try block()))
    case "for":
      advance()
      return accept("each") ? try sweep(start) : try loop(start)
    case "power-cut", "kill": return try cutBlock(word, start)
    default: return nil
    }
  }

  private mutating func repetition(_ start: SourcePlace) throws(Failure) -> Step {
    advance()
    let count = try number("how often")
    let head = place(from: start)
    if at("times") { throw fail("leave 'times' out: repeat 3 { … }") }
    return Step(place: head, action: .repetition(count, try block()))
  }

  /// `power-cut … on TRIGGER { }`; nil, with nothing read, for the step without a block.
  private mutating func cutBlock(_ word: String, _ start: SourcePlace) throws(Failure) -> Step? {
    let beginning = position
    advance()
    let loss = try loss()
    guard at("on") else {
      position = beginning
      return nil
    }
    let effect = EffectSyntax(place: start, kind: word == "kill" ? .kill : .powerCut(loss))
    let trigger = try trigger()
    let head = place(from: start)
    guard at(.openBrace) || !isAtEndOfStatement else {
      throw fail("'\(word) on …' stands around the steps it hits: write { … } behind it, or 'fault \(word) on …'")
    }
    return Step(place: head, action: .cutBlock(effect, trigger, try block()))
  }

  private mutating func with(_ start: SourcePlace) throws(Failure) -> Step {
    advance()
    var armed = [try armedCondition()]
    while true {
      // `and` may stand on the next line.
      let here = position
      skipSeparators()
      guard accept("and") else {
        position = here
        break
      }
      armed.append(try armedCondition())
    }
    let head = place(from: start)
    return Step(place: head, action: .with(armed, try block()))
  }

  private mutating func armedCondition() throws(Failure) -> ArmedSyntax {
    let start = current.place
    if accept("free-space") { return .freeSpace(try size("the free space")) }
    let isOptional = accept("maybe")
    _ = accept("fault")
    return .fault(try fault(from: start, isOptional: isOptional, name: nil))
  }

  // MARK: Random choices

  private mutating func anyOf(_ start: SourcePlace) throws(Failure) -> Step {
    advance()
    try require("of", "write 'any of { 2: STEP … }'")
    let head = place(from: start)
    let open = current.place
    try require(.openBrace, "'{' is missing here, before \(current.spelling)")
    guard nesting < Scenario.nestingMax else {
      diagnostics.add(.error, open, "blocks stand in each other at most \(Scenario.nestingMax) deep")
      skipBlock()
      return Step(place: head, action: .anyOf([]))
    }
    nesting += 1
    defer { nesting -= 1 }
    var choices: [ChoiceSyntax] = []
    skipSeparators()
    while !at(.closeBrace) {
      guard current.kind != .end else { throw fail("this '{' is never closed", at: open) }
      do throws(Failure) {
        choices.append(try choice())
        if !isAtEndOfStatement { throw fail("\(current.spelling) does not belong here") }
      } catch {
        recover()
      }
      skipSeparators()
    }
    advance()
    return Step(place: head, action: .anyOf(choices))
  }

  private mutating func choice() throws(Failure) -> ChoiceSyntax {
    let weight = try integer("the weight")
    try require(.colon, "':' is missing here, behind the weight: \(weight.value): stroke p1")
    if at(.openBrace) { return ChoiceSyntax(weight: weight, steps: try block().steps) }
    let step = try step()
    if step.hasBlock {
      throw fail("a choice is one simple step, or steps in braces: \(weight.value): { … }", at: step.place)
    }
    return ChoiceSyntax(weight: weight, steps: [step])
  }

  // MARK: Sweeps and loops

  private mutating func sweep(_ start: SourcePlace) throws(Failure) -> Step {
    let kind = try sweepKind()
    let atMost = accept("at-most") ? try number("how many") : nil
    let head = place(from: start)
    try require("in", "'in' is missing here: for each … in { … } check { … }, before \(current.spelling)")
    let body = try block()
    var next: Block?
    if case .crash = kind { next = try blockBehind("then") }
    let behind = current.place
    skipSeparators()
    guard accept("check") else { throw fail("a sweep ends in 'check { … }', which is missing here", at: behind) }
    let check = try block()
    return Step(
      place: head,
      action: .sweep(SweepSyntax(kind: kind, place: head, atMost: atMost, body: body, next: next, check: check)))
  }

  /// `WORD { … }`, which may stand on the next line; nil, with nothing read, where it does not.
  private mutating func blockBehind(_ word: String) throws(Failure) -> Block? {
    let here = position
    skipSeparators()
    if accept(word) { return try block() }
    position = here
    return nil
  }

  private mutating func sweepKind() throws(Failure) -> SweepSyntax.Kind {
    switch try word("what to go through", among: ["crash", "failure", "torn-rename"]).value {
    case "crash": return .crash(depth: accept("depth") ? try number("how deep crashes nest") : nil)
    case "torn-rename": return .tornRename(try target())
    default:
      guard let error = current.word, WordShape.isErrno(error) else {
        throw fail("the error is missing here: for each failure EIO in { … } check { … }")
      }
      let place = current.place
      advance()
      return .failure(Word(error, place), at("on") ? try trigger() : nil)
    }
  }

  private mutating func loop(_ start: SourcePlace) throws(Failure) -> Step {
    if at("crash") || at("failure") || at("torn-rename") { throw fail("write 'for each \(current.word ?? "")'") }
    let name = try name("the variable's name, without '$',")
    try require(.equal, "'=' is missing here: for \(name.value) = 1..9 { … }")
    let from = try integer("the first number")
    try require(.range, "'..' is missing here: for \(name.value) = \(from.value)..9 { … }")
    var to: Word?
    if case .number = current.kind { to = try integer("the last number") }
    var untilSuccess: SourcePlace?
    if at("until") {
      untilSuccess = current.place
      advance()
      try require("success", "write 'until success'")
    }
    let head = place(from: start)
    let body = try block()
    return Step(
      place: head,
      action: .loop(LoopSyntax(name: name, from: from, to: to, untilSuccess: untilSuccess, body: body)))
  }
}

extension Step {
  /// True for steps that stand around others.
  var hasBlock: Bool {
    switch action {
    case .repetition, .anyOf, .shuffle, .with, .whenStore, .cutBlock, .sweep, .loop: true
    default: false
    }
  }
}
