import Processes
import Scenarios

/// Runs cases of a scenario that leaves something to chance, until one fails.
package struct RandomRun {
  private let random: RandomScenario
  private let seed: UInt64
  private let casesMax: Int
  private let runner: ScenarioRunner

  /// Cases from this seed on: the first has the seed itself, the next one the number behind it.
  ///
  /// - Parameter casesMax: how many cases; nil for as many as the file's `budget` says, and one where it says nothing.
  package init(_ random: RandomScenario, seed: UInt64, casesMax: Int?, runner: ScenarioRunner) {
    self.random = random
    self.seed = seed
    self.casesMax = casesMax ?? random.casesMax ?? (random.millisecondsMax == nil ? 1 : .max)
    self.runner = runner
  }

  /// Runs them; the report shows the first that failed, else the last.
  package func run() -> ScenarioReport {
    let begin = monotonicNanoseconds()
    var drawn = DrawnCases(firstSeed: seed)
    var shown: ScenarioReport?
    var sometimes: [(text: String, isReached: Bool)] = []
    var refusedInARow = 0
    while drawn.count < casesMax, refusedInARow < RandomScenario.triesMax, !runner.mustStop() {
      let elapsed = (monotonicNanoseconds() - begin) / 1_000_000
      if let most = random.millisecondsMax, drawn.count > 0, elapsed >= most { break }
      let caseSeed = seed &+ UInt64(drawn.count + drawn.refused)
      guard case .concrete(let concrete) = random.drawn(seed: caseSeed) else {
        drawn.refused += 1
        refusedInARow += 1
        continue
      }
      refusedInARow = 0
      runner.progress(drawn.count, casesMax == .max ? 0 : casesMax, "seed \(caseSeed)")
      let report = runner.run(concrete.scenario)
      drawn.count += 1
      if report.verdictOfCases == .inconclusive { drawn.inconclusive += 1 }
      RandomRun.join(&sometimes, report.sometimes)
      if shown == nil || shown?.verdictOfCases != .passed || report.verdictOfCases != .inconclusive {
        shown = report
        drawn.shownSeed = caseSeed
        drawn.shownText = concrete.text
      }
      if report.verdictOfCases == .failed { break }
    }
    return finished(shown, drawn, sometimes, milliseconds: Int((monotonicNanoseconds() - begin) / 1_000_000))
  }

  private func finished(
    _ shown: ScenarioReport?, _ drawn: DrawnCases, _ sometimes: [(text: String, isReached: Bool)], milliseconds: Int
  ) -> ScenarioReport {
    var report = shown ?? ScenarioReport(title: "no case", setting: "", cases: [], milliseconds: 0)
    if shown == nil {
      var none = CaseReport()
      none.trouble = ["no case that was drawn makes sense: \(firstRefusal)"]
      none.verdict = .inconclusive
      report.cases = [none]
    }
    report.milliseconds = milliseconds
    report.drawn = drawn
    report.sometimes = sometimes
    return report
  }

  private var firstRefusal: String {
    if case .refused(let text) = random.drawn(seed: seed) { return String(text.prefix { $0 != "\n" }) }
    return "none was asked for"
  }

  private static func join(
    _ all: inout [(text: String, isReached: Bool)], _ more: [(text: String, isReached: Bool)]
  ) {
    for (text, isReached) in more {
      if let known = all.firstIndex(where: { $0.text == text }) {
        all[known].isReached = all[known].isReached || isReached
      } else {
        all.append((text, isReached))
      }
    }
  }
}

/// Which cases chance has made of a scenario.
package struct DrawnCases: Sendable {
  /// The seed of the first.
  package let firstSeed: UInt64
  /// How many were run.
  package var count = 0
  /// How many were left out, since they make no sense.
  package var refused = 0
  /// How many proved nothing.
  package var inconclusive = 0
  /// The seed of the case that is shown.
  package var shownSeed: UInt64
  /// The text of the case that is shown: a scenario that leaves nothing to chance.
  package var shownText = ""

  init(firstSeed: UInt64) {
    self.firstSeed = firstSeed
    shownSeed = firstSeed
  }
}
