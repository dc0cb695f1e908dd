import Exploring
import Files
import Glibc
import Processes
import TestSupport
import Testing

@Suite struct StateCheckTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory("check")
    try folder.volume().make("disk/f", text: "text")
    try folder.volume().make("said", text: "saved\n")
  }

  private func run(_ command: String, milliseconds: Int = 60_000, interrupted: Bool = false) throws -> Outcome? {
    let pipe = try makePipe()
    let check = StateCheck(
      Array(command.utf8), in: folder.path.appending("disk"), reading: folder.path.appending("said"),
      limitMilliseconds: milliseconds)
    if interrupted {
      // The other end is closed, which makes it readable.
      let closed = try makePipe().reading
      return try withExtendedLifetime(closed) { try check.run(interrupt: closed.number) }
    }
    defer { _ = pipe.writing }
    return try check.run(interrupt: pipe.reading.number)
  }

  static let rows: [(command: String, verdict: Verdict, output: String)] = [
    ("test -f f", .good, ""), ("test -f g", .failing("exit status 1"), ""), ("cat", .good, "saved\n"),
    ("echo a; echo b >&2; exit 7", .failing("exit status 7"), "a\nb\n"),
    ("kill -SEGV $$", .failing("signal 11"), ""), ("[ \"$FAULTFS_DIR\" = \"$PWD\" ] && cat f", .good, "text"),
  ]

  @Test(arguments: rows) func saysHowItEnded(command: String, verdict: Verdict, output: String) throws {
    let outcome = try run(command)
    #expect(outcome?.verdict == verdict)
    #expect(outcome.map { String(decoding: $0.output, as: UTF8.self) } == output)
  }

  /// The caller hears of a sync(2) before it returns, and of nothing else.
  @Test(arguments: [("sync; sync", 2), ("sync f", 0)]) func syncsAreSeen(command: String, count: Int) throws {
    let pipe = try makePipe()
    let check = StateCheck(
      Array(command.utf8), in: folder.path.appending("disk"), reading: folder.path.appending("said"),
      limitMilliseconds: 60_000)
    var seen = 0
    let (outcome, isWatched) = try withExtendedLifetime(pipe) {
      try check.run(interrupt: pipe.reading.number) { if $0.kind == .everything { seen += 1 } }
    }
    #expect(outcome?.isGood == true)
    if isWatched { #expect(seen == count) }
  }

  @Test func aCommandThatIsMissingFails() throws {
    let outcome = try run("no-such-command-here")
    #expect(outcome?.verdict == .failing("exit status 127"))
    #expect(outcome?.firstLine.contains("no-such-command-here") == true)
  }

  @Test func whatDoesNotEndIsUnknown() throws {
    let outcome = try run("echo waiting; sleep 600", milliseconds: 1000)
    #expect(outcome?.verdict == .unknown("no end within 1 s"))
  }

  @Test func whatIsLeftRunningEndsWithIt() throws {
    let outcome = try run("sleep 600 & echo $!")
    #expect(outcome?.verdict == .good)
    guard let process = outcome.flatMap({ Int32($0.firstLine) }) else { throw Errno.einval }
    // The signal is sent when the check is over; the process may need a moment to die.
    for _ in 0..<1000 where !isDead(process) { _ = poll(nil, 0, 10) }
    #expect(isDead(process))
  }

  private func isDead(_ process: Int32) -> Bool {
    guard let bytes = try? HostVolume(root: "/proc").readWhole(BytePath("\(process)/stat"), sizeMax: 4096) else {
      return true
    }
    return String(decoding: bytes, as: UTF8.self).contains(") Z")
  }

  @Test func anInterruptEndsIt() throws {
    #expect(try run("sleep 600", interrupted: true) == nil)
  }
}
