import FaultDisk
import Files
import JSON
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

/// Raw bytes in which documents once were: a row says what is in them, and what comes of it.
@Suite struct CarveTests {
  /// Bytes of a disk, and a disk for what is found in them.
  final class Heap {
    let bench: Bench
    let volume: FaultVolume
    let targetDisk = FaultDisk()
    let target: FaultVolume
    private var random = SeededGenerator(seed: 7)
    private(set) var image: [UInt8] = []

    init() throws {
      bench = try Bench()
      volume = FaultDisk().volume()
      target = targetDisk.volume()
    }

    /// So many random bytes; a page's beginning does not come about in them.
    func junk(_ count: Int) { image += (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }

    func put(_ bytes: [UInt8], junk count: Int = 700) {
      image += bytes
      junk(count)
    }

    func putFile(_ path: BytePath) throws { put(try bench.bytes(path)) }

    /// Everything of the document, but what is left out.
    func putAll(without left: [BytePath] = []) throws {
      junk(1000)
      let files =
        [PackagePaths.document, PackagePaths.manifest, DamageCase.picture] + Bench.pages.map(PackagePaths.page)
      for path in files where !left.contains(path) { try putFile(path) }
    }

    /// The search of the image alone.
    func search() throws -> CarveReport {
      try volume.make("image", image)
      let sources = CarveSources()
      sources.add("image", in: volume, shown: "image")
      return try search(sources)
    }

    func search(_ sources: CarveSources) throws -> CarveReport {
      var report = CarveReport(arguments: ["image"], target: "found")
      Carve(now: Bench.now).run(sources, to: target, &report)
      return report
    }

    func document(_ id: NoteID = Bench.id) throws -> DocumentRecord {
      let path = BytePath("\(PackageNames.package(id))/document.json")
      return try #require(DocumentRecord.read(try target.bytes(of: path)).record)
    }

    func page(_ page: NoteID, of id: NoteID = Bench.id) throws -> PageSnapshot {
      let path = BytePath("\(PackageNames.package(id))/\(PackageNames.page(page))")
      return try #require(PageReader.read(try target.bytes(of: path), expecting: page).snapshot)
    }
  }

  @Test func aDocumentBetweenJunkComesBackByteForByte() throws {
    let heap = try Heap()
    try heap.putAll()
    let report = try heap.search()
    #expect(report.exit == [])
    let item = try #require(report.items.first)
    #expect(report.items.count == 1 && item.isWhole && item.pagesWhole == 3 && item.images == 1)
    for path in [PackagePaths.document, PackagePaths.manifest, DamageCase.picture] + Bench.pages.map(PackagePaths.page)
    {
      let found = try heap.target.bytes(of: Bench.package.appending(path))
      #expect(try found == heap.bench.bytes(path), "\(path)")
    }
  }

