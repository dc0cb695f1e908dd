import CrashModel
import FaultDisk
import Scenarios

/// What is told of one state: why it is possible, its name, and the words that make it again.
extension CrashBench {
  private static let nearMax = 4

  /// The places of the states of this name.
  func places(of name: String) throws(HarnessError) -> [Int] {
    var near: [String] = []
    do throws(HistoryError) {
      let places = try names?.places(of: name) ?? []
      if !places.isEmpty { return places }
      near = try names?.near(name, countMax: CrashBench.nearMax) ?? []
    } catch {
      throw .disk("the states have no names: \(error)")
    }
    throw .disk("no state is called '\(name)'; some that begin alike: " + near.joined(separator: " | "))
  }

  /// The first of its kind is shown again, to be kept and told in full.
  func example(
    _ state: SweepStates.State, _ place: Int, _ name: String, _ epoch: Int, _ model: Int, _ report: CaseReport
  ) -> SweepReport.Example {
    if let keeper = run.keeper {
      let folder = name.split(separator: ",").map { $0.split(separator: " ").prefix(2).joined(separator: "-") }
        .joined(separator: "-")
      let parts = [run.report.name, folder].compactMap { $0 }
      _ = newRun(on: state.crash.tree, keeper: keeper, name: parts.joined(separator: ", "))
        .judge(sweep, behind: epochs.epochs[epoch])
    }
    let step = epochs.epochs[epoch].step.map { "in line \($0.line): \($0.words)" } ?? "in front of the first step"
    var example = SweepReport.Example(name: name, moment: step, lines: report.lines)
    if let material = run.material {
      let shown = newRun(on: state.crash.tree)
      shown.material = material
      example.views = shown.judge(sweep, behind: epochs.epochs[epoch]).views
    }
    let ranges = state.sightings.first { $0.model == model }?.ranges ?? []
    guard let moment = epochs.moment(in: ranges, of: epoch) else { return example }
    do throws(HistoryError) {
      let explanation = try CrashExplanation(
        of: state.crash, at: moment, in: recording, plan.models[model], among: plan.models)
      example.explanation = explanation.lines.map(run.scenario.withNames)
      explanation.tell(to: &example.finding, words: run.scenario.withNames)
      example.stateName = try names?.name(of: place, under: model, at: moment)
      if names != nil, let finding = report.lines.first(where: { !$0.holds }) {
        example.again = try again(state, at: moment, model, SweepReport.sentence(finding))
      }
    } catch {
      example.explanation = ["not explained: \(error)"]
    }
    return example
  }

  /// The words that make this state again; nil where there are none, or a run of them does not end alike.
  private func again(
    _ state: SweepStates.State, at moment: UInt64, _ model: Int, _ sentence: String
  ) throws(HistoryError) -> String? {
    if disk.seam != nil { return nil }
    guard
      var concrete = try ConcreteCrash(
        state.crash.tree, at: moment, from: first, in: recording, plan.models[model], sweep, of: run.scenario)
    else { return nil }
    concrete.scenario.settings.models = plan.models.map(\.name)
    let report = CaseRun(
      concrete.scenario, CaseRun.Plan(name: nil, durability: run.durability, choice: nil),
      disk: InProcessDisk(seed: run.scenario.settings.seed), keeper: nil
    ).run()
    let finding = report.lines.first { !$0.holds }.map(SweepReport.sentence)
    return finding == sentence ? concrete.line : nil
  }
}
