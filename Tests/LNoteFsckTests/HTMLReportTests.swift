import Files
import JSON
import LNoteFormat
import Pages
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

@Suite struct HTMLReportTests {
  static func html(_ run: RunReport, isPrivate: Bool = false) -> String {
    String(
      decoding: HTMLReport(run, time: Bench.now, version: "1.0", isPrivate: isPrivate).bytes, as: UTF8.self)
  }

  /// The value beside a name in the half for support.
  static func fact(_ name: String, in html: String) -> String? {
    guard let start = html.firstRange(of: "<dt>\(name)</dt><dd>")?.upperBound else { return nil }
    return html[start...].firstRange(of: "</dd>").map { String(html[start..<$0.lowerBound]) }
  }

  /// A run with pictures, as the program makes it.
  static func run(_ bench: Bench, _ mode: RunReport.Mode) -> RunReport {
    var pictures = PagePictures.before(of: Bench.package, in: bench.volume)
    var run = bench.run(mode)
    if run.items[0].report.didChange { PagePictures.addAfter(to: &pictures, of: Bench.package, in: bench.volume) }
    run.pictures[run.items[0].shown] = pictures
    return run
  }

  private static func cut() throws -> Bench {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    try bench.put(
      Thumbnail(page: Bench.pages[0], generation: 5).file(
        showing: PageScene(canvas: bench.snapshots[0].canvas, elements: bench.snapshots[0].elements)
      ) { _ in nil }, at: PackagePaths.thumbnail(Bench.pages[0]))
    return bench
  }

  @Test func aSoundRunSaysSoAndShowsNoPictures() throws {
    let html = try HTMLReportTests.html(HTMLReportTests.run(Bench(), .check))
    #expect(html.contains("<h1>Your notes are sound</h1>"))
    #expect(html.contains("1 document, 3 pages, 1 image, "))
    #expect(!html.contains("<img"))
    #expect(HTMLReportTests.fact("Exit status", in: html) == "0")
  }

