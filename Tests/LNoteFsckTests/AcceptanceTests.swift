import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--accept-loss`: a known loss becomes a note, in the document itself, and can be taken back.
@Suite struct AcceptanceTests {
  /// Page 1 lost a stroke, page 3 nothing; the image on page 2 is gone.
  static func bench() throws -> Bench {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    try bench.remove(PackagePaths.asset(Bench.asset))
    #expect(bench.repair().exit.rawValue == 5)
    return bench
  }

  static func accept(_ place: LossPlace, _ bench: Bench) -> PackageReport {
    Fsck(volume: bench.volume, now: Bench.now).acceptLoss(Bench.package, at: place)
  }

  static let rows: [(place: LossPlace, errors: Int, changes: Bool)] = [
    (.page(1), 1, true), (.page(2), 1, true), (.page(3), 2, false), (.page(9), 2, false), (.all, 0, true),
  ]

  @Test(arguments: rows) func theLossesOfAPlaceBecomeNotes(place: LossPlace, errors: Int, changes: Bool) throws {
    let bench = try Self.bench()
    let before = try UndoTests.picture(bench.volume)
    let report = Self.accept(place, bench)
    #expect(report.didChange == changes && report.accepted == changes)
    #expect(report.exit.contains(.errorsLeft) == (errors > 0))
    let check = bench.check()
    #expect(codes(check.found) == "LN9001 LN9001")
    #expect(check.found.count { $0.severity == .error } == errors)
    // Written into the document: every copy tells, and nothing is left to repair.
    #expect(bench.repair().actions.isEmpty)
    // Again: nothing is left to accept there.
    let picture = try bench.picture()
    #expect(Self.accept(place, bench).accepted == false)
    #expect(try bench.picture() == picture)
    guard changes else { return }
    // It can be taken back like a repair.
    #expect(bench.undo().undo?.isUnfinished == false)
    #expect(try UndoTests.picture(bench.volume) == before)
  }

  @Test func theRecordStaysInTheDocument() throws {
    let bench = try Self.bench()
    _ = Self.accept(.all, bench)
    let document = try bench.readDocument()
    #expect(document.pages[0].losses.map(\.isAccepted) == [true] && document.losses.map(\.isAccepted) == [true])
    #expect(document.pages[0].elementCount == 2)
    #expect(bench.check().exit == [])
    let text = RefusalTests.text(Self.accept(.all, bench), .acceptLoss(.all))
    #expect(text.contains("not accepted already"), "\(text)")
  }

  @Test func damageIsRepairedFirst() throws {
    let bench = try Self.bench()
    try bench.damage(PackagePaths.page(Bench.pages[1])) { $0[200] ^= 1 }
    let picture = try bench.picture()
    #expect(Self.accept(.all, bench).accepted == false)
    #expect(try bench.picture() == picture)
  }

  @Test(arguments: [
    ("all", LossPlace.all), ("page-12", .page(12)), ("page-0", nil), ("page--1", nil), ("page-", nil), ("12", nil),
    ("", nil),
  ]) func aPlaceIsReadFromItsText(text: String, place: LossPlace?) {
    #expect(LossPlace(text) == place)
  }
}
