import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Images that one document lacks are looked for in the others of its folder.
@Suite struct LibraryLookTests {
  /// Another document that holds the image too: a copy of the whole, under another identity.
  static let other = BytePath("0B51C2A4-7D1E-4F0B-9C55-2E3A90D1F7A6.lnote")

  /// The bench's document without its image, and beside it another with a file of that name.
  static func library(_ image: [UInt8]?) throws -> Bench {
    let bench = try Bench()
    try bench.volume.makeDirectories(other.appending(PackagePaths.assets))
    if let image { try bench.volume.make(other.appending(DamageCase.picture), image) }
    try bench.remove(DamageCase.picture)
    return bench
  }

  static func fsck(_ bench: Bench, looksMax: Int? = nil, isStopped: @escaping @Sendable () -> Bool = { false }) -> Fsck
  {
    Fsck(volume: bench.volume, now: Bench.now, library: look(bench, looksMax: looksMax), isStopped: isStopped)
  }

  static func look(_ bench: Bench, looksMax: Int? = nil) -> LibraryLook {
    LibraryLook(volume: bench.volume, shown: "Notes", packages: [other, Bench.package], looksMax: looksMax)
  }

  @Test func theSameBytesInAnotherDocumentAreTaken() throws {
    let bench = try Self.library(Bench.picture)
    let before = try UndoTests.picture(bench.volume)
    let check = Self.fsck(bench).check(Bench.package)
    #expect(codes(check.found) == "LN4001")
    #expect(check.found[0].details == ["A whole copy was found: Notes/\(Self.other)/\(DamageCase.picture)."])
    // A safe fix: the bytes are proven, and nothing gives way to them.
    let report = Self.fsck(bench).repair(Bench.package, mode: .automatic)
    #expect(report.exit.rawValue == 1 && codes(report.left) == "")
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
    #expect(Self.fsck(bench).repair(Bench.package, mode: .all).actions.isEmpty)
    #expect(bench.undo().undo?.refused.isEmpty == true)
    #expect(try UndoTests.picture(bench.volume) == before)
  }

  static let others: [(name: String, image: [UInt8]?)] = [
    ("none", nil), ("other bytes of the same length", Bench.picture.dropLast() + [0]),
    ("the beginning", Array(Bench.picture.dropLast())), ("an empty file", []),
  ]

  @Test(arguments: others.indices) func otherBytesOfTheSameNameAreNot(_ row: Int) throws {
    let bench = try Self.library(Self.others[row].image)
    let before = try bench.volume.picture(below: Self.other)
    let report = Self.fsck(bench).repair(Bench.package, mode: .all)
    #expect(codes(report.left) == "LN9001", "\(Self.others[row].name)")
    #expect(try bench.volume.picture(below: Self.other) == before)
  }

  @Test func whatTheOtherHasSetAsideIsFoundToo() throws {
    let bench = try Self.library(nil)
    let place = BytePath("\(Self.other)-lost+found/20261130T140212Z")
    try bench.volume.makeDirectories(place.appending(PackagePaths.assets))
    try bench.volume.make(place.appending(DamageCase.picture), Bench.picture)
    #expect(Self.fsck(bench).repair(Bench.package, mode: .all).exit.rawValue == 1)
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
    #expect(try bench.volume.bytes(of: place.appending(DamageCase.picture)) == Bench.picture)
  }

  @Test func whatTheOtherSetsAsideMeanwhileIsFoundThere() throws {
    let bench = try Self.library(Bench.picture)
    let place = BytePath("\(Self.other)-lost+found/20261130T140212Z/assets")
    let volume = bench.volume
    let fsck = Self.fsck(
      bench,
      isStopped: {
        if (try? volume.kind(at: place)) == nil {
          try? volume.makeDirectories(place)
          try? volume.rename(Self.other.appending(DamageCase.picture), to: place.appending(DamageCase.picture.name))
        }
        return false
      })
    let report = fsck.repair(Bench.package, mode: .all)
    #expect(report.exit.rawValue == 1 && report.refusal == nil, "\(report.left.map(\.message))")
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
  }

  @Test func aCopyIsGivenItToo() throws {
    let bench = try Self.library(Bench.picture)
    let target = FaultDisk()
    let before = try bench.picture()
    let report = Self.fsck(bench).repairCopy(of: Bench.package, to: Bench.package, on: target.volume())
    #expect(report.exit.rawValue == 1)
    #expect(try target.volume().bytes(of: Bench.package.appending(DamageCase.picture)) == Bench.picture)
    #expect(try bench.picture() == before)
  }

  @Test func nothingIsLookedForWhereNothingIsLacking() throws {
    let (bench, others) = (try Bench(), FaultDisk())
    others.beginRecording()
    let look = LibraryLook(volume: others.volume(), shown: "Notes", packages: [Self.other, Bench.package])
    #expect(Fsck(volume: bench.volume, now: Bench.now, library: look).check(Bench.package).found.isEmpty)
    #expect(others.log.records.isEmpty)
    // Neither for a loss that was accepted.
    try bench.remove(DamageCase.picture)
    _ = bench.repair()
    _ = Fsck(volume: bench.volume, now: Bench.now).acceptLoss(Bench.package, at: .all)
    #expect(Fsck(volume: bench.volume, now: Bench.now, library: look).check(Bench.package).found.count == 1)
    #expect(others.log.records.isEmpty)
  }

  @Test func itEndsWhereThatTakesTooLongAndSaysSo() throws {
    let bench = try Self.library(Bench.picture)
    let enough = Self.look(bench, looksMax: 2)
    _ = Fsck(volume: bench.volume, now: Bench.now, library: enough).check(Bench.package)
    #expect(!enough.isOver)
    let look = Self.look(bench, looksMax: 1)
    let check = Fsck(volume: bench.volume, now: Bench.now, library: look).check(Bench.package)
    #expect(look.isOver && check.found[0].details.allSatisfy { !$0.contains("whole copy") })
    var run = bench.run()
    #expect(!run.plainText.contains("not looked for"))
    run.isLibraryTooLarge = true
    #expect(run.plainText.contains("Missing images were not looked for in all of the other documents"))
  }

  @Test func theProgramLooksInTheFolderThatItWasGiven() throws {
    let directory = try ProgramTests.folder { try $0.remove(DamageCase.picture) }
    let place = BytePath("Notes/Old/\(Self.other)/\(PackagePaths.assets)")
    #expect(try ProgramTests.run(["Notes"], in: directory).status == 4)
    try directory.volume().makeDirectories(place)
    try directory.volume().make(BytePath("Notes/Old/\(Self.other)/\(DamageCase.picture)"), Bench.picture)
    let check = try ProgramTests.run(["Notes"], in: directory)
    #expect(check.text.contains("Notes/Old/\(Self.other)/"), "\(check.text)")
    let repair = try ProgramTests.run(["-p", "Notes/\(Bench.package)"], in: directory)
    #expect(repair.status == 4, "alone it has no others: \(repair.text)")
    _ = try ProgramTests.run(["-p", "Notes"], in: directory)
    #expect(
      try directory.volume().bytes(of: BytePath("Notes/\(Bench.package)/\(DamageCase.picture)")) == Bench.picture)
  }
}
