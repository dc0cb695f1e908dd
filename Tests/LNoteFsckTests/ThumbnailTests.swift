import Files
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

@Suite struct ThumbnailTests {
  private static let small1 = DamageCase.small1

  private static func content(_ bytes: [UInt8]) -> ThumbnailContent {
    bytes.withUnsafeBytes { ThumbnailSurvey.content(of: $0, page: Bench.pages[0]) }
  }

  private static func isDamaged(_ bytes: [UInt8]) -> Bool {
    if case .damaged = content(bytes) { true } else { false }
  }

  @Test func anyChangedByteShows() {
    let whole = Bench.thumbnail(Bench.pages[0], generation: 5)
    #expect(Self.content(whole) == .marked(Thumbnail(page: Bench.pages[0], generation: 5)))
    let silent = whole.indices.filter { place in
      var bytes = whole
      bytes[place] ^= 0x41
      return !Self.isDamaged(bytes)
    }
    #expect(silent == [])
    #expect(whole.indices.filter { !Self.isDamaged(Array(whole.prefix($0))) } == [])
  }

  @Test func manyAreOneFinding() throws {
    let bench = try Bench()
    for page in Bench.pages { try bench.remove(PackagePaths.thumbnail(page)) }
    #expect(bench.check().found.map(\.message) == ["3 of 3 pages have no small picture."])
    try bench.putThumbnail(of: 1)
    let report = bench.check()
    #expect(report.found.map(\.message) == ["2 of 3 pages have no small picture: pages 1 and 3."])
    #expect(report.found[0].pages.map(\.number) == [1, 3])
    #expect(report.found[0].path == nil)
    try bench.putThumbnail(of: 2)
    #expect(bench.check().found.map(\.message) == ["Page 1 of 3 has no small picture."])
    try bench.put([], at: Self.small1)
    #expect(
      bench.check().found.map(\.message) == ["The small picture of page 1 of 3 is damaged: it is empty (0 bytes)."])
    try bench.putThumbnail(of: 0, generation: 4)
    try bench.putThumbnail(of: 1, generation: 4)
    let stale = bench.check().found
    #expect(stale.map(\.message) == ["The small pictures of 2 of 3 pages are not up to date: pages 1 and 2."])
    let fixed = bench.repair(.automatic)
    #expect(fixed.repaired.map(Sentences.done) == ["2 small pictures were drawn from their pages."])
    #expect(fixed.asidesTold == "2 old thumbnails.")
    for page in Bench.pages {
      let drawn = Thumbnail.read(try bench.bytes(PackagePaths.thumbnail(page)))
      #expect(drawn == Thumbnail(page: page, generation: 5))
    }
  }

  @Test func manyDrawingsAreOneLineOfAPlan() throws {
    let shelf = try Shelf(others: 0)
    let package = BytePath(PackageNames.package(Bench.id))
    let folder = package.appending(PackagePaths.thumbnails)
    for entry in try shelf.volume.entries(of: folder, countMax: 100) {
      try shelf.volume.unlink(folder.appending(entry.name))
    }
    let fsck = Fsck(volume: shelf.volume, now: Bench.now)
    #expect(
      fsck.plan(package, mode: .automatic).planLines == ["1 to 40. Draw the small pictures of 40 pages from the pages."]
    )
    #expect(fsck.repair(package, mode: .automatic).exit == .repaired)
    #expect(fsck.check(package).found.isEmpty)
    let undo = fsck.undo(package)
    #expect(undo.undoLines(numbers: [:]).map(\.1).contains { $0.hasSuffix("had made it: 40 small pictures.") })
    #expect(try shelf.volume.entries(of: folder, countMax: 100).isEmpty)
  }

  @Test func oneOfALaterVersionIsForTheUserToDecide() throws {
    let bench = try Bench()
    try bench.putThumbnail(of: 0, generation: 6)
    let found = bench.check().found
    #expect(found.map(\.severity) == [.warning])
    #expect(found.map(\.message) == ["The small picture of page 1 of 3 shows a later version of it than is here."])
    #expect(bench.repair(.automatic).actions.isEmpty)
    let repair = bench.repair()
    #expect(repair.exit == .repaired)
    let aside = try #require(repair.asides.first).to
    #expect(Thumbnail.read(try bench.volume.bytes(of: aside)) == Thumbnail(page: Bench.pages[0], generation: 6))
  }

  @Test func whileTheDocumentIsOpenNothingIsMissed() throws {
    let bench = try Bench()
    try bench.remove(Self.small1)
    let other = bench.disk.volume()
    let folder = try other.open(Bench.package, for: .directory)
    try other.lockExclusively(folder)
    #expect(codes(bench.check().found) == "LN0002")
  }

  @Test func aLargerPictureOfAnotherProgramIsLeftAlone() throws {
    let bench = try Bench()
    let large = [UInt8](repeating: 7, count: Int(SurveyLimits.thumbnailBytesMax) + 1)
    try bench.put(large, at: Self.small1)
    #expect(bench.check().found.isEmpty)
  }

  @Test func aPageThatGoesBadMeanwhileKeepsItsPicture() throws {
    let bench = try Bench()
    try bench.putThumbnail(of: 0, generation: 4)
    let old = try bench.bytes(Self.small1)
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    let stamp = RepairStamp(at: Bench.now)
    let aside = LostAndFound(
      volume: bench.volume, package: Bench.package, place: SetAsidePlace(beside: Bench.package, in: bench.volume),
      stamp: stamp)
    defer { aside.close() }
    var executor = RepairExecutor(
      volume: bench.volume, package: Bench.package, lostAndFound: aside, stamp: stamp, round: 0)
    try executor.perform(
      RepairStep(work: .drawThumbnail(Bench.pages[0]), path: Self.small1, code: "LN5102", why: "It is old."))
    #expect(try bench.bytes(Self.small1) == old)
    #expect(aside.moved.isEmpty)
  }
}
