import Files
import Harness
import Inventing
import Options
import Scenarios
import Terminal

/// `lnote-scenario shrink`: a failing scenario made small, in a file of its own.
struct ShrinkCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 for a file that is no right scenario, 3 for one that does not fail, 4 where nothing can be written.
  func run() -> Int32 {
    let file = reading.operands[0]
    let defined = reading.values("define")
    guard let read = ScenarioProgram.read(file, overrides: defined), let bytes = ScenarioProgram.bytes(of: file),
      let overrides = ScenarioProgram.pairs(of: defined)
    else { return 2 }
    if read.external != nil {
      ScenarioProgram.complain("\(printable(file.bytes)): it is about another program, whose runs are not the same")
      return 2
    }
    do throws(HarnessError) {
      let doors = try Doors(.inProcess)
      let files = ScenarioFiles.beside(BytePath(bytes: file.bytes))
      let text = CaseWork.CaseText(
        file: file.text, text: String(decoding: bytes, as: UTF8.self), files: files, overrides: overrides)
      guard let failing = FailingText(text, seeds: seeds(of: read.random), doors: doors) else {
        ScenarioProgram.complain("\(printable(file.bytes)): it does not fail, so there is nothing to make small")
        return 3
      }
      return write(failing, file)
    } catch {
      ScenarioProgram.complain(error.description)
      return 4
    }
  }

  /// The seeds of the cases that chance makes; nil where the file leaves nothing to chance.
  private func seeds(of random: RandomScenario?) -> Range<UInt64>? {
    guard let random else { return nil }
    let first = reading.number("seed").map { UInt64($0) } ?? random.seedOfFile ?? 1
    return first..<(first + UInt64(reading.number("cases") ?? random.casesMax ?? Self.casesUsual))
  }

  /// How many cases of a scenario are tried until one fails, where nothing is said.
  static let casesUsual = 20

  private func write(_ failing: FailingText, _ file: Word) -> Int32 {
    let small = failing.shrunk(runsMax: reading.number("runs") ?? ScenarioShrinker.runsMaxUsual)
    let target = reading.value("to") ?? Word(bytes: smallName(of: file.bytes))
    let name = BytePath(bytes: file.bytes).name.description
    let values = reading.values("define").map { " with -D \(printable($0.bytes))" }.joined()
    let text = small.text.withComment("made small from \(failing.comment.isEmpty ? name : failing.comment)\(values)")
    guard ScenarioProgram.write(Array(text.utf8), to: target, isNew: true) else { return 4 }
    let lines = [failing.text, text].map { text in text.utf8.count { $0 == UInt8(ascii: "\n") } }
    ScenarioProgram.say(
      "\(printable(Array(small.sentence.utf8)))\n"
        + "\(Figures.counted(lines[0], "line")) -> \(Figures.counted(lines[1], "line")) in "
        + "\(Figures.counted(small.runs, "run"))\n"
        + "lnote-scenario run --fast \(printable(target.bytes))\n")
    return 0
  }

  /// "day.small.scn" of "day.scn".
  private func smallName(of file: [UInt8]) -> [UInt8] {
    let ending = Array(".scn".utf8)
    let stem = file.suffix(ending.count) == ending[...] ? Array(file.dropLast(ending.count)) : file
    return stem + Array(".small.scn".utf8)
  }
}
