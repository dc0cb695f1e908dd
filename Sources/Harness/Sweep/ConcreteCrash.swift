import CrashModel
import FaultDisk
import FileTracing
import Scenarios

/// A crash state of a sweep as steps of a scenario of its own: the cut that leaves it, and when.
struct ConcreteCrash {
  /// What stands in the place of `for each crash in`, up to the brace; a step of its own where there is no brace.
  let line: String
  /// The scenario with that one crash in the place of the sweep.
  var scenario: CheckedScenario

  /// The words for a state that is possible at `moment`, in a sweep whose first record is `first`.
  ///
  /// Nil where the language has no words for it, as where a file has no name in the scenario.
  init?(
    _ tree: DiskTree, at moment: UInt64, from first: UInt64, in recording: Recording, _ model: PersistenceModel,
    _ sweep: CrashSweep, of scenario: CheckedScenario
  ) throws(HistoryError) {
    let roles = FileRoles(scenario)
    func target(_ record: OperationRecord) -> FaultTarget? {
      [record.otherPath, record.path].compactMap { $0 }.lazy.compactMap { roles.target(for: $0) }.first
    }
    guard
      let chosen = try ChosenState(of: tree, at: moment, in: recording, model, target: target),
      let place = scenario.steps.firstIndex(where: { step in
        if case .crashes(let one) = step.action { one.steps.first?.place == sweep.steps.first?.place } else { false }
      })
    else { return nil }
    let cut = "power-cut \(chosen.spelling)"
    var steps = Array(scenario.steps.prefix(place))
    let at = scenario.steps[place].place
    func step(_ words: String, _ action: StepAction) -> CheckedStep {
      CheckedStep(place: at, description: words, action: action)
    }
    if let rule = Self.rule(moment, first, recording, target) {
      let nth = rule.occurrence.nth.map { $0 > 1 ? " nth \($0)" : "" } ?? ""
      let kind = rule.operations.first?.rawValue ?? "any"
      let words = "\(cut) on \(kind) of \(rule.target?.spelling ?? "")\(nth) \(rule.phase.rawValue)"
      line = "\(words) {"
      steps.append(step(words, .armed([.chosenCut(rule, chosen)], sweep.steps)))
    } else {
      line = cut
      steps += sweep.steps + [step(cut, .chosenCut(chosen))]
    }
    var concrete = scenario
    concrete.steps = steps + sweep.check
    self.scenario = concrete
  }

  /// The rule that cuts the power at a moment; nil for the end of the steps.
  private static func rule(
    _ moment: UInt64, _ first: UInt64, _ recording: Recording, _ target: (OperationRecord) -> FaultTarget?
  ) -> FaultRule? {
    let counted = recording.records.filter { $0.number >= first && $0.countedNumber != nil }
    guard let record = counted.first(where: { $0.number >= moment }), let files = target(record) else { return nil }
    let phase: FaultPhase = record.number > moment ? .before : record.kind == .fsync ? .during : .after
    var rule = FaultRule(
      name: "chosen cut", effect: .powerCut(.keepNone), operations: [record.kind], target: files, phase: phase)
    let matching = counted.filter { other in
      other.number <= record.number
        && rule.matches(FaultOperation(kind: other.kind, path: other.path, otherPath: other.otherPath))
    }
    rule.occurrence.nth = UInt64(matching.count)
    return rule
  }
}
