import FileTracing

extension Checker {
  /// The steps of a block, unrolled. What is wrong in one does not hide the next.
  mutating func check(steps: [Step]) -> [CheckedStep] {
    var all: [CheckedStep] = []
    for step in steps where !unrolled.isStopped {
      unrolled.steps += 1
      guard unrolled.steps <= Checker.stepsMax else {
        unrolled.isStopped = true
        diagnostics.add(
          .error, step.place, "loops and definitions unroll to more than \(Checker.stepsMax) steps here")
        break
      }
      all += attempt { (checker: inout Checker) throws(Diagnostic) in try checker.check(step) } ?? []
    }
    return Checker.joiningExpectedFailures(all)
  }

  /// Tells each `reopen` of the `expect error` directly behind it.
  private static func joiningExpectedFailures(_ steps: [CheckedStep]) -> [CheckedStep] {
    var joined = steps
    for index in joined.indices.dropLast() {
      guard case .reopen = joined[index].action, case .expect(.error(let errno)) = joined[index + 1].action else {
        continue
      }
      joined[index].action = .reopen(expecting: errno)
    }
    return joined
  }

  private mutating func check(_ step: Step) throws(Diagnostic) -> [CheckedStep] {
    switch step.action {
    case .call(let name, let arguments): return try call(name, arguments)
    case .repetition(let count, let block):
      let rounds = try environment.whole(count, "the number of rounds", in: 0...Checker.stepsMax)
      return try nested(step.place) { checker in checker.unroll(rounds, block) { _, _ in } }
    case .loop(let loop): return try self.loop(loop, step.place)
    case .whenStore(let store, let block):
      guard settings.stores.contains(store.value) else { return [] }
      return try nested(step.place) { checker in checker.check(steps: block.steps) }
    case .shuffle, .anyOf: throw Diagnostic(.error, step.place, "this cannot be left to chance here")
    default:
      let description = StepPrinter(environment: environment).line(step) + inFile(step.place)
      let rounds = self.rounds
      let action = try action(step)
      return [CheckedStep(place: step.place, description: description, rounds: rounds, action: action)]
    }
  }

  private mutating func action(_ step: Step) throws(Diagnostic) -> StepAction {
    switch step.action {
    case .with, .cutBlock, .sweep: return try block(step)
    case .fault(let fault): return try arm(fault)
    case .clear(let name): return try clear(name)
    case .freeSpace(let size):
      return .freeSpace(try size.map { (size) throws(Diagnostic) in try environment.size(size, "the free space") })
    case .expect(let expectation): return .expect(try self.expectation(expectation))
    case .remember(let name): return try remember(name)
    case .note(let text): return .note(text)
    case .sometimes(let text): return .sometimes(text)
    case .exec: throw Diagnostic(.error, step.place, Checker.onlyExternal)
    case .life(let word): return life(word, step.place)
    case .powerCut(let loss):
      let chosen = try chosenState(loss)
      life.end(by: "power-cut")
      if let chosen { return .chosenCut(chosen) }
      return .powerCut(try FaultRuleBuilder.survivors(loss))
    case .wait(let time): return .wait(milliseconds: try environment.duration(time, "the time to wait"))
    case .waitUntilSaved:
      needsApp(step.place)
      return .waitUntilSaved
    default:
      needsApp(step.place)
      return try edit(step)
    }
  }

  /// " (in pens.scn)": where a step of an included file stands.
  private func inFile(_ place: SourcePlace) -> String {
    place.file == 0 ? "" : " (in \(sources.all[place.file].path))"
  }

  /// Warns of a step that needs the app where the app has ended.
  mutating func needsApp(_ place: SourcePlace) {
    if let warning = life.unreachable() { diagnostics.add(.warning, place, warning) }
  }

