import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

@Suite struct FaultTests {
  /// One call of every kind that a rule can name, on paths that begin with "x".
  static let calls: [(kind: OperationKind, call: @Sendable (any Volume) throws -> Void)] = [
    (.create, { try $0.close(try $0.open("x-new", for: .creating(permissions: 0o600))) }),
    (.open, { try $0.close(try $0.open("x", for: .reading)) }),
    (.read, { _ = try $0.bytes(of: "x") }),
    (.write, { volume in try onFile(volume) { try volume.writeWhole($0, at: 0, [1]) } }),
    (.truncate, { volume in try onFile(volume) { try volume.truncate($0, to: 1) } }),
    (.fsync, { volume in try onFile(volume) { try volume.synchronize($0) } }),
    (.close, { volume in try onFile(volume) { _ in } }),
    (.rename, { try $0.rename("x", to: "y") }),
    (.link, { try $0.link("x", to: "y") }),
    (.unlink, { try $0.unlink("x") }),
    (.mkdir, { try $0.makeDirectory("x-new", permissions: 0o700) }),
    (.rmdir, { try $0.removeDirectory("x-dir") }),
    (.readdir, { _ = try $0.entries(of: "x-dir", countMax: 9) }),
    (.statfs, { _ = try $0.freeSpace() }),
    (.setattr, { volume in try onFile(volume) { try volume.setAttributes($0, permissions: 0o600, modified: nil) } }),
    (
      .symlink,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          _ = try engine.makeSymbolicLink("x-link", in: engine.rootInode, text: "x", caller)
        }
      }
    ),
    (
      .sync,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in try engine.synchronizeAll(caller) }
      }
    ),
    (.lock, { volume in try onFile(volume) { try volume.lockExclusively($0) } }),
    (
      .setxattr,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          let value = UnsafeRawBufferPointer(start: nil, count: 0)
          try engine.setExtendedAttribute("user.new", of: engine.inode(at: "x", caller).number, to: value, [], caller)
        }
      }
    ),
    (
      .getxattr,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          _ = try engine.extendedAttribute("user.x", of: engine.inode(at: "x", caller).number, caller)
        }
      }
    ),
    (
      .listxattr,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          _ = try engine.extendedAttributeNames(of: engine.inode(at: "x", caller).number, caller)
        }
      }
    ),
    (
      .removexattr,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          try engine.removeExtendedAttribute("user.x", of: engine.inode(at: "x", caller).number, caller)
        }
      }
    ),
    (
      .allocate,
      { volume in
        try onEngine(volume) { engine, caller throws(Errno) in
          let handle = try engine.open("x", for: .writing, caller)
          defer { engine.release(handle) }
          try engine.allocate(handle, offset: 0, length: 100, AllocationWish(.reserve, keepsSize: false), caller)
        }
      }
    ),
  ]

  /// A call that a volume does not have, as a program on a mount would make it.
  private static func onEngine(
    _ volume: any Volume, _ call: (inout DiskEngine, Caller) throws(Errno) -> Void
  ) throws {
    let volume = try #require(volume as? FaultVolume)
    do throws(Errno) {
      try volume.disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
        try call(&engine, Caller(volume: volume.number))
      }
    } catch {
      throw FileCallError("call", [], error)
    }
  }

  private static func onFile(_ volume: any Volume, _ body: (OpenFile) throws -> Void) throws {
    let file = try volume.open("x", for: .writing)
    do {
      try body(file)
    } catch {
      try? volume.close(file)
      throw error
    }
    try volume.close(file)
  }

  private static func disk() throws -> (disk: FaultDisk, volume: FaultVolume) {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("x", text: "text")
    try volume.makeDirectory("x-dir", permissions: 0o700)
    try onEngine(volume) { engine, caller throws(Errno) in
      try engine.inode(at: "x", caller).extendedAttributes["user.x"] = [1]
    }
    disk.beginRecording()
    return (disk, volume)
  }

  @Test func everyKindHasACall() {
    #expect(FaultTests.calls.map(\.kind.rawValue).sorted() == OperationKind.nameable.map(\.rawValue).sorted())
  }

  /// Before: nothing happened. After: all of it. Both fail once, and what follows is as ever.
  @Test(arguments: OperationKind.nameable, [FaultPhase.before, .after])
  func anErrorFromAnyOperation(kind: OperationKind, phase: FaultPhase) throws {
    let call = try #require(FaultTests.calls.first { $0.kind == kind }).call
    let (disk, volume) = try FaultTests.disk()
    let before = try TreeDigest.digest(of: volume)
    try call(volume)
    let after = try TreeDigest.digest(of: volume)

    let (broken, brokenVolume) = try FaultTests.disk()
    try broken.arm(FaultRule(.errno(.enospc), on: [kind], nth: 1, phase: phase))
    #expect(errno { try call(brokenVolume) } == .enospc)
    #expect(try TreeDigest.digest(of: brokenVolume) == (phase == .before ? before : after))
    #expect(broken.firings.map(\.rule) == ["f"])
    let hit = broken.log.records.filter { $0.firedRule != nil }
    #expect(hit.map(\.kind) == [kind])
    #expect(hit.map(\.errno) == [.enospc])
    if phase == .before { #expect(errno { try call(brokenVolume) } == nil) }
    #expect(broken.withEngine { $0.openHandleCount } == 0)
    #expect(disk.firings == [])
  }

  @Test(arguments: OperationKind.nameable) func aRuleOfAnotherPathStaysSilent(kind: OperationKind) throws {
    let call = try #require(FaultTests.calls.first { $0.kind == kind }).call
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.errno(.eio), on: [kind], "z*"))
    try call(volume)
    #expect(disk.firings == [])
  }

  @Test func aRefusalIsNoCountedOperation() throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.errno(.eio), on: [.unlink, .mkdir], nth: 1))
    #expect(errno { try volume.makeDirectory("x", permissions: 0o700) } == .eexist)
    #expect(errno { try volume.unlink("nothing") } == .enoent)
    #expect(disk.log.records.map(\.line) == ["1 [-] mkdir x 0700: EEXIST by 1", "2 [-] unlink nothing: ENOENT by 1"])
    #expect(errno { try volume.unlink("x") } == .eio)
    #expect(disk.firings == [FaultFiring(rule: "f", operation: 3, countedNumber: 1, matched: 1)])
  }

  @Test func aShortWriteTakesTheBeginning() throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.shortWrite(bytesMax: 3), on: [.write], "x-new", nth: 2))
    let file = try volume.open("x-new", for: .creating(permissions: 0o600))
    func write(at offset: UInt64, _ text: String) throws -> Int {
      try Array(text.utf8).withUnsafeBytes { try volume.write(file, at: offset, $0) }
    }
    #expect(try write(at: 0, "abcdef") == 6)
    #expect(try write(at: 6, "ghijkl") == 3)
    #expect(try write(at: 9, "jkl") == 3)
    #expect(try volume.bytes(of: "x-new") == Array("abcdefghijkl".utf8))
    let writes = disk.log.records.filter { $0.kind == .write }
    #expect(writes.map { disk.data(of: $0) } == ["abcdef", "ghi", "jkl"].map { Array($0.utf8) })
    #expect(writes.map(\.firedRule) == [nil, "f", nil])
  }

  @Test func aWriteIsCutIntoPieces() throws {
    let (disk, volume) = try FaultTests.disk()
    let file = try volume.open("x", for: .writing)
    let bytes = [UInt8](repeating: 3, count: 2 * DiskEngine.writeBytesMax + 5)
    try volume.writeWhole(file, bytes)
    #expect(disk.log.counted.map(\.lengthTaken) == [255 << 12, 255 << 12, 5])
    #expect(try volume.bytes(of: "x") == bytes)
  }

  struct Interruption: Sendable, CustomTestStringConvertible {
    let phase: FaultPhase
    let tree: [String: String]
    var testDescription: String { phase.rawValue }
  }

  static let writes = [
    Interruption(phase: .before, tree: ["x": "text", "x-dir/": ""]),
    Interruption(phase: .during, tree: ["x": "newt", "x-dir/": ""]),
    Interruption(phase: .after, tree: ["x": "new te", "x-dir/": ""]),
  ]

  /// A kill in a write: the disk goes on, the process does not.
  @Test(arguments: writes) func killsInAWrite(row: Interruption) throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.kill, on: [.write], phase: row.phase))
    let file = try volume.open("x", for: .writing)
    let lock = try volume.open("x-dir", for: .directory)
    try volume.lockExclusively(lock)
    #expect(errno { try volume.writeWhole(file, at: 0, Array("new te".utf8)) } == .ecanceled)
    #expect(errno { try volume.synchronize(file) } == .ecanceled)
    #expect(errno { _ = try volume.status(at: "x") } == .ecanceled)
    #expect(disk.withEngine { $0.openHandleCount } == 0)
    #expect(disk.condition == .running)
    let next = disk.volume()
    #expect(try shown(next) == row.tree)
    let again = try next.open("x-dir", for: .directory)
    try next.lockExclusively(again)
  }

  @Test(arguments: writes) func cutsThePowerInAWrite(row: Interruption) throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.powerCut(.keepAll), on: [.write], phase: row.phase))
    let file = try volume.open("x", for: .writing)
    let answer = errno { try volume.writeWhole(file, at: 0, Array("new te".utf8)) }
    #expect(answer == (row.phase == .after ? nil : .eio))
    #expect(errno { try volume.synchronize(file) } == .eio)
    #expect(errno { _ = try volume.status(at: "x") } == .eio)
    #expect(disk.condition == .cut(.keepAll))
    #expect(disk.log.records.map(\.kind) == [.open, .write])
    disk.restart()
    #expect(errno { _ = try volume.status(at: "x") } == .enotconn)
    #expect(try shown(disk.volume()) == row.tree)
  }

  /// During: it happened, and nobody was told. An fsync whose answer never came has made its bytes durable.
  @Test(arguments: [FaultPhase.before, .during, .after]) func cutsThePowerInAnFsync(phase: FaultPhase) throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.powerCut(.keepNone), on: [.fsync], phase: phase))
    let file = try volume.open("x", for: .writing)
    try volume.writeWhole(file, at: 0, Array("TEXT".utf8))
    #expect(errno { try volume.synchronize(file) } == (phase == .after ? nil : .eio))
    disk.restart()
    #expect(try disk.volume().bytes(of: "x") == Array((phase == .before ? "text" : "TEXT").utf8))
  }

  @Test func theFuseDoorIsToldWhomToKill() throws {
    let (disk, _) = try FaultTests.disk()
    let killed = KilledCallers()
    try disk.arm(FaultRule(.kill, on: [.mkdir], nth: 1))
    let caller = Caller(thread: 4711, user: 0, group: 0)
    try disk.withEngine { (engine: inout DiskEngine) throws in
      engine.kill = { killed.add($0) }
      let root = engine.rootInode
      _ = try engine.makeDirectory("a", in: root, permissions: 0o700, caller)
      _ = try engine.makeDirectory("b", in: root, permissions: 0o700, caller)
    }
    #expect(killed.callers == [caller])
  }

  @Test func rulesComeAndGoAtAnyMoment() throws {
    let (disk, volume) = try FaultTests.disk()
    try disk.arm(FaultRule(.errno(.eio), on: [.mkdir]))
    #expect(errno { try volume.makeDirectory("a", permissions: 0o700) } == .eio)
    #expect(throws: FaultRuleError(rule: "f", reason: "a fault of this name is armed; clear it first")) {
      try disk.arm(FaultRule(.kill, on: [.mkdir]))
    }
    #expect(disk.clear("f"))
    #expect(!disk.clear("f"))
    try volume.makeDirectory("a", permissions: 0o700)
    try disk.arm(FaultRule(.errno(.eio), on: [.mkdir]))
    disk.clearAll()
    #expect(disk.rules == [])
    try volume.makeDirectory("b", permissions: 0o700)
    #expect(throws: FaultRuleError.self) { try disk.arm(FaultRule(.tornRename(.notDone), on: [.mkdir])) }
  }
}
