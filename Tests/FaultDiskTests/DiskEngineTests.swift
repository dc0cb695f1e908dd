import FileTracing
import Files
import Synchronization
import TestSupport
import Testing

@testable import FaultDisk

/// What only the FUSE door asks for.
@Suite struct DiskEngineTests {
  private static let root = Caller(thread: 1, user: 0, group: 0)

  /// Runs the body on a fresh disk with a file "a" of these bytes, open for reading and writing.
  private func onFile(
    _ bytes: [UInt8], _ body: (inout DiskEngine, UInt64) throws -> Void
  ) throws {
    let disk = FaultDisk()
    try disk.withEngine { (engine: inout DiskEngine) throws in
      let access = FileAccess(reads: true, writes: true)
      let handle = try engine.create(
        "a", in: engine.rootInode, permissions: 0o600, access: access, DiskEngineTests.root
      ).handle
      _ = try bytes.withUnsafeBytes { bytes throws in
        try engine.write(handle, at: 0, bytes, DiskEngineTests.root)
      }
      try body(&engine, handle)
    }
  }

  private static func content(_ engine: inout DiskEngine, _ handle: UInt64) throws -> [UInt8] {
    try engine.read(handle, at: 0, length: 1 << 20, root) { pieces in pieces.flatMap { Array($0) } }
  }

  @Test func appendsAtTheEnd() throws {
    try onFile([1, 2]) { engine, handle throws in
      let inode = try engine.lookup("a", in: engine.rootInode, DiskEngineTests.root).number
      let access = FileAccess(reads: false, writes: true, appends: true)
      let appender = try engine.open(inode, access: access, DiskEngineTests.root)
      _ = try [3, 4].withUnsafeBytes { bytes throws in
        try engine.write(appender, at: 0, UnsafeRawBufferPointer(rebasing: bytes[..<1]), DiskEngineTests.root)
      }
      #expect(try DiskEngineTests.content(&engine, handle) == [1, 2, 3])
      #expect(engine.log.records.last { $0.kind == .write }?.offset == 2)
    }
  }

  @Test func reservesPunchesAndSeeks() throws {
    try onFile([1, 2, 3, 4]) { engine, handle throws in
      let caller = DiskEngineTests.root
      func attributes(_ engine: inout DiskEngine) throws -> [UInt64] {
        let found = try engine.lookup("a", in: engine.rootInode, caller)
        return [found.size, found.allocatedBytes]
      }
      try engine.allocate(handle, offset: 2, length: 8, AllocationWish(.reserve, keepsSize: true), caller)
      #expect(try attributes(&engine) == [4, 10])
      try engine.allocate(handle, offset: 2, length: 8, AllocationWish(.reserve, keepsSize: false), caller)
      #expect(try attributes(&engine) == [10, 10])
      #expect(try DiskEngineTests.content(&engine, handle) == [1, 2, 3, 4, 0, 0, 0, 0, 0, 0])
      engine.setFreeSpace(bytes: 3, inodes: nil)
      // Reserved space is paid for: the disk is full, and a write into it works.
      _ = try [9].withUnsafeBytes { bytes throws in try engine.write(handle, at: 5, bytes, caller) }
      let wish = AllocationWish(.reserve, keepsSize: false)
      #expect(errno { try engine.allocate(handle, offset: 20, length: 9, wish, caller) } == .enospc)
      #expect(try attributes(&engine) == [13, 13])
    }
  }

