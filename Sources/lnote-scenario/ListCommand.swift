import Harness
import Options
import Scenarios
import Terminal

/// `lnote-scenario list`: what a scenario can name.
struct ListCommand {
  /// The lists that there are.
  static let names = ["mutants", "models", "problems"] + ScenarioGuide.lists.map(\.name)

  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 for a list that there is not.
  func run() -> Int32 {
    let rows: [(name: String, sentence: String)]
    switch reading.operands[0].text {
    case "mutants": rows = ScenarioVocabulary.mutantSentences
    case "models": rows = ScenarioVocabulary.modelTitles
    case "problems": rows = ScenarioVocabulary.problemCauses
    case let name:
      guard let list = ScenarioGuide.lists.first(where: { $0.name == name }) else {
        ScenarioProgram.complain(
          "there is no list '\(printable(reading.operands[0].bytes))'; \(ListCommand.names.joined(separator: ", "))")
        return 2
      }
      rows = list.rows
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
