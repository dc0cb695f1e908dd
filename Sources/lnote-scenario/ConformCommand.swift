import Harness
import JSON
import Options
import Terminal

/// `lnote-scenario conform`: tries a store's driver against the protocol.
struct ConformCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// 0 where every check passes, 1 where one fails, 3 where one stays open, 4 where the driver cannot be started.
  func run() -> Int32 {
    let report: ConformReport
    do throws(HarnessError) {
      report = try Conformance(
        driver: reading.text("driver")?.split(separator: " ").map(String.init),
        stepSecondsMax: reading.number("step-limit") ?? Programs.stepSecondsMaxUsual
      ).run()
    } catch {
      ScenarioProgram.complain(printable(Array(error.description.utf8)))
      return 4
    }
    let status = report.verdict.exitStatus
    let bytes = report.json.serialized(indent: 2) + [UInt8(ascii: "\n")]
    if reading.text("json") == "-" {
      ScenarioProgram.say(String(decoding: bytes, as: UTF8.self))
      return status
    }
    ScenarioProgram.say(report.text)
    guard let path = reading.value("json") else { return status }
    return status == 1 ? status : max(status, ScenarioProgram.writeReport(bytes, to: path))
  }
}
