import FaultDisk
import Files
import Harness
import LNoteFormat
import LNoteFsck
import LNoteStore
import Scenarios
import Testing

/// What the checker says of the small pictures that the store draws.
@Suite struct ThumbnailSweepTests {
  private static let now = Timestamp(milliseconds: 1_782_898_200_000)
  private static let id = NoteID(high: 1, low: 1)
  private static let package = BytePath(PackageNames.package(id))

  private static func page(_ number: UInt64) -> PageName { PageName(document: id, page: NoteID(high: 2, low: number)) }

  /// A document that was drawn in, saved and closed: two pages are left, one was deleted.
  private static func closed(drawsThumbnails: Bool) -> FaultDisk {
    let disk = FaultDisk()
    let store = StoreSession(
      volume: disk.volume(), configuration: StoreConfiguration(now: now, seed: 1, drawsThumbnails: drawsThumbnails))
    let stroke = StrokeMaker.stroke(
      id: NoteID(high: 3, low: 3), points: 90, pen: 0, baseRadius: 10, origin: (x: 0, y: 0), seed: 1)
    let canvas = CanvasSize(width: 8340, height: 11_940)
    let commands: [StoreCommand] =
      [.createDocument(id, title: "Trip")] + (1...3).map { .addPage(page($0), canvas: canvas, at: nil) }
      + [.addStroke(page(1), stroke), .background, .deletePage(page(3)), .advanceUntilSaved, .close(id)]
    for (number, command) in commands.enumerated() {
      #expect(store.perform(NumberedCommand(UInt64(number + 1), command)).failures.isEmpty)
    }
    return disk
  }

  @Test func ofWhatTheStoreClosedNothingIsSaid() {
    let disk = Self.closed(drawsThumbnails: true)
    let fsck = Fsck(volume: disk.volume(), now: Self.now)
    #expect(fsck.check(Self.package).found.map(\.kind.code) == [])
    for mode in [RepairMode.automatic, .all] {
      let report = fsck.repair(Self.package, mode: mode)
      #expect(report.found.isEmpty && !report.didChange)
    }
  }

  @Test func whereTheStoreDrewNoneEachIsMissed() {
    let disk = Self.closed(drawsThumbnails: false)
    let found = Fsck(volume: disk.volume(), now: Self.now).check(Self.package).found
    #expect(found.map(\.kind.code) == ["LN5101"])
    #expect(found.first?.pages.count == 2)
  }

  private static let pictures = "thumbnail-missing, thumbnail-stale, thumbnail-damaged, thumbnail-orphan"

  /// Steps that draw, draw anew and remove pictures; the checks before and behind a close, and what a crash may leave.
  static let sweeps: [(steps: String, check: String, verdict: Verdict)] = [
    ("stroke p1 points 9; background", "reopen; close; expect fsck never \(pictures)", .passed),
    ("add page p3; stroke p3 points 9; close", "reopen; close; expect fsck never \(pictures)", .passed),
    (
      "delete page p2; background; stroke p1 points 9; background",
      "reopen; close; expect fsck never thumbnail-missing, thumbnail-stale, thumbnail-damaged", .passed
    ),
    // Without the close a crash does leave such pictures, which cost nothing: a repair loses nothing.
    ("stroke p1 points 9; background", "expect fsck never thumbnail-stale", .failed),
    ("add page p3; background", "expect fsck never thumbnail-missing", .failed),
    ("stroke p1 points 9; background", "expect fsck never thumbnail-damaged", .failed),
    (
      "stroke p1 points 9; add page p3; background",
      "expect fsck no-loss; repair; expect fsck clean; reopen; expect p1 at-least last-durable", .passed
    ),
  ]

  @Test(arguments: sweeps) func whateverACrashLeaves(steps: String, check: String, verdict: Verdict) throws {
    let report = try CrashSweepTests.run(
      "document \"Trip\" { page p1 strokes 2 points 9; page p2 }\nfor each crash in { \(steps) }\ncheck { \(check) }",
      settings: "thumbnails on\nmodel ext4-ordered, btrfs")
    let text = report.text(again: "", kept: nil)
    #expect(report.verdict == verdict, "\(text)")
    // The moment is told by what the file is, not by its path.
    if check.hasSuffix("thumbnail-damaged") && verdict == .failed {
      #expect(text.contains("at rename of thumbnail p1, lost: data of write of thumbnail p1"), "\(text)")
    }
    let sweep = try #require(report.cases.first?.sweep)
    #expect(sweep.judged == sweep.count && sweep.completeness < .sampled)
  }

  /// The power takes the picture that was drawn, and a repair draws it: both are told in words.
  @Test func aRepairDrawsWhatACrashTook() throws {
    let report = try CrashSweepTests.run(
      """
      document "Trip" { page p1 strokes 2 points 9 }
      stroke p1 points 9
      background
      power-cut losing rename of thumbnail p1
      fsck
      repair
      expect fsck never \(Self.pictures)
      """, settings: "thumbnails on")
    let text = report.text(again: "", kept: nil)
    #expect(report.verdict == .passed, "\(text)")
    #expect(text.contains("found temp-leftover (LN1501) x1, thumbnail-stale (LN5102) x1"), "\(text)")
    #expect(text.contains("small pictures drawn anew"), "\(text)")
  }

  /// A picture owes nothing to the medium: with it a save has as many syncs as without.
  @Test func picturesAddNoSync() throws {
    func steps(_ setting: String) throws -> [String] {
      let text = """
        scenario v1 "t"
        \(setting)
        \(StoreCrashProofTests.document)
        for each crash in { stroke p1 points 9; background }
        check { reopen }

        """
      let reading = ScenarioReading.read(Array(text.utf8), file: "t.scn", vocabulary: .own)
      return try SeamTrial(try #require(reading.scenario, "\(reading.text)"), models: ["strict"]).steps().map(\.role)
    }
    let (with, without) = (try steps("thumbnails on"), try steps(""))
    #expect(with == without + ["background: rename of a thumbnail"])
  }
}
