import FileTracing
import Scenarios

extension CheckedStep {
  /// The faults that are armed in this step and in those inside of it, in the order of the text.
  var rules: [FaultRule] {
    switch action {
    case .arm(let rule): [rule]
    case .armed(let conditions, let steps): conditions.compactMap(\.rule) + steps.flatMap(\.rules)
    case .tornRenames(let sweep): sweep.rules.prefix(1) + sweep.steps.flatMap(\.rules)
    case .failures(let sweep): [sweep.rule] + sweep.steps.flatMap(\.rules)
    case .crashes(let sweep): sweep.steps.flatMap(\.rules)
    case .untilSuccess(let rounds): rounds.first.map { $0.flatMap(\.rules) } ?? []
    default: []
    }
  }

  /// True where every crash in the course of steps is gone through.
  var goesThroughCrashes: Bool { if case .crashes = action { true } else { false } }
}
