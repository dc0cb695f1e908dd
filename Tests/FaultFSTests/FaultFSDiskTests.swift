import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// What a disk is made of.
  @Suite struct FaultFSDiskTests {
    private static let script = """
      dd if=/dev/zero of=big bs=1M count=40 conv=fsync 2>&1 | grep -o 'No space left on device'
      df --output=avail -B1 . | tail -1
      stat -c %s big
      """

    @Test func beyondItsMemoryTheDiskIsFull() throws {
      let mount = try FaultFSMount(["--memory", "16MiB"])
      let lines = try mount.run("sh", ["-c", Self.script]).outputText.split(separator: "\n").map(String.init)
      #expect(lines.first == "No space left on device", "\(lines)")
      #expect(lines.dropFirst().first?.filter { $0 != " " } == "0", "\(lines)")
      let size = Int(lines.last ?? "") ?? 0
      #expect(size >= 8 << 20 && size <= 16 << 20, "\(lines)")
      #expect(try mount.run("sh", ["-c", "echo more > more"]).ending != .exited(0))
      // Until the removal is durable too, a power cut could bring the bytes back, and they need their place.
      let volume = try mount.volume()
      try volume.unlink("big")
      #expect(try mount.run("sync", ["."]).ending.isSuccess)
      try volume.make("next", [UInt8](repeating: 1, count: 6 << 20))
      #expect(try volume.status(at: "next").size == 6 << 20)
      #expect(try mount.status().condition == .running)
    }

    @Test func withoutALimitNothingIsFull() throws {
      let result = try FaultFSMount().run("sh", ["-c", Self.script])
      #expect(!result.outputText.contains("No space left"))
      #expect(result.outputText.hasSuffix("\n41943040\n"), "\(result.outputText)")
    }

    @Test func timesAreAsCoarseAsAskedFor() throws {
      let mount = try FaultFSMount(["--coarse-times", "2000"])
      let volume = try mount.volume()
      try volume.make("f", text: "x")
      #expect(try volume.status(at: "f").modified.isMultiple(of: 2_000_000_000))
    }

    @Test func timesAreFineOtherwise() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      for name in ["f", "g"] { try volume.make(BytePath(name), text: "x") }
      let fine = try (["f", "g"] as [BytePath]).filter {
        try !volume.status(at: $0).modified.isMultiple(of: 2_000_000_000)
      }
      #expect(!fine.isEmpty)
    }

    @Test(arguments: [
      (["--memory", "7MiB"], "--memory: a disk needs 8MiB or more."), (["--memory", "much"], "\"much\" is no size"),
      (["--coarse-times", "0"], "coarse-times"),
    ]) func refuses(words: [String], error: String) throws {
      let result = try Launch(try builtProgram("faultfs").description, ["run"] + words + ["true"])
        .run(limitMilliseconds: 30_000)
      #expect(result.ending == .exited(125))
      #expect(result.errorText.contains(error), "\(result.errorText)")
    }
  }
}
