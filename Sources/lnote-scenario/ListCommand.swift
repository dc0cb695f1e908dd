import LNoteFsck
import LNoteStore
import Options
import Terminal

/// `lnote-scenario list`: what a scenario can name.
struct ListCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 for a list that there is not.
  func run() -> Int32 {
    let rows: [(name: String, meaning: String)]
    switch reading.operands[0].text {
    case "mutants": rows = StoreMutant.all.map { ($0.name, $0.sentence) }
    case "problems": rows = ProblemKind.all.map { ("\($0.code) \($0.name)", $0.cause) }
    default:
      ScenarioProgram.complain("there is no list '\(printable(reading.operands[0].bytes))'; mutants or problems")
      return 2
    }
    let width = (rows.map { displayColumns($0.name) }.max() ?? 0) + 2
    for row in rows {
      let first = padded(row.name, columns: width)
      let rest = String(repeating: " ", count: width)
      let lines = wrapped(row.meaning, columns: 100, first: first, rest: rest)
      ScenarioProgram.say(lines.joined(separator: "\n") + "\n")
    }
    return 0
  }
}
