import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import FaultFS

extension MountTests {
  /// `faultfs run`: a program on a disk of its own.
  @Suite struct FaultFSRunTests {
    /// Where the run keeps its temporary things, so that a test sees whether anything is left.
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory("run") }

    private func launch(_ words: [String]) throws -> Launch {
      var launch = Launch(try builtProgram("faultfs").description, ["run"] + words)
      launch.environment = [("TMPDIR", scratch.text)]
      return launch
    }

    private func expectNothingLeft() throws {
      #expect(try scratch.volume().tree() == [])
      #expect(!MountTable.now.entries.contains { $0.mountPoint.description.hasPrefix(scratch.text) })
    }

    static let endings: [(words: [String], status: Int, error: String)] = [
      (["--", "true"], 0, "faultfs: no fault was armed, in 0 operations\n"), (["sh", "-c", "exit 7"], 7, ""),
      (["sh", "-c", "kill -TERM $$"], 143, ""), (["--", "/nonexistent/x"], 127, "there is no program /nonexistent/x"),
      (["no-such-program"], 127, "there is no program no-such-program"),
      (["/etc/passwd"], 126, "/etc/passwd cannot be run: Permission denied"),
      (["--no-such-option", "true"], 125, "there is no option --no-such-option"), ([], 125, "COMMAND"),
      (["--fault", "EIO on fsink", "true"], 125, "--fault:1:8: error: unknown operation 'fsink'"),
      (["--fault", "EIO on fsnc", "true"], 125, "\n  EIO on fsnc\n         ^~~~\n"),
      (["--from", "/nonexistent", "true"], 125, "/nonexistent cannot be copied"),
      // Words behind the program are its own, also those that look like ours.
      (["sh", "-c", "[ \"$1\" = --fault ] && exit 9", "x", "--fault"], 9, ""),
    ]

