import Harness
import Scenarios

/// A scenario that fails, as a text that leaves nothing to chance.
package struct FailingText {
  /// The text.
  package let text: String
  /// Where it comes from: "drawn from day.scn with seed 7"; empty where it is the file.
  package let comment: String
  /// Its run.
  let trial: ScenarioTrial
  private let run: (String) -> ScenarioTrial

  /// What a scenario was made small to.
  package struct Small {
    /// The text.
    package let text: String
    /// What fails, in a sentence.
    package let sentence: String
    /// How many runs it took.
    package let runs: Int
  }

  /// The text of a run that failed; faults that chance has decided are written as what they hit, where that fails alike.
  init(_ drawn: DrawnText, _ trial: ScenarioTrial, run: @escaping (String) -> ScenarioTrial) {
    self.run = run
    comment = drawn.comment
    if drawn.isOfChance, let frozen = trial.frozen(drawn.text)?.withComment(drawn.comment) {
      let other = run(frozen)
      if other.failsLike(trial) {
        (text, self.trial) = (frozen, other)
        return
      }
    }
    (text, self.trial) = (drawn.text, trial)
  }

  /// The first case of a file that fails; nil where none does.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - seeds: those of the cases that chance makes; nil where the file leaves nothing to chance.
  ///   - doors: make the disks that it runs on.
  package init?(_ file: CaseWork.CaseText, seeds: Range<UInt64>?, doors: Doors) {
    func run(_ text: String) -> ScenarioTrial {
      ScenarioTrial(text: text, file: file.file, files: file.files, doors: doors)
    }
    for seed in seeds ?? 0..<1 {
      guard let drawn = try? DrawnText(of: file, seed: seeds == nil ? nil : seed) else { continue }
      let trial = run(drawn.text)
      if trial.signature == nil { continue }
      self.init(drawn, trial, run: run)
      return
    }
    return nil
  }

  /// It made small, with what does not matter in it.
  package func shrunk(runsMax: Int) -> Small {
    let result = ScenarioShrinker.shrink(text, trial, runsMax: runsMax, run: run)
    let explained = ExplainedText(
      result.text, result.trial, runsMax: runsMax - result.runs, stepsMax: ScenarioShrinker.stepsMax, run: run)
    return Small(text: explained.text, sentence: result.trial.sentence, runs: result.runs + explained.runs)
  }
}

extension ScenarioTrial {
  /// What fails, in a sentence.
  var sentence: String {
    guard let report, let scenario else { return "" }
    return FailureSentence.text(report, of: scenario)
  }
}

extension String {
  /// A scenario with a comment behind its first line.
  package func withComment(_ comment: String) -> String {
    let end = firstIndex(of: "\n") ?? endIndex
    return self[..<end] + "\n# \(comment)" + self[end...]
  }
}
