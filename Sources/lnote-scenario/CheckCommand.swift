import Options
import Terminal

/// `lnote-scenario check`: reads scenarios and runs nothing.
struct CheckCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0 where every file can run, else 2.
  func run() -> Int32 {
    var status: Int32 = 0
    for file in reading.operands {
      guard let scenario = ScenarioProgram.read(file, overrides: reading.values("define")) else {
        status = 2
        continue
      }
      let count = Figures.counted(scenario.steps.count, "step")
      ScenarioProgram.say("\(printable(file.bytes)): right, \(count): \(printable(scenario.title))\n")
    }
    return status
  }
}
