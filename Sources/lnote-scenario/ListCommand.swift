import Harness
import Options
import Scenarios
import Terminal

/// `lnote-scenario list`: what a scenario can name.
struct ListCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 for a list that there is not.
  func run() -> Int32 {
    let rows: [(name: String, sentence: String)]
    switch reading.operands[0].text {
    case "mutants": rows = ScenarioVocabulary.mutantSentences
    case "models": rows = ScenarioVocabulary.modelTitles
    case "problems": rows = ScenarioVocabulary.problemCauses
    default:
      ScenarioProgram.complain(
        "there is no list '\(printable(reading.operands[0].bytes))'; mutants, models or problems")
      return 2
    }
    let width = (rows.map { displayColumns($0.name) }.max() ?? 0) + 2
    for row in rows {
      let first = padded(row.name, columns: width)
      let rest = String(repeating: " ", count: width)
      let lines = wrapped(row.sentence, columns: 100, first: first, rest: rest)
      ScenarioProgram.say(lines.joined(separator: "\n") + "\n")
    }
    return 0
  }
}
