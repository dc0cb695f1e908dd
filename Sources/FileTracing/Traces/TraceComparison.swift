import Files

/// A record with everything taken out that two recordings of one workload need not share.
///
/// Times are gone; threads and inodes are renumbered in the order in which they appear; where `ignoresNames` says so,
/// the parts of names that look drawn or counted are too.
package struct CanonicalTrace: Sendable {
  private let ignoresNames: Bool
  private var threads: [Int32: Int32] = [:]
  private var inodes: [UInt64: UInt64] = [:]
  private var parts: [ArraySlice<UInt8>: Int] = [:]

  /// A recording from its beginning.
  package init(ignoresNames: Bool) { self.ignoresNames = ignoresNames }

  /// The next record in its common form.
  package mutating func next(_ operation: LoggedOperation) -> LoggedOperation {
    var record = operation.record
    record.time = 0
    record.attributes?.accessed = 0
    record.attributes?.modified = 0
    if record.kind != .mark && record.kind != .control {
      record.thread = CanonicalTrace.number(of: record.thread, in: &threads)
    }
    if record.inode != 0 { record.inode = CanonicalTrace.number(of: record.inode, in: &inodes) }
    if ignoresNames {
      record.path = renamed(record.path)
      record.otherPath = record.otherPath.map { renamed($0) }
    }
    return LoggedOperation(record: record, data: operation.data)
  }

  private static func number<N: FixedWidthInteger>(of old: N, in known: inout [N: N]) -> N {
    let number = known[old] ?? N(known.count + 1)
    known[old] = number
    return number
  }

  /// The path with `#1`, `#2` for parts of names that look drawn or counted.
  ///
  /// That is a run of letters and digits which is a number, or which is at least 6 long and has a digit or a small
  /// letter before a capital one: "4711", "1f2a9c", "tmpQx3RbZ". Each distinct part keeps its own number.
  package mutating func renamed(_ path: BytePath) -> BytePath {
    var result: [UInt8] = []
    var rest = path.bytes[...]
    while let first = rest.first {
      guard CanonicalTrace.isAlphanumeric(first) else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      let run = rest.prefix(while: CanonicalTrace.isAlphanumeric)
      rest = rest.dropFirst(run.count)
      if CanonicalTrace.looksDrawn(run) {
        let number = parts[run] ?? parts.count + 1
        parts[run] = number
        result += Array("#\(number)".utf8)
      } else {
        result += run
      }
    }
    return BytePath(bytes: result)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isSmall(byte) || isCapital(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  private static func looksDrawn(_ run: ArraySlice<UInt8>) -> Bool {
    if run.allSatisfy(isDigit) { return true }
    guard run.count >= 6 else { return false }
    return run.contains(where: isDigit) || zip(run, run.dropFirst()).contains { isSmall($0) && isCapital($1) }
  }
}

/// The comparison of two recordings, record by record. Bounded memory: a few lines of context.
package struct TraceComparison: Sendable {
  /// Lines before the first difference that are told.
  package static let contextLines = 3

  private var first: CanonicalTrace
  private var second: CanonicalTrace
  private var context: [String] = []
  private var counts: [OperationKind: (first: Int, second: Int)] = [:]
  private var difference: [String]?
  private var alikeCount = 0

  /// A comparison from the beginning of both.
  package init(ignoresNames: Bool) {
    first = CanonicalTrace(ignoresNames: ignoresNames)
    second = CanonicalTrace(ignoresNames: ignoresNames)
  }

  /// True where no difference has been seen.
  package var isSame: Bool { difference == nil }

  /// Compares the next records; nil for a recording that has ended.
  package mutating func compare(_ a: LoggedOperation?, _ b: LoggedOperation?) {
    if let a { counts[a.record.kind, default: (0, 0)].first += 1 }
    if let b { counts[b.record.kind, default: (0, 0)].second += 1 }
    guard isSame else { return }
    let left = a.map { first.next($0) }
    let right = b.map { second.next($0) }
    if left == right {
      alikeCount += 1
      if let left { remember("  " + TraceComparison.line(left)) }
      return
    }
    var lines = context
    lines.append(left.map { "- " + TraceComparison.line($0) } ?? "- (the first recording has ended)")
    lines.append(right.map { "+ " + TraceComparison.line($0) } ?? "+ (the second recording has ended)")
    if let left, let right { lines.append("  they differ in \(TraceComparison.parts(left, right))") }
    difference = lines
  }

  private mutating func remember(_ line: String) {
    context.append(line)
    if context.count > TraceComparison.contextLines { context.removeFirst() }
  }

  private static func line(_ operation: LoggedOperation) -> String {
    let record = operation.record
    let inode = record.inode == 0 ? "" : "  inode \(record.inode)"
    // Times are no part of the comparison, so they are not shown.
    let line = TraceLine(begun: 0).text(of: operation).split(separator: " ", maxSplits: 3)
    return "\(line[0]) \(line[1]) \(line[3])\(inode)"
  }

  private static func parts(_ a: LoggedOperation, _ b: LoggedOperation) -> String {
    let (left, right) = (a.record, b.record)
    var parts: [String] = []
    if left.kind != right.kind { parts.append("operation") }
    if left.number != right.number || left.countedNumber != right.countedNumber { parts.append("number") }
    if left.path != right.path || left.otherPath != right.otherPath { parts.append("path") }
    if left.thread != right.thread { parts.append("thread") }
    if left.inode != right.inode { parts.append("inode") }
    if left.offset != right.offset { parts.append("offset") }
    if left.lengthAsked != right.lengthAsked { parts.append("length") }
    if left.lengthTaken != right.lengthTaken || left.errno != right.errno { parts.append("result") }
    if left.argument != right.argument || left.attributes != right.attributes { parts.append("mode") }
    if left.mark != right.mark { parts.append("text") }
    if left.firedRule != right.firedRule || left.firedEffect != right.firedEffect
      || left.firedPhase != right.firedPhase || left.firedDelays != right.firedDelays
      || left.firedEnding != right.firedEnding
    {
      parts.append("fault")
    }
    if a.data != b.data {
      let same = zip(a.data, b.data).prefix { $0 == $1 }.count
      parts.append("data, from byte \(same) of the operation on")
    }
    return parts.joined(separator: ", ")
  }

  /// The lines of the report.
  package var lines: [String] {
    let total = counts.values.reduce((0, 0)) { ($0.0 + $1.first, $0.1 + $1.second) }
    guard let difference else { return ["the same: \(total.0) records"] }
    var lines = ["different from record \(alikeCount + 1) on:"] + difference
    lines.append("records: \(total.0) in the first, \(total.1) in the second; \(alikeCount) the same before that")
    for kind in OperationKind.allCases {
      guard let count = counts[kind], count.first != count.second else { continue }
      lines.append("\(kind.rawValue): \(count.first) in the first, \(count.second) in the second")
    }
    return lines
  }
}
