import Files
import Harness
import Options
import Scenarios
import Terminal

/// `lnote-scenario help`, `explain`, `new` and `adopt`: what the language says, and files of it.
struct WordCommands {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0, or 2 for a word that the language does not have.
  func help() -> Int32 {
    let word = reading.operands[0].text
    guard let text = ScenarioGuide.help(word) else {
      ScenarioProgram.complain(
        "there is no word '\(printable(reading.operands[0].bytes))'"
          + ScenarioGuide.suggestion(for: word) + "; 'lnote-scenario list words' shows all")
      return 2
    }
    ScenarioProgram.say(text)
    return 0
  }

  /// 0, or 2 for a file that cannot be read.
  func explain() -> Int32 {
    var status: Int32 = 0
    for file in reading.operands {
      guard let bytes = ScenarioProgram.bytes(of: file) else {
        status = 2
        continue
      }
      switch ScenarioExplanation.explain(bytes, file: file.text, files: .beside(BytePath(bytes: file.bytes))) {
      case .explained(let text): ScenarioProgram.say(visible(text))
      case .unreadable(let text):
        ScenarioProgram.warn(text)
        status = 2
      }
    }
    return status
  }

  /// Each line without control characters.
  private func visible(_ text: String) -> String {
    text.split(separator: "\n").map { printable(Array($0.utf8)) + "\n" }.joined()
  }

  /// 0, or 4 where the file is there already or cannot be written.
  func new() -> Int32 {
    let file = reading.operands[0]
    let name = BytePath(bytes: file.bytes).name.description
    let title = reading.text("title") ?? (name.hasSuffix(".scn") ? String(name.dropLast(4)) : name)
    guard ScenarioProgram.write(Array(ScenarioGuide.first(title: title).utf8), to: file, isNew: true) else { return 4 }
    ScenarioProgram.say("\(printable(file.bytes)): change a line, then: lnote-scenario run \(printable(file.bytes))\n")
    return 0
  }

  /// 0, or 2 for a file that is no regression, 4 where it cannot be written.
  func adopt() -> Int32 {
    let file = reading.operands[0]
    guard let bytes = ScenarioProgram.bytes(of: file) else { return 2 }
    let adopted = AdoptedScenario.adopt(
      bytes, file: file.text, vocabulary: .own, files: .beside(BytePath(bytes: file.bytes)))
    switch adopted {
    case .refused(let text):
      ScenarioProgram.warn(text)
      return 2
    case .adopted(let name, let text):
      let folder = BytePath(bytes: (reading.value("into") ?? "Scenarios/regressions").bytes)
      let path = Word(bytes: folder.appending(name).bytes)
      guard ScenarioProgram.makeFolder(folder), ScenarioProgram.write(Array(text.utf8), to: path, isNew: true) else {
        return 4
      }
      ScenarioProgram.say("\(printable(path.bytes))\n")
      return 0
    }
  }
}
