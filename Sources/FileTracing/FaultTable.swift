import Files

/// What the fault hook is told of an operation that is about to happen.
package struct FaultOperation: Hashable, Sendable {
  /// What it is.
  package var kind: OperationKind
  /// The path it is about, or the source of a rename or link.
  package var path: BytePath
  /// The target of a rename or link.
  package var otherPath: BytePath?
  /// How many bytes a read or write asks for.
  package var length: UInt64
  /// True where it is a rename that can be torn: of a regular file, and not an exchange.
  package var canTear: Bool

  /// An operation of these values.
  package init(
    kind: OperationKind, path: BytePath, otherPath: BytePath? = nil, length: UInt64 = 0, canTear: Bool = false
  ) {
    self.kind = kind
    self.path = path
    self.otherPath = otherPath
    self.length = length
    self.canTear = canTear
  }
}

/// What shall happen to an operation.
package struct FaultDecision: Hashable, Sendable {
  /// The effect of the rule that hit; nil lets the operation happen.
  package var effect: FaultEffect?
  /// When, relative to the operation.
  package var phase: FaultPhase
  /// The name of the rule that hit.
  package var rule: String?
  /// Slow answers besides: what another rule decides comes so much later.
  package var delays: [Delay] = []
  /// A cut or kill right behind an operation that another rule spoils: a torn rename, then the cut.
  package var ending: Ending?

  /// A rule that only makes the answer slow, and leaves it to others to decide what the answer is.
  package struct Delay: Hashable, Sendable {
    /// How much later the answer comes.
    package var milliseconds: UInt64
    /// The name of the rule.
    package var rule: String

    /// A delay of this rule.
    package init(milliseconds: UInt64, rule: String) {
      self.milliseconds = milliseconds
      self.rule = rule
    }
  }

  /// A rule that ends the process or the disk behind an operation.
  package struct Ending: Hashable, Sendable {
    /// `powerCut` or `kill`.
    package var effect: FaultEffect
    /// The name of the rule.
    package var rule: String

    /// An ending of this rule.
    package init(effect: FaultEffect, rule: String) {
      self.effect = effect
      self.rule = rule
    }
  }

  /// Nothing goes wrong.
  package static let proceed = FaultDecision(effect: nil, phase: .before, rule: nil)
}

/// A rule that is armed, and what it has seen since.
package struct FaultCounts: Hashable, Sendable {
  /// The rule.
  package let rule: FaultRule
  /// How many operations of its kinds and paths there were.
  package let matched: UInt64
  /// How many of them it hit.
  package let fired: UInt64
}