  @Test func aDamagedPageIsShownWithItsSentences() throws {
    let bench = try HTMLReportTests.cut()
    let run = HTMLReportTests.run(bench, .check)
    let html = HTMLReportTests.html(run)
    #expect(html.contains("<h1>Some notes are damaged</h1>"))
    #expect(html.contains("<h2>Physics 3</h2>"))
    #expect(html.contains("Page 1 of 3 is cut off: 33 bytes are missing at its end."))
    #expect(html.contains("<figcaption>What can be read</figcaption>"))
    #expect(
      html.contains("<figcaption>The app's last small picture of it</figcaption>")
    )
    #expect(!html.contains("After the repair"))
    #expect(html.components("data:image/jpeg;base64,") == 2)
    // Codes are for support: they stand behind the first half.
    let halves = html.split(separator: "<details>")
    #expect(halves.count == 2)
    #expect(!halves[0].contains("LN3002") && halves[1].contains("LN3002"))
    #expect(!html.contains("<script") && !html.contains("http:") && !html.contains("https:"))
  }

  @Test func aRepairShowsBeforeAndAfter() throws {
    let bench = try HTMLReportTests.cut()
    let run = HTMLReportTests.run(bench, .repair(.all))
    let html = HTMLReportTests.html(run)
    #expect(
      html.contains("<h1>Repaired, and something is missing</h1>") || html.contains("<h1>Your notes are repaired</h1>"))
    #expect(html.contains("<figcaption>Before</figcaption>"))
    #expect(html.contains("<figcaption>After the repair</figcaption>"))
    // What is kept is what could be read.
    let pictures = try #require(run.pictures[run.items[0].shown]?.first)
    #expect(pictures.after == pictures.before)
  }

  @Test func aMissingPageIsNotShownAsAnEmptyOne() throws {
    let bench = try Bench()
    try bench.remove(PackagePaths.page(Bench.pages[0]))
    let html = HTMLReportTests.html(HTMLReportTests.run(bench, .repair(.all)))
    #expect(html.contains("Nothing of it can be read") && html.contains("An empty page"))
    #expect(!html.contains("<img"))
  }

  static let modes: [RunReport.Mode] = [.check, .repair(.all), .repair(.automatic)]

  /// Every figure is the one of the other reports, in each case of damage.
  @Test(arguments: modes) func itsFiguresAreThoseOfTheOtherReports(mode: RunReport.Mode) throws {
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      let run = bench.run(mode)
      let html = HTMLReportTests.html(run)
      let summary = try #require(try JSONLines.parse(JSONReport(run).bytes(milliseconds: 0)).last)
      func expect(_ name: String, _ value: JSONValue?) {
        let found = HTMLReportTests.fact(name, in: html)?.replacing(",", with: "")
        #expect(found == value?.integer.map { "\($0)" }, "\(row.name): \(name)")
      }
      expect("Exit status", summary["exit"])
      expect("Pages read", summary["verified"]?["pages"])
      expect("Images read", summary["verified"]?["images"])
      expect("Bytes read", summary["verified"]?["bytes"])
      expect("Problems repaired", summary["fixed"])
      expect("Strokes and images lost", summary["loss"]?["elements"])
      for (code, count) in summary["byCode"]?.object ?? [:] {
        #expect(html.components("<h4>\(code)</h4>") == count.integer.map { Int($0) }, "\(row.name): \(code)")
      }
      for problem in run.items[0].report.found {
        #expect(html.contains(Markup(problem.message).description), "\(row.name)")
      }
    }
  }

  @Test func titlesAreTextAndNothingElse() throws {
    let bench = try HTMLReportTests.cut()
    try bench.edit { $0.title = "</h2><script>alert(1)</script>\u{1B}[2J\u{202E}&\"'\u{0}<img src=x>" }
    try bench.put([1], at: BytePath(bytes: Array("pages/<b>\u{1B}".utf8) + [0xFF]))
    for mode in HTMLReportTests.modes {
      let html = HTMLReportTests.html(bench.run(mode))
      #expect(!html.contains("<script") && !html.contains("<img src=x") && !html.contains("<b>\u{1B}"))
      #expect(html.contains("&lt;/h2&gt;&lt;script&gt;alert(1)"))
      #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }
  }

  @Test(arguments: modes) func aPrivateReportTellsNoTitlesAndShowsNothing(mode: RunReport.Mode) throws {
    let bench = try HTMLReportTests.cut()
    let run = HTMLReportTests.run(bench, mode)
    let html = HTMLReportTests.html(run, isPrivate: true)
    #expect(!html.contains("Physics") && !html.contains("<img") && !html.contains("Notes/"))
    #expect(html.contains("<h2>Document 1</h2>"))
    let open = HTMLReportTests.html(run)
    for name in ["Exit status", "Bytes read", "Found", "Strokes and images lost"] {
      #expect(HTMLReportTests.fact(name, in: html) == HTMLReportTests.fact(name, in: open))
    }
  }

  @Test func anAlbumKeepsTheFirstDocumentsInAnyOrder() {
    func pages(_ count: Int) -> [PagePictures] {
      (0..<count).map { _ in
        PagePictures(page: PagePlace(id: Bench.id, number: nil), thumbnail: nil, before: nil, after: nil)
      }
    }
    let counts = [8, 0, 5, 1, 3]
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 0, 2, 4, 1]] {
      var album = PictureAlbum(pagesMax: 14)
      for document in order { album.add(pages(counts[document]), of: document) }
      #expect(album.kept.keys.sorted() == [0, 2, 3])
    }
  }

  @Test func ofADocumentWithManyDamagedPagesAFewArePictured() throws {
    let shelf = try Shelf(others: 0)
    let package = BytePath(PackageNames.package(Bench.id))
    for number in 0..<20 as Range<UInt64> {
      let page = NoteID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number)
      let path = package.appending(PackagePaths.page(page))
      try shelf.volume.replace(path, with: Array(shelf.volume.bytes(of: path).dropLast(1)))
    }
    let pictures = PagePictures.before(of: package, in: shelf.volume)
    #expect(pictures.map(\.page.number) == (1...PagePictures.pagesMax).map(\.self))
    // Their one stroke of one point is cut.
    #expect(pictures.allSatisfy { $0.before == nil })
  }

  @Test func aPictureOfAFullPageIsSmall() throws {
    let shelf = try Shelf(others: 0)
    try shelf.cutPage12()
    let pictures = PagePictures.before(of: BytePath(PackageNames.package(Bench.id)), in: shelf.volume)
    let picture = try #require(pictures.first?.before)
    #expect(pictures.map(\.page.number) == [12])
    #expect(picture.count < 200_000 && JPEGCheck.decode(picture).isClean)
  }
}

extension String {
  /// How often a text stands in this one.
  fileprivate func components(_ part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
