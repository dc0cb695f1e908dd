import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Images that are missing are looked for in the document's other files and in what repairs have set aside.
@Suite struct OwnLookTests {
  static let second = PackagePaths.asset(Bench.free)
  static let other = BytePath("0B51C2A4-7D1E-4F0B-9C55-2E3A90D1F7A6.lnote-lost+found")
  static let mine = BytePath("\(Bench.package)-lost+found")

  /// Page 1 shows a second image of the very same bytes.
  static func twoOfOne() throws -> Bench {
    let bench = try Bench()
    try bench.write(page: 0) { $0.elements.append(.image(Bench.image(of: Bench.free, Bench.picture, element: 22))) }
    try bench.edit { $0.pages[0].elementCount = 4 }
    try bench.put(Bench.picture, at: second)
    return bench
  }

  static let losses: [(name: String, damage: @Sendable (Bench) throws -> Void, found: String)] = [
    ("one is missing", { try $0.remove(second) }, "LN4001"),
    ("one is damaged", { try $0.damage(second) { $0[700] ^= 1 } }, "LN4006"),
    (
      "both are missing, one file without a name is there",
      { bench in
        try bench.remove(second)
        try bench.give(DamageCase.picture, "photo")
      }, "LN1101 LN4001"
    ),
    (
      "both are missing, and there is a temporary file",
      { bench in
        try bench.put(Bench.picture, at: Bench.temporary(second))
        for path in [second, DamageCase.picture] { try bench.remove(path) }
      }, "LN1503 LN4001"
    ),
    (
      "both are damaged, and the bytes are in the package's folder",
      { bench in
        for path in [second, DamageCase.picture] { try bench.damage(path) { $0[700] ^= 1 } }
        try bench.put(Bench.picture, at: "photo.jpg")
      }, "LN1101 LN4006 LN4006"
    ),
    (
      "a link takes the place of one",
      { bench in
        try bench.remove(second)
        try bench.makeNode(second, kind: .symbolicLink)
      }, "LN1003"
    ),
  ]

  @Test(arguments: losses.indices) func oneFileServesAllWhoLackIt(_ row: Int) throws {
    let (name, damage, found) = Self.losses[row]
    let bench = try Self.twoOfOne()
    #expect(codes(bench.check().found) == "")
    try damage(bench)
    let before = try UndoTests.picture(bench.volume)
    let check = bench.check()
    #expect(codes(check.found) == found, "\(name)")
    #expect(check.found.filter { !$0.loss.isNothing }.isEmpty, "\(name)")
    let report = bench.repair()
    #expect(codes(report.left) == "" && report.exit.rawValue == 1, "\(name): \(report.actions.map(\.step))")
    for path in [Self.second, DamageCase.picture] { #expect(try bench.bytes(path) == Bench.picture, "\(name)") }
    #expect(bench.repair().actions.isEmpty, "\(name)")
    #expect(bench.undo().undo?.refused.isEmpty == true)
    #expect(try UndoTests.picture(bench.volume) == before, "\(name)")
  }

  /// The copy ends where it will: what the next run finds is enough for both.
  @Test func aRepairThatIsCutShortLosesNeither() throws {
    for steps in 0..<4 {
      let bench = try Self.twoOfOne()
      try bench.remove(Self.second)
      try bench.give(DamageCase.picture, "photo")
      _ = Bench.Again(bench).repair(endingBehind: steps)
      let report = bench.repair()
      #expect(codes(report.left) == "", "\(steps): \(report.actions.map(\.step))")
      for path in [Self.second, DamageCase.picture] { #expect(try bench.bytes(path) == Bench.picture, "\(steps)") }
    }
  }

  // MARK: What repairs have set aside

  static let asides: [(name: String, place: BytePath, image: [UInt8], isTaken: Bool)] = [
    ("beside the document", mine, Bench.picture, true),
    ("in the folder of --quarantine", QuarantineTests.folder.appending(mine), Bench.picture, true),
    ("there, of another document", QuarantineTests.folder.appending(other), Bench.picture, true),
    ("there, other bytes", QuarantineTests.folder.appending(mine), Array(Bench.picture.dropLast()) + [0], false),
    ("there, in a folder of another name", QuarantineTests.folder.appending("Old"), Bench.picture, false),
    ("beside it, but of another document", other, Bench.picture, false),
  ]

  @Test(arguments: asides.indices) func whatWasSetAsideIsFound(_ row: Int) throws {
    let (name, place, image, isTaken) = Self.asides[row]
    let bench = try QuarantineTests.bench { bench in
      let folder = place.appending("20261101T000000Z")
      try bench.volume.makeDirectories(folder.appending(PackagePaths.assets))
      try bench.volume.make(folder.appending(DamageCase.picture), image)
      try bench.remove(DamageCase.picture)
    }
    let report = QuarantineTests.fsck(bench.volume).repair(Bench.package, mode: .automatic)
    #expect(codes(report.left) == (isTaken ? "" : "LN4001"), "\(name)")
    if isTaken { #expect(try bench.bytes(DamageCase.picture) == Bench.picture, "\(name)") }
    // It stays where it was too.
    #expect(try bench.volume.bytes(of: place.appending("20261101T000000Z").appending(DamageCase.picture)) == image)
  }
}
