import Files

/// What a log holds, in numbers. Its memory grows with the distinct paths only, up to `pathsMax`.
package struct TraceStatistics: Sendable {
  /// What is counted of one kind, path or rule.
  package struct Tally: Hashable, Sendable {
    /// How many operations.
    package var count = 0
    /// How many of them failed.
    package var failedCount = 0
    /// The bytes that were read or written.
    package var bytes: UInt64 = 0

    mutating func add(_ record: OperationRecord) {
      count += 1
      if record.errno != nil { failedCount += 1 }
      if record.kind == .read || record.kind == .write { bytes += record.lengthTaken }
    }
  }

  /// A rule that fired.
  package struct Fired: Hashable, Sendable {
    /// As in a trace line: name and effect.
    package let label: String
    /// How often.
    package var count: Int
    /// The number of the first record that it hit.
    package let first: UInt64
  }

  /// How many paths are told apart at the most.
  package static let pathsMax = 1 << 20

  /// By kind of operation.
  package private(set) var kinds: [OperationKind: Tally] = [:]
  /// By path, the source of renames and links.
  package private(set) var paths: [BytePath: Tally] = [:]
  /// Operations by thread.
  package private(set) var threads: [Int32: Int] = [:]
  /// The rules that fired, in the order of their first time.
  package private(set) var fired: [Fired] = []
  /// How many records, but those of the set-up.
  package private(set) var recordCount = 0
  /// How many set-up records, and the bytes of their files.
  package private(set) var setUp = Tally()
  /// The times of the first and last record.
  package private(set) var times: ClosedRange<Int64>?
  /// True where there were more paths than are told apart.
  package private(set) var hasMorePaths = false

  /// Nothing yet.
  package init() {}

  /// Counts a record.
  package mutating func add(_ record: OperationRecord) {
    if record.number == 0 { return setUp.add(record) }
    recordCount += 1
    times = times.map { min($0.lowerBound, record.time)...max($0.upperBound, record.time) } ?? record.time...record.time
    kinds[record.kind, default: Tally()].add(record)
    if record.kind != .mark && record.kind != .control {
      threads[record.thread, default: 0] += 1
      if paths[record.path] != nil || paths.count < TraceStatistics.pathsMax {
        paths[record.path, default: Tally()].add(record)
      } else {
        hasMorePaths = true
      }
    }
    note(record.firedRule, record.firedEffect, record)
    for delay in record.firedDelays { note(delay.rule, delay.asRule.effect, record) }
    if let ending = record.firedEnding { note(ending.rule, ending.effect, record) }
  }

  private mutating func note(_ rule: String?, _ effect: FaultEffect?, _ record: OperationRecord) {
    guard let rule else { return }
    let label = TraceLine.fault(rule, effect)
    if let index = fired.firstIndex(where: { $0.label == label }) {
      fired[index].count += 1
    } else {
      fired.append(Fired(label: label, count: 1, first: record.number))
    }
  }

  /// The lines of the report; `pathsShown` busiest paths.
  package func lines(pathsShown: Int) -> [String] {
    let nanoseconds = times.map { $0.upperBound &- $0.lowerBound } ?? 0
    var lines = ["records  \(recordCount) in \(TraceLine.seconds(nanoseconds)) s, by \(threads.count) threads"]
    if setUp.count > 0 { lines.append("set-up   \(setUp.count) records, \(setUp.bytes) bytes") }
    let syncs = (kinds[.fsync]?.count ?? 0) + (kinds[.sync]?.count ?? 0)
    lines.append("syncs    \(syncs)")
    lines += ["", "   count   failed        bytes  operation"]
    let order = OperationKind.allCases.filter { kinds[$0] != nil }
    lines += order.map { TraceStatistics.line(kinds[$0] ?? Tally(), $0.rawValue) }
    let busiest = paths.sorted { $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key }
    if !busiest.isEmpty { lines += ["", "   count   failed        bytes  path"] }
    for (path, tally) in busiest.prefix(pathsShown) {
      lines.append(TraceStatistics.line(tally, path.isRoot ? "/" : OperationRecord.escaped(path.bytes)))
    }
    if busiest.count > pathsShown || hasMorePaths {
      lines.append("and \(busiest.count - min(pathsShown, busiest.count))\(hasMorePaths ? " or more" : "") other paths")
    }
    if !fired.isEmpty { lines += ["", "   fired  first at  fault"] }
    for rule in fired {
      lines.append("\(TraceStatistics.right(rule.count, 8))  \(TraceStatistics.right(rule.first, 8))  \(rule.label)")
    }
    if !threads.isEmpty { lines += ["", "   count  thread"] }
    for (thread, count) in threads.sorted(by: { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }) {
      lines.append("\(TraceStatistics.right(count, 8))  \(thread)")
    }
    return lines
  }

  private static func line(_ tally: Tally, _ name: String) -> String {
    "\(right(tally.count, 8)) \(right(tally.failedCount, 8)) \(right(tally.bytes, 12))  \(name)"
  }

  private static func right(_ number: some BinaryInteger, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
