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

  static let wrong: [(text: String, message: String)] = [
    ("fault EIO on wrte", "1:14: error: unknown operation 'wrte' - did you mean 'write'?"),
    (
      "fault EIO on write of page p1",
      "1:20: error: a plan names files by globs, such as \"**/document.json\"; roles are for scenarios"
    ),
    ("fault EIO on write of \"/a\"", "1:23: error: a glob is relative to the mount, as in \"notes/*.txt\""),
    ("stroke p1", "1:1: error: a plan holds lines of 'fault …': fault EIO on write of \"*.txt\" nth 1"),
    ("scenario v1 \"t\"", "1:1: error: a plan holds lines of 'fault …': fault EIO on write of \"*.txt\" nth 1"),
    ("fault slow 5ms on write", "1:7: error: 'slow' does not run yet in this version"),
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
}
