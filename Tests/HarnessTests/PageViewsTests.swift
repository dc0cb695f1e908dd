import Files
import LNoteFormat
import Rendering
import Scenarios
import TestSupport
import Testing

@testable import Harness

/// The page that a failure is about: as it should be, and as it is.
@Suite struct PageViewsTests {
  private static func views(_ steps: String, settings: String = "", draws: Bool = true) throws -> PageViews? {
    let text = "scenario v1 \"test\"\n\(settings)\ndocument \"Trip\" { page p1 strokes 2 points 20 }\n\(steps)\n"
    let reading = ScenarioReading.read(Array(text.utf8), file: "test.scn", vocabulary: .own)
    let scenario = try #require(reading.scenario, "\(reading.text)")
    let report = ScenarioRunner(drawsPages: draws) { seed throws(HarnessError) in
      try Doors(.inProcess).makeDisk(seed: seed)
    }.run(scenario)
    #expect(report.verdict == .failed)
    let one = try #require(report.cases.first { $0.verdict == .failed })
    return one.views ?? one.sweep?.classes.first?.example.views
  }

  typealias Row = (settings: String, steps: String, expected: String, found: String, hasPicture: Bool)
  static let rows: [Row] = [
    (
      "durability none", "stroke p1 points 30\nbackground\npower-cut\nreopen", "3 strokes",
      "2 strokes; 1 stroke missing", true
    ),
    (
      "mutant overwrite-in-place",
      "power-cut keep-all on write of page p1 nth 1 before { stroke p1 points 30; background }\nexpect document loads",
      "2 strokes", "the page cannot be read; after a repair: an empty page; 2 strokes missing", true
    ),
    (
      "durability none", "add page p2\nstroke p2 points 9\nbackground\npower-cut\nreopen", "1 stroke",
      "no picture: the document does not list it, and a repair does not bring it back", false
    ),
    (
      "mutant asset-file-not-synced",
      "insert-image p1 size 20KiB as a\nbackground\npower-cut\nreopen\nexpect fsck clean", "2 strokes, 1 photo",
      "2 strokes, 1 photo; the file of 1 photo is gone or damaged", true
    ),
    (
      "", "stroke p1 points 9\nbackground\nexpect p1 has 4 elements", "3 strokes",
      "the same: what is wrong does not show on a page", false
    ),
    (
      "mutant close-without-save", "stroke p1 points 9\nclose\nreopen", "3 strokes",
      "2 strokes; 1 stroke missing", true
    ),
    (
      "durability none\nmodel ext4-ordered",
      "for each crash in { stroke p1 points 30; background } check { reopen; expect p1 at-least last-durable }",
      "3 strokes", "2 strokes; 1 stroke missing", true
    ),
  ]

  @Test(arguments: rows.indices) func aFailureShowsItsPage(_ index: Int) throws {
    let row = Self.rows[index]
    let views = try #require(try Self.views(row.steps, settings: row.settings))
    #expect(views.page == (row.steps.contains("p2") ? "p2" : "p1"))
    #expect(views.expected.words == row.expected)
    #expect(views.found.words == row.found)
    #expect((views.found.jpeg != nil) == row.hasPicture)
    let jpeg = try #require(views.expected.jpeg)
    #expect(jpeg.count < 16 << 10 && views.expected.jpeg != views.found.jpeg)
    // A photo is drawn from what was inserted; where its file is gone, a box with a cross takes far fewer bytes.
    if row.found.contains("the file of 1 photo") {
      #expect(jpeg.count > 1000 + (views.found.jpeg?.count ?? jpeg.count))
    }
    // The same run draws the same bytes; one that draws nothing says nothing.
    #expect(try Self.views(row.steps, settings: row.settings) == views)
    if index == 0 { #expect(try Self.views(row.steps, settings: row.settings, draws: false) == nil) }
  }

  private static func stroke(_ number: UInt64, at place: (Int32, Int32)) -> PageElement {
    .stroke(
      StrokeMaker.stroke(
        id: NoteID(high: 0, low: number), points: 9, pen: 0, baseRadius: 10, origin: place, seed: number))
  }

  /// Counts the pixels that are clearly red, and those that are clearly blue.
  private static func coloured(_ jpeg: [UInt8]) throws -> (red: Int, blue: Int) {
    let pixels = try #require(Pixels.decoding(jpeg, fitting: PageComparison.sideMax, PageComparison.sideMax))
    var count = (red: 0, blue: 0)
    for place in stride(from: 0, to: pixels.bytes.count, by: 4) {
      let (blue, red) = (Int(pixels.bytes[place]), Int(pixels.bytes[place + 2]))
      if red - blue > 60 { count.red += 1 }
      if blue - red > 60 { count.blue += 1 }
    }
    return count
  }

  @Test func framesAreAroundWhatDiffers() throws {
    let kept = Self.stroke(1, at: (1000, 1000))
    let lost = Self.stroke(2, at: (3000, 2500))
    let canvas = CanvasSize(width: 0, height: 0)
    let comparison = PageComparison(expected: [kept, lost], found: [kept], canvas: canvas)
    let expected = try Self.coloured(comparison.pictureOfExpected { _ in nil })
    let found = try Self.coloured(comparison.pictureOfFound { _ in nil })
    #expect(expected.blue > 30 && expected.red == 0)
    #expect(found.red > 30 && found.blue == 0)
    let same = PageComparison(expected: [kept], found: [kept], canvas: canvas)
    #expect(try Self.coloured(same.pictureOfFound { _ in nil }) == (0, 0))
    let more = PageComparison(expected: [kept], found: [kept, lost], canvas: canvas)
    #expect(try Self.coloured(more.pictureOfFound { _ in nil }).red > 30)
    #expect(more.wordsOfFound == "2 strokes; 1 stroke that should not be there")
    let none = PageComparison(expected: [], found: [], canvas: canvas)
    #expect(none.part == PageArea(left: 0, top: 0, right: 8340, bottom: 11_940))
    #expect(none.wordsOfExpected == "an empty page")
  }

  /// Wherever elements lie, the part that is shown is one that can be drawn.
  @Test(arguments: [
    (Int32(0), Int32(0)), (8340, 11_940), (Int32.max, Int32.min), (-5000, 3000), (4000, 1_000_000),
  ]) func thePartLiesOnThePage(x: Int32, y: Int32) throws {
    let elements = [Self.stroke(1, at: (x, y)), Self.stroke(2, at: (300, 300))]
    for canvas in [CanvasSize(width: 0, height: 0), CanvasSize(width: 1, height: 9)] {
      let comparison = PageComparison(expected: elements, found: [elements[1]], canvas: canvas)
      let part = comparison.part
      #expect(part.left >= 0 && part.top >= 0 && part.width >= 1 && part.height >= 1)
      #expect(part.right <= Double(max(canvas.width, 8340)) && part.bottom <= Double(max(canvas.height, 11_940)))
      #expect(comparison.pictureOfFound { _ in nil }.count > 100)
    }
  }
}