  /// Blocks of 4096 bytes: what a punch covers of them is zeros, and only whole ones are holes.
  @Test func tellsHolesInBlocks() throws {
    try onFile([UInt8](repeating: 7, count: 5 * 4096 - 100)) { engine, handle throws in
      let caller = DiskEngineTests.root
      func place(_ engine: inout DiskEngine, _ offset: UInt64, toData: Bool) -> UInt64? {
        try? engine.seek(handle, from: offset, toData: toData)
      }
      #expect(place(&engine, 10, toData: false) == 5 * 4096 - 100)
      try engine.allocate(handle, offset: 100, length: 50, AllocationWish(.punch, keepsSize: true), caller)
      #expect(place(&engine, 0, toData: false) == 5 * 4096 - 100)
      try engine.allocate(handle, offset: 4000, length: 8000, AllocationWish(.punch, keepsSize: true), caller)
      #expect(try engine.attributes(of: 2).allocatedBytes == 4 * 4096 - 100)
      let bytes = try DiskEngineTests.content(&engine, handle)
      #expect(bytes.indices.filter { bytes[$0] == 0 } == Array(100..<150) + Array(4000..<12_000))
      #expect(place(&engine, 0, toData: false) == 4096)
      #expect(place(&engine, 5000, toData: false) == 5000)
      #expect(place(&engine, 4000, toData: true) == 4000)
      #expect(place(&engine, 5000, toData: true) == 8192)
      #expect(place(&engine, 8192, toData: false) == 5 * 4096 - 100)
      // Zeroed: it has its space, and is a hole all the same, as on ext4.
      try engine.allocate(handle, offset: 12_288, length: 4096, AllocationWish(.zero, keepsSize: true), caller)
      #expect(try engine.attributes(of: 2).allocatedBytes == 4 * 4096 - 100)
      #expect(place(&engine, 8192, toData: false) == 12_288)
      #expect(place(&engine, 12_288, toData: true) == 16_384)
      #expect(errno { _ = try engine.seek(handle, from: 5 * 4096 - 100, toData: false) } == .enxio)
      try engine.allocate(handle, offset: 16_384, length: 9000, AllocationWish(.zero, keepsSize: false), caller)
      #expect(try engine.attributes(of: 2).size == 25_384)
      #expect(errno { _ = try engine.seek(handle, from: 16_384, toData: true) } == .enxio)
    }
  }

  @Test func exchangesNames() throws {
    try onFile([1]) { engine, _ throws in
      let caller = DiskEngineTests.root
      let root = engine.rootInode
      let directory = try engine.makeDirectory("d", in: root, permissions: 0o700, caller).number
      let file = try engine.lookup("a", in: root, caller).number
      #expect(errno { try engine.rename("a", in: root, to: "x", in: root, mode: .exchanging, caller) } == .enoent)
      #expect(errno { try engine.rename("d", in: root, to: "x", in: directory, mode: .replacing, caller) } == .einval)
      try engine.rename("a", in: root, to: "d", in: root, mode: .exchanging, caller)
      #expect(try engine.lookup("a", in: root, caller).number == directory)
      #expect(try engine.lookup("d", in: root, caller).number == file)
      #expect(try engine.attributes(of: root).links == 3)
    }
  }

  @Test func listsInPieces() throws {
    try onFile([]) { engine, _ throws in
      let caller = DiskEngineTests.root
      let root = engine.rootInode
      _ = try engine.makeSymbolicLink("l", in: root, text: "a", caller)
      let inner = try engine.makeDirectory("d", in: root, permissions: 0o700, caller).number
      let handle = try engine.openDirectory(inner, caller)
      _ = try engine.makeNode("x", in: inner, kind: .regular, permissions: 0o600, caller)
      let all = try engine.entries(handle, from: 0, caller)
      #expect(all.map(\.name) == [".", "..", "x"])
      #expect(all.map(\.inode)[..<2] == [inner, root])
      // As it was when place 0 was asked; anew from there.
      _ = try engine.makeNode("b", in: inner, kind: .fifo, permissions: 0o600, caller)
      #expect(try engine.entries(handle, from: 2, caller).map(\.name) == ["x"])
      #expect(try engine.entries(handle, from: 3, caller).isEmpty)
      #expect(try engine.entries(handle, from: 0, caller).map(\.name) == [".", "..", "b", "x"])
      #expect(try engine.readLink(try engine.lookup("l", in: root, caller).number, caller) == "a")
      #expect(engine.log.records.filter { $0.kind == .readdir }.map(\.path) == ["d", "d"])
    }
  }

