import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// `faultfs explore --confirm`: what the running kernel says of the states that fail.
  @Suite struct FaultFSConfirmTests {
    private let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory("confirm")
      try directory.volume().make("f", text: "old\n")
    }

    /// The file must not be at `g` alone, where it is for a while.
    private func explore(_ words: [String]) throws -> ProgramResult {
      var launch = Launch(
        try builtProgram("faultfs").description,
        ["explore", "--check", "test -e f || test -e h"] + words
          + ["--", "sh", "-c", "mv f g && sync . && mv g h && sync .", "f"])
      launch.workingDirectory = directory.path.bytes
      return try launch.run(limitMilliseconds: 120_000)
    }

    @Test(
      .enabled(if: MountedReference.hasExt4, "needs root, mkfs.ext4 and the right to mount an image by a loop device"))
    func saysWhatTheKernelLeaves() throws {
      let result = try explore(["--model", "ext4-ordered,btrfs", "--confirm", "100"])
      #expect(result.ending == .exited(1), "\(result.errorText)")
      #expect(result.outputText.contains("    this kernel ext4-ordered: realised in try "), "\(result.outputText)")
      #expect(result.outputText.contains("btrfs: cannot be asked here\n"), "\(result.outputText)")
    }

    @Test(.enabled(if: FuseHere.isUsable)) func asksNobodyUnlessItIsToldTo() throws {
      let result = try explore(["--model", "ext4-ordered"])
      #expect(result.ending == .exited(1), "\(result.errorText)")
      #expect(!result.outputText.contains("this kernel"), "\(result.outputText)")
    }

    @Test(arguments: [["--model", "btrfs"], ["--model", "posix-weakest,apfs"]])
    func refusesModelsThatNoKernelCanBeAskedAbout(_ words: [String]) throws {
      let result = try explore(words + ["--confirm", "5"])
      #expect(result.ending == .exited(4))
      #expect(result.errorText.contains("--confirm: "), "\(result.errorText)")
      #expect(result.errorText.contains("ext4-ordered, ") || geteuid() != 0, "\(result.errorText)")
    }
  }
}