/// The rules that are armed, with what each has seen. Pure, the same operations give the same decisions.
package struct FaultTable: Hashable, Sendable {
  /// A rule, and what it has seen since it was armed.
  private struct Armed: Hashable {
    let rule: FaultRule
    var matchedCount: UInt64 = 0
    var firedCount: UInt64 = 0
    var bytesSeen: UInt64 = 0
  }

  private var armed: [Armed] = []
  private let seed: UInt64

  /// A table without rules; `seed` decides the draws of rules with a probability.
  package init(seed: UInt64) { self.seed = seed }

  /// The rules, in the order in which they are asked.
  package var rules: [FaultRule] { armed.map(\.rule) }

  /// What each rule has seen since it was armed, in the order of `rules`.
  package var counts: [FaultCounts] {
    armed.map { FaultCounts(rule: $0.rule, matched: $0.matchedCount, fired: $0.firedCount) }
  }

  /// Adds a rule behind the others, its counters at zero.
  package mutating func arm(_ rule: FaultRule) throws(FaultRuleError) {
    if let reason = rule.reasonToRefuse { throw FaultRuleError(rule: rule.name, reason: reason) }
    if armed.contains(where: { $0.rule.name == rule.name }) {
      throw FaultRuleError(rule: rule.name, reason: "a fault of this name is armed; clear it first")
    }
    armed.append(Armed(rule: rule))
  }

  /// Takes a rule away; false where none has this name.
  package mutating func clear(_ name: String) -> Bool {
    guard let index = armed.firstIndex(where: { $0.rule.name == name }) else { return false }
    armed.remove(at: index)
    return true
  }

  /// Takes all rules away.
  package mutating func clearAll() { armed.removeAll() }

  /// Decides over one operation. Every rule that matches counts it, the first whose conditions hold hits it.
  ///
  /// A rule that makes the answer slow decides nothing: all that hold add their delays, and the first other rule decides.
  /// Behind an operation that an error, a short write or a torn rename hits, the first cut or kill that holds hits too.
  package mutating func decide(_ operation: FaultOperation) -> FaultDecision {
    var decision = FaultDecision.proceed
    for index in armed.indices where armed[index].rule.matches(operation) {
      let rule = armed[index].rule
      let hits = decision.canTake(rule) && FaultTable.isHit(armed[index], operation, seed: seed)
      armed[index].matchedCount += 1
      armed[index].bytesSeen += operation.length
      guard hits else { continue }
      armed[index].firedCount += 1
      decision.take(rule)
    }
    return decision
  }

  private static func isHit(_ armed: Armed, _ operation: FaultOperation, seed: UInt64) -> Bool {
    let occurrence = armed.rule.occurrence
    let count = armed.matchedCount + 1
    if let nth = occurrence.nth, count != nth { return false }
    if let every = occurrence.every, !count.isMultiple(of: every) { return false }
    if let afterBytes = occurrence.afterBytes, armed.bytesSeen < afterBytes { return false }
    if let times = occurrence.times ?? (occurrence.nth == nil ? nil : 1), armed.firedCount >= times { return false }
    switch armed.rule.effect {
    case .shortWrite(let bytesMax) where operation.length <= bytesMax: return false
    case .tornWrite(let bytesMax) where operation.length <= bytesMax: return false
    case .shortRead(let bytesMax) where operation.length <= bytesMax: return false
    case .tornRename where !operation.canTear: return false
    default: break
    }
    guard let probability = occurrence.probability else { return true }
    return FaultTable.draw(seed: seed, rule: armed.rule.name, count: count) < probability
  }

  /// A number from 0 to below 1 that depends on nothing else than these three.
  static func draw(seed: UInt64, rule: String, count: UInt64) -> Double {
    var state = seed
    for byte in rule.utf8 { state = mixed(state ^ UInt64(byte)) }
    return Double(mixed(state ^ count) >> 11) / Double(UInt64(1) << 53)
  }

  /// The mixing step of SplitMix64 (Steele, Lea, Flood 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension FaultDecision {
  /// The sum of all delays of the answer.
  package var delayMilliseconds: UInt64 {
    delays.reduce(effect?.delayMilliseconds ?? 0) { sum, delay in
      let (longer, overflows) = sum.addingReportingOverflow(delay.milliseconds)
      return overflows ? .max : longer
    }
  }

  /// True where nothing is decided yet but delays.
  private var isOpen: Bool { rule == nil || effect?.delayMilliseconds != nil }

  /// True where a rule whose conditions hold hits the operation.
  fileprivate func canTake(_ rule: FaultRule) -> Bool {
    isOpen || rule.effect.delayMilliseconds != nil || (rule.isEnding && canEnd)
  }

  /// Takes up a rule that hits.
  fileprivate mutating func take(_ hit: FaultRule) {
    if let milliseconds = hit.effect.delayMilliseconds, rule != nil {
      delays.append(Delay(milliseconds: milliseconds, rule: hit.name))
    } else if isOpen {
      if let rule, let milliseconds = effect?.delayMilliseconds {
        delays.insert(Delay(milliseconds: milliseconds, rule: rule), at: 0)
      }
      (effect, phase, rule) = (hit.effect, hit.phase, hit.name)
    } else {
      ending = Ending(effect: hit.effect, rule: hit.name)
    }
  }

  /// True where a cut or kill behind the operation would still mean something.
  fileprivate var canEnd: Bool {
    switch effect {
    case .powerCut, .kill, nil: false
    default: ending == nil
    }
  }
}

extension FaultEffect {
  /// How much later an answer comes that is slow and nothing else; nil for all other effects.
  fileprivate var delayMilliseconds: UInt64? {
    if case .slow(let milliseconds) = self { milliseconds } else { nil }
  }
}

extension FaultRule {
  /// True for a cut or kill behind the operation.
  fileprivate var isEnding: Bool {
    switch effect {
    case .powerCut, .kill: phase == .after
    default: false
    }
  }

  /// True where kind and paths of the operation are those of the rule.
  package func matches(_ operation: FaultOperation) -> Bool {
    let kinds = operations.isEmpty ? OperationKind.counted : operations
    guard kinds.contains(operation.kind) else { return false }
    return target?.matches(operation) ?? true
  }
}

extension FaultTarget {
  /// True where one of the patterns stands for a path of the operation, on the side of this target.
  ///
  /// Operations with one path have no sides: their path is held against the patterns whatever the side.
  package func matches(_ operation: FaultOperation) -> Bool {
    guard let otherPath = operation.otherPath else { return matches(operation.path) }
    switch side {
    case .either: return matches(operation.path) || matches(otherPath)
    case .from: return matches(operation.path)
    case .to: return matches(otherPath)
    }
  }

  private func matches(_ path: BytePath) -> Bool { patterns.contains { $0.matches(path) } }
}
