import FaultDisk
import Files
import LNoteFormat
import Terminal
import Testing

@testable import LNoteFsck

/// Documents of which document.json is damaged.
extension CarveTests {
  /// How much of document.json is left, whether manifest.json is there, the title, and how many pages keep their order.
  static let cuts: [(part: Double, hasManifest: Bool, title: String, pages: Int)] = [
    (0.8, true, "Physics 3", 2), (0.8, false, "Recovered document", 2), (0.98, false, "Recovered document", 3),
    (0.55, true, "Physics 3", 1), (0.2, true, "Recovered pages", 0),
  ]

  @Test(arguments: cuts.indices) func aDamagedDocumentGivesWhatCanBeReadOfIt(_ row: Int) throws {
    let (part, hasManifest, title, pages) = Self.cuts[row]
    let heap = try Heap()
    try heap.bench.edit { $0.pages.reverse() }
    try heap.putAll(without: [PackagePaths.document] + (hasManifest ? [] : [PackagePaths.manifest]))
    let bytes = try heap.bench.bytes(PackagePaths.document)
    heap.put(Array(bytes.prefix(Int(Double(bytes.count) * part))) + [0])
    let report = try heap.search()
    #expect(report.exit == .errorsLeft && report.recordsDamaged == 1)
    let item = try #require(report.items.first)
    #expect(item.title == title && item.codes == [] && item.isMadeUp == (pages == 0))
    let order = Array(Bench.pages.reversed())
    let listed = try heap.document(item.id)
    #expect(pages == 0 || listed.pages.map(\.id) == Array(order.prefix(pages)))
    // It says itself that something of it is lost, and no page is.
    #expect(listed.losses.map(\.code) == (pages == 0 ? [] : ["LN2002"]))
    #expect(report.items.reduce(0) { $0 + $1.pagesWhole } == 3)
  }

  @Test func aWholeDocumentGoesBeforeADamagedOne() throws {
    let heap = try Heap()
    var newer = heap.bench.document
    (newer.generation, newer.title) = (30, "Chemistry")
    heap.put(Array(newer.encoded().dropLast(60)) + [0])
    try heap.putAll()
    let report = try heap.search()
    #expect(report.items.map(\.title) == ["Physics 3"] && report.recordsDamaged == 1)
    // Written twice, a document would be in its own way, and end the search.
    #expect(!report.exit.contains(.operational))
  }

  /// How many bytes are torn off: the last brace, or half of the title too.
  @Test(arguments: [(2, "Physics 3"), (10, "Physics 4")]) func aDamagedDocumentKeepsWhatItSays(
    torn: Int, title: String
  ) throws {
    let heap = try Heap()
    let gone = DeletedPage(id: NoteID(high: 0xF0, low: 2), generation: 3)
    let made = Timestamp(milliseconds: Bench.made.milliseconds - 1000)
    try heap.bench.edit { document in
      (document.created, document.deleted) = (made, [gone])
      document.losses = [RecordedLoss(at: Bench.made, code: "LN2016", elements: 0, stamp: "20260701T093000Z")]
    }
    try heap.putAll(without: [PackagePaths.document])
    var later = ManifestRecord(mirroring: heap.bench.document)
    (later.title, later.documentGeneration) = ("Physics 4", 20)
    var other = later
    (other.id, other.title, other.documentGeneration) = (NoteID(high: 0xD0, low: 1), "Chemistry", 90)
    for manifest in [later, other] { heap.put(manifest.encoded()) }
    let bytes = try heap.bench.bytes(PackagePaths.document)
    // What stands behind the tear is no part of it, though it looks like one.
    var foreign = heap.bench.document
    foreign.pages[0].id = NoteID(high: 0xF0, low: 3)
    heap.put(Array(bytes.dropLast(torn)) + [0] + foreign.encoded().dropFirst(40).dropLast(10) + [0])
    #expect(try heap.search().items.map(\.title) == [title])
    let document = try heap.document()
    #expect(document.pages.map(\.id) == Bench.pages && document.created == made && document.deleted == [gone])
    #expect(document.losses.map(\.code) == ["LN2016", "LN2002"])
    #expect(document.generation >= later.documentGeneration && document.generation < other.documentGeneration)
  }

  /// How many bytes of each of two documents are torn off, and the pages that the second one still lists.
  static let tears: [(bytes: Int, pages: [NoteID])] = [(10, [Bench.pages[2]]), (40, [])]

