import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

@Suite struct StateTests {
  @Test func readOnlyRefusesWhatChanges() throws {
    let (disk, volume) = try diskWithFile()
    try volume.makeDirectory("d", permissions: 0o755)
    let file = try volume.open("f", for: .writing)
    try disk.arm(FaultRule(.remountReadOnly, on: [.write], nth: 1))
    let changes: [() throws -> Void] = [
      { try volume.writeWhole(file, at: 0, [1]) }, { try volume.truncate(file, to: 0) }, { try volume.make("new") },
      { try volume.rename("f", to: "g") }, { try volume.unlink("f") }, { try volume.link("f", to: "g") },
      { try volume.makeDirectory("e", permissions: 0o755) }, { try volume.removeDirectory("d") },
      { _ = try volume.open("f", for: .writing) },
      { try volume.setAttributes(file, permissions: 0o600, modified: nil) },
    ]
    #expect(changes.map { errno(of: $0) } == Array(repeating: .erofs, count: changes.count))
    #expect(try shown(volume) == ["f": "old ", "d/": ""])
    #expect(errno { try volume.synchronize(file) } == nil)
    #expect(disk.log.counted.map(\.kind) == [.mkdir, .write, .fsync])
    #expect(disk.clear("f"))
    #expect(errno { try volume.writeWhole(file, at: 0, Array("new1".utf8)) } == nil)
    #expect(try shown(volume)["f"] == "new1")
  }

  @Test func shutdownAnswersNothing() throws {
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.shutdown, on: [.create], nth: 1, phase: .after))
    try volume.make("new")
    #expect(errno { _ = try volume.status(at: "f") } == .eio)
    #expect(errno { _ = try volume.bytes(of: "f") } == .eio)
    #expect(errno { try volume.make("other") } == .eio)
    disk.clearAll()
    #expect(try shown(volume) == ["f": "old ", "new": ""])
    disk.restart()
    #expect(try shown(disk.volume()) == ["f": "old ", "new": ""])
  }

  @Test func aLockedDeviceOpensNothing() throws {
    let (disk, volume) = try diskWithFile()
    let file = try volume.open("f", for: .writing)
    try disk.arm(FaultRule(.lockedDevice, on: [.open], nth: 1))
    #expect(errno { _ = try volume.open("f", for: .reading) } == .eperm)
    #expect(errno { _ = try volume.open("f", for: .writing) } == .eperm)
    #expect(errno { try volume.make("new") } == .eperm)
    #expect(errno { try volume.writeWhole(file, at: 0, Array("new1".utf8)) } == nil)
    #expect(try volume.entries(of: .root, countMax: 9).map(\.name) == ["f"])
    #expect(disk.clear("f"))
    #expect(try shown(volume) == ["f": "new1"])
  }

  static let versions: [(what: String, changes: @Sendable (any Volume) throws -> Void, back: String)] = [
    ("a write that was not synced", { try $0.overwrite("f", "NEW") }, "old "),
    (
      "a write that was",
      {
        try $0.overwrite("f", "NEW")
        try $0.synchronize(path: "f")
      }, "old "
    ),
    (
      "a file that was replaced",
      {
        try $0.make("t", text: "saved")
        try $0.synchronize(path: "t")
        try $0.rename("t", to: "f")
      }, "old "
    ),
    (
      "a file that was replaced by one never synced",
      {
        try $0.make("t", text: "saved")
        try $0.rename("t", to: "f")
      }, "old "
    ),
    (
      "a new file",
      {
        try $0.unlink("f")
        try $0.make("f", text: "young")
      }, ""
    ),
  ]

  @Test(arguments: versions)
  func rollsBack(row: (what: String, changes: @Sendable (any Volume) throws -> Void, back: String)) throws {
    let (disk, volume) = try diskWithFile()
    try row.changes(volume)
    try disk.arm(FaultRule(.rolledBack, on: [.open], "f", nth: 1))
    #expect(try shown(volume) == ["f": row.back])
    try volume.synchronize(path: .root, isDirectory: true)
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": row.back])
  }

  @Test func aPlaceholderHasItsSizeAndNothingElse() throws {
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.placeholder, on: [.open], nth: 1))
    let file = try volume.open("f", for: .writing)
    let status = try volume.status(of: file)
    #expect(status.size == 4)
    #expect(try volume.freeSpace().bytes == FaultDisk().volume().freeSpace().bytes)
    #expect(errno { _ = try volume.bytes(of: "f") } == .eio)
    #expect(errno { try volume.writeWhole(file, at: 0, [1]) } == .eio)
    disk.restart()
    let later = disk.volume()
    #expect(errno { _ = try later.bytes(of: "f") } == .eio)
    try later.replace("f", with: Array("here".utf8))
    #expect(try shown(later) == ["f": "here"])
  }

  @Test func listsInAnOrderOfTheSeed() throws {
    func order(_ seed: UInt64, every: Bool = true) throws -> [BytePath] {
      let disk = FaultDisk(DiskConfiguration(seed: seed))
      let volume = disk.volume()
      for name in ["a", "b", "c", "d", "e", "g"] as [BytePath] { try volume.make(name) }
      if every { try disk.arm(FaultRule(.shuffled, on: [.readdir])) }
      return try volume.entries(of: .root, countMax: 9).map(\.name)
    }
    #expect(try order(1, every: false) == ["a", "b", "c", "d", "e", "g"])
    #expect(try order(1) == order(1))
    #expect(try Set([order(1), order(2), order(3), order(4)]).count > 1)
    #expect(try order(1).sorted() == ["a", "b", "c", "d", "e", "g"])
  }

  @Test func coarseTimes() throws {
    let disk = FaultDisk(DiskConfiguration(timeStepNanoseconds: 2_000_000_000))
    let volume = disk.volume()
    try volume.make("f", text: "x")
    #expect(try volume.status(at: "f").modified.isMultiple(of: 2_000_000_000))
    #expect(try FaultDisk().volume().makeAndAsk("f") % 2_000_000_000 != 0)
  }
}

