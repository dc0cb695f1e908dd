import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

@Suite struct SpaceTests {
  private static func disk() throws -> (FaultDisk, FaultVolume) {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("old", [UInt8](repeating: 1, count: 1000))
    return (disk, volume)
  }

  private static func write(_ count: Int, at offset: UInt64, _ file: OpenFile, _ volume: any Volume) throws -> Int {
    try [UInt8](repeating: 2, count: count).withUnsafeBytes { try volume.write(file, at: offset, $0) }
  }

  @Test func aWriteThatCrossesIsShortThenFails() throws {
    let (disk, volume) = try SpaceTests.disk()
    disk.setFreeSpace(bytes: 100)
    #expect(try volume.freeSpace().bytes == 100)
    let file = try volume.open("new", for: .creating(permissions: 0o600))
    #expect(try SpaceTests.write(60, at: 0, file, volume) == 60)
    #expect(try volume.freeSpace().bytes == 40)
    #expect(try SpaceTests.write(60, at: 60, file, volume) == 40)
    #expect(try volume.freeSpace().bytes == 0)
    #expect(errno { _ = try SpaceTests.write(1, at: 100, file, volume) } == .enospc)
    // What is there already may be overwritten; then a hole's bytes are new.
    #expect(try SpaceTests.write(100, at: 0, file, volume) == 100)
    #expect(try SpaceTests.write(60, at: 80, file, volume) == 20)
    #expect(try volume.status(of: file).size == 100)
    #expect(disk.log.records.last { $0.kind == .write }?.lengthTaken == 20)
    try volume.truncate(file, to: 10_000)
    #expect(try volume.freeSpace().bytes == 0)
    #expect(errno { _ = try SpaceTests.write(1, at: 5000, file, volume) } == .enospc)
    disk.setFreeSpace(bytes: nil)
    #expect(try SpaceTests.write(1, at: 5000, file, volume) == 1)
    #expect(try volume.freeSpace().bytes == (1 << 40) - 1101)
  }

  @Test func deletingFreesWhenTheLastHandleGoes() throws {
    let (disk, volume) = try SpaceTests.disk()
    disk.setFreeSpace(bytes: 0)
    let reader = try volume.open("old", for: .reading)
    try volume.unlink("old")
    #expect(try volume.freeSpace().bytes == 0)
    try volume.close(reader)
    #expect(try volume.freeSpace().bytes == 1000)
    // Listing, looking and removing work on a full disk.
    let file = try volume.open("new", for: .creating(permissions: 0o600))
    #expect(try SpaceTests.write(2000, at: 0, file, volume) == 1000)
    try volume.truncate(file, to: 400)
    #expect(try volume.freeSpace().bytes == 600)
    try volume.close(file)
    try volume.make("other")
    try volume.rename("other", to: "new")
    #expect(try volume.freeSpace().bytes == 1000)
    #expect(try shown(volume) == ["new": ""])
  }

  @Test func inodesRunOut() throws {
    let (disk, volume) = try SpaceTests.disk()
    disk.setFreeSpace(bytes: nil, inodes: 2)
    try volume.makeDirectory("a", permissions: 0o700)
    try volume.make("b")
    #expect(try volume.freeSpace().inodes == 0)
    #expect(errno { try volume.make("c") } == .enospc)
    #expect(errno { try volume.makeDirectory("c", permissions: 0o700) } == .enospc)
    // A second name needs no inode.
    try volume.link("b", to: "c")
    try volume.removeDirectory("a")
    try volume.make("d")
    #expect(try shown(volume).keys.sorted() == ["b", "c", "d", "old"])
  }

  @Test func aRestartKeepsTheSizeOfTheDisk() throws {
    let (disk, volume) = try SpaceTests.disk()
    disk.beginRecording()
    disk.setFreeSpace(bytes: 100, inodes: 5)
    try volume.make("new", [1, 2, 3])
    #expect(try volume.freeSpace() == FreeSpace(bytes: 97, inodes: 4))
    disk.powerCut(.keepNone)
    disk.restart()
    #expect(try disk.volume().freeSpace() == FreeSpace(bytes: 100, inodes: 5))
    #expect(disk.log.records.map(\.kind) == [.create, .write, .close, .statfs, .statfs])
  }

  @Test func limitsBeyondAllNumbers() throws {
    let (disk, volume) = try SpaceTests.disk()
    disk.setFreeSpace(bytes: .max, inodes: .max)
    #expect(try volume.freeSpace().bytes == .max - 1000)
    try volume.make("new", [1])
  }
}
