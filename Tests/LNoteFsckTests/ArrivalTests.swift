import Files
import LNoteFormat
import Testing

@testable import LNoteFsck

/// A package without its document.json that may not be all here yet (D09): it is not judged, and not repaired.
@Suite struct ArrivalTests {
  static let parts = [
    "pages/\(Bench.free).content.part", "pages/.syncthing.\(Bench.free).content.tmp", "assets/~syncthing~x.jpg.tmp",
    ".document.json.~1f2e3d", ".document.json.aB3dE6", "document.json.crdownload", "document.json.5f3a91c2.partial",
    "thumbnails/x.jpg.filepart", "document.json.!sync", "Notes.zip.download",
    "pages/.\(Bench.free).content.aB3dE6", "assets/.\(Bench.free).jpg.aB3dE6", "pages/\(Bench.free).content.PART",
  ]

  private static func isUnsettled(_ report: PackageReport) -> Bool {
    report.left.contains { $0.kind == .documentMissing && $0.repairClass == .operational && $0.action == nil }
  }

  @Test(arguments: parts) func whilePartsOfFilesAreThereNothingIsRepaired(name: String) throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.document)
    try bench.put([1], at: BytePath(name))
    let before = try bench.picture()
    #expect(Self.isUnsettled(bench.check()))
    let report = bench.repair()
    #expect(Self.isUnsettled(report))
    #expect(report.exit.rawValue == 8 && report.actions.isEmpty)
    #expect(try bench.picture() == before)
    // When it is complete, nothing is wrong but the part that was left.
    try bench.remove(BytePath(name))
    #expect(bench.repair().exit.rawValue == 1)
  }

  @Test(arguments: [
    ".part", "page.content", ".document.json", ".document.json.toolong", "x.party", ".x.aB3dE6", "..~1", ".x.~",
  ])
  func anyOtherNameIsNoPart(name: String) throws {
    #expect(!PackageNames.isPart(Array(name.utf8)))
    let bench = try Bench()
    try bench.remove(PackagePaths.document)
    try bench.put([1], at: BytePath("pages/\(name)"))
    #expect(!Self.isUnsettled(bench.check()))
  }

  @Test func aPartBesideDocumentJSONHoldsNothingUp() throws {
    let bench = try Bench()
    try bench.put([1], at: BytePath(ArrivalTests.parts[0]))
    #expect(codes(bench.check().found) == "LN1603")
  }

  /// What iCloud keeps is told as that, and not as what a copy may bring.
  @Test func beforeAllIsFetchedAPartSaysNothing() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.document)
    try bench.put([1], at: BytePath(ArrivalTests.parts[0]))
    try bench.evict(DamageCase.page1)
    let report = bench.check()
    #expect(!Self.isUnsettled(report))
    #expect(report.found.contains { $0.kind == .notDownloaded })
  }

  /// Seconds from the newest file to the check, and whether more may still come.
  static let ages: [(seconds: Int64, settling: Int64, isUnsettled: Bool)] = [
    (0, 30, true), (29, 30, true), (30, 30, false), (3000, 30, false), (0, 0, false),
    // A clock that is wrong holds nothing up.
    (-1, 30, false), (-100_000_000, 30, false),
  ]

  @Test(arguments: ages) func filesThatWereWrittenJustNowMayNotBeAll(
    seconds: Int64, settling: Int64, isUnsettled: Bool
  ) throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.document)
    let newest = try bench.volume.tree().compactMap { try bench.volume.status(at: $0) }
      .filter { $0.kind == .regular }.map(\.modified).max()
    let now = Timestamp(milliseconds: try #require(newest) / 1_000_000 + seconds * 1000)
    let fsck = Fsck(volume: bench.volume, now: now, settlingSeconds: settling)
    #expect(Self.isUnsettled(fsck.check(Bench.package)) == isUnsettled)
    #expect(fsck.repair(Bench.package, mode: .all).exit.rawValue == (isUnsettled ? 8 : 1))
  }

  @Test(arguments: [DamageCase.page1, DamageCase.picture, DamageCase.manifest, DamageCase.small1])
  func eachFileAloneTellsThatMoreMayCome(path: BytePath) throws {
    let bench = try Bench()
    let kept = Bench.package.appending(path)
    for other in try bench.volume.tree() where other != kept {
      if try bench.volume.status(at: other).kind == .regular { try bench.volume.unlink(other) }
    }
    let now = Timestamp(milliseconds: try bench.volume.status(at: kept).modified / 1_000_000)
    let fsck = Fsck(volume: bench.volume, now: now, settlingSeconds: 30)
    #expect(Self.isUnsettled(fsck.check(Bench.package)))
  }

  @Test func aWholeCopyIsNotWaitedFor() throws {
    let bench = try Bench()
    try bench.volume.rename(
      Bench.package.appending(PackagePaths.document),
      to: Bench.package.appending(Bench.temporary(PackagePaths.document)))
    let newest = try bench.volume.status(at: Bench.package.appending(PackagePaths.manifest)).modified
    let fsck = Fsck(
      volume: bench.volume, now: Timestamp(milliseconds: newest / 1_000_000), settlingSeconds: 30)
    #expect(fsck.repair(Bench.package, mode: .all).exit.rawValue == 1)
  }
}
