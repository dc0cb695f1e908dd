import FileTracing
import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

@testable import FaultFS

extension MountTests {
  /// `faultfs ctl`, and what a control socket answers later.
  @Suite struct FaultFSControlTests {
    private func ctl(_ mount: FaultFSMount, _ words: [String]) throws -> ProgramResult {
      try Launch(try builtProgram("faultfs").description, ["ctl", mount.mountPoint.description] + words)
        .run(limitMilliseconds: 30_000)
    }

    /// Commands in order on one mount, and what they say.
    static let rows: [(words: [String], status: Int, output: String, error: String)] = [
      (["arm", "EIO on fsync nth 3"], 0, "fault-1\n", ""),
      (["arm", "full = ENOSPC on write of \"*.db\""], 0, "full\n", ""),
      (["arm", "ENOSPC on write of \"*.log\""], 0, "fault-2\n", ""),
      (
        ["arm", "full = EIO on fsync"], 2, "", "faultfs: fault 'full': a fault of this name is armed; clear it first\n"
      ),
      (["arm", "EIO on fsink"], 2, "", "fault:1:8: error: unknown operation 'fsink'"),
      (["clear", "full"], 0, "", ""), (["clear", "full"], 1, "", "faultfs: no rule 'full' is armed\n"),
      (["clear"], 2, "", "faultfs: 'clear' takes the name of a fault, or --all.\n"),
      (
        ["list"], 0,
        """
        fault-1  EIO on fsync nth 3
          matched 0, fired 0
        fault-2  ENOSPC on write of "*.log"
          matched 0, fired 0

        """, ""
      ),
      (["clear", "--all"], 0, "", ""), (["list"], 0, "", ""), (["list", "--json"], 0, "{\"rules\":[]}\n", ""),
      (["hold"], 0, "", ""), (["release"], 0, "", ""), (["mark", "here"], 0, "", ""),
      (["wait", "mark", "here"], 0, "8 [-] mark here\n", ""),
      (["wait", "mark", "there", "--timeout", "10ms"], 1, "", "faultfs: waited in vain\n"),
      (["wait", "mark", "there", "--timeout", "10ms", "--json"], 1, "{\"timed-out\":true}\n", ""),
      (["wait", "fired", "nobody"], 1, "", "faultfs: no rule 'nobody' is armed\n"),
      (["wait", "operation", "fsink"], 2, "", "fault:1:8: error: unknown operation 'fsink'"),
      (["wait", "for", "ever"], 2, "", "faultfs: 'wait' is for fired, mark or operation, and not \"for\".\n"),
      (["wait", "mark", "x", "--timeout", "soon"], 2, "", "faultfs: \"soon\" is no time; write 10s, 500ms or 2min.\n"),
      (["free-space", "64KiB", "3"], 0, "", ""), (["free-space", "unlimited"], 0, "", ""),
      (["free-space", "much"], 2, "", "faultfs: \"much\" is no size; write 512, 64KiB, 1MiB or unlimited.\n"),
      (["power-cut", "all"], 2, "", "faultfs: 'power-cut' takes keep-none or keep-all, and not \"all\".\n"),
      (["power-cut"], 0, "", ""), (["restart"], 0, "", ""),
      (["statsu"], 2, "", "faultfs: there is no command \"statsu\". Did you mean status?\n"),
      (["arm"], 2, "", "faultfs: write: faultfs ctl MOUNT arm FAULT\n"), (["begin-recording"], 0, "", ""),
    ]

    @Test func answersEachCommand() throws {
      let mount = try FaultFSMount()
      for row in Self.rows {
        let result = try ctl(mount, row.words)
        #expect(result.ending == .exited(row.status), "\(row.words)")
        #expect(result.outputText == row.output, "\(row.words)")
        // What the parser says more than its first line is its own affair.
        #expect(
          result.errorText == row.error || (!row.error.isEmpty && result.errorText.hasPrefix(row.error)),
          "\(row.words): \(result.errorText)")
      }
      #expect(try mount.status().condition == .running)
    }

