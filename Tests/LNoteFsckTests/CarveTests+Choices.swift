import LNoteFormat
import Testing

@testable import LNoteFsck

/// Which of several versions is taken, and what stands in for what a damaged document no longer says.
extension CarveTests {
  private static func later(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: Bench.made.milliseconds + seconds * 1000)
  }

  /// A document that says nothing of one of its times has that of its pages, and keeps all else.
  @Test(arguments: ["createdAt", "modifiedAt"]) func aTimeThatIsLostFollowsFromThePages(key: String) throws {
    let heap = try Heap()
    try heap.bench.edit { document in
      document.unknown = ["shelf": "left"]
      (document.created, document.modified) = (Self.later(-500), Self.later(500))
      for place in document.pages.indices {
        document.pages[place].created = Self.later(-30 + 10 * Int64(place))
        document.pages[place].modified = Self.later(30 - 10 * Int64(place))
      }
    }
    try heap.putAll(without: [PackagePaths.document])
    var bytes = try heap.bench.bytes(PackagePaths.document)
    // The document's own times stand in front of the pages, or behind them: two spaces tell them from those of pages.
    let name = try #require(bytes.firstRange(of: Array("\n  \"\(key)\": \"".utf8)))
    for place in name.upperBound..<(name.upperBound + 4) { bytes[place] = UInt8(ascii: "x") }
    heap.put(bytes)
    _ = try heap.search()
    let document = try heap.document()
    #expect(document.created == Self.later(key == "createdAt" ? -30 : -500))
    #expect(document.modified == Self.later(key == "modifiedAt" ? 30 : 500))
    #expect(document.unknown == ["shelf": "left"])
  }

  /// Generation and number of elements of a whole version and of one in pieces, and whether the whole one is taken.
  static let bodies: [(whole: (UInt64, Int)?, part: (UInt64, Int)?, isWhole: Bool?)] = [
    ((5, 3), (4, 4), true), ((5, 3), (5, 4), true), ((5, 3), (6, 3), true), ((5, 3), (6, 2), true),
    ((5, 3), (6, 4), false), ((5, 3), nil, true), (nil, (5, 1), false), (nil, nil, nil),
  ]

  @Test(arguments: bodies.indices) func aNewerPartIsTakenWhereItHoldsMore(_ row: Int) throws {
    let (whole, part, isWhole) = Self.bodies[row]
    let place = CarvePlace(file: 0, offset: 0)
    var bodies: [CarvedBody] = []
    if let (generation, count) = part {
      let frame = CarveFindings.Frame(place: place, bytes: 9, prefix: 1, key: 1)
      bodies.append(CarvedBody(generation: generation, frames: Array(repeating: frame, count: count)))
    }
    if let (generation, count) = whole {
      var page = Bench.sound()[0]
      page.elements = (0..<count).map { .stroke(Bench.stroke(UInt64($0) + 1, samples: 1)) }
      let header = try #require(PageReader.verify(page.encoded()).header)
      let found = CarveFindings.Page(place: place, header: header, isWhole: true)
      bodies.append(CarvedBody(generation: generation, header: header, whole: found))
    }
    let best = CarvePlan.best(of: bodies)
    #expect(best.map { $0.whole != nil } == isWhole)
    #expect(CarvePlan.best(of: bodies.reversed()).map { $0.whole != nil } == isWhole)
  }

  @Test func aHeaderAloneIsNoPage() throws {
    let heap = try Heap()
    heap.junk(300)
    heap.put(Array(try heap.bench.bytes(DamageCase.page1).prefix(PageLimits.headerBytes)))
    #expect(try heap.search().items.isEmpty)
  }

  /// A stroke alone is a page's where the document may have been saved a little before the page, and no further.
  @Test(arguments: [(UInt64(1), true), (5, true), (6, true), (69, true), (70, false), (7000, false)])
  func aDocumentVouchesForPagesThatAreALittleNewer(generation: UInt64, isVouched: Bool) throws {
    let heap = try Heap()
    try heap.putAll(without: [DamageCase.page1])
    var page = heap.bench.snapshots[0]
    page.generation = generation
    page.elements.removeLast(2)
    heap.put(Array(page.encoded()[PageLimits.headerBytes...]))
    let item = try #require(try heap.search().items.first)
    #expect((item.pagesMissing == 0) == isVouched)
    #expect(try heap.page(Bench.pages[0]).elements == (isVouched ? page.elements : []))
  }
}
