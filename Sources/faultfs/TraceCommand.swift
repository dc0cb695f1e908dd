import FileTracing
import Files
import Glibc
import Options
import Terminal

let traceVerb = Verb(
  "trace", "show, count, compare and replay what a mount has recorded with --log",
  options: [
    Option("path", value: .text("GLOB"), "show: only records of paths like this, as '**/*.tmp'; may be repeated"),
    Option("kind", value: .text("K,…"), "show: only these operations, as 'write,fsync'"),
    Option("number", value: .text("N-M"), "show: only the records N to M, as '100-200', '100-' or '-200'"),
    Option("fired", "show: only where a fault fired"),
    Option("failed", "show: only what failed"),
    Option("data", "show: the size and the first bytes of what was written, too"),
    Option("json", "show: one JSON object a line, with --data all bytes in hexadecimal digits"),
    Option("top", value: .number("N", 0...1_000_000), "stats: so many paths, the busiest first; 10 by default"),
    Option("ignore-names", "diff: take the drawn or counted parts of names for equal where they come in equal order"),
    Option("to", value: .directory("DIR"), "play: write the tree into this directory, which is new or empty"),
    Option("check", "play: only in memory"),
    Option("until", value: .number("N", 0...Int.max), "play: up to the record N only"),
  ],
  operands: Operands(
    "ACTION FILE [FILE]", count: 2...3,
    "'show FILE' prints a line for each record: number, number among the counted operations, seconds, thread, call, "
      + "result, and the fault that hit it. 'stats FILE' counts. 'diff FILE FILE' says whether two recordings of one "
      + "workload are the same, and where not; times do not count, threads and inodes are renumbered as they appear. 'play FILE' makes the "
      + "tree again from the operations and the faults that hit them, and checks that every one gives the result that "
      + "is recorded; it prints the digest of the tree"),
  examples: [
    Example("faultfs trace show run.log --kind write,fsync --data | less", "what was written, and when it was synced"),
    Example("faultfs trace show run.log --fired", "which operations a fault has hit"),
    Example("faultfs trace play run.log --until 14 --to before/", "the tree as it was behind record 14"),
    Example("faultfs trace diff first.log second.log", "did the program do the same both times?"),
  ])

/// `faultfs trace`: reads log files; never touches a mount.
struct TraceCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; returns the exit status.
  func run() -> CInt {
    do throws(Refusal) {
      let files = reading.operands.dropFirst().map { BytePath(bytes: $0.bytes) }
      switch (reading.operands[0].text, files.count) {
      case ("show", 1): return try show(files[0])
      case ("stats", 1): return try statistics(files[0])
      case ("diff", 2): return try compare(files[0], files[1])
      case ("play", 1): return try TracePlay(reading).run(files[0])
      case ("show", _), ("stats", _), ("play", _):
        throw Refusal(ExitCode.usage, "'\(reading.operands[0].text)' takes one FILE")
      case ("diff", _): throw Refusal(ExitCode.usage, "'diff' takes two FILEs")
      case (let word, _): throw Refusal(ExitCode.usage, "'\(word)' is none of show, stats, diff and play")
      }
    } catch {
      error.show()
      return error.status
    }
  }

  private func show(_ path: BytePath) throws(Refusal) -> CInt {
    let filter = try filter()
    var log = try LogFile(path)
    defer { log.close() }
    let json = reading.has("json")
    let dataBytesMax = reading.has("data") ? json ? Int.max : TraceCommand.dataBytesShown : 0
    let form = TraceLine(begun: log.header.begun, dataBytesMax: dataBytesMax)
    var output = LineOutput()
    while let operation = try log.next(), !output.isClosed {
      guard filter.passes(operation.record) else { continue }
      let line =
        json ? String(decoding: form.json(of: operation).serialized(), as: UTF8.self) : form.text(of: operation)
      try output.write(line)
    }
    try output.flush()
    return ending(log)
  }

  private static let dataBytesShown = 48

  private func filter() throws(Refusal) -> TraceFilter {
    var filter = TraceFilter()
    filter.paths = reading.values("path").map { NamePattern(BytePath(bytes: $0.bytes)) }
    for word in reading.values("kind").flatMap({ $0.text.split(separator: ",") }) {
      guard let kind = OperationKind(rawValue: String(word)) else {
        let known = OperationKind.allCases.map(\.rawValue).joined(separator: " ")
        throw Refusal(ExitCode.usage, "--kind: '\(word)' is none of \(known)")
      }
      filter.kinds.insert(kind)
    }
    if let text = reading.text("number") {
      guard let numbers = TraceCommand.numbers(text) else {
        throw Refusal(ExitCode.usage, "--number: '\(text)' is no range like 100-200, 100- or -200")
      }
      filter.numbers = numbers
    }
    filter.firedOnly = reading.has("fired")
    filter.failedOnly = reading.has("failed")
    return filter
  }

  /// The range of "7", "3-7", "3-" or "-7".
  static func numbers(_ text: String) -> ClosedRange<UInt64>? {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts[0].isEmpty ? 0 : UInt64(parts[0]) else { return nil }
    if parts.count == 1 { return parts[0].isEmpty ? nil : first...first }
    guard let last = parts[1].isEmpty ? .max : UInt64(parts[1]), first <= last, text != "-" else { return nil }
    return first...last
  }

  private func statistics(_ path: BytePath) throws(Refusal) -> CInt {
    var log = try LogFile(path)
    defer { log.close() }
    var statistics = TraceStatistics()
    while let operation = try log.next() { statistics.add(operation.record) }
    var output = LineOutput()
    for line in statistics.lines(pathsShown: reading.number("top") ?? 10) { try output.write(line) }
    try output.flush()
    return ending(log)
  }

  private func compare(_ first: BytePath, _ second: BytePath) throws(Refusal) -> CInt {
    var logs = (try LogFile(first), try LogFile(second))
    defer {
      logs.0.close()
      logs.1.close()
    }
    var comparison = TraceComparison(ignoresNames: reading.has("ignore-names"))
    while true {
      let (a, b) = (try logs.0.next(), try logs.1.next())
      if a == nil && b == nil { break }
      comparison.compare(a, b)
    }
    var output = LineOutput()
    for line in comparison.lines { try output.write(line) }
    try output.flush()
    let endings = [ending(logs.0), ending(logs.1)]
    return comparison.isSame ? endings.max() ?? ExitCode.pass : ExitCode.difference
  }

  /// The status of a log read to its end, or to a damage, which is said.
  private func ending(_ log: LogFile) -> CInt { TraceCommand.status(log) }

  /// The status of a log read to its end, or to a damage, which is said.
  static func status(_ log: LogFile) -> CInt {
    guard let damage = log.damage else { return ExitCode.pass }
    complain(damage)
    return ExitCode.difference
  }
}

/// Lines for standard output, put together to few writes. Where nobody reads any more it swallows them.
struct LineOutput {
  private static let bytesMax = 64 << 10
  private var text = ""
  /// True once nobody reads any more.
  private(set) var isClosed = false

  /// Adds a line.
  mutating func write(_ line: String) throws(Refusal) {
    text += line
    text += "\n"
    if text.utf8.count >= LineOutput.bytesMax { try flush() }
  }

  /// Writes what is waiting.
  mutating func flush() throws(Refusal) {
    defer { text = "" }
    guard !isClosed else { return }
    do throws(OutputError) {
      try OutputStream.output.write(text)
    } catch {
      guard error.isBrokenPipe else { throw Refusal(ExitCode.usage, "\(error)") }
      isClosed = true
    }
  }
}
