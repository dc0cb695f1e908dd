import FileTracing
import Files

/// Turns a written fault into a rule of a plan; the resolver says which paths a target means.
struct FaultRuleBuilder {
  let environment: Environment
  let resolve: (TargetSyntax) throws(Diagnostic) -> FaultTarget

  /// The rule.
  ///
  /// Fails with what is wrong, or with what does not run yet.
  func rule(_ fault: FaultSyntax, name: String) throws(Diagnostic) -> FaultRule {
    try rule(
      effect: fault.effect, trigger: fault.trigger, name: name, namedAt: fault.name?.place,
      isOptional: fault.isOptional)
  }

  func rule(
    effect: EffectSyntax, trigger: TriggerSyntax, name: String, namedAt namePlace: SourcePlace? = nil,
    isOptional: Bool = false
  ) throws(Diagnostic) -> FaultRule {
    let effectValue = try self.effect(effect)
    try checkOperations(effectValue, effect, trigger)
    let phase = try phase(effectValue, trigger)
    let isForAny = trigger.operations.contains { $0.value == .any }
    let kinds = trigger.operations.compactMap { if case .kind(let kind) = $0.value { kind } else { nil } }
    let rule = FaultRule(
      name: name, effect: effectValue, operations: isForAny ? [] : Set(kinds), target: try target(trigger),
      occurrence: try occurrence(trigger), phase: phase, isOptional: isOptional)
    if let refusal = rule.refusal {
      let named = refusal.part == .name ? namePlace : nil
      throw Diagnostic(.error, named ?? place(of: refusal.part, effect, trigger), refusal.reason)
    }
    return rule
  }

  /// Where the part of a rule that is wrong stands in the text.
  private func place(of part: FaultRule.Part, _ effect: EffectSyntax, _ trigger: TriggerSyntax) -> SourcePlace {
    switch part {
    case .effect: effect.place
    case .operations: trigger.operations[0].place
    case .target: trigger.target?.place ?? trigger.place
    case .occurrence: trigger.selectors.first { !$0.isPhase }?.place ?? trigger.place
    case .phase: trigger.selectors.first { $0.isPhase }?.place ?? trigger.place
    case .name: trigger.place
    }
  }

  // MARK: Effects

  func effect(_ syntax: EffectSyntax) throws(Diagnostic) -> FaultEffect {
    switch syntax.kind {
    case .errno(let word): return .errno(try FaultRuleBuilder.errno(Word(word, syntax.place)))
    case .shortWrite(let size):
      let bytes = try environment.size(size, "how much is written")
      guard bytes > 0 else { throw Diagnostic(.error, size.place, "a short write takes at least 1B") }
      return .shortWrite(bytesMax: bytes)
    case .tornRename(let word, let size): return .tornRename(try torn(word, size, syntax.place))
    case .powerCut(let loss): return .powerCut(try FaultRuleBuilder.survivors(loss))
    case .kill: return .kill
    case .tornWrite(let size): return .tornWrite(bytesMax: try environment.size(size, "how much reaches the disk"))
    case .shortRead(let size): return .shortRead(bytesMax: try environment.size(size, "how much is read"))
    case .fsyncFail(let dropDirty): return .fsyncFail(dropDirty ? .drop : .keep)
    case .slow(let delay): return .slow(milliseconds: try environment.duration(delay, "the delay"))
    case .flip(let count):
      let bits = try environment.whole(count, "the number of bits", in: 1...Int(8 * FaultRule.writeBytesMax))
      return .flip(bits: UInt64(bits))
    case .plain(let word):
      guard let effect = FaultWord(rawValue: word)?.plainEffect else {
        throw Diagnostic(.error, syntax.place, "unknown effect '\(word)'")
      }
      return effect
    }
  }

  static func errno(_ word: Word) throws(Diagnostic) -> Errno {
    guard let errno = Errno(name: word.value) else {
      let near = Spelling.suggestion(for: word.value, among: Errno.numbers.map(\.name))
      throw Diagnostic(.error, word.place, "unknown error '\(word.value)'\(near)")
    }
    return errno
  }

  private func torn(_ word: String, _ size: SizeSyntax?, _ place: SourcePlace) throws(Diagnostic) -> TornRename {
    if let size { return .targetPrefix(bytes: try environment.size(size, "how much of it is left")) }
    guard let torn = TornRename.all.first(where: { $0.name == word }) else {
      throw Diagnostic(.error, place, "unknown way to tear a rename: '\(word)'")
    }
    return torn
  }

  static func survivors(_ loss: LossSyntax?) throws(Diagnostic) -> SurvivingState {
    switch loss?.kind {
    case nil, .keepNone: return .keepNone
    case .keepAll: return .keepAll
    case .losing, .keeping:
      throw Diagnostic(
        .error, loss?.place ?? SourcePlace(line: 0, column: 0, length: 0),
        "a state is chosen in a step 'power-cut losing …' or in a block 'power-cut losing … on … { }', and not in a fault"
      )
    }
  }

