import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Plans on a mount: the bound on space beside rules, and rules that make the answers of other rules late.
  @Suite struct FaultFSPlanTests {
    private func ctl(_ mount: FaultFSMount, _ words: [String]) throws -> ProgramResult {
      try Launch(try builtProgram("faultfs").description, ["ctl", mount.mountPoint.description] + words)
        .run(limitMilliseconds: 30_000)
    }

    static let plans: [(text: String, bytes: UInt64, shown: String)] = [
      ("fault EIO on symlink\nfree-space 64KiB\n", 65536, "free-space 64KiB\n  64KiB left\n"),
      (
        #"{"rules":[],"free-space":{"bytes":8192,"inodes":10}}"#, 8192,
        "free-space 8KiB, 10 inodes\n  8KiB, 10 inodes left\n"
      ),
    ]

    @Test(arguments: plans) func aPlanBoundsTheSpace(text: String, bytes: UInt64, shown: String) throws {
      let directory = try TemporaryDirectory("plan")
      try directory.volume().make("p", text: text)
      let mount = try FaultFSMount(["--plan", "\(directory.text)/p"])
      let volume = try mount.volume()
      #expect(try volume.freeSpace().bytes == bytes)
      let listed = try ctl(mount, ["list"]).outputText
      #expect(listed.hasSuffix(shown), "\(listed)")
      try volume.make("f", [UInt8](repeating: 1, count: 100))
      #expect(try ctl(mount, ["list"]).outputText.contains("\(bytes - 100)B"))
      #expect(try ctl(mount, ["clear", "free-space"]).ending == .exited(0))
      #expect(try volume.freeSpace().bytes > 1 << 30)
      #expect(try !ctl(mount, ["list"]).outputText.contains("free-space"))
      #expect(try ctl(mount, ["clear", "free-space"]).errorText.contains("space is not bounded"))
    }

    @Test func theSpaceIsBoundedByArming() throws {
      let mount = try FaultFSMount(["--fault", "free-space 4KiB", "--fault", "EIO on mkdir"])
      let volume = try mount.volume()
      #expect(try volume.freeSpace().bytes == 4096)
      #expect(try ctl(mount, ["arm", "free-space 0B"]).outputText == "free-space\n")
      #expect(try volume.freeSpace().bytes == 0)
      #expect(throws: FileCallError.self) { try volume.make("f", text: "x") }
      #expect(try ctl(mount, ["clear", "--all"]).ending == .exited(0))
      try volume.makeDirectory("d", permissions: 0o755)
      #expect(try volume.freeSpace().bytes > 1 << 30)
      let refused = try ctl(mount, ["arm", "free-space 600"])
      #expect(refused.ending == .exited(2))
      #expect(refused.errorText.hasPrefix("fault:1:12: error: a size needs a unit - write 600KiB or 600MiB\n"))
    }

    @Test func aRunTellsOfTheSpace() throws {
      let scratch = try TemporaryDirectory("scratch")
      var launch = Launch(
        try builtProgram("faultfs").description,
        ["run", "--fault", "free-space 10B", "--fault", "maybe slow 1ms on fsync of \"f\" or \"g\"", "--", "sh", "-c"]
          + ["printf 1234567 > f; printf 1234567 > g"])
      launch.environment = [("TMPDIR", scratch.text)]
      let result = try launch.run(limitMilliseconds: 60_000)
      #expect(result.ending != .exited(0))
      #expect(result.errorText.hasSuffix("  free-space 10B\n    0B left\n"), "\(result.errorText)")
      #expect(result.errorText.contains("  maybe slow 1ms on fsync of \"f\" or \"g\"\n    never fired"))
    }

    /// An fsync that fails after an hour: both rules have fired at once, and its caller still waits.
    @Test func anErrorComesLate() throws {
      let mount = try FaultFSMount(["--fault", "slow 1h on fsync", "--fault", "EIO on fsync"])
      try mount.volume().make("f", text: "x")
      var launch = Launch("python3", ["-c", "import os; os.fsync(os.open('f', os.O_WRONLY))"])
      launch.workingDirectory = mount.mountPoint.bytes
      let child = try ChildProcess(launch)
      for name in ["fault-1", "fault-2"] {
        #expect(try ctl(mount, ["wait", "fired", name, "--timeout", "20s"]).ending == .exited(0))
      }
      #expect(try mount.status().delayedMilliseconds == 3_600_000)
      guard case .rules(let rules, nil) = try mount.ask(.list) else { throw MountFailure("no rules") }
      #expect(rules.map(\.fired) == [1, 1])
      #expect(rules.map { $0.firings.first?.errno } == [.eio, .eio])
      #expect(try child.wait(milliseconds: 0) == nil)
      child.send(signal: SIGKILL)
      _ = try child.wait(milliseconds: 20_000)
    }
  }
}