  private mutating func life(_ word: LifeWord, _ place: SourcePlace) -> StepAction {
    switch word {
    case .background:
      needsApp(place)
      return .background
    case .foreground:
      needsApp(place)
      return .foreground
    case .close:
      needsApp(place)
      life.end(by: "close")
      return .close
    case .kill:
      needsApp(place)
      life.end(by: "kill")
      return .kill
    case .reopen:
      life.open()
      return .reopen(expecting: nil)
    case .fsck: return .fsck
    case .repair: return .repair
    }
  }

  private mutating func remember(_ name: Word) throws(Diagnostic) -> StepAction {
    if Checker.reservedStates.contains(name.value) {
      throw Diagnostic(.error, name.place, "'\(name.value)' has a meaning of its own - choose another name")
    }
    if !names.remembered.contains(name.value) { names.remembered.append(name.value) }
    return .remember(name.value)
  }

  static let reservedStates = ["latest", "empty", "last-durable"]

  // MARK: Loops and calls

  /// Runs `body` one block deeper.
  mutating func nested<R>(_ place: SourcePlace, _ body: (inout Checker) -> R) throws(Diagnostic) -> R {
    guard unrolled.nesting < Scenario.nestingMax else {
      throw Diagnostic(.error, place, "blocks and calls stand in each other at most \(Scenario.nestingMax) deep")
    }
    unrolled.nesting += 1
    defer { unrolled.nesting -= 1 }
    return body(&self)
  }

  mutating func unroll(
    _ count: Int, _ block: Block, prepare: (inout Checker, Int) -> Void
  ) -> [CheckedStep] {
    var all: [CheckedStep] = []
    for number in 0..<count where !unrolled.isStopped {
      // An empty round costs too, so that a loop of loops of nothing ends.
      unrolled.steps += 1
      rounds.append(.init(number: number + 1, count: count))
      prepare(&self, number)
      all += check(steps: block.steps)
      rounds.removeLast()
    }
    return all
  }

  private mutating func loop(_ loop: LoopSyntax, _ place: SourcePlace) throws(Diagnostic) -> [CheckedStep] {
    if loop.untilSuccess != nil { return [try untilSuccess(loop, place)] }
    guard let last = loop.to else {
      throw Diagnostic(.error, place, "the last number is missing: for \(loop.name.value) = \(loop.from.value)..9")
    }
    let numbers = try numbers(of: loop, to: last, place)
    let outer = environment
    defer { environment = outer }
    return try nested(place) { checker in
      checker.unroll(numbers.count, loop.body) { checker, number in
        checker.environment.variables[loop.name.value] = .number(Numeral(whole: numbers.lowerBound + number))
      }
    }
  }

  private mutating func call(_ name: Word, _ arguments: [ScalarSyntax]) throws(Diagnostic) -> [CheckedStep] {
    guard let definition = definitions[name.value] else {
      let known = definitions.keys.sorted()
      let near = Spelling.suggestion(for: name.value, among: known)
      let list = near.isEmpty ? "; \(NameTable.list("definitions", known))" : near
      throw Diagnostic(.error, name.place, "'\(name.value)' is not defined\(list)")
    }
    guard arguments.count == definition.parameters.count else { throw definition.mismatch(name) }
    guard !unrolled.calls.contains(name.value) else {
      throw Diagnostic(.error, name.place, "'\(name.value)' calls itself, which never ends")
    }
    var inner = environment
    for (parameter, argument) in zip(definition.parameters, arguments) {
      inner.variables[parameter.value] = try environment.scalar(argument)
    }
    let outer = environment
    environment = inner
    unrolled.calls.append(name.value)
    defer {
      environment = outer
      unrolled.calls.removeLast()
    }
    return try nested(name.place) { checker in checker.check(steps: definition.body.steps) }
  }
}

extension Definition {
  /// What is said of a call with too few or too many values.
  func mismatch(_ call: Word) -> Diagnostic {
    let wanted = parameters.map(\.value).joined(separator: ", ")
    let count = parameters.count == 1 ? "1 value" : "\(parameters.count) values"
    return Diagnostic(.error, call.place, "'\(call.value)' takes \(count): \(call.value)(\(wanted))")
  }
}
