import Files
import Options
import Scenarios
import Terminal

/// `lnote-scenario format`: brings scenarios into their usual shape.
struct FormatCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0; with `--check` 1 where a file is not in its usual shape; 2 for a file that cannot be read, 4 where one cannot be
  /// written.
  func run() -> Int32 {
    var status: Int32 = 0
    for file in reading.operands {
      guard let bytes = ScenarioProgram.bytes(of: file) else {
        status = 2
        continue
      }
      switch FormattedScenario.format(bytes, file: file.text) {
      case .unreadable(let text):
        ScenarioProgram.warn(text)
        status = 2
      case .formatted(let text) where Array(text.utf8) == bytes: break
      case .formatted(let text):
        ScenarioProgram.say("\(printable(file.bytes))\n")
        if reading.has("check") {
          status = max(status, 1)
        } else if !ScenarioProgram.write(Array(text.utf8), to: file, isNew: false) {
          status = 4
        }
      }
    }
    return status
  }
}
