import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

@Suite struct SweepTests {
  /// Overwriting a file for ever takes memory for what the file, its durable form and the log hold, and not more.
  @Test func memoryOfOverwrittenBytesIsUsedAgain() throws {
    let disk = FaultDisk(DiskConfiguration(logKeepsData: false))
    let volume = disk.volume()
    let bytes = [UInt8](repeating: 9, count: DiskEngine.writeBytesMax)
    let file = try volume.open("file", for: .creating(permissions: 0o600))
    // The durable bytes of one file, and those of one without a name, lie each in a slab in which nothing else is used.
    for name in ["kept", "gone"] as [BytePath] {
      try volume.make(name, text: "kept")
      try volume.synchronize(path: name)
      for _ in 0..<8 { try volume.writeWhole(file, at: 0, bytes) }
    }
    try volume.synchronize(path: .root, isDirectory: true)
    try volume.replace("kept", with: Array("newer".utf8))
    try volume.unlink("gone")
    for _ in 0..<200 { try volume.writeWhole(file, at: 0, bytes) }
    // Four slabs hold something that is named, and a sweep comes at twice as many.
    #expect(disk.withEngine { $0.arena.slabsInUse } <= 2 * max(4, DiskEngine.slabsBeforeFirstSweep) + 1)
    #expect(try volume.bytes(of: "file") == bytes)
    #expect(try volume.bytes(of: "kept") == Array("newer".utf8))
    disk.withEngine { $0.sweep() }
    #expect(try disk.shownAfter(cut: .keepNone) == ["file": "", "gone": "kept", "kept": "kept"])
  }

  /// Memory that was needed once is not kept for ever.
  @Test func memoryOfALargeFileThatIsGoneIsGivenBack() throws {
    let disk = FaultDisk(DiskConfiguration(logKeepsData: false))
    let volume = disk.volume()
    let bytes = [UInt8](repeating: 9, count: DiskEngine.writeBytesMax)
    let large = try volume.open("large", for: .creating(permissions: 0o600))
    for piece in 0..<80 as Range<UInt64> { try volume.writeWhole(large, at: piece << 20, bytes) }
    #expect(disk.withEngine { $0.arena.slabsHeld } >= 80 * bytes.count / LogArena.slabBytes)
    try volume.close(large)
    try volume.unlink("large")
    let small = try volume.open("small", for: .creating(permissions: 0o600))
    for _ in 0..<400 { try volume.writeWhole(small, at: 0, bytes) }
    #expect(disk.withEngine { $0.arena.slabsHeld } <= 2 * DiskEngine.slabsBeforeFirstSweep)
    #expect(try volume.bytes(of: "small") == bytes)
  }

  @Test func theLogKeepsItsBytes() throws {
    let disk = FaultDisk(DiskConfiguration(logRecordsMax: 64))
    let volume = disk.volume()
    let file = try volume.open("file", for: .creating(permissions: 0o600))
    for round in 0..<100 as Range<UInt8> {
      try volume.writeWhole(file, at: 0, [UInt8](repeating: round, count: DiskEngine.writeBytesMax))
    }
    disk.withEngine { $0.sweep() }
    let writes = disk.log.records.filter { $0.kind == .write }
    #expect(writes.count >= 32)
    for record in writes {
      let data = disk.data(of: record)
      #expect(data.count == DiskEngine.writeBytesMax)
      #expect(data.first == UInt8(record.number - 2) && data.last == data.first)
    }
    #expect(disk.withEngine { $0.arena.slabsInUse } <= 66 / 4 + 2)
  }

  @Test func aLogWithoutDataSaysNothing() throws {
    let disk = FaultDisk(DiskConfiguration(logKeepsData: false))
    try disk.volume().make("a", text: "a")
    #expect(disk.log.records.map { disk.data(of: $0) } == [[], [], []])
    #expect(disk.log.records.map(\.dataAddress) == [nil, nil, nil])
  }
}
