import Harness
import Scenarios

/// Makes a failing scenario short: fewer steps and blocks, smaller numbers, and the same failure.
package struct ScenarioShrinker {
  /// How many runs are made where nothing is said.
  package static let runsMaxUsual = 1000
  /// How many steps all runs together may take, those of every crash state included.
  static let stepsMax = 1_000_000

  /// What came of it.
  struct Result {
    /// The short scenario.
    let text: String
    /// Its run.
    let trial: ScenarioTrial
    /// How many runs it took.
    let runs: Int
  }

  private let run: (String) -> ScenarioTrial
  private let runsMax: Int
  private let stepsMax: Int
  private var runs = 0
  private var steps = 0
  private var lines: ScenarioLines
  private var trial: ScenarioTrial

  private init(
    _ lines: ScenarioLines, _ trial: ScenarioTrial, runsMax: Int, stepsMax: Int,
    run: @escaping (String) -> ScenarioTrial
  ) {
    self.stepsMax = stepsMax
    self.lines = lines
    self.trial = trial
    self.runsMax = runsMax
    self.run = run
  }

  /// The shortest text that was found.
  ///
  /// - Parameters:
  ///   - text: the scenario, which leaves nothing to chance.
  ///   - first: its run, which failed.
  ///   - runsMax: how many runs it may take.
  ///   - stepsMax: how many steps all of them may take, those of every crash state included.
  ///   - run: runs a text.
  static func shrink(
    _ text: String, _ first: ScenarioTrial, runsMax: Int, stepsMax: Int = stepsMax,
    run: @escaping (String) -> ScenarioTrial
  ) -> Result {
    let printed = ScenarioLines(PrintedScenario.text(of: text))
    let again = run(printed.text)
    // Where a text of another shape is another run, the file is as short as it gets.
    guard again.failsLike(first) else { return Result(text: text, trial: first, runs: 1) }
    var shrinker = ScenarioShrinker(printed, again, runsMax: runsMax, stepsMax: stepsMax, run: run)
    shrinker.runs = 1
    shrinker.shrink()
    return Result(text: PrintedScenario.text(of: shrinker.lines.text), trial: shrinker.trial, runs: shrinker.runs)
  }

  private mutating func shrink() {
    var before: ScenarioLines?
    while before != lines, !isSpent {
      before = lines
      for count in [16, 8, 4, 2, 1] { removeNeighbours(count) }
      unwrap()
      chooseCrash()
      lowerFigures()
    }
  }

  private var isSpent: Bool { runs >= runsMax || steps >= stepsMax }

  /// Takes a text over where it fails like the one before.
  private mutating func take(_ candidate: ScenarioLines, isAlike: (ScenarioTrial) -> Bool) -> Bool {
    guard !isSpent, candidate != lines else { return false }
    runs += 1
    let other = run(candidate.text)
    steps += other.report?.stepsTaken ?? 0
    guard isAlike(other) else { return false }
    (lines, trial) = (candidate, other)
    return true
  }

  private mutating func take(_ candidate: ScenarioLines) -> Bool {
    let trial = trial
    return take(candidate) { $0.isConvictedLike(trial) }
  }

  // MARK: What is left out

  /// From the back, since what stands behind needs what stands before.
  private mutating func removeNeighbours(_ count: Int) {
    var end = Int.max
    while let range = lines.neighbours(count).first(where: { $0.lowerBound < end }) {
      _ = take(lines.without(range))
      end = range.lowerBound
    }
  }

  private mutating func unwrap() {
    var end = Int.max
    while let unit = lines.wrappings.first(where: { $0.lowerBound < end }) {
      _ = take(lines.unwrapped(unit))
      end = unit.lowerBound
    }
  }

  /// The crash that convicts in the place of a sweep over all of them, where there are words for it.
  private mutating func chooseCrash() {
    guard let sweep = lines.crashSweeps.first, let report = trial.report, let scenario = trial.scenario,
      let example = Failure(report)?.example, let what = FailureSignature(report, of: scenario)?.what
    else { return }
    let (body, check) = (lines.lines[sweep.body], lines.lines[sweep.check])
    for words in CrashWords.lines(example) {
      var candidate = lines
      let chosen = words.hasSuffix("{") ? [words] + body + ["}"] + check : body + [words] + check
      candidate.lines.replaceSubrange(sweep.whole, with: chosen)
      candidate = ScenarioLines(PrintedScenario.text(of: candidate.text))
      // What went wrong is called otherwise there; what does not hold is the same.
      let isTaken = take(candidate) { other in
        guard let report = other.report, let scenario = other.scenario, report.verdict == .failed else { return false }
        return FailureSignature(report, of: scenario)?.what == what
      }
      if isTaken { return }
    }
  }

  /// Each number as small as it goes: one, else by halves.
  private mutating func lowerFigures() {
    var place = 0
    while place < lines.figures.count, !isSpent {
      let figure = lines.figures[place]
      let count = lines.figures.count
      if !take(lines.with(figure, 1)) {
        var (low, high) = (1, figure.value)
        while high - low > 1, !isSpent {
          let middle = low + (high - low) / 2
          if take(lines.with(figure, middle)) { high = middle } else { low = middle }
        }
      }
      // A number that became 1 is no figure any more.
      if lines.figures.count == count { place += 1 }
    }
  }
}

extension ScenarioTrial {
  /// True where the same does not hold in both, and where a crash convicts, behind a crash of the same operation.
  ///
  /// A fault that nobody needs may go, although it is part of what the failure is called.
  fileprivate func isConvictedLike(_ other: ScenarioTrial) -> Bool {
    guard let own = failureSignature, let others = other.failureSignature else { return false }
    if own.what != others.what { return false }
    return own == others || own.hazard != "crash" && others.hazard != "crash"
  }

  private var failureSignature: FailureSignature? {
    guard let report, let scenario, report.verdict == .failed else { return nil }
    return FailureSignature(report, of: scenario)
  }
}