    @Test(arguments: endings) func passesTheStatusOn(words: [String], status: Int, error: String) throws {
      let result = try launch(words).run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(status), "\(result.errorText)")
      #expect(result.errorText.contains(error), "\(result.errorText)")
      try expectNothingLeft()
    }

    @Test func passesTheStreamsOn() throws {
      let script = "cat; pwd; echo $FAULTFS_DIR; echo $TMPDIR; [ -S $FAULTFS_CONTROL ] && echo socket; echo e >&2"
      let result = try launch(["sh", "-c", script]).run(input: Array("in\n".utf8), limitMilliseconds: 60_000)
      let lines = result.outputText.split(separator: "\n").map(String.init)
      #expect(lines.count == 5 && lines[0] == "in" && lines[4] == "socket", "\(lines)")
      #expect(Set(lines[1...3]).count == 1 && lines[1].hasPrefix(scratch.text))
      #expect(result.errorText.hasPrefix("e\n"))
      try expectNothingLeft()
    }

    @Test func saysWhichFaultsFired() throws {
      let script = "echo a > a; sync a; sync a; sync a; mv a b"
      let report = scratch.path.appending("report")
      let result = try launch([
        "--fault", "EIO on fsync every 2", "--fault", "never = ENOSPC on mkdir", "--fault", "EIO on rename nth 7",
        "--report", report.description, "sh", "-c", script,
      ]).run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(0))
      #expect(result.errorText == "sync: error syncing 'a': Input/output error\n")
      let lines = String(decoding: try scratch.volume().bytes(of: "report"), as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 8, "\(lines)")
      #expect(lines.first == "faultfs: 1 of 3 faults fired, in 6 operations")
      #expect(lines.dropFirst().prefix(2) == ["  EIO on fsync every 2", "    fired once"])
      #expect(lines.count > 3 && lines[3].contains("[4] fsync a: EIO by "))
      #expect(
        lines.suffix(4) == [
          "  never = ENOSPC on mkdir", "    never fired; no operation of its kind and name", "  EIO on rename nth 7",
          "    never fired; 1 operation of its kind and name",
        ])
      try scratch.volume().unlink("report")
      try expectNothingLeft()
    }

    @Test func beginsWithATreeAndKeepsWhatIsLeft() throws {
      let work = try TemporaryDirectory("run-tree")
      try work.volume().make("from/f", text: "old")
      let result = try launch([
        "--from", "\(work.text)/from", "--export", "\(work.text)/to", "--log", "\(work.text)/log", "sh", "-c",
        "cat f; echo new > g",
      ]).run(limitMilliseconds: 60_000)
      #expect(result.outputText == "old")
      #expect(try work.volume().tree() == ["from", "from/f", "log", "to", "to/f", "to/g"])
      try expectNothingLeft()
    }

    /// The same command line on both verbs: what CMD names is there, and nothing else.
    @Test(arguments: ["run", "lint"]) func copiesTheFilesThatTheCommandNames(verb: String) throws {
      let work = try TemporaryDirectory("run-named")
      for name in ["a.sh", "sub/b", "c", "d"] { try work.volume().make(BytePath(name), text: "echo \(name)\n") }
      let script = "find . -type f | sort; echo again >> sub/b; sh ./a.sh"
      var launch = Launch(
        try builtProgram("faultfs").description,
        [verb, "--", "sh", "-c", script, "a.sh", "./a.sh", "sub/b", "\(work.text)/c", "../d", "-d", "sub"])
      launch.environment = [("TMPDIR", scratch.text)]
      launch.workingDirectory = work.path.bytes
      let result = try launch.run(limitMilliseconds: 60_000)
      #expect(result.outputText.hasPrefix("./a.sh\n./sub/b\na.sh\n"), "\(result.outputText)\(result.errorText)")
      #expect(String(decoding: try work.volume().bytes(of: "sub/b"), as: UTF8.self) == "echo sub/b\n")
      try expectNothingLeft()
    }

    @Test func aTreeIsInsteadOfTheFilesThatTheCommandNames() throws {
      let work = try TemporaryDirectory("run-tree-only")
      try work.volume().make("from/f", text: "old")
      try work.volume().make("g", text: "here")
      var launch = try launch(["--from", "from", "--", "ls", ".", "g"])
      launch.workingDirectory = work.path.bytes
      let result = try launch.run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(2))
      #expect(result.outputText == ".:\nf\n", "\(result.outputText)")
    }

    @Test func saysThatTheExportFailed() throws {
      let result = try launch(["--export", "/etc", "true"]).run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(125))
      #expect(result.errorText.contains("export"), "\(result.errorText)")
      try expectNothingLeft()
    }

    @Test func endsWhatIsLeftRunning() throws {
      // In a session of its own, with a file open on the disk, and deaf to SIGTERM.
      let script = "setsid sh -c 'trap \"\" TERM; exec 3>held; while :; do read x < /dev/zero; done' & echo $!; exit 5"
      let result = try launch(["sh", "-c", script]).run(limitMilliseconds: 60_000)
      #expect(result.ending == .exited(5))
      #expect(result.errorText.contains("running; ended with the disk"), "\(result.errorText)")
      let process = try #require(Int32(result.outputText.split(separator: "\n").first ?? ""))
      #expect(ProcessFile.isGone(process))
      try expectNothingLeft()
    }

    static let signals: [(signal: CInt, script: String, status: Int)] = [
      (SIGTERM, "exec 3>open; echo ready; exec sleep 1000", 143), (SIGINT, "echo ready; exec sleep 1000", 130),
      (SIGUSR1, "trap 'exit 4' USR1; echo ready; while :; do sleep 0.01; done", 4),
      // Deaf to it: its disk is taken away, and it is killed.
      (SIGTERM, "trap '' TERM; exec 3>open; echo ready; while :; do sleep 0.01; done", 137),
    ]

    @Test(arguments: signals) func passesSignalsOn(signal: CInt, script: String, status: Int) throws {
      var launch = try launch(["sh", "-c", script])
      launch.output = .pipe
      let runner = try ChildProcess(launch)
      let output = try #require(runner.output)
      let lines = LineChannel(reading: output, writing: output)
      #expect(try lines.receive(until: .after(milliseconds: 20_000)) == Array("ready".utf8))
      runner.send(signal: signal)
      #expect(try runner.wait(milliseconds: 30_000) == .exited(status))
      try expectNothingLeft()
    }

    @Test func leavesNothingWhereItIsKilled() throws {
      var launch = try launch(["sh", "-c", "exec 3>open; echo ready $$; exec sleep 1000"])
      launch.output = .pipe
      let runner = try ChildProcess(launch)
      let output = try #require(runner.output)
      let lines = LineChannel(reading: output, writing: output)
      let line = String(decoding: try lines.receive(until: .after(milliseconds: 20_000)) ?? [], as: UTF8.self)
      let program = try #require(Int32(line.split(separator: " ").last ?? ""))
      defer { kill(program, SIGKILL) }
      runner.send(signal: SIGKILL)
      #expect(try runner.wait(milliseconds: 20_000) == .killed(signal: 9))
      let deadline = Deadline.after(milliseconds: 20_000)
      while (try? scratch.volume().tree()) != [] && !deadline.hasPassed { _ = poll(nil, 0, 5) }
      try expectNothingLeft()
    }
  }
}
