import FileTracing
import Files
import Testing

@testable import Scenarios

/// Plans as text, for mounts without a scenario.
@Suite struct FaultPlanReadingTests {
  private func read(_ text: String) -> FaultPlanReading { FaultPlanReading.read(Array(text.utf8), file: "a.plan") }

  @Test func readsLinesOfFaults() {
    let reading = read(
      """
      # what goes wrong
      fault EIO on fsync of "**/*.content" nth 2
      maybe fault full = ENOSPC on write or create ; fault kill on rename to "a b"

      """)
    #expect(reading.text == "")
    #expect(
      reading.plan
        == FaultPlan(rules: [
          FaultRule(
            name: "line 2", effect: .errno(Errno(name: "EIO")!), operations: [.fsync],
            target: FaultTarget(patterns: [NamePattern("**/*.content")], spelling: "\"**/*.content\""),
            occurrence: FaultOccurrence(nth: 2)),
          FaultRule(
            name: "full", effect: .errno(Errno(name: "ENOSPC")!), operations: [.write, .create], isOptional: true),
          FaultRule(
            name: "line 3", effect: .kill, operations: [.rename],
            target: FaultTarget(patterns: [NamePattern("a b")], side: .to, spelling: "\"a b\"")),
        ]))
    #expect(read("").plan == FaultPlan())
    #expect(read("fault EIO on any; fault EIO on any").plan?.rules.map(\.name) == ["line 1", "line 1, fault 2"])
  }

  @Test func aPlanMayBoundTheSpace() {
    let reading = read("fault EIO on any\nfree-space 64KiB # from now on\n")
    #expect(reading.text == "")
    #expect(reading.plan?.freeSpace == SpaceBound(bytes: 65536))
    #expect(reading.plan?.rules.count == 1)
    #expect(read("free-space 0B").plan == FaultPlan(freeSpace: SpaceBound(bytes: 0)))
    let argument = FaultPlanReading.read(argument: "free-space 1MiB", option: "--fault", name: "x")
    #expect(argument.plan == FaultPlan(freeSpace: SpaceBound(bytes: 1 << 20)))
  }

  static let wrong: [(text: String, message: String)] = [
    ("free-space 1MiB\nfree-space 2MiB", "2:1: error: the free space is given above - write it once"),
    ("free-space 600", "1:12: error: a size needs a unit - write 600KiB or 600MiB"),
    ("free-space 2MB", "1:12: error: 'MB' is not a unit here - write MiB (1024 x 1024)"),
    (
      "free-space unlimited",
      "1:1: error: a disk begins without a bound - leave this out; 'clear free-space' takes one away"
    ),
    ("free-space 1KiB { }", "1:17: error: 'free-space' takes no block"),
    ("fault free-space = EIO on any", "1:7: error: 'free-space' is the name of the bound on space; choose another"),
    ("fault EIO on wrte", "1:14: error: unknown operation 'wrte' - did you mean 'write'?"),
    (
      "fault EIO on write of page p1",
      "1:20: error: a plan names files by globs, such as \"**/document.json\"; roles are for scenarios"
    ),
    ("fault EIO on write of \"/a\"", "1:23: error: a glob is relative to the mount, as in \"notes/*.txt\""),
    (
      "stroke p1",
      "1:1: error: a plan holds lines of 'fault …' and 'free-space …': fault EIO on write of \"*.txt\" nth 1"
    ),
    (
      "scenario v1 \"t\"",
      "1:1: error: a plan holds lines of 'fault …' and 'free-space …': fault EIO on write of \"*.txt\" nth 1"
    ),
    ("fault fsync-lie on write", "1:20: error: 'fsync-lie' cannot hit write - write 'on fsync'"),
    ("fault flip 3 bits on fsync or write", "1:22: error: 'flip' cannot hit fsync - write 'on read or write'"),
    ("fault flip 0 bits on write", "1:12: error: the number of bits is 1 to 8355840"),
    ("fault bit-rot on read", "1:7: error: unknown effect 'bit-rot' - did you mean 'flip 1 bits'?"),
    ("fault latency 5ms on read", "1:7: error: unknown effect 'latency' - did you mean 'slow 200ms'?"),
    ("fault fsync-lies on fsync", "1:7: error: unknown effect 'fsync-lies' - did you mean 'fsync-lie'?"),
    ("fault slow 5 on read", "1:12: error: a duration needs a unit - write 5ms or 5s"),
    ("fault slow 0ms on read", "1:7: error: slow 0ms is no delay; leave the fault out"),
    ("fault torn-write 100B on write", "1:7: error: a disk writes whole sectors; write a multiple of 512B"),
    ("fault short-read 0B on read", "1:7: error: a read of nothing is the end of the file; write at least 1B"),
    ("fault EIO on read during", "1:19: error: an error happens before or after its operation, not during it"),
    (
      "fault bad-sector on read after",
      "1:26: error: bad-sector happens during its operation; leave the phase out"
    ),
    ("fault EIO on write probability 0.0", "1:20: error: a probability is above 0.0 and at most 1.0"),
    ("fault EIO on chmod", "1:14: error: unknown operation 'chmod' - did you mean 'setattr'?"),
    (
      "fault fsync-fail on fsync",
      "1:18: error: unknown word 'on' - there are: drop-dirty, keep-dirty"
    ),
    ("fault short-write $n on write", "1:19: error: '$n' is not set here - write 'param n = …' above"),
    ("fault a = EIO on any\nfault a = EIO on any", "2:7: error: there is a fault 'a' above - choose another name"),
    ("fault EIO on any }", "1:18: error: this '}' closes nothing"),
    ("fault EIO on any { }", "1:18: error: 'fault' takes no block"),
  ]

  @Test(arguments: wrong) func says(text: String, message: String) {
    let reading = read(text)
    #expect(reading.plan == nil)
    #expect(reading.text.split(separator: "\n").first.map(String.init) == "a.plan:\(message)")
  }

  @Test(arguments: ["EIO on fsync nth 3", "fault EIO on fsync nth 3", "  EIO  on fsync nth 3 # once"])
  func readsAnArgument(_ text: String) {
    let reading = FaultPlanReading.read(argument: text, option: "--fault", name: "fault-1")
    #expect(reading.text == "")
    let rule = FaultRule(
      name: "fault-1", effect: .errno(.eio), operations: [.fsync], occurrence: FaultOccurrence(nth: 3))
    #expect(reading.plan == FaultPlan(rules: [rule]))
  }

  @Test func anArgumentHasANameAndMaybe() {
    let reading = FaultPlanReading.read(argument: "maybe a = slow 200ms on any", option: "--fault", name: "x")
    #expect(reading.diagnostics.filter { !$0.message.contains("cannot be armed yet") }.isEmpty)
    let named = FaultPlanReading.read(argument: "maybe a = EIO on any", option: "--fault", name: "x")
    #expect(named.plan?.rules == [FaultRule(name: "a", effect: .errno(.eio), operations: [], isOptional: true)])
  }

  static let wrongArguments: [(text: String, lines: String)] = [
    (
      "EIO on fsnc",
      "--fault:1:8: error: unknown operation 'fsnc' - did you mean 'fsync'?\n  EIO on fsnc\n         ^~~~\n"
    ),
    ("", "--fault:1:1: error: a fault is missing: EIO on fsync nth 3\n"),
    (
      "free-space 1B; free-space 2B", "--fault:1:16: error: one fault is given here - write a second --fault\n"
    ),
    (
      "EIO on any; EIO on any",
      "--fault:1:13: error: one fault is given here - write a second --fault\n"
    ),
  ]

  @Test(arguments: wrongArguments) func pointsIntoTheArgument(text: String, lines: String) {
    let reading = FaultPlanReading.read(argument: text, option: "--fault", name: "x")
    #expect(reading.plan == nil)
    #expect(reading.text.hasPrefix(lines))
  }
}
