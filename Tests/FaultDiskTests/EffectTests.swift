import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

/// A disk with a durable file "f" of "old ".
func diskWithFile(
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
  func shownAfterRestart() throws -> [String: String] {
    restart()
    return try shown(volume())
  }
}

extension Volume {
  func overwrite(_ path: BytePath, at offset: UInt64 = 0, _ text: String) throws {
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
    let (disk, volume) = try diskWithFile()
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
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.fsyncFail(.drop), on: [.fsync], nth: 1))
    try volume.overwrite("f", "new1")
    #expect(errno { try volume.synchronize(path: "f") } == .eio)
    try volume.overwrite("f", at: 3, "2")
    try volume.synchronize(path: "f")
    // The whole page is dirty again.
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": "new2"])
  }

  @Test func aDroppedNewFileHasItsSizeAndZeros() throws {
    let (disk, volume) = try diskWithFile()
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
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(row.effect, on: [.fsync], nth: 1))
    try volume.make("g", text: "")
    for expected in row.syncs { #expect(errno { try volume.synchronize(path: .root, isDirectory: true) } == expected) }
    #expect(try shown(volume).keys.sorted() == ["f", "g"])
    #expect(try disk.shownAfter(cut: survivors).keys.sorted() == row.names[survivors == .keepNone ? 0 : 1])
  }

  @Test func beginRecordingMakesEvenDroppedPagesDurable() throws {
    let (disk, volume) = try diskWithFile()
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
    let (disk, volume) = try diskWithFile(Self.blocks, DiskConfiguration(seed: seed))
    try disk.arm(FaultRule(row.effect, on: [.write], "f", nth: 1))
    try volume.overwrite("f", Self.newBlocks)
    let reads = summary(try #require(try shown(volume)["f"]))
    #expect(row.reads.contains(reads))
    let written = try #require(disk.log.records.first { $0.kind == .write })
    #expect(disk.data(of: written) == Array(Self.newBlocks.utf8))
    // A write-back error is told at the first fsync; the reader's close above was told nothing.
    #expect(errno { try volume.synchronize(path: "f") } == (row.effect == .asyncError ? .eio : nil))
    let later = summary(try #require(try disk.shownAfter(cut: .keepNone)["f"]))
    #expect(row.later.contains(later))
  }

  @Test func aTearKeepsWholeSectorsOnly() throws {
    let (disk, volume) = try diskWithFile(String(repeating: "a", count: 2048))
    try disk.arm(FaultRule(.tornWrite(bytesMax: 512), on: [.write], "f", nth: 1))
    try volume.overwrite("f", at: 100, String(repeating: "N", count: 1000))
    #expect(summary(try disk.shownAfterRestart()["f"] ?? "") == "a100 N412 a1536")
  }

  @Test(arguments: [OperationKind.write, .read]) func flipsExactlySoManyBits(kind: OperationKind) throws {
    var found: Set<[UInt8]> = []
    for seed in 1...3 as ClosedRange<UInt64> {
      let twice = try (0..<2).map { _ in
        let (disk, volume) = try diskWithFile(Self.blocks, DiskConfiguration(seed: seed))
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
    let (disk, volume) = try diskWithFile(Self.blocks)
    try volume.overwrite("f", Self.newBlocks)
    try disk.arm(FaultRule(row.effect, on: [.read], "f", nth: 1))
    let first = try shown(volume)["f"]
    #expect(row.first.contains(summary(first ?? "")))
    #expect(try shown(volume)["f"] == Self.newBlocks)
    #expect(try disk.shownAfterRestart() == ["f": Self.newBlocks])
  }

  @Test func aStaleReadOfAppendedBytesIsShort() throws {
    let (disk, volume) = try diskWithFile("old")
    try volume.overwrite("f", at: 3, "more")
    try disk.arm(FaultRule(.staleRead, on: [.read], "f", nth: 1))
    let file = try volume.open("f", for: .reading)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 3)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 7)
    #expect(bytes.prefix(7).elementsEqual("oldmore".utf8))
  }

  @Test func aShortReadGivesLess() throws {
    let (disk, volume) = try diskWithFile("0123456789")
    try disk.arm(FaultRule(.shortRead(bytesMax: 4), on: [.read], nth: 1))
    let file = try volume.open("f", for: .reading)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 4)
    #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 10)
  }

  @Test func aBadSectorStaysUntilItIsWritten() throws {
    let (disk, volume) = try diskWithFile(Self.blocks)
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
    let (disk, volume) = try diskWithFile(Self.blocks)
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
    let (disk, volume) = try diskWithFile()
    try disk.arm(FaultRule(.asyncError, on: [.write], nth: 1))
    let (first, second) = (try volume.open("f", for: .writing), try volume.open("f", for: .writing))
    try volume.writeWhole(first, at: 0, Array("new1".utf8))
    let unseen = try volume.open("f", for: .writing)
    #expect(errno { try volume.synchronize(first) } == .eio)
    #expect(errno { try volume.synchronize(first) } == nil)
    let late = try volume.open("f", for: .writing)
    #expect(errno { try volume.synchronize(late) } == nil)
    #expect(errno { try volume.close(second) } == .eio)
    #expect(errno { try volume.synchronize(late) } == nil)
    #expect(errno { try volume.synchronize(unseen) } == .eio)
    #expect(errno { try volume.close(first) } == nil)
    #expect(try disk.shownAfter(cut: .keepNone) == ["f": "old "])
  }
}
