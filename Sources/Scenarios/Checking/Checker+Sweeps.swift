import FileTracing

/// Sweeps: `for each …`. A sweep leaves no trace: each of its rounds, and what follows it, begins with the state in
/// front of it.
extension Checker {
  mutating func sweep(_ sweep: SweepSyntax) throws(Diagnostic) -> StepAction {
    guard unrolled.nesting == 0 else { throw Environment.notYet(sweep.place, "'for each …' inside of another block") }
    let atMost = try sweep.atMost.map { (number) throws(Diagnostic) in
      try environment.whole(number, "'at-most'", in: 1...Checker.stepsMax)
    }
    switch sweep.kind {
    case .crash(let depth): return try crashes(sweep, depth, atMost)
    case .failure(let word, let trigger): return try failures(sweep, word, trigger, atMost)
    case .tornRename(let target): return try tornRenames(sweep, target, atMost)
    }
  }

  /// The steps of a sweep and of its check.
  private mutating func parts(of sweep: SweepSyntax, endsApp: Bool) throws(Diagnostic) -> SweepParts {
    warnIfEmpty(sweep.body, sweep.place)
    let before = (names: names, life: life, armed: armed)
    defer { (names, life, armed) = (before.names, before.life, before.armed) }
    let steps = try nested(sweep.place) { checker in checker.check(steps: sweep.body.steps) }
    if endsApp { life.end(by: "power-cut") }
    let check = try nested(sweep.place) { checker in checker.check(steps: sweep.check.steps) }
    let next = try sweep.next.map { (block) throws(Diagnostic) in
      try nested(sweep.place) { checker in checker.check(steps: block.steps) }
    }
    return SweepParts(steps: steps, check: check, next: next ?? [])
  }

  // MARK: Crashes

  private mutating func crashes(
    _ sweep: SweepSyntax, _ depth: NumberSyntax?, _ atMost: Int?
  ) throws(Diagnostic) -> StepAction {
    if let line = cutsArmed.values.min() {
      throw Diagnostic(
        .error, sweep.place,
        "the fault armed in line \(line) cuts the power, as this sweep does itself - write 'clear faults' above")
    }
    let parts = try parts(of: sweep, endsApp: true)
    if parts.steps.contains(where: \.cutsPower) {
      throw Diagnostic(
        .error, sweep.place, "this sweep takes the power away itself - leave 'power-cut' out of its steps")
    }
    usesModels = true
    var crashes = CrashSweep(atMost: atMost, steps: parts.steps, check: parts.check)
    crashes.next = parts.next
    if sweep.next != nil { crashes.depth = 2 }
    if let depth {
      let lowest = sweep.next == nil ? 1 : 2
      crashes.depth = try environment.whole(depth, "'depth'", in: lowest...CrashSweep.depthMax)
    }
    if crashes.depth > 1 && (crashes.check + crashes.next).contains(where: \.cutsPower) {
      throw Diagnostic(
        .error, sweep.place, "at depth 2 the recovery is crashed, too - leave 'power-cut' out of 'check' and 'then'")
    }
    return .crashes(crashes)
  }

  /// A model that nothing asks for decides nothing.
  mutating func warnOfIdleModels(_ scenario: Scenario) {
    if usesModels || diagnostics.forbidsRun { return }
    for case .setting(let setting) in scenario.items {
      guard case .model(let words) = setting.kind, words.contains(where: { $0.value != Checker.modelOfCuts }) else {
        continue
      }
      diagnostics.add(
        .warning, setting.place,
        "'model' says which disks 'for each crash' goes through; a bare power cut keeps what \(Checker.modelOfCuts) keeps"
      )
    }
  }

  // MARK: Failures

  private mutating func failures(
    _ sweep: SweepSyntax, _ word: Word, _ trigger: TriggerSyntax?, _ atMost: Int?
  ) throws(Diagnostic) -> StepAction {
    let anything = TriggerSyntax(
      place: sweep.place, operations: [Spelled(.any, sweep.place)], target: nil, selectors: [])
    for selector in trigger?.selectors ?? [] {
      if case .phase = selector.kind { continue }
      throw Diagnostic(
        .error, selector.place, "this sweep lets the first, second, third … operation fail - leave this out")
    }
    let rule = try builder.rule(
      effect: EffectSyntax(place: word.place, kind: .errno(word.value)), trigger: trigger ?? anything,
      name: newRuleName(sweep.place))
    let parts = try parts(of: sweep, endsApp: false)
    return .failures(FailureSweep(rule: rule, atMost: atMost, steps: parts.steps, check: parts.check))
  }

  // MARK: Torn renames

  private mutating func tornRenames(
    _ sweep: SweepSyntax, _ target: TargetSyntax?, _ atMost: Int?
  ) throws(Diagnostic) -> StepAction {
    if settings.models.contains(where: { $0 != Checker.modelOfCuts }) {
      throw Environment.notYet(sweep.place, "'for each torn-rename' in only those ways that a 'model' allows")
    }
    let files = try target.map { (target) throws(Diagnostic) in try resolve(target) }
    let ways = TornRename.all.prefix(atMost ?? TornRename.all.count)
    let name = newRuleName(sweep.place)
    let rules = ways.map { way in
      FaultRule(
        name: "\(name) \(way.name)", effect: .tornRename(way), operations: [.rename], target: files,
        occurrence: FaultOccurrence(nth: 1))
    }
    let parts = try parts(of: sweep, endsApp: true)
    return .tornRenames(
      TornRenameSweep(
        rules: rules, leftOut: TornRename.all.count - ways.count, steps: parts.steps, check: parts.check))
  }
}

/// The checked blocks of a sweep.
private struct SweepParts {
  let steps: [CheckedStep]
  let check: [CheckedStep]
  let next: [CheckedStep]
}

extension CheckedStep {
  /// True for a step in which the power may go.
  fileprivate var cutsPower: Bool {
    switch action {
    case .powerCut, .chosenCut: true
    case .arm(let rule): rule.effect.cutsPower
    case .armed(let conditions, let steps):
      steps.contains(where: \.cutsPower)
        || conditions.contains { $0.rule?.effect.cutsPower ?? false }
    case .untilSuccess(let rounds): rounds.joined().contains(where: \.cutsPower)
    default: false
    }
  }
}

extension FaultEffect {
  /// True for a power cut, whatever survives it.
  var cutsPower: Bool { if case .powerCut = self { true } else { false } }
}
