@testable import PropertyTesting

/// A rule by name, and how its action is drawn.
typealias PlantedRule<Action> = (name: String, draw: @Sendable (ChoiceSource) -> Action)

/// A model with a mistake in it, whose shortest way to be seen is known.
protocol Planted: Hashable {
  associatedtype Action: Hashable
  /// Rules by name, in the order of declaration; each draws its action.
  static var rules: [PlantedRule<Action>] { get }
  /// Every action there is, for the search of all ways; empty where the ways are too many.
  static var actions: [Action] { get }
  init()
  /// True where the rule of this number can be taken now.
  func allows(rule: Int) -> Bool
  /// Takes the step; false where it cannot be taken now, and nothing is changed.
  mutating func take(_ action: Action) -> Bool
  /// True where the mistake shows.
  var isBroken: Bool { get }
}

extension Planted {
  func allows(rule: Int) -> Bool { true }

  static func machine(_ name: String) -> StateMachine<Self> {
    var machine = StateMachine(
      name, initial: Self(),
      rules: rules.enumerated().map { number, rule in
        StateMachine<Self>.Rule(rule.name, when: { $0.allows(rule: number) }) { model, source in
          let action = rule.draw(source)
          source.tell("\(action)")
          return model.take(action) ? .holds : .invalid
        }
      })
    machine.invariants = [StateMachine<Self>.Invariant("\(name) is broken") { !$0.isBroken }]
    return machine
  }

  /// The fewest steps after which the mistake shows: all ways are tried, the shorter ones first.
  static func fewestSteps(atMost limit: Int) -> Int? {
    var seen: Set<Self> = [Self()]
    var front = [Self()]
    for count in 1...limit {
      var next: [Self] = []
      for model in front {
        for action in actions {
          var after = model
          guard after.take(action) else { continue }
          if after.isBroken { return count }
          if seen.insert(after).inserted { next.append(after) }
        }
      }
      front = next
    }
    return nil
  }
}

extension CaseRecord {
  /// How many steps a run of a machine took.
  var stepCount: Int { spans.count { $0.label == "step" && !$0.isDiscarded } }
}