    @Test func looksAtTheDisk() throws {
      let mount = try FaultFSMount()
      try mount.volume().make("f", text: "seven b")
      let status = try ctl(mount, ["status"])
      #expect(status.outputText.contains("process      \(mount.greeting.server)\n"), "\(status.outputText)")
      #expect(status.outputText.contains("mounted      \(mount.mountPoint)\n"))
      #expect(status.outputText.contains("condition    running\n"))
      guard case .stats(let stats) = try mount.ask(.stats) else { throw MountFailure("no stats") }
      #expect(stats.operations[.create] == 1 && stats.operations[.write] == 1)
      #expect(stats.bytesWritten == 7 && stats.inodes == 1 && stats.openFiles == 0)
      #expect(stats.dataBytes > 0 && stats.residentBytes > stats.dataBytes / 2)
      let tree = mount.directory.path.appending("tree")
      #expect(try ctl(mount, ["export", tree.description]).ending == .exited(0))
      #expect(try HostVolume(root: tree).tree() == ["f"])
      #expect(try ctl(mount, ["export", mount.mountPoint.appending("t").description]).ending == .exited(2))
      #expect(try ctl(mount, ["write-log", mount.directory.path.appending("log").description]).ending == .exited(0))
      #expect(try ctl(mount, ["unmount"]).ending == .exited(0))
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      #expect(try ctl(mount, ["status"]).ending == .exited(4))
    }

    @Test func documentationListsEveryCommand() throws {
      let help = try Launch(try builtProgram("faultfs").description, ["ctl", "help"]).run(limitMilliseconds: 30_000)
      #expect(help.outputText.split(separator: "\n").count > 20)
      let page = try HostVolume(root: repositoryRoot).readWhole("Docs/your-program/control.md", sizeMax: 1 << 20)
      #expect(String(decoding: page, as: UTF8.self).contains("```\n" + help.outputText + "```\n"))
    }

    /// The server is found by the mount point, by something on the mount, by its socket, and by nothing else.
    @Test func findsTheServer() throws {
      let mount = try FaultFSMount()
      try mount.volume().makeDirectory("d", permissions: 0o755)
      let program = try builtProgram("faultfs").description
      let socket = mount.directory.path.appending("control")
      try mount.directory.makeSymbolicLink(to: mount.mountPoint, at: "link")
      let places = [mount.mountPoint.appending("d"), socket, mount.directory.path.appending("link")]
      for place in places {
        let result = try Launch(program, ["ctl", place.description, "list"]).run(limitMilliseconds: 30_000)
        #expect(result.ending == .exited(0), "\(place): \(result.errorText)")
      }
      for place in [mount.directory.path, mount.directory.path.appending("nothing")] {
        let result = try Launch(program, ["ctl", place.description, "list"]).run(limitMilliseconds: 30_000)
        #expect(result.ending == .exited(4))
        #expect(result.errorText == "faultfs: no faultfs is mounted at \(place).\n")
      }
    }

    @Test func hasNoSocketWithAFixedPlan() throws {
      let directory = try TemporaryDirectory("fixed")
      let program = try builtProgram("faultfs").description
      let started = try Launch(program, ["mount", directory.text, "--fixed-plan"]).run(limitMilliseconds: 30_000)
      #expect(!started.outputText.contains("control"))
      let result = try Launch(program, ["ctl", directory.text, "list"]).run(limitMilliseconds: 30_000)
      #expect(result.ending == .exited(4))
      #expect(result.errorText.contains("--fixed-plan"), "\(result.errorText)")
      #expect(try Launch("umount", [directory.text]).run(limitMilliseconds: 10_000).ending.isSuccess)
      let both = try Launch(program, ["mount", directory.text, "--fixed-plan", "--control", "/x"])
        .run(limitMilliseconds: 30_000)
      #expect(both.ending == .exited(2))
    }

    @Test func servesOthersWhileOneWaits() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      func waiter(_ what: ControlWait) throws -> LineChannel {
        let line = try LineChannel.connect(path: mount.directory.path.appending("control").bytes)
        _ = try line.receive(until: .after(milliseconds: 10_000))
        try line.send(ControlRequest.wait(what, milliseconds: 20_000).json(number: 5).serialized())
        return line
      }
      func answer(_ line: LineChannel) throws -> ControlAnswer {
        let bytes = try line.receive(until: .after(milliseconds: FaultFSMount.answerMillisecondsMax)) ?? []
        return try ControlAnswer.read(try JSONValue.parse(bytes)).answer
      }
      #expect(try mount.ask(.armText("f = EIO on fsync nth 2")) == .armed(name: "f"))
      #expect(try mount.ask(.armText("g = EIO on fsync nth 9")) == .armed(name: "g"))
      let firing = try waiter(.fired(rule: "f"))
      let cleared = try waiter(.fired(rule: "g"))
      let renamed = try waiter(.operation("rename to \"b\" nth 2", since: 0))
      #expect(try mount.ask(.clear(name: "g")) == .done)
      #expect(try answer(cleared) == .refused("the rule was cleared before it fired"))

