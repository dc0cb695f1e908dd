import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Power cuts on a mount, and what is left after them.
  @Suite struct FaultFSPowerTests {
    /// Saves in the right order and in wrong ones; returns with all of it issued.
    private func work(on volume: any Volume) throws {
      try volume.make("synced", text: "synced")
      try synchronize("synced", volume)
      try volume.make("content-only", text: "no name")
      try synchronize("content-only", volume, directory: nil)
      try volume.make("name-only", text: "no content")
      try synchronize(nil, volume, directory: .root)
      try volume.make("nothing", text: "nothing durable")
      try volume.rename("synced", to: "moved")
    }

    private func synchronize(_ path: BytePath?, _ volume: any Volume, directory: BytePath? = .root) throws {
      for (place, purpose) in [(path, OpenPurpose.writing), (directory, .directory)] {
        guard let place else { continue }
        let file = try volume.open(place, for: purpose)
        try volume.synchronize(file)
        try volume.close(file)
      }
    }

    private func contents(_ volume: any Volume) throws -> [String: String] {
      var found: [String: String] = [:]
      for path in try volume.tree() {
        found[path.description] = String(decoding: try volume.bytes(of: path), as: UTF8.self)
      }
      return found
    }

    // The fsync of the directory behind "name-only" makes the names of all files before it durable.
    static let states: [(state: SurvivingState, left: [String: String])] = [
      (
        .keepAll,
        ["moved": "synced", "content-only": "no name", "name-only": "no content", "nothing": "nothing durable"]
      ),
      (.keepNone, ["synced": "synced", "content-only": "no name", "name-only": ""]),
    ]

    @Test(arguments: states) func keeps(state: SurvivingState, left: [String: String]) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try work(on: volume)
      let open = try volume.open("moved", for: .reading)
      #expect(try mount.ask(.powerCut(state)) == .done)
      #expect(try mount.status().condition == .cut)
      // Everything answers EIO, also what the kernel had in its cache.
      for work: () throws -> Void in [
        { _ = try volume.status(at: "moved") }, { _ = try volume.bytes(of: "nothing") }, { try volume.make("more") },
        { _ = try volume.entries(of: .root, countMax: 10) }, { try volume.synchronize(open) },
      ] {
        #expect { try work() } throws: { ($0 as? FileCallError)?.errno.rawValue == EIO }
      }
      // A file is still open: the mount is remade all the same, at the same place, before the answer.
      #expect(try mount.ask(.restart) == .done)
      #expect(try mount.status().condition == .running)
      #expect(try contents(try mount.volume()) == left)
      #expect { try volume.synchronize(open) } throws: { _ in true }
      try mount.volume().make("after", text: "works")
    }

    @Test func aRuleCutsThePower() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("before", text: "x")
      try synchronize("before", volume)
      let rule = FaultRule(
        name: "cut", effect: .powerCut(.keepNone), operations: [.rename],
        target: FaultTarget(patterns: [NamePattern("page")], spelling: "page"))
      #expect(try mount.ask(.arm(rule)) == .done)
      try volume.make("page.tmp", text: "page")
      try volume.rename("page.tmp", to: "page")
      #expect { try volume.make("more") } throws: { ($0 as? FileCallError)?.errno.rawValue == EIO }
      #expect(try mount.status().firings.map(\.rule) == ["cut"])
      #expect(try mount.ask(.restart) == .done)
      #expect(try contents(try mount.volume()) == ["before": "x"])
    }

    @Test func restartsManyTimes() throws {
      let mount = try FaultFSMount()
      for round in 1...20 {
        let volume = try mount.volume()
        try volume.make(BytePath("f\(round)"), text: "x")
        #expect(try mount.ask(.powerCut(.keepAll)) == .done)
        #expect(try mount.ask(.restart) == .done)
        #expect(try mount.volume().tree().count == round)
      }
      #expect(try FaultFSLife.mountCount(at: mount.mountPoint) == 1)
    }

    @Test func anOSyncWriteIsDurable() throws {
      let mount = try FaultFSMount()
      let script = """
        import os
        for name, flag in (('sync', os.O_SYNC), ('dsync', os.O_DSYNC), ('none', 0)):
            os.write(os.open(name, os.O_CREAT | os.O_WRONLY | flag), b'abc')
        d = os.open('.', os.O_RDONLY); os.fsync(d)
        """
      #expect(try mount.run("python3", ["-c", script]).ending == .exited(0))
      #expect(try mount.ask(.powerCut(.keepNone)) == .done)
      #expect(try mount.ask(.restart) == .done)
      #expect(try contents(try mount.volume()) == ["sync": "abc", "dsync": "abc", "none": ""])
    }
  }
}
