import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

@Suite struct TornRenameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let way: TornRename
    /// What stands there afterwards, with an old target and without.
    let withTarget: [String: String]
    let without: [String: String]
    var errno: Errno?
    var testDescription: String { "\(way)" }
  }

  static let rows: [Row] = [
    Row(
      way: .bothNames, withTarget: ["d/": "", "d/s": "new text", "d/t": "new text"],
      without: ["d/": "", "d/s": "new text", "d/t": "new text"]),
    Row(way: .neitherName, withTarget: ["d/": ""], without: ["d/": ""]),
    Row(way: .targetEmpty, withTarget: ["d/": "", "d/t": ""], without: ["d/": "", "d/t": ""]),
    Row(way: .targetZeros, withTarget: ["d/": "", "d/t": "00000000"], without: ["d/": "", "d/t": "00000000"]),
    Row(way: .targetPrefix(bytes: 3), withTarget: ["d/": "", "d/t": "new"], without: ["d/": "", "d/t": "new"]),
    Row(way: .targetPrefix(bytes: nil), withTarget: ["d/": "", "d/t": "new "], without: ["d/": "", "d/t": "new "]),
    Row(
      way: .targetPrefix(bytes: 99), withTarget: ["d/": "", "d/t": "new text"], without: ["d/": "", "d/t": "new text"]),
    Row(way: .targetHoles, withTarget: ["d/": "", "d/t": "new 0000"], without: ["d/": "", "d/t": "new 0000"]),
    Row(way: .oldTarget, withTarget: ["d/": "", "d/t": "old"], without: ["d/": ""]),
    Row(way: .sourceOnly, withTarget: ["d/": "", "d/s": "new text"], without: ["d/": "", "d/s": "new text"]),
    Row(
      way: .notDone, withTarget: ["d/": "", "d/s": "new text", "d/t": "old"], without: ["d/": "", "d/s": "new text"]),
    Row(
      way: .doneButError, withTarget: ["d/": "", "d/t": "new text"], without: ["d/": "", "d/t": "new text"],
      errno: .eio),
  ]

  @Test func everyWayHasARow() {
    #expect(Set(TornRename.all).isSubset(of: TornRenameTests.rows.map(\.way)))
  }

  /// Readers see it, it survives a cut of either kind, nothing else is hit.
  @Test(arguments: rows, [true, false])
  func tears(row: Row, hasTarget: Bool) throws {
    let expected = hasTarget ? row.withTarget : row.without
    for survivors in [SurvivingState.keepNone, .keepAll] {
      let disk = FaultDisk()
      let volume = disk.volume()
      try volume.makeDirectory("d", permissions: 0o700)
      if hasTarget { try volume.make("d/t", text: "old") }
      disk.beginRecording()
      try volume.make("d/s", text: "new text")
      try disk.arm(FaultRule(.tornRename(row.way), on: [.rename], "d/t"))
      #expect(errno { try volume.rename("d/s", to: "d/t") } == row.errno)
      #expect(try shown(volume) == expected)
      #expect(disk.firings == [FaultFiring(rule: "f", operation: 4, countedNumber: 3, matched: 1)])
      #expect(disk.log.records.first { $0.kind == .rename }?.firedRule == "f")
      #expect(try disk.shownAfter(cut: survivors) == expected)
    }
  }

  @Test func bothNamesAreOneFileAndSpoiltOnesAreNew() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("s", text: "new")
    let source = try volume.status(at: "s")
    try disk.arm(FaultRule(.tornRename(.bothNames), on: [.rename], nth: 1))
    try volume.rename("s", to: "t")
    #expect(try volume.status(at: "t").inode == source.inode)
    #expect(try volume.status(at: "t").links == 2)
    #expect(disk.clear("f"))
    try disk.arm(FaultRule(.tornRename(.targetZeros), on: [.rename]))
    let open = try volume.open("s", for: .reading)
    try volume.rename("s", to: "u")
    #expect(try volume.status(at: "u").inode != source.inode)
    #expect(try volume.status(at: "u").permissions == source.permissions)
    // The other name and who has it open keep the bytes.
    #expect(try volume.bytes(of: "t") == Array("new".utf8))
    #expect(try volume.status(of: open).links == 1)
  }

  @Test func leavesOtherRenamesAlone() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("a", text: "a")
    try volume.make("b", text: "b")
    try volume.makeDirectory("d", permissions: 0o700)
    try disk.arm(FaultRule(.tornRename(.neitherName), on: [.rename], "x"))
    try volume.rename("a", to: "c")
    try volume.rename("d", to: "x")
    try volume.rename("x", to: "e")
    try disk.withEngine { (engine: inout DiskEngine) throws in
      let caller = Caller(thread: 1, user: 0, group: 0)
      let root = engine.rootInode
      try engine.rename("b", in: root, to: "c", in: root, mode: .exchanging, caller)
    }
    #expect(try shown(volume) == ["b": "a", "c": "b", "e/": ""])
    #expect(disk.firings == [])
    try volume.rename("c", to: "x")
    #expect(try shown(volume) == ["b": "a", "e/": ""])
    #expect(disk.firings.count == 1)
  }

  static let holes: [(size: Int, zeros: [Range<Int>])] = [
    (0, []), (1, []), (2, [1..<2]), (512, [256..<512]), (513, [512..<513]), (2048, [512..<1024, 1536..<2048]),
    (4096, [512..<1024, 1536..<2048, 2560..<3072, 3584..<4096]), (4097, [4096..<4097]),
    (13_000, [4096..<8192, 12_288..<13_000]),
  ]

  @Test(arguments: holes) func holesAreWhereTheyAreSaid(row: (size: Int, zeros: [Range<Int>])) throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.make("s", [UInt8](repeating: 7, count: row.size))
    try disk.arm(FaultRule(.tornRename(.targetHoles), on: [.rename]))
    try volume.rename("s", to: "t")
    var expected = [UInt8](repeating: 7, count: row.size)
    for zeros in row.zeros { expected.replaceSubrange(zeros, with: repeatElement(0, count: zeros.count)) }
    #expect(try volume.bytes(of: "t") == expected)
  }
}
