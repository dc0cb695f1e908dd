import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

/// A disk with a durable file "f" of "old ".
private func disk(
  _ text: String = "old ", _ configuration: DiskConfiguration = DiskConfiguration()
) throws
  -> (disk: FaultDisk, volume: FaultVolume)
{
  let disk = FaultDisk(configuration)
  let volume = disk.volume()
  try volume.make("f", text: text)
  try volume.synchronize(path: "f")
  try volume.synchronize(path: .root, isDirectory: true)
  disk.beginRecording()
  return (disk, volume)
}

extension FaultDisk {
  /// The tree after a restart without a power cut.
  fileprivate func shownAfterRestart() throws -> [String: String] {
    restart()
    return try shown(volume())
  }
}

extension Volume {
  fileprivate func overwrite(_ path: BytePath, at offset: UInt64 = 0, _ text: String) throws {
    let file = try open(path, for: .writing)
    defer { try? close(file) }
    try writeWhole(file, at: offset, Array(text.utf8))
  }
}

/// What becomes of a file whose fsync went wrong.
@Suite struct SyncFaultTests {
  static let rows: [(effect: FaultEffect, syncs: [Errno?], kept: [String])] = [
    // What was synced last shows after keep-none, keep-all, a plain restart.
    (.fsyncFail(.drop), [.eio], ["old ", "old ", "old "]),
    (.fsyncFail(.drop), [.eio, nil], ["old ", "old ", "old "]),
    (.fsyncFail(.keep), [.eio], ["old ", "new1", "new1"]),
    (.fsyncFail(.keep), [.eio, nil], ["new1", "new1", "new1"]),
    (.fsyncLie, [nil], ["old ", "new1", "new1"]),
    (.fsyncLie, [nil, nil], ["new1", "new1", "new1"]),
    (.errno(.eio), [.eio, nil], ["new1", "new1", "new1"]),
  ]

  @Test(arguments: rows, [0, 1, 2])
  func afterAFailedSync(row: (effect: FaultEffect, syncs: [Errno?], kept: [String]), ending: Int) throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(row.effect, on: [.fsync], "f", nth: 1))
    let file = try volume.open("f", for: .writing)
    try volume.writeWhole(file, at: 0, Array("new1".utf8))
    for expected in row.syncs { #expect(errno { try volume.synchronize(file) } == expected) }
    try volume.close(file)
    #expect(try shown(volume) == ["f": "new1"])
    let after =
      switch ending {
      case 0: try disk.shownAfter(cut: .keepNone)
      case 1: try disk.shownAfter(cut: .keepAll)
      default: try disk.shownAfterRestart()
      }
    #expect(after == ["f": row.kept[ending]])
    #expect(disk.firings.count == 1)
  }

  @Test func droppedPagesAreWrittenWhenWrittenAgain() throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(.fsyncFail(.drop), on: [.fsync], nth: 1))
    try volume.overwrite("f", "new1")
    #expect(errno { try volume.synchronize(path: "f") } == .eio)
    try volume.overwrite("f", at: 3, "2")
    try volume.synchronize(path: "f")
    // The whole page is dirty again.
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": "new2"])
  }

  @Test func aDroppedNewFileHasItsSizeAndZeros() throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(.fsyncFail(.drop), on: [.fsync], "g", nth: 1))
    try volume.make("g", text: "new")
    #expect(errno { try volume.synchronize(path: "g") } == .eio)
    #expect(try disk.shownAfterRestart() == ["f": "old ", "g": "000"])
  }

  static let directoryRows: [(effect: FaultEffect, syncs: [Errno?], names: [[String]])] = [
    (.fsyncFail(.drop), [.eio, nil], [["f"], ["f"]]),
    (.fsyncFail(.keep), [.eio, nil], [["f", "g"], ["f", "g"]]),
    (.fsyncFail(.keep), [.eio], [["f"], ["f", "g"]]),
    (.fsyncLie, [nil], [["f"], ["f", "g"]]),
    (.fsyncLie, [nil, nil], [["f", "g"], ["f", "g"]]),
  ]

  @Test(arguments: directoryRows, [SurvivingState.keepNone, .keepAll])
  func directories(row: (effect: FaultEffect, syncs: [Errno?], names: [[String]]), survivors: SurvivingState) throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(row.effect, on: [.fsync], nth: 1))
    try volume.make("g", text: "")
    for expected in row.syncs { #expect(errno { try volume.synchronize(path: .root, isDirectory: true) } == expected) }
    #expect(try shown(volume).keys.sorted() == ["f", "g"])
    #expect(try disk.shownAfter(cut: survivors).keys.sorted() == row.names[survivors == .keepNone ? 0 : 1])
  }

  @Test func beginRecordingMakesEvenDroppedPagesDurable() throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(.fsyncFail(.drop), on: [.fsync]))
    try volume.overwrite("f", "new1")
    try volume.make("g", text: "x")
    for path in ["f", ""] as [BytePath] {
      #expect(errno { try volume.synchronize(path: path, isDirectory: path.isRoot) } == .eio)
    }
    disk.beginRecording()
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": "new1", "g": "x"])
  }
}

