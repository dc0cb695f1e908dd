import FileTracing
import Files
import Glibc
import Testing

extension MountTests {
  /// What other fault-injecting file systems were found to get wrong.
  @Suite struct PeersTests {
    private static let eio = Errno(rawValue: EIO)

    private func target(_ glob: BytePath, _ side: FaultTarget.Side = .either) -> FaultTarget {
      FaultTarget(patterns: [NamePattern(glob)], side: side, spelling: glob.description)
    }

    private func text(_ path: BytePath, on volume: any Volume) -> String? {
      (try? volume.bytes(of: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func errno(of work: () throws -> Void) -> Int32? {
      do {
        try work()
        return nil
      } catch {
        return (error as? FileCallError)?.errno.rawValue ?? -1
      }
    }

    @Test(arguments: [FaultTarget.Side.to, .from]) func tearsARenameByOneOfItsNames(side: FaultTarget.Side) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      for name in ["wanted", "other", "a", "b"] as [BytePath] { try volume.make(name, text: name.description) }
      let rule = FaultRule(
        name: "torn", effect: .tornRename(.targetEmpty), operations: [.rename], target: target("wanted", side))
      #expect(try mount.ask(.arm(rule)) == .done)
      // The name on the other side, and no such name, are not meant.
      try volume.rename("a", to: "other")
      #expect(text("other", on: volume) == "a")
      if side == .to { try volume.rename("wanted", to: "x") } else { try volume.rename("b", to: "wanted") }
      #expect(try mount.status().firings == [])
      if side == .to { try volume.rename("b", to: "wanted") } else { try volume.rename("wanted", to: "x") }
      #expect(try mount.status().firings.map(\.rule) == ["torn"])
      #expect(text(side == .to ? "wanted" : "x", on: volume) == "")
    }

    @Test func aFullDiskStillListsAndFrees() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("old", [UInt8](repeating: 1, count: 40_960))
      #expect(try mount.ask(.setFreeSpace(bytes: 0)) == .done)
      #expect(errno { try volume.make("new", text: "some") } == ENOSPC)
      #expect(try volume.tree() == ["new", "old"])
      #expect(try volume.bytes(of: "old").count == 40_960)
      try volume.rename("old", to: "moved")
      try volume.unlink("moved")
      #expect(try volume.freeSpace().bytes == 40_960)
      #expect(errno { try volume.make("again", [UInt8](repeating: 2, count: 40_960)) } == nil)
    }

    @Test(arguments: [false, true]) func aTruncateIsLostUnlessItIsSynced(isSynced: Bool) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      let bytes = (0..<9000).map { UInt8(truncatingIfNeeded: $0) }
      try volume.make("file", bytes)
      try volume.synchronize(path: "file")
      try volume.synchronize(path: .root, isDirectory: true)
      let file = try volume.open("file", for: .writing)
      try volume.truncate(file, to: 100)
      if isSynced { try volume.synchronize(file) }
      #expect(try volume.bytes(of: "file").count == 100)
      #expect(try mount.ask(.powerCut(.keepNone)) == .done)
      #expect(try mount.ask(.restart) == .done)
      #expect(try mount.volume().bytes(of: "file") == (isSynced ? Array(bytes.prefix(100)) : bytes))
    }

    @Test func anUnmountKeepsWhatWasNeverSynced() throws {
      let mount = try FaultFSMount()
      try mount.volume().make("dir/file", text: "never synced")
      #expect(try mount.ask(.restart) == .done)
      #expect(text("dir/file", on: try mount.volume()) == "never synced")
      // And from then on it is on the disk.
      #expect(try mount.ask(.powerCut(.keepNone)) == .done)
      #expect(try mount.ask(.restart) == .done)
      #expect(text("dir/file", on: try mount.volume()) == "never synced")
    }

    @Test(arguments: [4_000, 4_096, 100_000]) func aCommandOfSoManyBytesIsUnderstood(bytes: Int) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      let patterns = (0..<bytes / 15).map { NamePattern(BytePath("no/such/name-\($0)")) } + [NamePattern("hit")]
      let rule = FaultRule(
        name: "long", effect: .errno(Self.eio), operations: [.create],
        target: FaultTarget(patterns: patterns, spelling: "many"))
      #expect(rule.json.serialized().count > bytes)
      #expect(try mount.ask(.arm(rule)) == .done)
      #expect(errno { try volume.make("missed", text: "") } == nil)
      #expect(errno { try volume.make("hit", text: "") } == EIO)
    }

    @Test func twoFaultsOfOneKindHitTwoFiles() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      for (name, errno) in [("one", ENOSPC), ("two", EIO)] {
        let rule = FaultRule(
          name: name, effect: .errno(Errno(rawValue: errno)), operations: [.fsync],
          target: target(BytePath(name)))
        #expect(try mount.ask(.arm(rule)) == .done)
      }
      for name in ["one", "two", "three"] as [BytePath] { try volume.make(name, text: "text") }
      #expect(errno { try volume.synchronize(path: "one") } == ENOSPC)
      #expect(errno { try volume.synchronize(path: "two") } == EIO)
      #expect(errno { try volume.synchronize(path: "three") } == nil)
      #expect(try mount.status().firings.map(\.rule) == ["one", "two"])
    }

    @Test func aRuleAboutClosingHitsHoweverLateItComes() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      // Many files were closed before: the kernel could have stopped to ask.
      for number in 0..<20 { try volume.make(BytePath("early-\(number)"), text: "text") }
      let file = try volume.open("early-0", for: .writing)
      let rule = FaultRule(name: "late", effect: .errno(Self.eio), operations: [.close])
      #expect(try mount.ask(.arm(rule)) == .done)
      #expect(errno { try volume.close(file) } == EIO)
      #expect(try mount.ask(.clear(name: "late")) == .done)
      #expect(errno { try volume.make("after", text: "text") } == nil)
      #expect(try mount.status().firings.map(\.rule) == ["late"])
    }
  }
}

extension Volume {
  /// Opens, syncs, closes.
  fileprivate func synchronize(path: BytePath, isDirectory: Bool = false) throws {
    let file = try open(path, for: isDirectory ? .directory : .writing)
    defer { try? close(file) }
    try synchronize(file)
  }
}
