import FileTracing
import Files
import JSON
import Scenarios
import Terminal

/// Reading a plan of faults from a file: JSON where it begins with a brace, else lines of the scenario language.
enum PlanFile {
  /// The largest plan that is read.
  static let fileBytesMax = 1 << 20

  /// The plan in a file of the host.
  static func read(_ path: BytePath) throws(Refusal) -> FaultPlan {
    let bytes = try contents(of: path)
    let isJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    return isJSON ? try plan(json: bytes, path) : try plan(text: bytes, path)
  }

  private static func contents(of path: BytePath) throws(Refusal) -> [UInt8] {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: path)
      return try HostVolume(root: absolute.folderOnHost)
        .readWhole(absolute.name, sizeMax: fileBytesMax)
    } catch {
      throw Refusal(ExitCode.usage, "the plan cannot be read: \(path): \(error.errno)")
    }
  }

  private static func plan(json bytes: [UInt8], _ path: BytePath) throws(Refusal) -> FaultPlan {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw Refusal(ExitCode.usage, "\(path): \(error)")
    }
    do throws(FaultPlanError) {
      return try FaultPlan(json: value)
    } catch {
      throw Refusal(ExitCode.usage, "\(path): \(error)")
    }
  }

  private static func plan(text bytes: [UInt8], _ path: BytePath) throws(Refusal) -> FaultPlan {
    let reading = FaultPlanReading.read(bytes, file: path.description)
    guard let plan = reading.plan else { throw Refusal(ExitCode.usage, lines: reading.text) }
    try? OutputStream.error.write(reading.text)
    return plan
  }
}