  @Test func whatIsMissingKeepsItsPlaceAndIsRecorded() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1, DamageCase.picture])
    let report = try heap.search()
    #expect(report.exit == .errorsLeft)
    let item = try #require(report.items.first)
    #expect(item.pagesWhole == 2 && item.pagesMissing == 1 && item.imagesMissing == 1 && item.codes == [])
    #expect(item.loss.elements == 4)
    let document = try heap.document()
    #expect(document.pages.map(\.id) == Bench.pages)
    #expect(document.pages[0].losses.map(\.elements) == [3])
    #expect(document.losses.map(\.asset) == [Bench.asset])
    #expect(try heap.page(Bench.pages[0]).elements == [])
  }

  @Test func aPageInTwoPiecesLosesTheStrokeAtTheTear() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1])
    let bytes = try heap.bench.bytes(DamageCase.page1)
    let tear = 84 + 201 + 100
    // The second piece stands first.
    heap.put(Array(bytes[tear...]))
    heap.put(Array(bytes[..<tear]))
    let report = try heap.search()
    let item = try #require(report.items.first)
    #expect(report.exit == .errorsLeft && report.items.count == 1)
    #expect(item.pagesInPart == 1 && item.loss.elements == 1 && item.codes == [])
    let kept = try heap.page(Bench.pages[0])
    #expect(Set(kept.elements) == Set([0, 2].map { heap.bench.snapshots[0].elements[$0] }))
    #expect(kept.generation == 6)
    #expect(try heap.document().pages[0].losses.map(\.elements) == [1])
  }

  @Test func strokesWithoutAHeaderAreTheirPages() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1])
    heap.put(Array(try heap.bench.bytes(DamageCase.page1)[84...]))
    let report = try heap.search()
    #expect(report.exit == [], "the entry says how many there were")
    #expect(try heap.page(Bench.pages[0]).elements == heap.bench.snapshots[0].elements)
  }

  @Test func aCutStrokeAtTheEndKeepsItsPoints() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1])
    heap.put(Array(try heap.bench.bytes(DamageCase.page1).dropLast(33)), junk: 0)
    let report = try heap.search()
    #expect(report.items.first?.loss == ContentLoss(elements: 0, samples: 3))
    let kept = try heap.page(Bench.pages[0])
    guard case .stroke(let stroke) = kept.elements.last else { throw Bench.UnreadableFile() }
    #expect(kept.elements.count == 3 && stroke.samples.count == 7)
  }

  @Test func withoutADocumentPagesGetOneOfTheirOwn() throws {
    let heap = try Heap()
    try heap.putAll(without: [PackagePaths.document])
    // And of a page of which nothing tells whose it is, the strokes.
    var other = heap.bench.snapshots[0]
    other.id = NoteID(high: 5, low: 6)
    other.generation = 70_000
    other.elements = (0..<4).map { .stroke(Bench.stroke($0 + 70, samples: 5)) }
    heap.put(Array(other.encoded()[84...]))
    let report = try heap.search()
    let item = try #require(report.items.first)
    #expect(item.isMadeUp && item.pagesWhole == 3 && item.pagesInPart == 1 && item.images == 1 && item.codes == [])
    #expect(report.exit == .errorsLeft)
    let document = try heap.document(item.id)
    #expect(document.title == "Recovered pages")
    #expect(document.pages.prefix(3).map(\.id) == Bench.pages)
    #expect(try heap.page(document.pages[3].id, of: item.id).elements == other.elements)
    let again = try Heap()
    try again.putAll(without: [PackagePaths.document])
    again.put(Array(other.encoded()[84...]))
    #expect(try again.search().items.map(\.id) == [item.id])
  }

  @Test func theNewestOfSeveralVersionsIsTaken() throws {
    let heap = try Heap()
    var old = heap.bench.document
    old.generation = 3
    old.title = "Physics 2"
    heap.put(old.encoded())
    var older = heap.bench.snapshots[0]
    older.generation = 4
    older.elements.removeLast()
    heap.put(older.encoded())
    try heap.putAll()
    heap.put(older.encoded())
    let report = try heap.search()
    #expect(report.exit == [])
    #expect(report.items.map(\.title) == ["Physics 3"])
    #expect(report.olderDocuments == 1)
    #expect(try heap.page(Bench.pages[0]) == heap.bench.snapshots[0])
  }

  @Test func anOlderPageIsTakenWhereThereIsNoOther() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1])
    var older = heap.bench.snapshots[0]
    older.generation = 4
    older.elements.removeLast()
    heap.put(older.encoded())
    let report = try heap.search()
    #expect(report.exit == .errorsLeft)
    #expect(report.items.first?.pagesOlder == 1)
    #expect(try heap.page(Bench.pages[0]).elements == older.elements)
    #expect(try heap.document().pages[0].losses.map(\.code) == ["LN2018"])
  }

  @Test func namelessFilesAreSearchedToo() throws {
    let heap = try Heap()
    try heap.volume.makeDirectories("recup/a")
    let files = [PackagePaths.document, DamageCase.picture] + Bench.pages.map(PackagePaths.page)
    for (number, path) in files.enumerated() {
      let folder = number % 2 == 0 ? "recup" : "recup/a"
      try heap.volume.make(BytePath("\(folder)/f\(number)"), try heap.bench.bytes(path))
    }
    try heap.volume.make("recup/empty", [])
    try heap.volume.makeSymbolicLink("recup/link", to: "/dev/zero")
    let sources = CarveSources()
    sources.addFolder("recup", in: heap.volume, shown: "recup")
    let report = try heap.search(sources)
    #expect(report.exit == [] && report.files == 5)
    #expect(report.items.map(\.isWhole) == [true])
  }

  @Test func nothingIsFoundInJunk() throws {
    let heap = try Heap()
    heap.junk(5000)
    heap.put(PageHeader.magic)
    heap.put([0xFF, 0xD8, 0xFF, 0xE0])
    let report = try heap.search()
    #expect(report.items.isEmpty)
    #expect(report.exit == .operational)
  }

  @Test func aPictureOfTheSameLengthIsNotTheOne() throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.picture])
    heap.put(Bench.picture.enumerated().map { $0 == 700 ? $1 ^ 1 : $1 })
    let item = try #require(try heap.search().items.first)
    #expect(item.images == 0 && item.imagesMissing == 1)
  }

  @Test func aStrokeForWhichNothingVouchesIsNone() throws {
    let heap = try Heap()
    var other = heap.bench.snapshots[0]
    other.elements.removeLast(2)
    heap.junk(300)
    heap.put(Array(other.encoded()[84...]))
    #expect(try heap.search().items.isEmpty)
    // Two that agree are a page; the same one twice is not.
    let twice = try Heap()
    for _ in 0..<2 { twice.put(Array(other.encoded()[84...])) }
    #expect(try twice.search().items.isEmpty)
  }

  @Test func aPageAcrossTwoWindowsIsFound() throws {
    let heap = try Heap()
    let edge = CarveSearch.windowBytes
    for back in [1, 40, 83, 84, 90] {
      let page = heap.bench.snapshots[0].encoded()
      var image = [UInt8](repeating: 0, count: edge - back)
      image += page
      let disk = FaultDisk().volume()
      try disk.make("image", image)
      let sources = CarveSources()
      sources.add("image", in: disk, shown: "image")
      var search = CarveSearch(sources, progress: { _ in }, isStopped: { false })
      search.run()
      #expect(search.findings.pages.map(\.isWhole) == [true], "\(back) bytes before the edge")
    }
  }

  @Test func aDiskThatDoesNotReadIsTold() throws {
    let heap = try Heap()
    try heap.putAll()
    try heap.volume.make("image", heap.image)
    let page = try heap.bench.bytes(DamageCase.page1)
    let start = try #require(heap.image.indices.first { heap.image[$0...].starts(with: page) })
    let sources = CarveSources()
    let volume = UnreadableVolume(heap.volume, at: UInt64(start)..<UInt64(start + 1))
    sources.add("image", in: volume, shown: "image")
    let report = try heap.search(sources)
    #expect(report.items.first?.isWhole == false)
    #expect(report.bytesUnread >= 4096 && report.exit.contains(.operational))
    #expect(report.failures.count == 1)
  }
}

/// A disk with a place that it does not read.
private final class UnreadableVolume: VolumeLayer {
  let below: any Volume
  private let place: Range<UInt64>

  init(_ below: any Volume, at place: Range<UInt64>) {
    self.below = below
    self.place = place
  }

  func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    if (offset..<(offset + UInt64(buffer.count))).overlaps(place) { throw FileCallError("pread", ["image"], .eio) }
    return try below.read(file, at: offset, into: buffer)
  }
}