  // MARK: What fits together

  /// Effects that need a given operation.
  private func checkOperations(
    _ effect: FaultEffect, _ syntax: EffectSyntax, _ trigger: TriggerSyntax
  ) throws(Diagnostic) {
    let needed: (kind: OperationKind, sentence: String)?
    switch effect {
    case .tornRename: needed = (.rename, "only a rename can be torn so - write 'on rename'")
    case .shortWrite: needed = (.write, "only a write can be short - write 'on write'")
    default: needed = nil
    }
    if let needed, let wrong = trigger.operations.first(where: { $0.value != .kind(needed.kind) }) {
      throw Diagnostic(.error, wrong.place, needed.sentence)
    }
    if let kinds = effect.operationsNeeded, let wrong = trigger.operations.first(where: { !$0.value.isAmong(kinds) }) {
      let words = kinds.filter(OperationKind.nameable.contains).map(\.rawValue)
      throw Diagnostic(
        .error, wrong.place,
        "'\(effect.word.rawValue)' cannot hit \(wrong.value.word) - write 'on \(words.joined(separator: " or "))'")
    }
    let hasTwoPaths = trigger.operations.allSatisfy { [.kind(.rename), .kind(.link), .any].contains($0.value) }
    if let target = trigger.target, target.preposition == .from || target.preposition == .to, !hasTwoPaths {
      throw Diagnostic(.error, target.place, "'from' and 'to' are for rename and link - write 'of'")
    }
  }

  private func phase(_ effect: FaultEffect, _ trigger: TriggerSyntax) throws(Diagnostic) -> FaultPhase? {
    var phase: FaultPhase?
    for selector in trigger.selectors {
      guard case .phase(let given) = selector.kind else { continue }
      if phase != nil { throw Diagnostic(.error, selector.place, "one of before, during, after is enough") }
      switch (effect, given) {
      case (.errno, .during):
        throw Diagnostic(.error, selector.place, "an error happens before or after its operation, not during it")
      case (.shortWrite, .before), (.shortWrite, .after), (.tornRename, .before), (.tornRename, .after):
        throw Diagnostic(.error, selector.place, "this happens during its operation - leave '\(given.rawValue)' out")
      default: phase = given
      }
    }
    return phase
  }

  private func target(_ trigger: TriggerSyntax) throws(Diagnostic) -> FaultTarget? {
    guard let syntax = trigger.target else { return nil }
    return try resolve(syntax)
  }

  // MARK: Occurrences

  private func occurrence(_ trigger: TriggerSyntax) throws(Diagnostic) -> FaultOccurrence {
    var occurrence = FaultOccurrence()
    for selector in trigger.selectors {
      switch selector.kind {
      case .nth(let number):
        try once(occurrence.nth == nil, selector)
        occurrence.nth = UInt64(try environment.whole(number, "'nth'", in: 1...1_000_000_000))
      case .every(let number):
        try once(occurrence.every == nil, selector)
        occurrence.every = UInt64(try environment.whole(number, "'every'", in: 1...1_000_000_000))
      case .times(let number):
        try once(occurrence.times == nil, selector)
        occurrence.times = UInt64(try environment.whole(number, "'times'", in: 1...1_000_000_000))
      case .afterBytes(let size):
        try once(occurrence.afterBytes == nil, selector)
        occurrence.afterBytes = try environment.size(size, "'after-bytes'")
      case .probability(let numeral):
        try once(occurrence.probability == nil, selector)
        guard (1...1_000_000).contains(numeral.millionths) else {
          throw Diagnostic(.error, selector.place, "a probability is above 0.0 and at most 1.0")
        }
        occurrence.probability = Double(numeral.millionths) / 1_000_000
      case .phase: break
      }
    }
    if let nth = occurrence.nth, occurrence.every != nil || (occurrence.times ?? 1) > 1 {
      throw Diagnostic(.error, trigger.place, "'nth \(nth)' hits once: leave 'every' and 'times' out")
    }
    return occurrence
  }

  private func once(_ isFirst: Bool, _ selector: SelectorSyntax) throws(Diagnostic) {
    if !isFirst { throw Diagnostic(.error, selector.place, "this is given twice") }
  }
}

extension SelectorSyntax {
  fileprivate var isPhase: Bool { if case .phase = kind { true } else { false } }
}

extension OperationWord {
  fileprivate func isAmong(_ kinds: [OperationKind]) -> Bool {
    switch self {
    case .any: false
    case .kind(let kind): kinds.contains(kind)
    }
  }
}
