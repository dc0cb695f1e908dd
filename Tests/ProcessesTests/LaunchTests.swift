import Glibc
import Testing

@testable import Processes

@Suite(.serialized) struct LaunchTests {
  private func shell(_ script: String) -> Launch { Launch("sh", ["-c", script]) }

  @Test func keepsOutputErrorAndStatus() throws {
    let result = try shell("echo out; echo err >&2; exit 3").run(limitMilliseconds: 10_000)
    #expect(result.ending == .exited(3))
    #expect(result.outputText == "out\n")
    #expect(result.errorText == "err\n")
    #expect(!result.wasCut && !result.ranOutOfTime)
  }

  @Test func feedsInputLongerThanAPipe() throws {
    let input = [UInt8](repeating: 0x61, count: 1 << 20)
    let result = try Launch("cat").run(input: input, limitMilliseconds: 10_000)
    #expect(result.output == input)
    #expect(result.ending.isSuccess)
  }

  @Test func aProgramThatReadsNothingIsNoError() throws {
    let result = try Launch("true").run(input: [UInt8](repeating: 0, count: 1 << 20), limitMilliseconds: 10_000)
    #expect(result.ending == .exited(0))
  }

  @Test func boundsWhatItKeeps() throws {
    let result = try shell("head -c 100000 /dev/zero").run(limitMilliseconds: 10_000, outputBytesMax: 1000)
    #expect(result.output == [UInt8](repeating: 0, count: 1000))
    #expect(result.wasCut)
    #expect(result.ending.isSuccess)
  }

  @Test func doesNotWaitForWhatTheProgramLeavesBehind() throws {
    // The one left behind holds the pipes, and lives until its own input ends: behind the check.
    let lifeline = try LineChannel.pair()
    var launch = shell("cat <&2 & echo here")
    launch.error = .descriptor(lifeline.0.reading)
    let result = try launch.run(limitMilliseconds: 10_000)
    #expect(result.outputText == "here\n")
    #expect(result.ending.isSuccess && !result.ranOutOfTime)
    try lifeline.1.send([])
  }

  @Test func killsTheGroupAtTheTimeLimit() throws {
    // The pipe ends when the last process that holds its writing end is gone: the shell and what it started.
    let (reading, result) = try runUntilKilled()
    #expect(result.ranOutOfTime)
    #expect(result.ending == .killed(signal: 9))
    #expect(try readSome(from: reading.number, bytesMax: 1, until: .after(milliseconds: 10_000)) == [])
  }

  private func runUntilKilled() throws -> (Descriptor, ProgramResult) {
    let pipe = try makePipe()
    var launch = shell("cat /dev/zero >/dev/null & wait")
    launch.hasOwnGroup = true
    launch.error = .descriptor(pipe.writing)
    return (pipe.reading, try launch.run(limitMilliseconds: 100))
  }

  @Test func startsWhereAndWithWhatItIsTold() throws {
    var launch = shell("pwd; echo ${ADDED-unset} ${HOME-unset} ${SWIFT_BACKTRACE-unset}")
    launch.workingDirectory = Array("/usr".utf8)
    launch.environment = [("ADDED", "a=b"), ("HOME", nil)]
    launch.crashesQuietly = true
    #expect(try launch.run(limitMilliseconds: 10_000).outputText == "/usr\na=b unset enable=no\n")
  }

  @Test func handsOverNoOtherDescriptor() throws {
    let extra = try makePipe()
    #expect(extra.reading.number > 2)
    let listed = shell("for f in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do [ -e /dev/fd/$f ] && echo $f; done")
    let open = try listed.run(limitMilliseconds: 10_000).outputText.split(separator: "\n")
    #expect(open == ["0", "1", "2"])
  }

  @Test func leavesNoSignalIgnoredOrBlocked() throws {
    let status = try Launch("cat", ["/proc/self/status"]).run(limitMilliseconds: 10_000).outputText
    let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigBlk:\t") || $0.hasPrefix("SigIgn:\t") }
    #expect(masks.count == 2)
    for mask in masks {
      // glibc keeps 32 and 33 for itself and leaves them ignored in what it spawns.
      #expect((UInt64(mask.dropFirst(8), radix: 16) ?? .max) & ~0x1_8000_0000 == 0, "\(mask)")
    }
  }

  static let missing: [(launch: Launch, error: ProcessCallError)] = [
    (Launch("/no/such/program"), ProcessCallError("posix_spawn", "/no/such/program", ENOENT)),
    (Launch("no-such-program-here"), ProcessCallError("posix_spawn", "no-such-program-here", ENOENT)),
    (Launch("/etc/passwd"), ProcessCallError("posix_spawn", "/etc/passwd", EACCES)),
  ]

  @Test(arguments: missing.indices) func saysWhatCannotStart(row: Int) {
    let (launch, error) = LaunchTests.missing[row]
    #expect(throws: error) { try launch.run(limitMilliseconds: 10_000) }
  }
}

@Suite(.serialized) struct ChildProcessTests {
  @Test func waitsWithALimitAndEnds() throws {
    var launch = Launch("cat")
    launch.input = .pipe
    launch.output = .nothing
    let child = try ChildProcess(launch)
    #expect(try child.wait(milliseconds: 0) == nil)
    #expect(try child.wait(milliseconds: 20) == nil)
    #expect(try child.end() == .killed(signal: 9))
    #expect(try child.wait(milliseconds: 0) == .killed(signal: 9))
    child.send(signal: SIGKILL)
  }

  @Test func speaksInLines() throws {
    var launch = Launch("cat")
    launch.input = .pipe
    launch.output = .pipe
    let child = try ChildProcess(launch)
    let lines = child.lines()
    try lines.send(Array("one".utf8), until: .after(milliseconds: 5000))
    try lines.send([])
    #expect(try lines.receive(until: .after(milliseconds: 5000)) == Array("one".utf8))
    #expect(try lines.receive(until: .after(milliseconds: 5000)) == [])
    #expect(throws: ProcessCallError("read", "", ETIMEDOUT)) { try lines.receive(until: .after(milliseconds: 10)) }
    #expect(try child.end() == .killed(signal: 9))
    #expect(try lines.receive() == nil)
    #expect(throws: ProcessCallError("write", "", EPIPE)) { try lines.send([1]) }
  }
}
