/// A test of something that is used step by step: rules to take, and what holds between them.
///
/// Each step draws a rule over all of them in the order of declaration, the simple ones first. A rule that cannot be
/// taken now is a discarded span and drawn anew, so that a number means the same rule however many steps are left out.
package struct StateMachine<Model> {
  /// Something that can be done.
  package struct Rule {
    /// What it is called.
    package let name: String
    /// True where it can be done now.
    package let isEnabled: (Model) -> Bool
    /// Does it, with arguments of its own draws. `.invalid` where these make no step; then the model must not change.
    package let run: (inout Model, ChoiceSource) -> Verdict

    /// A rule; one that is always enabled where nothing is said.
    package init(
      _ name: String, when isEnabled: @escaping (Model) -> Bool = { _ in true },
      run: @escaping (inout Model, ChoiceSource) -> Verdict
    ) {
      self.name = name
      self.isEnabled = isEnabled
      self.run = run
    }
  }

  /// Something that holds in the beginning and behind every step.
  package struct Invariant {
    /// What is wrong where it does not hold: the bucket.
    package let name: String
    /// True where it holds.
    package let holds: (Model) -> Bool

    /// An invariant.
    package init(_ name: String, holds: @escaping (Model) -> Bool) {
      self.name = name
      self.holds = holds
    }
  }

  /// Its name, under which its failures are kept.
  package let name: String
  /// The most steps of a case.
  package var stepsMax = 50
  /// The model in the beginning.
  package let initial: () -> Model
  /// In the order in which they are drawn: the first is the simplest.
  package let rules: [Rule]
  /// What has to hold.
  package var invariants: [Invariant] = []
  /// A name of the model's state, the same for equal states only; nil where loops cannot be seen.
  package var state: ((Model) -> UInt64)?

  /// A machine. Precondition: there is a rule.
  package init(_ name: String, initial: @escaping @autoclosure () -> Model, rules: [Rule]) {
    precondition(!rules.isEmpty, "\(name) has no rule")
    self.name = name
    self.initial = initial
    self.rules = rules
  }

  /// The machine as a property: each case is a run of it.
  package var property: Property { Property(name) { run($0) } }

  /// The label of a step's span.
  package static var stepLabel: String { "step" }

  /// One run.
  package func run(_ source: ChoiceSource) -> Verdict {
    var model = initial()
    let isDisabled = drawSwarm(source)
    if let broken = brokenInvariant(model) { return .fails(bucket: broken) }
    var steps = source.many(0...stepsMax, usually: Double(stepsMax * 4), StateMachine.stepLabel)
    while true {
      if let state { source.mark(state: state(model)) }
      guard steps.next() else { return .holds }
      guard let index = drawRule(source, model, isDisabled) else {
        steps.reject()
        return .holds
      }
      if source.isOverrun { return .holds }
      switch rules[index].run(&model, source) {
      case .holds: break
      case .invalid:
        steps.reject()
        continue
      case .fails(let bucket): return .fails(bucket: bucket)
      }
      if let broken = brokenInvariant(model) { return .fails(bucket: broken) }
    }
  }

  private func brokenInvariant(_ model: Model) -> String? {
    for invariant in invariants where !invariant.holds(model) { return invariant.name }
    return nil
  }

  /// In some cases a part of the rules is left out: many mistakes need that something is not done for long.
  ///
  /// Empty where all are enabled, which is the simplest.
  private func drawSwarm(_ source: ChoiceSource) -> [Bool] {
    source.span("swarm") {
      let quarters = source.pick(weights: [4, 1, 1, 1])
      if quarters == 0 { return [] }
      let isDisabled = rules.map { _ in source.bool(Double(quarters) / 4) }
      return isDisabled.contains(false) ? isDisabled : []
    }
  }

  private static var redrawsMax: Int { 12 }

  /// The next rule; nil where none is enabled.
  private func drawRule(_ source: ChoiceSource, _ model: Model, _ isDisabled: [Bool]) -> Int? {
    func canRun(_ index: Int) -> Bool { (isDisabled.isEmpty || !isDisabled[index]) && rules[index].isEnabled(model) }
    let all = 0...(rules.count - 1)
    for _ in 0..<StateMachine.redrawsMax {
      source.open("rule")
      let index = source.int(in: all)
      let isTaken = canRun(index)
      source.close(discard: !isTaken)
      if isTaken { return index }
    }
    var enabled = all.filter(canRun)
    if enabled.isEmpty { enabled = all.filter { rules[$0].isEnabled(model) } }
    if enabled.isEmpty { return nil }
    source.open("rule")
    let index = enabled[source.int(in: 0...(enabled.count - 1))]
    source.close(discard: true)
    // Said once more as a number among all rules: that is what stays when the vain draws are left out.
    return source.span("rule") { source.int(in: all, forced: index) }
  }
}
