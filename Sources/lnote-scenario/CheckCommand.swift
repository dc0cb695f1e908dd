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
      guard let read = ScenarioProgram.read(file, overrides: reading.values("define")) else {
        status = 2
        continue
      }
      let name = printable(file.bytes)
      if let external = read.external {
        let program = printable(external.program ?? "another program")
        ScenarioProgram.say("\(name): right, about \(program): \(printable(external.title))\n")
      }
      guard let scenario = read.scenario else { continue }
      let steps = Figures.counted(scenario.steps.count, "step")
      let count = read.random == nil ? steps : "\(steps) in one of the cases that chance makes"
      ScenarioProgram.say("\(name): right, \(count): \(printable(scenario.title))\n")
    }
    return status
  }
}
