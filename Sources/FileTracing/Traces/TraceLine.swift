import Files
import JSON

/// How a record of a log file is shown, one line each, like strace(1).
///
///     14 [9] 0.001234 4711 write(pages/a.tmp, 8192, 4096) = 1024  !f1 short-write 1KiB
package struct TraceLine: Sendable {
  /// The time from which the others count, nanoseconds since 1970-01-01 UTC.
  package let begun: Int64
  /// How many bytes of the data are shown; 0 for none.
  package let dataBytesMax: Int

  /// Lines relative to this time.
  package init(begun: Int64, dataBytesMax: Int = 0) {
    self.begun = begun
    self.dataBytesMax = dataBytesMax
  }

  /// The line, without its newline: number, counted number, seconds, thread, call and result, fault.
  package func text(of operation: LoggedOperation) -> String {
    let record = operation.record
    var line = "\(record.number) [\(record.countedNumber.map(String.init) ?? "-")] "
    // Set-up records tell the past; their times are those of the files.
    line += record.number == 0 ? "set-up" : TraceLine.seconds(record.time &- begun)
    line += " \(record.thread) \(TraceLine.call(of: record))"
    if record.kind != .mark && record.kind != .control { line += " = \(TraceLine.result(of: record))" }
    if let rule = record.firedRule { line += "  \(TraceLine.fault(rule, record.firedEffect))" }
    for delay in record.firedDelays { line += " \(TraceLine.fault(delay.rule, delay.asRule.effect))" }
    if let ending = record.firedEnding { line += " \(TraceLine.fault(ending.rule, ending.effect))" }
    if dataBytesMax > 0 && !operation.data.isEmpty { line += "\n    \(data(operation.data))" }
    return line
  }

  /// The record as an object, what is zero or nil left out; the data in hexadecimal digits.
  package func json(of operation: LoggedOperation) -> JSONValue {
    let record = operation.record
    var members = record.controlJSON.object ?? [:]
    members["time"] = .integer(record.time)
    if let text = FaultText.text(of: record) { members["fault"] = try? JSONValue.parse(text) }
    if dataBytesMax > 0 && !operation.data.isEmpty {
      members["data"] = .string(TraceLine.hexadecimal(operation.data.prefix(dataBytesMax)))
    }
    return .object(members)
  }

  private static func call(of record: OperationRecord) -> String {
    if let mark = record.mark {
      return record.kind == .mark ? "mark(\"\(OperationRecord.escaped(mark.utf8))\")" : control(mark)
    }
    let operands = operands(of: record).joined(separator: ", ")
    return "\(record.kind.rawValue)(\(operands))"
  }

  /// "control arm f1: EIO on fsync", or the request without the number that means nothing here.
  private static func control(_ mark: String) -> String {
    if case .arm(let rule)? = try? ControlRequest.read(recordText: mark) {
      return "control arm \(OperationRecord.escaped(rule.name.utf8)): \(OperationRecord.escaped(rule.text.utf8))"
    }
    var members = (try? JSONValue.parse(Array(mark.utf8)))?.object
    members?["number"] = nil
    let text = members.map { String(decoding: JSONValue.object($0).serialized(), as: UTF8.self) } ?? mark
    return "control \(OperationRecord.escaped(text.utf8))"
  }

  private static func operands(of record: OperationRecord) -> [String] {
    let path = record.path.isRoot ? "/" : OperationRecord.escaped(record.path.bytes)
    let other = record.otherPath.map { OperationRecord.escaped($0.bytes) }
    switch record.kind {
    case .read, .write: return [path, "\(record.offset)", "\(record.lengthAsked)"]
    case .truncate: return [path, "\(record.offset)"]
    case .create, .mkdir: return [path, octal(record.argument)]
    case .setattr:
      guard let attributes = record.attributes else { return [path, octal(record.argument)] }
      return [path, octal(UInt64(attributes.permissions)), "\(attributes.owner):\(attributes.group)"]
    case .symlink: return [other ?? "", path]
    case .open:
      let ways = [(1, "read"), (2, "write"), (4, "append")].filter { record.argument & $0.0 != 0 }.map(\.1)
      return [path, ways.joined(separator: "|")]
    case .allocate:
      let flags = [(1, "keep-size"), (2, "punch")].filter { record.argument & $0.0 != 0 }.map(\.1)
      return [path, "\(record.offset)", "\(record.lengthAsked)"] + flags
    case .rename:
      let flags = record.argument == 1 ? ["no-replace"] : record.argument == 2 ? ["exchange"] : []
      return [path, other ?? ""] + flags
    case .setxattr: return [path, other ?? "", "\(record.lengthTaken) bytes"]
    default: return [path] + (other.map { [$0] } ?? [])
    }
  }

  private static func result(of record: OperationRecord) -> String {
    if let errno = record.errno { return "-1 \(errno.name)" }
    return record.kind == .read || record.kind == .write ? "\(record.lengthTaken)" : "0"
  }

  /// "!f1 short-write 1KiB": the rule's name, and its effect as a plan writes it.
  package static func fault(_ rule: String, _ effect: FaultEffect?) -> String {
    let name = "!\(OperationRecord.escaped(rule.utf8))"
    guard let effect else { return name }
    let label = effect.isShownByNoDisk ? " (\(FaultEffect.noDiskLabel))" : ""
    return "\(name) \(effect.text)\(label)"
  }

  private func data(_ bytes: [UInt8]) -> String {
    let shown = bytes.prefix(dataBytesMax)
    var text = "\(bytes.count) bytes: "
    // Quotes stay as they are: this is for eyes; programs take --json.
    text += "\"\(OperationRecord.escaped(shown))\""
    return shown.count < bytes.count ? text + "…" : text
  }

  private static func octal(_ number: UInt64) -> String { "0\(String(number, radix: 8))" }

  /// "0.001234", with a minus where the clock went back.
  package static func seconds(_ nanoseconds: Int64) -> String {
    let microseconds = nanoseconds.magnitude / 1000
    let fraction = String(microseconds % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1_000_000).\(zeros)\(fraction)"
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Which records of a log are shown; all conditions hold together.
package struct TraceFilter: Sendable {
  /// A path of the record matches one of these; empty for every record.
  package var paths: [NamePattern] = []
  /// The record is of one of these kinds; empty for every kind.
  package var kinds: Set<OperationKind> = []
  /// The numbers of the first and last record.
  package var numbers: ClosedRange<UInt64> = 0...UInt64.max
  /// Only where a rule fired.
  package var firedOnly = false
  /// Only where it failed.
  package var failedOnly = false

  /// A filter that lets everything pass.
  package init() {}

  /// True where the record is shown.
  package func passes(_ record: OperationRecord) -> Bool {
    guard numbers.contains(record.number), !firedOnly || record.firedRule != nil, !failedOnly || record.errno != nil,
      kinds.isEmpty || kinds.contains(record.kind)
    else { return false }
    // The text of a symbolic link and the name of an attribute are no paths.
    let other = record.kind == .rename || record.kind == .link ? record.otherPath : nil
    return paths.isEmpty || paths.contains { $0.matches(record.path) || (other.map($0.matches) ?? false) }
  }
}
