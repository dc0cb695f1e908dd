import Files

/// What shall go wrong on a fault disk: rules, in the order in which they are asked.
package struct FaultPlan: Hashable, Sendable {
  /// The rules; the first one that hits an operation decides.
  package var rules: [FaultRule]
  /// What is left on the disk from arming on; nil leaves the disk as it is.
  package var freeSpace: SpaceBound?

  /// A plan of these rules and this bound.
  package init(rules: [FaultRule] = [], freeSpace: SpaceBound? = nil) {
    self.rules = rules
    self.freeSpace = freeSpace
  }
}

/// How much may still be used from the moment on at which it is said.
package struct SpaceBound: Hashable, Sendable {
  /// Bytes; nil is without limit.
  package var bytes: UInt64?
  /// Files and directories; nil is without limit.
  package var inodes: UInt64?

  /// The word with which it begins, and the name to clear it by; no rule has it.
  package static let word = "free-space"

  /// A bound of these values.
  package init(bytes: UInt64? = nil, inodes: UInt64? = nil) {
    self.bytes = bytes
    self.inodes = inodes
  }

  /// "free-space 64KiB", as scenarios and plans write it; "free-space 64KiB, 10 inodes" is shown only.
  package var text: String { "\(SpaceBound.word) \(amounts)" }

  /// "64KiB, 10 inodes".
  package var amounts: String {
    (bytes.map { PlanUnits.text(bytes: $0) } ?? "unlimited") + (inodes.map { ", \($0) inodes" } ?? "")
  }
}

/// One fault and when it happens.
package struct FaultRule: Hashable, Sendable {
  /// The name to clear it by; unique in a plan.
  package var name: String
  /// What happens.
  package var effect: FaultEffect
  /// The operations that it can hit; empty for every counted kind.
  package var operations: Set<OperationKind>
  /// The paths that it can hit; nil for every path.
  package var target: FaultTarget?
  /// Which of the matching operations are hit.
  package var occurrence: FaultOccurrence
  /// When, relative to the operation.
  package var phase: FaultPhase
  /// True where it is no failure that the rule never fires ("maybe").
  package var isOptional: Bool

  /// A rule of these values.
  package init(
    name: String, effect: FaultEffect, operations: Set<OperationKind>, target: FaultTarget? = nil,
    occurrence: FaultOccurrence = FaultOccurrence(), phase: FaultPhase? = nil, isOptional: Bool = false
  ) {
    self.name = name
    self.effect = effect
    self.operations = operations
    self.target = target
    self.occurrence = occurrence
    self.phase = phase ?? effect.phaseByDefault
    self.isOptional = isOptional
  }
}

/// The paths that a rule can hit: any of the patterns matches.
package struct FaultTarget: Hashable, Sendable {
  /// Which path of a rename or link the patterns are held against.
  package enum Side: String, Hashable, Sendable {
    case either, from, to
  }

  /// The patterns.
  package var patterns: [NamePattern]
  /// Which path of a rename or link they are held against.
  package var side: Side
  /// How the plan or scenario called it, for reports: "page p1".
  package var spelling: String

  /// A target of these patterns.
  package init(patterns: [NamePattern], side: Side = .either, spelling: String) {
    self.patterns = patterns
    self.side = side
    self.spelling = spelling
  }
}

/// Which of the matching operations are hit. All conditions hold together.
package struct FaultOccurrence: Hashable, Sendable {
  /// Only the nth since the rule was armed, counted from 1.
  package var nth: UInt64?
  /// Only every kth.
  package var every: UInt64?
  /// Only once this many bytes of matching writes have gone by.
  package var afterBytes: UInt64?
  /// With this probability, 0 to 1; drawn from the plan's seed and the count, so a replay agrees.
  package var probability: Double?
  /// At most this often; nil is without end, but once where `nth` is given.
  package var times: UInt64?

  /// An occurrence of these conditions.
  package init(
    nth: UInt64? = nil, every: UInt64? = nil, afterBytes: UInt64? = nil, probability: Double? = nil,
    times: UInt64? = nil
  ) {
    self.nth = nth
    self.every = every
    self.afterBytes = afterBytes
    self.probability = probability
    self.times = times
  }
}

/// When a fault happens, relative to its operation.
package enum FaultPhase: String, Hashable, Sendable {
  case before, during, after
}
