import FaultDisk
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Documents that are not all here: what is said of them, and the copy of what is here.
@Suite struct AsIsTests {
  static func evicted() throws -> Bench {
    let bench = try Bench()
    try bench.evict(PackagePaths.page(Bench.pages[2]))
    try bench.evict(PackagePaths.asset(Bench.asset))
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    return bench
  }

  @Test func theFindingNamesPagesAndImages() throws {
    let bench = try Bench()
    try bench.evict(PackagePaths.page(Bench.pages[0]))
    try bench.evict(PackagePaths.page(Bench.pages[2]))
    try bench.evict(PackagePaths.asset(Bench.asset))
    try bench.evict(PackagePaths.thumbnail(Bench.pages[1]))
    let problem = try #require(bench.check().found.first)
    #expect(
      problem.message
        == "2 of 3 pages, 1 image and 1 other file are in iCloud, not on this disk: pages 1 and 3, and the image on "
        + "page 2, and \(PackagePaths.thumbnail(Bench.pages[1])).")
    #expect(problem.details == ["The other page is whole."])
    let text = RefusalTests.text(bench.check(), .check)
    for part in [
      "cannot be judged yet", "absent 2 of 3 pages", "No damage was found. Nothing was changed.", "This is not a loss.",
      "choose Download Now", "lnote-fsck -y --as-is --to REPAIRED Notes", "Exit status 8",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
  }

  @Test func nothingIsCopiedWithoutConsent() throws {
    let bench = try AsIsTests.evicted()
    let target = FaultDisk().volume()
    let report = Fsck(volume: bench.volume, now: Bench.now).repairCopy(of: Bench.package, to: "C.lnote", on: target)
    #expect(report.exit.rawValue == 12)
    #expect(try target.tree() == [])
  }

  @Test func absentPagesAndImagesKeepTheirPlaces() throws {
    let bench = try AsIsTests.evicted()
    try bench.remove(PackagePaths.page(Bench.pages[1]))
    let before = try bench.picture()
    let target = FaultDisk().volume()
    let fsck = Fsck(volume: bench.volume, now: Bench.now, isAsIs: true)
    let report = fsck.repairCopy(of: Bench.package, to: Bench.package, on: target)
    // Page 2, which shows the image, is missing without a mark, so nobody knows whose the absent image is.
    #expect(codes(report.left) == "LN1301 LN2005 LN4003 LN9001")
    #expect(report.exit.rawValue == 13)
    #expect(report.repaired.map(\.kind.code) == ["LN3002", "LN5003"] || report.repaired.map(\.kind.code) == ["LN3002"])
    #expect(try bench.picture() == before)
    let record = try #require(
      DocumentRecord.read(try target.bytes(of: Bench.package.appending(PackagePaths.document))).record)
    #expect(record.pages.map(\.id) == Bench.pages)
    #expect(record.losses.isEmpty)
    #expect(record.pages.map(\.losses.count) == [1, 0, 0])
    #expect(record.pages[2].elementCount == 0 && record.pages[1].elementCount == 3)
    // Neither an empty page nor anything else stands in the place of what is not here.
    for page in Bench.pages.dropFirst() {
      #expect((try? target.status(at: Bench.package.appending(PackagePaths.page(page)))) == nil)
    }
    let text = RefusalTests.text(report, .copy(to: "Copy"))
    #expect(text.contains("saved as far as it is here"), "\(text)")
    #expect(text.contains("1 copy of it is in Copy; what was copied was not changed."), "\(text)")
    // The copy tells by itself what it lacks, and is not repaired as if that were lost.
    let again = Fsck(volume: target, now: Bench.now).repair(Bench.package, mode: .all)
    #expect(again.actions.isEmpty && again.exit.contains(.operational))
  }

  @Test func otherTroubleIsNoReasonToTakeWhatIsHere() throws {
    let bench = try AsIsTests.evicted()
    try bench.disk.arm(OperationalTests.rule("EIO", [.open], "\(Bench.pages[0]).content"))
    let target = FaultDisk().volume()
    let fsck = Fsck(volume: bench.volume, now: Bench.now, isAsIs: true)
    #expect(fsck.repairCopy(of: Bench.package, to: "C.lnote", on: target).exit.contains(.operational))
    #expect(try target.tree() == [])
  }
}