@Suite struct DamageTests {
  static let blocks = String(repeating: "a", count: 4096) + String(repeating: "b", count: 4096)
  static let newBlocks = String(repeating: "C", count: 4096) + String(repeating: "D", count: 4096)

  private func summary(_ text: String) -> String {
    var runs: [(Character, Int)] = []
    for character in text {
      if runs.last?.0 == character { runs[runs.count - 1].1 += 1 } else { runs.append((character, 1)) }
    }
    return runs.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  /// What reads show, and what is there after a restart.
  static let writeRows: [(effect: FaultEffect, reads: Set<String>, later: Set<String>)] = [
    (.tornWrite(bytesMax: 512), ["C4096 D4096"], ["C512 a3584 b4096"]),
    (.tornWrite(bytesMax: 4608), ["C4096 D4096"], ["C4096 D512 b3584"]),
    (.zeroBlock, ["04096 D4096", "C4096 04096"], ["04096 D4096", "C4096 04096"]),
    (.misplacedBlock, ["a4096 C4096", "D4096 b4096"], ["a4096 C4096", "D4096 b4096"]),
    (.asyncError, ["C4096 D4096"], ["a4096 b4096"]),
  ]

  @Test(arguments: writeRows, [1, 2, 3, 4] as [UInt64])
  func ofAWrite(row: (effect: FaultEffect, reads: Set<String>, later: Set<String>), seed: UInt64) throws {
    let (disk, volume) = try disk(Self.blocks, DiskConfiguration(seed: seed))
    try disk.arm(FaultRule(row.effect, on: [.write], "f", nth: 1))
    try volume.overwrite("f", Self.newBlocks)
    let reads = summary(try #require(try shown(volume)["f"]))
    #expect(row.reads.contains(reads))
    let written = try #require(disk.log.records.first { $0.kind == .write })
    #expect(disk.data(of: written) == Array(Self.newBlocks.utf8))
    try volume.synchronize(path: "f")
    let later = summary(try #require(try disk.shownAfter(cut: .keepNone)["f"]))
    #expect(row.later.contains(later))
  }

  @Test func aTearKeepsWholeSectorsOnly() throws {
    let (disk, volume) = try disk(String(repeating: "a", count: 2048))
    try disk.arm(FaultRule(.tornWrite(bytesMax: 512), on: [.write], "f", nth: 1))
    try volume.overwrite("f", at: 100, String(repeating: "N", count: 1000))
    #expect(summary(try disk.shownAfterRestart()["f"] ?? "") == "a100 N412 a1536")
  }

  @Test(arguments: [OperationKind.write, .read]) func flipsExactlySoManyBits(kind: OperationKind) throws {
    var found: Set<[UInt8]> = []
    for seed in 1...3 as ClosedRange<UInt64> {
      let twice = try (0..<2).map { _ in
        let (disk, volume) = try disk(Self.blocks, DiskConfiguration(seed: seed))
        try disk.arm(FaultRule(.flip(bits: 5), on: [kind], "f", nth: 1))
        try volume.overwrite("f", Self.newBlocks)
        return (try volume.bytes(of: "f"), try volume.bytes(of: "f"))
      }
      #expect(twice[0] == twice[1])
      let (first, second) = twice[0]
      let flipped = zip(first, Self.newBlocks.utf8).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
      #expect(flipped == 5)
      // On the medium for good, or on the way of one read.
      #expect(second == (kind == .write ? first : Array(Self.newBlocks.utf8)))
      found.insert(first)
    }
    #expect(found.count == 3)
  }

  static let readRows: [(effect: FaultEffect, first: Set<String>)] = [
    (.zeroBlock, ["04096 D4096", "C4096 04096"]), (.misplacedBlock, ["D8192", "C8192"]),
    (.staleRead, ["a4096 b4096"]),
  ]

  @Test(arguments: readRows) func ofOneRead(row: (effect: FaultEffect, first: Set<String>)) throws {
    let (disk, volume) = try disk(Self.blocks)
    try volume.overwrite("f", Self.newBlocks)
    try disk.arm(FaultRule(row.effect, on: [.read], "f", nth: 1))
    let first = try shown(volume)["f"]
    #expect(row.first.contains(summary(first ?? "")))
    #expect(try shown(volume)["f"] == Self.newBlocks)
    #expect(try disk.shownAfterRestart() == ["f": Self.newBlocks])
  }

  @Test func aStaleReadOfAppendedBytesIsShort() throws {
    let (disk, volume) = try disk("old")
    try volume.overwrite("f", at: 3, "more")
    try disk.arm(FaultRule(.staleRead, on: [.read], "f", nth: 1))
    let file = try volume.open("f", for: .reading)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 3)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 7)
    #expect(bytes.prefix(7).elementsEqual("oldmore".utf8))
  }

  @Test func aShortReadGivesLess() throws {
    let (disk, volume) = try disk("0123456789")
    try disk.arm(FaultRule(.shortRead(bytesMax: 4), on: [.read], nth: 1))
    let file = try volume.open("f", for: .reading)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 4)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 10)
  }

  @Test func aBadSectorStaysUntilItIsWritten() throws {
    let (disk, volume) = try disk(Self.blocks)
    try disk.arm(FaultRule(.badSector, on: [.write], nth: 1))
    try volume.overwrite("f", at: 4096, "D")
    disk.clearAll()
    let file = try volume.open("f", for: .reading)
    var bytes = [UInt8](repeating: 0, count: 8192)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 4096)
    #expect(errno { _ = try bytes.withUnsafeMutableBytes { try volume.read(file, at: 4096, into: $0) } } == .eio)
    // To write a part of it, it has to be read.
    #expect(errno { try volume.overwrite("f", at: 5000, "x") } == .eio)
    disk.restart()
    let later = disk.volume()
    #expect(errno { _ = try later.bytes(of: "f") } == .eio)
    try later.overwrite("f", at: 4096, String(repeating: "E", count: 4096))
    #expect(summary(try shown(later)["f"] ?? "") == "a4096 E4096")
  }

  @Test func aReadFindsABadSector() throws {
    let (disk, volume) = try disk(Self.blocks)
    try disk.arm(FaultRule(.badSector, on: [.read], "f", nth: 1))
    #expect(errno { _ = try volume.bytes(of: "f") } == .eio)
    disk.clearAll()
    #expect(errno { _ = try volume.bytes(of: "f") } == .eio)
    let file = try volume.open("f", for: .writing)
    try volume.truncate(file, to: 0)
    try volume.close(file)
    #expect(try shown(volume) == ["f": ""])
  }

  /// As Linux's errseq: each descriptor once; one that is opened later only where nobody was told yet.
  @Test func aWriteBackErrorIsToldOnceADescriptor() throws {
    let (disk, volume) = try disk()
    try disk.arm(FaultRule(.asyncError, on: [.write], nth: 1))
    let (first, second) = (try volume.open("f", for: .writing), try volume.open("f", for: .writing))
    try volume.writeWhole(first, at: 0, Array("new1".utf8))
    let unseen = try volume.open("f", for: .writing)
    #expect(errno { try volume.synchronize(first) } == .eio)
    #expect(errno { try volume.synchronize(first) } == nil)
    let late = try volume.open("f", for: .writing)
    #expect(errno { try volume.synchronize(late) } == nil)
    #expect(errno { try volume.close(second) } == .eio)
    #expect(errno { try volume.synchronize(unseen) } == .eio)
    #expect(errno { try volume.close(first) } == nil)
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": "old "])
  }
}

@Suite struct StateTests {
  @Test func readOnlyRefusesWhatChanges() throws {
    let (disk, volume) = try disk()
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
    let (disk, volume) = try disk()
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
    let (disk, volume) = try disk()
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
    let (disk, volume) = try disk()
    try row.changes(volume)
    try disk.arm(FaultRule(.rolledBack, on: [.open], "f", nth: 1))
    #expect(try shown(volume) == ["f": row.back])
    try volume.synchronize(path: .root, isDirectory: true)
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": row.back])
  }

  @Test func aPlaceholderHasItsSizeAndNothingElse() throws {
    let (disk, volume) = try disk()
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
