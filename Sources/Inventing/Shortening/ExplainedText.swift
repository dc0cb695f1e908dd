import Campaigns
import Harness
import PropertyTesting
import Scenarios

/// A failing scenario that says at its lines which of their values do not matter.
///
/// A value does not matter where the scenario fails in the same way with each of many others in its place. That is seen
/// by running it, in a number of runs that is the same on every machine.
struct ExplainedText {
  /// The text: "stroke p1 points 5  # or any other number of points".
  let text: String
  /// How many runs it took to see.
  let runs: Int
  /// True where each value was looked at.
  let isWhole: Bool

  /// The text of a run that failed.
  ///
  /// - Parameters:
  ///   - text: a scenario without comments behind its steps.
  ///   - failed: its run.
  ///   - runsMax: how many runs it may take.
  ///   - stepsMax: how many steps all of them may take, those of every crash state included.
  ///   - run: runs a text.
  init(
    _ text: String, _ failed: ScenarioTrial, runsMax: Int, stepsMax: Int, run: @escaping (String) -> ScenarioTrial
  ) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let pages = failed.scenario?.documents.flatMap(\.pages).map(\.reference.spelling) ?? []
    let arguments = ScenarioArgument.all(of: lines, pages: pages)
    var stepsLeft = stepsMax
    var hasStopped = false
    var tried: Set<Int> = []
    let property = Property("explained") { source in
      var changed = lines
      var places: Set<Int> = []
      for (place, argument) in arguments.enumerated() {
        let choice = source.int(in: 0...argument.others.count)
        if choice == 0 { continue }
        changed[argument.line] = argument.line(changed[argument.line], with: argument.others[choice - 1])
        places.insert(place)
      }
      if places.isEmpty { return .fails(bucket: "") }
      if stepsLeft <= 0 {
        hasStopped = true
        return .invalid
      }
      let trial = run(changed.joined(separator: "\n"))
      stepsLeft -= max(1, trial.report?.stepsTaken ?? 0)
      // What no scenario can have says nothing of the others.
      if trial.scenario == nil { return .fails(bucket: "") }
      tried.formUnion(places)
      return trial.failsLike(failed) ? .fails(bucket: "") : .holds
    }
    let explained = Search.explained(arguments.map { _ in .int(0) }, of: property, executionsMax: runsMax)
    let free = tried.intersection(explained.free.flatMap(\.range))
    self.text = Self.commented(lines, arguments, free).joined(separator: "\n")
    runs = explained.executions
    isWhole = explained.isWhole && !hasStopped
  }

  /// "43 runs to see what matters"; nil where nothing was run.
  var summary: String? {
    if runs == 0 { return nil }
    return "\(runs) to see what matters" + (isWhole ? "" : ", of some values only")
  }

  /// Of several values of a kind in a line is told only where none of them matters.
  private static func commented(
    _ lines: [String], _ arguments: [ScenarioArgument], _ free: Set<Int>
  ) -> [String] {
    var lines = lines
    for line in lines.indices {
      let own = arguments.indices.filter { arguments[$0].line == line }
      let mattering = Set(own.filter { !free.contains($0) }.map { arguments[$0].what })
      var told: [String] = []
      for what in own.map({ arguments[$0].what }) where !mattering.contains(what) && !told.contains(what) {
        told.append(what)
      }
      if told.isEmpty { continue }
      lines[line] += CampaignFinding.explanationMark + told.map { "any other \($0)" }.joined(separator: ", ")
    }
    return lines
  }
}
