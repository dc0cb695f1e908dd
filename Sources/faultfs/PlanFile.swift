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
  ///
  /// With it come the texts of its faults by name, for reports; none for JSON.
  static func read(_ path: BytePath) throws(Refusal) -> (plan: FaultPlan, texts: [String: String]) {
    let bytes = try contents(of: path)
    let isJSON = bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    if isJSON { return (try plan(json: bytes, path), [:]) }
    let plan = try plan(text: bytes, path)
    return (plan, texts(of: plan, in: String(decoding: bytes, as: UTF8.self)))
  }

  /// The line of each fault, found by its number ("line 3") or by its name before an equals sign.
  private static func texts(of plan: FaultPlan, in text: String) -> [String: String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var texts: [String: String] = [:]
    for rule in plan.rules {
      let number = rule.name.hasPrefix("line ") ? Int(rule.name.dropFirst("line ".count)) : nil
      let line =
        number.flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil }
        ?? lines.first { line in
          let words = line.split(separator: " ")
          return words.firstIndex(of: "=").map { $0 > 0 && words[$0 - 1] == rule.name } ?? false
        }
      guard let line else { continue }
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      texts[rule.name] = (words.first == "fault" ? words.dropFirst() : words[...]).joined(separator: " ")
    }
    return texts
  }

  private static func contents(of path: BytePath) throws(Refusal) -> [UInt8] {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: path)
      return try HostVolume(root: absolute.parent.bytes.isEmpty ? "/" : absolute.parent)
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
