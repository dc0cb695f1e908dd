import FaultDisk
import Files
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

@Suite struct DrawingTests {
  private let target = FaultDisk().volume()

  /// The height of each page of a PDF file, in points; one without notices is 1194.
  static func heights(_ pdf: [UInt8]) -> [Double] {
    String(decoding: pdf, as: UTF8.self).split(separator: "/MediaBox [ ").dropFirst().compactMap { box in
      Double(box.prefix { $0 != "]" }.split(separator: " ")[3])
    }
  }

  private func draw(_ bench: Bench) throws -> (drawing: DocumentDrawing, pdf: [UInt8]) {
    let drawing = try DocumentDrawing.draw(Bench.package, of: bench.volume, to: target, now: Bench.now)
    return (drawing, try target.bytes(of: drawing.name))
  }

  private func notices(_ bench: Bench, page: Int) throws -> [String] {
    let pages = try #require(PackagePages(Bench.package, in: bench.volume))
    return pages.scene(pages.ids[page]).notices
  }

  @Test func aSoundDocumentIsDrawnWhole() throws {
    let bench = try Bench()
    let (drawing, pdf) = try draw(bench)
    #expect(drawing.name == "Physics 3.pdf")
    #expect(drawing.pages == 3)
    #expect(DrawingTests.heights(pdf) == [1194, 1194, 1194])
    let pages = try #require(PackagePages(Bench.package, in: bench.volume))
    for (place, snapshot) in bench.snapshots.enumerated() {
      #expect(pages.scene(pages.ids[place]).elements == snapshot.elements)
    }
    #expect(pages.asset(Bench.image(of: Bench.asset, Bench.picture)) == Bench.picture)
    #expect(
      try DocumentDrawing.draw(Bench.package, of: bench.volume, to: target, now: Bench.now).name == "Physics 3 (2).pdf")
    #expect(try target.bytes(of: "Physics 3 (2).pdf") == pdf)
  }

  @Test func changesInAJournalAreNotInThePictureAndThatIsSaid() throws {
    let bench = try Bench()
    try bench.putJournal(page: 0)
    // One without changes, and one whose changes are in the page.
    try bench.putJournal(page: 1, strokes: [])
    try bench.putJournal(page: 2, base: 4)
    let (drawing, pdf) = try draw(bench)
    #expect(drawing.unmerged == 1 && DrawingTests.heights(pdf).map { $0 > 1194 } == [true, false, false])
    #expect(try notices(bench, page: 0) == [Sentences.journalNotDrawn])
    #expect(try notices(bench, page: 1) == [] && notices(bench, page: 2) == [])
    let lines = Sentences.drawn([drawing], to: "PDF")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines[1] == "Newest changes of 1 page are in journals and not in the pictures:")
    let (whole, _) = try draw(try Bench())
    #expect(whole.unmerged == 0 && Sentences.drawn([whole], to: "PDF").count == 1)
  }

  @Test func aCutPageShowsWhatIsThereAndSaysWhatIsNot() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    let before = try bench.volume.tree().map { "\($0) \(try bench.volume.status(at: $0))" }
    let (_, pdf) = try draw(bench)
    #expect(DrawingTests.heights(pdf).map { $0 > 1194 } == [true, false, false])
    #expect(try bench.volume.tree().map { "\($0) \(try bench.volume.status(at: $0))" } == before)
    let pages = try #require(PackagePages(Bench.package, in: bench.volume))
    let scene = pages.scene(Bench.pages[0])
    #expect(scene.elements.count == 3)
    guard case .stroke(let cut) = scene.elements[2] else { return #expect(Bool(false), "no stroke") }
    #expect(cut.samples.count == 7)
    let problem = try #require(bench.check().found.first { $0.page?.number == 1 })
    #expect(scene.notices == [([problem.message] + problem.details).joined(separator: " ")])
    #expect(scene.notices[0].contains("33 bytes are missing"))
  }

  static let damages: [(name: String, page: Int, words: String, damage: @Sendable (Bench) throws -> Void)] = [
    ("a missing page", 0, "Page 1 of 3", { try $0.remove(PackagePaths.page(Bench.pages[0])) }),
    ("a page of zeros", 0, "Page 1 of 3", { try $0.damage(DamageCase.page1) { $0 = $0.map { _ in 0 } } }),
    ("a page of another version", 0, "Page 1 of 3", { try $0.damage(DamageCase.page1) { $0[8] = 9 } }),
    ("a missing image", 1, "page 2", { try $0.remove(DamageCase.picture) }),
    ("a changed image", 1, "page 2", { try $0.damage(DamageCase.picture) { $0[700] ^= 1 } }),
    ("no document", 0, "document.json", { try $0.remove(DamageCase.document) }),
  ]

  @Test(arguments: damages.indices) func whatIsMissingStandsOnItsPage(row: Int) throws {
    let (name, page, words, damage) = DrawingTests.damages[row]
    let bench = try Bench()
    try damage(bench)
    for place in 0..<3 {
      let notices = try notices(bench, page: place)
      #expect(notices.isEmpty == (place != page), "\(name), page \(place + 1): \(notices)")
      if place == page { #expect(notices.joined().contains(words), "\(name): \(notices)") }
    }
    let (drawing, pdf) = try draw(bench)
    #expect(drawing.pages == 3)
    #expect(DrawingTests.heights(pdf).map { $0 > 1194 } == (0..<3).map { $0 == page })
  }

  @Test func everyDamageCaseIsDrawnOrSaysWhyNot() throws {
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      let facts = PackageSurvey.facts(
        of: Bench.package, in: bench.volume, holdsLock: true, memory: nil, progress: { _ in })
      if facts.refusal != nil {
        #expect(throws: DocumentDrawing.Failure.self, "\(row.name)") { try draw(bench) }
      } else {
        let (drawing, pdf) = try draw(bench)
        #expect(DrawingTests.heights(pdf).count == drawing.pages, "\(row.name)")
        #expect(drawing.pages > 0)
      }
    }
  }

  @Test func nothingIsLeftOfAFileThatCouldNotBeWritten() throws {
    let bench = try Bench()
    let full = FaultDisk()
    full.setFreeSpace(bytes: 1000)
    #expect(throws: DocumentDrawing.Failure.self) {
      try DocumentDrawing.draw(Bench.package, of: bench.volume, to: full.volume(), now: Bench.now)
    }
    #expect(try full.volume().tree().isEmpty)
    var run = bench.run()
    run.draw([(bench.volume, Bench.package)], to: full.volume(), named: "PDF", now: Bench.now)
    #expect(run.exit == .operational)
    #expect(run.errors.first?.contains("No space left on device") == true, "\(run.errors)")
  }

  @Test func theRunTellsWhatWasDrawn() throws {
    let bench = try Bench()
    var run = bench.run()
    #expect(!run.plainText.contains("Drawn"))
    run.draw([(bench.volume, Bench.package)], to: target, named: "PDF", now: Bench.now)
    #expect(run.plainText.contains("Drawn: 1 document with 3 pages in PDF\n"))
    let json = String(decoding: JSONReport(run).bytes(milliseconds: 0), as: UTF8.self)
    #expect(json.contains("\"file\":\"Physics 3.pdf\""), "\(json)")
  }

  static let titles: [(title: String, name: String)] = [
    ("Physics 3", "Physics 3"), ("../../etc/passwd", "_.._etc_passwd"), (".hidden", "hidden"), ("  a. . ", "a"),
    ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"), ("a\u{0}b\nc\u{1B}[2J\u{202E}d", "a_b_c_[2J_d"), ("", ""),
    ("...", ""),
    ("Caf\u{E9} \u{1F4D3}", "Caf\u{E9} \u{1F4D3}"),
  ]

  @Test(arguments: titles) func aTitleBecomesASafeName(title: String, name: String) {
    #expect(FileTitle.safe(title) == name)
  }

  @Test func aLongTitleIsCutBetweenCharacters() {
    let name = FileTitle.safe(String(repeating: "\u{1F469}\u{200D}\u{1F52C}", count: 100))
    #expect(name.utf8.count <= 200)
    #expect(name.allSatisfy { $0 == "\u{1F469}\u{200D}\u{1F52C}" })
    let names = FileTitle.names(for: nil, otherwise: "6F96", ending: "pdf")
    #expect(names.prefix(2) == ["6F96.pdf", "6F96 (2).pdf"])
  }
}
