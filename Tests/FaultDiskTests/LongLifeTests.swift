import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

/// What a disk remembers is bounded by what is on it, and does not grow with all that it has ever done.
@Suite struct LongLifeTests {
  @Test func inodesThatAreGoneTakeNoMemory() throws {
    let disk = FaultDisk(DiskConfiguration(logRecordsMax: 64))
    let volume = disk.volume()
    try volume.make("first", text: "stays")
    for _ in 0..<10_000 {
      try volume.make("short-lived", text: "")
      try volume.unlink("short-lived")
    }
    try volume.make("last", text: "stays too")
    #expect(disk.withEngine { $0.inodes.partCount } == 2)
    #expect(disk.withEngine { $0.inodeCount } == 2)
    #expect(try volume.status(at: "last").inode == 10_003)
    #expect(try volume.bytes(of: "first") == Array("stays".utf8))
  }

  @Test func firingsAreKeptUpToANumber() throws {
    let disk = FaultDisk(DiskConfiguration(logRecordsMax: 64))
    let volume = disk.volume()
    try volume.make("file", text: "")
    try disk.arm(FaultRule(name: "always", effect: .errno(.eio), operations: [.unlink]))
    let count = DiskEngine.firingsMax + 10
    for _ in 0..<count { #expect(throws: FileCallError.self) { try volume.unlink("file") } }
    #expect(disk.firings.count == DiskEngine.firingsMax / 2 + 10)
    #expect(disk.firings.last?.operation == disk.log.records.last?.number)
    #expect(disk.withEngine { $0.faultCounts.map(\.fired) } == [UInt64(count)])
  }

  /// The table is a dictionary, whatever comes and goes.
  @Test(arguments: 1...5 as ClosedRange<UInt64>) func theTableAgreesWithADictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let first = UInt64.random(in: 1...5000, using: &generator)
    var table = InodeTable(first: first)
    var model: [UInt64: Inode] = [:]
    var given: [UInt64] = []
    for _ in 0..<20_000 {
      switch Int.random(in: 0..<100, using: &generator) {
      case 0: table.skip(to: table.next + UInt64.random(in: 0...3000, using: &generator))
      case 1..<50:
        let inode = Inode(number: table.next, kind: .regular, permissions: 0, owner: 0, group: 0, time: 0, names: [])
        table.insert(inode)
        model[inode.number] = inode
        given.append(inode.number)
      default:
        // Most often one of the oldest, so that parts come to their end.
        let gone =
          given.isEmpty ? table.next : given.remove(at: Int.random(in: 0...given.count / 10, using: &generator))
        table.remove(gone)
        model[gone] = nil
      }
      let asked = UInt64.random(in: 0...table.next + 1, using: &generator)
      #expect(table[asked] === model[asked])
    }
    let walked = table.all.map(\.number)
    #expect(walked == model.keys.sorted())
    #expect(table.partCount == Set(walked.map { ($0 - first) >> 7 }).count)
  }
}