  @Test(arguments: tears.indices) func ofTwoTornDocumentsEachHasItsOwnPages(_ row: Int) throws {
    let (torn, pages) = Self.tears[row]
    let heap = try Heap()
    try heap.putAll(without: [PackagePaths.document, PackagePaths.manifest])
    var other = heap.bench.document
    other.id = NoteID(high: 0xD0, low: 1)
    other.pages = [other.pages[2]]
    try heap.bench.edit { $0.pages = [$0.pages[0], $0.pages[1], $0.pages[0]] }
    let bytes = try heap.bench.bytes(PackagePaths.document)
    // The second begins where the first is torn, and is torn itself.
    heap.put(Array(bytes.dropLast(torn)) + other.encoded().dropLast(torn) + [0])
    let report = try heap.search()
    #expect(report.recordsDamaged == 2)
    #expect(try heap.document().pages.map(\.id) == Array(Bench.pages[..<2]))
    #expect(report.items.allSatisfy { $0.pagesMissing == 0 })
    // The tear may go through the only entry of a document: then its page is one that no document lists.
    let last = try #require(report.items.last)
    #expect(report.items.count == 2 && last.isMadeUp == pages.isEmpty)
    #expect((last.id == other.id) == !pages.isEmpty)
    #expect(try heap.document(last.id).pages.map(\.id) == [Bench.pages[2]])
    #expect(try heap.page(Bench.pages[2], of: last.id) == heap.bench.snapshots[2])
  }

  /// One document that cannot be written keeps none from coming, but where the disk takes nothing more.
  @Test(arguments: [false, true]) func theOthersAreWrittenWhereOneCannotBe(isDiskFull: Bool) throws {
    let heap = try Heap()
    try heap.putAll()
    var other = heap.bench.document
    (other.id, other.title) = (NoteID(high: 0xD0, low: 1), "Chemistry")
    other.pages = []
    heap.put(other.encoded())
    if isDiskFull {
      heap.targetDisk.setFreeSpace(bytes: 0)
    } else {
      // In the way of the first of them.
      try heap.target.makeDirectory(BytePath(PackageNames.package(Bench.id)), permissions: 0o755)
    }
    let report = try heap.search()
    #expect(report.items.map(\.title) == (isDiskFull ? [] : ["Chemistry"]))
    #expect(report.documentsUnwritten == (isDiskFull ? 2 : 1))
    #expect(report.exit.contains(.operational))
    let text = CarveText(report, paint: Paint(isOn: false)).text
    #expect(text.contains(isDiskFull ? "No space left on device" : "File exists"), "\(text)")
    #expect(!text.contains("no page and no document was found"), "\(text)")
    let told = isDiskFull ? "searched: 2 documents were found and could" : "1 of them whole; 1 document was found"
    #expect(text.split(separator: "\n").joined(separator: " ").contains(told), "\(text)")
  }

  /// The strokes of a page whose header is gone are told by its entry, in a damaged document too.
  @Test func aDamagedDocumentVouchesForStrokes() throws {
    let heap = try Heap()
    var page = heap.bench.snapshots[0]
    page.elements.removeLast(2)
    heap.put(Array(page.encoded()[84...]))
    heap.put(Array(heap.bench.document.encoded().dropLast(10)) + [0])
    let item = try #require(try heap.search().items.first)
    #expect(item.id == Bench.id && item.pagesInPart == 1 && item.pagesMissing == 2)
    #expect(try heap.page(Bench.pages[0]).elements == page.elements)
  }

  /// Generations and numbers of pages of two torn versions of one document, and which of them is taken.
  static let versions: [(generations: [UInt64], pages: [Int], taken: Int)] = [
    ([9, 17], [1, 3], 1), ([17, 9], [3, 1], 0), ([17, 9], [2, 3], 0), ([17, 17], [1, 3], 1), ([17, 17], [3, 1], 0),
  ]

  @Test(arguments: versions.indices) func ofTornVersionsTheNewestIsTaken(_ row: Int) throws {
    let (generations, pages, taken) = Self.versions[row]
    let heap = try Heap()
    for (generation, count) in zip(generations, pages) {
      var version = heap.bench.document
      version.generation = generation
      version.pages.removeLast(3 - count)
      heap.put(Array(version.encoded().dropLast(10)) + [0])
    }
    try heap.putAll(without: [PackagePaths.document])
    let report = try heap.search()
    #expect(try heap.document().pages.map(\.id) == Array(Bench.pages[..<pages[taken]]))
    #expect(report.items.reduce(0) { $0 + $1.pagesWhole } == 3)
  }
}