extension Volume {
  fileprivate func makeAndAsk(_ path: BytePath) throws -> Int64 {
    try make(path, text: "x")
    return try status(at: path).modified
  }
}

@Suite struct MemoryTests {
  private static let piece = [UInt8](repeating: 7, count: 1 << 20)

  @Test func writesPastTheMemoryFindNoSpace() throws {
    let disk = FaultDisk(DiskConfiguration(logKeepsData: false, memoryBytesMax: 16 << 20))
    let volume = disk.volume()
    let file = try volume.open("f", for: .creating(permissions: 0o600))
    var written: UInt64 = 0
    let failure = errno {
      for _ in 0..<40 {
        try volume.writeWhole(file, at: written, Self.piece)
        written += UInt64(Self.piece.count)
      }
    }
    #expect(failure == .enospc)
    #expect(written >= 15 << 20 && written <= 16 << 20)
    #expect(try volume.freeSpace().bytes == 0)
    #expect(disk.withEngine { $0.arena.slabsInUse } == 4)
    // What is removed is free again.
    try volume.close(file)
    try volume.unlink("f")
    try volume.make("g", text: "there is room")
    try volume.synchronize(path: "g")
    #expect(try shown(volume) == ["g": "there is room"])
    #expect(try volume.freeSpace().bytes > 0)
  }

  @Test func withoutALimitNothingIsRefused() throws {
    let volume = FaultDisk(DiskConfiguration(logKeepsData: false)).volume()
    let file = try volume.open("f", for: .creating(permissions: 0o600))
    for index in 0..<40 as Range<UInt64> { try volume.writeWhole(file, at: index << 20, Self.piece) }
    #expect(try volume.status(of: file).size == 40 << 20)
  }
}

@Suite struct DelayTests {
  @Test func aSlowAnswerMovesTheClock() throws {
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.slow(milliseconds: 250), on: [.write], nth: 1))
    try volume.overwrite("f", "new1")
    #expect(disk.withEngine { $0.delayedNanoseconds } == 250_000_000)
    #expect(try volume.bytes(of: "f") == Array("new1".utf8))
  }

  /// An error that comes two seconds later: both rules say that they fired, the log tells both, a replay agrees.
  @Test func aSlowAnswerMayBeAnError() throws {
    let (disk, volume) = try diskWithFile()
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    var slow = FaultRule(.slow(milliseconds: 2000), on: [.write, .fsync])
    slow.name = "slow"
    try disk.control(.arm(slow))
    try disk.control(.arm(FaultRule(.errno(.eio), on: [.fsync], nth: 1)))
    try volume.overwrite("f", "new1")
    let file = try volume.open("f", for: .writing)
    #expect(errno { try volume.synchronize(file) } == .eio)
    try volume.synchronize(file)
    #expect(disk.withEngine { $0.delayedNanoseconds } == 6_000_000_000)
    #expect(disk.withEngine { $0.faultCounts }.map(\.fired) == [3, 1])
    #expect(disk.firings.map(\.rule) == ["slow", "f", "slow", "slow"])
    let (header, operations) = try ReplayTests.read(sink.bytes)
    let hit = operations.map(\.record).filter { $0.firedRule != nil }
    #expect(hit.map(\.firedRule) == ["slow", "f", "slow"])
    #expect(hit.map(\.errno) == [nil, .eio, nil])
    #expect(hit[1].firedDelays == [FaultDecision.Delay(milliseconds: 2000, rule: "slow")])
    // The counter that stands in for a clock has moved by the delays, and what comes after keeps its distance.
    #expect(hit[2].time - hit[1].time >= 2_000_000_000)
    let again = try ReplayTests.replay(header, operations)
    #expect(try TreeDigest.digest(of: again.volume()) == TreeDigest.digest(of: volume))
  }

  @Test func whatHangsInProcessEndsItsVolume() throws {
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.hang, on: [.write], nth: 1))
    #expect(errno { try volume.overwrite("f", "new1") } == .ecanceled)
    #expect(errno { _ = try volume.bytes(of: "f") } == .ecanceled)
    #expect(try disk.volume().bytes(of: "f") == Array("old ".utf8))
  }
}
