import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

@testable import FaultFS

/// Whether sync(2) can be seen here; where not, its tests are skipped and say so.
private enum SyncHere {
  static let isSeen: Bool = {
    let facts = MountFacts(lookingAt: "/", wantsOthers: false, wantsSync: true)
    return facts.isRoot && facts.kernelTellsSync && access("/dev/loop-control", R_OK | W_OK) == 0
  }()
}

extension MountTests {
  /// `--see-sync`: sync(2) and syncfs(2) arrive and make everything durable.
  @Suite(.enabled(if: SyncHere.isSeen, "needs root, Linux 6.18 and /dev/loop-control"))
  struct FaultFSSyncTests {
    /// The files that a power cut leaves of two, after a `sync` of the mount said like this.
    private func survivors(_ options: [String], _ program: String, _ words: [String]) throws -> [String] {
      let mount = try FaultFSMount(options)
      let volume = try mount.volume()
      try volume.makeDirectory("dir", permissions: 0o755)
      try volume.make("dir/early", text: "bytes")
      #expect(try mount.run(program, words).ending == .exited(0))
      try volume.make("late", text: "bytes")
      #expect(try mount.ask(.powerCut(.keepNone)) == .done)
      #expect(try mount.ask(.restart) == .done)
      let after = try mount.volume()
      let names = try after.entries(of: .root, countMax: 10).map { "\($0.name)" }
      guard names == ["dir"] else { return names }
      return [String(decoding: try after.bytes(of: "dir/early"), as: UTF8.self)]
    }

    @Test func syncMakesEverythingDurable() throws {
      #expect(try survivors(["--see-sync"], "sync", []) == ["bytes"])
    }

    @Test func syncfsMakesEverythingDurable() throws {
      #expect(try survivors(["--see-sync"], "sync", ["-f", "dir/early"]) == ["bytes"])
      #expect(try survivors(["--see-sync", "--turns", "5"], "sync", ["-f", "dir/early"]) == ["bytes"])
    }

    @Test func withoutTheOptionNothingArrives() throws {
      #expect(try survivors([], "sync", ["-f", "dir/early"]) == [])
      let mount = try FaultFSMount()
      #expect(try mount.run("sync", ["-f", "."]).ending == .exited(0))
      #expect(try !mount.status().seesSync)
      guard case .stats(let stats) = try mount.ask(.stats) else { throw MountFailure("no stats") }
      #expect(stats.operations[.sync] == nil)
    }

    @Test func aRuleFailsIt() throws {
      let mount = try FaultFSMount(["--see-sync", "--fault", "EIO on sync nth 1"])
      #expect(try mount.status().seesSync)
      let failed = try mount.run("sync", ["-f", "."])
      #expect(failed.ending == .exited(1))
      #expect(failed.errorText.contains("Input/output error"), "\(failed.errorText)")
      #expect(try mount.run("sync", ["-f", "."]).ending == .exited(0))
      #expect(try mount.status().firings.count == 1)
    }

    @Test func ctlFindsItAndADeadOneIsCleared() throws {
      let directory = try TemporaryDirectory("sync")
      let mount = try FaultFSMount(["--see-sync"], in: directory)
      let faultfs = try builtProgram("faultfs").description
      let said = try Launch(faultfs, ["ctl", mount.mountPoint.description, "status"]).run(limitMilliseconds: 30_000)
      #expect(said.outputText.contains("sync(2)      seen\n"), "\(said.outputText)")
      #expect(MountTable.now.top(at: mount.mountPoint)?.kind == "fuseblk.faultfs")
      #expect(kill(mount.greeting.server, SIGKILL) == 0)
      _ = try mount.server.wait(milliseconds: FaultFSMount.answerMillisecondsMax)
      #expect(clearStaleMounts().contains(mount.mountPoint))
      #expect(MountTable.now.top(at: mount.mountPoint) == nil)
    }
  }
}