      let file = try volume.open("a", for: .creating(permissions: 0o600))
      try volume.synchronize(file)
      #expect(throws: FileCallError.self) { try volume.synchronize(file) }
      try volume.close(file)
      guard case .happened(let record?) = try answer(firing) else { throw MountFailure("not told of the firing") }
      #expect(record.kind == .fsync && record.firedRule == "f" && record.errno == .eio)
      // It has fired already: who asks later is told at once.
      #expect(try answer(try waiter(.fired(rule: "f"))) == .happened(record))

      for name in ["b", "c", "b"] as [BytePath] {
        let old = try #require(try volume.tree().first)
        try volume.rename(old, to: name)
      }
      guard case .happened(let second?) = try answer(renamed) else { throw MountFailure("not told of the rename") }
      #expect(second.kind == .rename && second.path == "c" && second.otherPath == "b")
    }

    @Test func answersLongCommands() throws {
      let mount = try FaultFSMount()
      let text = String(repeating: "mark ", count: 2000)
      #expect(try mount.ask(.mark(text)) == .done)
      let names = (0..<400).map { "\"directory-\($0)/*.txt\"" }
      for name in names { #expect(try mount.ask(.armText("EIO on fsync of \(name)")) != .done) }
      guard case .rules(let rules, nil) = try mount.ask(.list) else { throw MountFailure("no rules") }
      #expect(rules.map(\.rule.text) == names.map { "EIO on fsync of \($0)" })
      let long = String(repeating: "d/", count: 4000) + "f"
      guard case .armed = try mount.ask(.armText("EIO on fsync of \"\(long)\"")) else {
        throw MountFailure("a glob of \(long.utf8.count) bytes was refused")
      }
      #expect(try ctl(mount, ["wait", "mark", text]).ending == .exited(0))
    }

    @Test func closeRuleArmedLateFires() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      let file = try volume.open("f", for: .creating(permissions: 0o600))
      // A close before the rule is there must not teach the kernel to ask no more.
      try volume.make("other", text: "x")
      #expect(try ctl(mount, ["arm", "late = EIO on close of \"f\""]).outputText == "late\n")
      #expect(throws: FileCallError.self) { try volume.close(file) }
      #expect(try ctl(mount, ["wait", "fired", "late", "--timeout", "10s"]).ending == .exited(0))
    }

    @Test func endsUnderARunningWriter() throws {
      let mount = try FaultFSMount()
      var launch = Launch("sh", ["-c", "exec 3> f; echo ready; while echo more >&3; do :; done; exit 7"])
      launch.workingDirectory = mount.mountPoint.bytes
      launch.output = .pipe
      launch.error = .nothing
      let writer = try ChildProcess(launch)
      let output = try #require(writer.output)
      let lines = LineChannel(reading: output, writing: output)
      #expect(try lines.receive(until: .after(milliseconds: 20_000)) == Array("ready".utf8))
      #expect(try ctl(mount, ["wait", "operation", "write of \"f\" nth 100", "--timeout", "20s"]).ending == .exited(0))
      mount.server.send(signal: SIGTERM)
      #expect(try mount.server.wait(milliseconds: 20_000) == .exited(0))
      #expect(try FaultFSLife.mountCount(at: mount.mountPoint) == 0)
      #expect(try writer.wait(milliseconds: 20_000) == .exited(7))
    }

    @Test func oneKindOfFaultOnTwoFiles() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      #expect(try ctl(mount, ["arm", "EIO on fsync of \"a\""]).outputText == "fault-1\n")
      #expect(try ctl(mount, ["arm", "EIO on fsync of \"b\""]).outputText == "fault-2\n")
      for name in ["a", "b", "c"] as [BytePath] {
        let file = try volume.open(name, for: .creating(permissions: 0o600))
        #expect((try? volume.synchronize(file)) == nil ? name != "c" : name == "c")
        try volume.close(file)
      }
      #expect(try mount.status().firings.map(\.rule) == ["fault-1", "fault-2"])
    }
  }
}