  /// Paths in the log follow files and directories to their new names.
  @Test func pathsFollowRenames() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("d/e/f", text: "x")
    let file = try volume.open("d/e/f", for: .writing)
    try volume.rename("d", to: "g")
    try volume.synchronize(file)
    try volume.rename("g/e/f", to: "h")
    try volume.synchronize(file)
    try volume.link("h", to: "i")
    try volume.unlink("h")
    try volume.synchronize(file)
    try volume.unlink("i")
    try volume.synchronize(file)
    let paths = disk.log.records.filter { $0.kind == .fsync }.map(\.path)
    #expect(paths == ["g/e/f", "h", "i", "i"])
  }

  static let rights: [(user: UInt32, group: UInt32, permissions: UInt16, may: [Bool])] = [
    (0, 0, 0o000, [true, true, true]), (7, 9, 0o700, [true, true, true]), (7, 9, 0o077, [false, false, false]),
    (8, 9, 0o640, [true, false, false]), (8, 9, 0o706, [false, false, false]), (8, 8, 0o705, [true, false, true]),
  ]

  @Test(arguments: rights)
  func permissionBitsCount(row: (user: UInt32, group: UInt32, permissions: UInt16, may: [Bool])) throws {
    let disk = FaultDisk(DiskConfiguration(rootPermissions: 0o777))
    let owner = Caller(thread: 1, user: 7, group: 9)
    let caller = Caller(thread: 1, user: row.user, group: row.group)
    try disk.withEngine { (engine: inout DiskEngine) throws in
      let root = engine.rootInode
      let file = try engine.makeNode("f", in: root, kind: .regular, permissions: row.permissions, owner).number
      let directory = try engine.makeDirectory("d", in: root, permissions: row.permissions, owner).number
      let may = [
        errno { _ = try engine.open(file, access: FileAccess(reads: true, writes: false), caller) } == nil,
        errno { _ = try engine.open(file, access: FileAccess(reads: false, writes: true), caller) } == nil,
        errno { _ = try engine.lookup("x", in: directory, caller) } == .enoent,
      ]
      #expect(may == row.may)
      let mayMake = errno { _ = try engine.makeDirectory("x", in: directory, permissions: 0o700, caller) } == nil
      #expect(mayMake == (row.may[1] && row.may[2]))
      let mayChange =
        errno { _ = try engine.setAttributes(of: file, AttributeChange(permissions: 0o600), caller) } == nil
      #expect(mayChange == (row.user == 0 || row.user == 7))
    }
  }

  @Test func theSinkHasEveryRecordWithItsBytes() throws {
    let sink = CollectingSink()
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("old", text: "old")
    disk.beginRecording()
    disk.withEngine { $0.beginLog(to: sink) }
    let bytes = (0..<6 as Range<UInt8>).flatMap { [UInt8](repeating: $0, count: 900_001) }
    try volume.make("a", bytes)
    let later = CollectingSink()
    disk.withEngine { $0.writeLog(to: later) }
    for log in [sink, later] {
      var reader = OperationLogReader()
      reader.append(log.bytes)
      var found: [LoggedOperation] = []
      while let operation = try reader.next() { found.append(operation) }
      let setUp = found.prefix { $0.record.number == 0 }
      #expect(setUp.map(\.record.line) == Self.setUpLines)
      #expect(setUp.last?.data == Array("old".utf8))
      found.removeFirst(setUp.count)
      #expect(found.map(\.record.line) == disk.log.records.map(\.line))
      #expect(found.flatMap(\.data) == bytes)
    }
  }

  private static let setUpLines = [
    "0 [-] mkdir / 0755 by 0", "0 [-] create old 0600 by 0", "0 [-] truncate old to 3 by 0",
    "0 [-] write old 0+3 by 0",
  ]

  @Test func sameCallsSameLog() throws {
    func run() throws -> [OperationRecord] {
      let disk = FaultDisk()
      let volume = disk.volume()
      for name in ["b", "a", "c"] as [BytePath] { try volume.make(name, text: "x") }
      _ = try volume.entries(of: .root, countMax: 9)
      #expect(try volume.status(at: "a").modified == 1_767_225_600_004_000_000)
      return disk.log.records
    }
    #expect(try run() == run())
  }
}

final class CollectingSink: OperationLogSink {
  private let kept = Mutex<[UInt8]>([])
  var bytes: [UInt8] { kept.withLock { $0 } }
  func append(_ pieces: [UnsafeRawBufferPointer]) {
    kept.withLock { kept in for piece in pieces { kept.append(contentsOf: piece) } }
  }
}
