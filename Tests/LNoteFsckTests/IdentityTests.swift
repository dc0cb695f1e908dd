import Files
import LNoteFormat
import Rendering
import Testing

@testable import LNoteFsck

/// What is another page's or image's counts for nothing here, and what says itself whose it is comes home.
@Suite struct IdentityTests {
  /// Forms of a file in page 1's place that has another page's header, and how many of its three strokes are left.
  static let headers: [(name: String, strokes: Int, bytes: @Sendable ([UInt8], [UInt8]) -> [UInt8])] = [
    ("its header alone", 0, { _, other in Array(other.prefix(84)) }),
    ("its header and half of a stroke", 0, { _, other in Array(other.prefix(84 + 60)) }),
    ("its header and a changed stroke", 0, { _, other in Array(other.dropLast()) + [other[other.count - 1] ^ 1] }),
    ("its header over our strokes", 3, { own, other in Array(other.prefix(84) + own[84...]) }),
    ("its header over two of our strokes", 2, { own, other in Array(other.prefix(84) + own[84..<(84 + 2 * 201)]) }),
  ]

  @Test(arguments: headers.indices) func aForeignHeaderSaysNothingOfThisPage(place: Int) throws {
    let (name, strokes, make) = Self.headers[place]
    let bench = try Bench()
    let other = DamageCase.foreignPage
    try bench.put(make(bench.snapshots[0].encoded(), other.encoded()), at: DamageCase.page1)
    let report = bench.repair()
    let (page, entry) = (try bench.page(0), try bench.readDocument().pages[0])
    // Where the other page comes home, what it lacks is foretold with what this one does.
    let recorded = try bench.readDocument().pages.flatMap(\.losses).reduce(0) { $0 + $1.elements }
    #expect(report.found.map(\.loss.elements) == [recorded], "\(name)")
    #expect(page.canvas == bench.snapshots[0].canvas && entry.canvas == page.canvas, "\(name)")
    #expect(page.created == bench.snapshots[0].created && entry.created == page.created, "\(name)")
    // Above our own generation, and not above the other page's.
    #expect(page.generation == 6 && entry.generation == 6, "\(name)")
    #expect(entry.losses.map(\.elements) == (strokes == 3 ? [] : [UInt64(3 - strokes)]), "\(name)")
    #expect(entry.losses.allSatisfy { $0.lostGeneration == 5 }, "\(name)")
    #expect(entry.elementCount == 3, "\(name)")
    #expect(try bench.keeps(strokes: strokes), "\(name)")
  }

  @Test func aForeignHeaderTellsNoLossOfAPageThatNobodyLists() throws {
    let bench = try Bench()
    try bench.edit { $0.pages.removeFirst() }
    try bench.damage(DamageCase.page1) { $0 = Array(DamageCase.foreignPage.encoded().prefix(84) + $0[84...]) }
    _ = bench.repair()
    let entry = try #require(try bench.readDocument().pages.last)
    #expect(entry.id == Bench.pages[0] && entry.elementCount == 3)
    #expect(entry.losses.allSatisfy { $0.elements == 0 })
    #expect(entry.canvas == bench.snapshots[0].canvas)
    #expect(try bench.keeps(strokes: 3))
  }

  // MARK: Without document.json

  /// Which files hold which pages; the document is as it was, but for what its entries cannot know.
  static let standings: [(name: String, stand: @Sendable (Bench) throws -> Void)] = [
    ("in place", { _ in }),
    (
      "exchanged",
      { bench in
        for place in 0..<3 {
          try bench.put(bench.snapshots[(place + 1) % 3].encoded(), at: PackagePaths.page(Bench.pages[place]))
        }
      }
    ),
    (
      "under free names",
      { bench in
        for place in 0..<3 {
          try bench.remove(PackagePaths.page(Bench.pages[place]))
          let name = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000 << 48 | UInt64(9 - place))
          try bench.put(bench.snapshots[place].encoded(), at: PackagePaths.page(name))
        }
      }
    ),
    (
      "under names that are none",
      { bench in
        for place in 0..<3 {
          try bench.remove(PackagePaths.page(Bench.pages[place]))
          try bench.put(bench.snapshots[place].encoded(), at: BytePath("pages/page \(9 - place).content"))
        }
      }
    ),
    (
      "copied",
      { bench in
        for place in 0..<3 {
          let name = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000 << 48 | UInt64(9 - place))
          try bench.put(bench.snapshots[place].encoded(), at: PackagePaths.page(name))
        }
      }
    ),
  ]

  @Test(arguments: standings.indices, [true, false]) func theRebuildListsPagesByWhatTheyAre(
    place: Int, manifest: Bool
  ) throws {
    let (name, stand) = Self.standings[place]
    let bench = try Bench()
    try stand(bench)
    try bench.remove(DamageCase.document)
    if !manifest { try bench.remove(DamageCase.manifest) }
    _ = bench.repair()
    let document = try bench.readDocument()
    #expect(document.pages.map(\.id) == Bench.pages, "\(name)")
    #expect(document.pages.map(\.elementCount) == [3, 3, 0], "\(name)")
    #expect(document.pages.map(\.canvas) == bench.snapshots.map(\.canvas), "\(name)")
    #expect(document.pages.allSatisfy { $0.losses.isEmpty }, "\(name)")
    // Without the manifest nobody knows how many there were.
    #expect(document.losses.map(\.pagesMissing) == (manifest ? [] : [0]), "\(name)")
    for place in 0..<3 { #expect(try bench.page(place) == bench.snapshots[place], "\(name)") }
  }

  /// Without anything else the order is that in which the pages were begun, as they themselves say.
  @Test func theOrderIsThatOfThePagesAndNotOfTheirNames() throws {
    let bench = try Bench()
    for place in 0..<3 {
      try bench.write(page: place) { $0.created = Timestamp(milliseconds: 1000 - Int64(place)) }
      let name = NoteID(high: 0xF0F0_0000_0000_4000, low: 0x8000 << 48 | UInt64(place))
      try bench.put(try bench.bytes(PackagePaths.page(Bench.pages[place])), at: PackagePaths.page(name))
      try bench.remove(PackagePaths.page(Bench.pages[place]))
    }
    try bench.remove(DamageCase.document)
    try bench.remove(DamageCase.manifest)
    _ = bench.repair()
    #expect(try bench.readDocument().pages.map(\.id) == Bench.pages.reversed())
  }

  /// Of a page whose place another one's copy took nobody knows more than that it is missing.
  @Test func aPageThatIsGoneWithTheDocumentIsStillCounted() throws {
    let bench = try Bench()
    try bench.put(bench.snapshots[1].encoded(), at: DamageCase.page1)
    try bench.remove(DamageCase.document)
    _ = bench.repair()
    let document = try bench.readDocument()
    #expect(document.pages.map(\.id) == [Bench.pages[1], Bench.pages[2]])
    #expect(document.losses.map(\.pagesMissing) == [1])
  }

  /// A page that was deleted does not come back with what is left of it under another name.
  @Test func aDeletedPageStaysDeleted() throws {
    let bench = try Bench()
    try bench.edit { record in
      record.pages.removeFirst()
      record.deleted = [DeletedPage(id: Bench.pages[0], generation: 5)]
    }
    let name = BytePath("pages/page 1.content")
    try bench.put(bench.snapshots[0].encoded(), at: name)
    try bench.remove(DamageCase.page1)
    // A changed title: all entries can still be read.
    try bench.damage(DamageCase.document) { bytes in
      let place = bytes.firstIndex(of: UInt8(ascii: "P"))
      if let place { bytes[place] = UInt8(ascii: "Q") }
    }
    _ = bench.repair()
    #expect(try bench.readDocument().pages.map(\.id) == [Bench.pages[1], Bench.pages[2]])
  }

  /// An entry whose page lies elsewhere is not taken for that of a page like it.
  @Test func anEntryWhosePageLiesElsewhereKeepsItsPage() throws {
    let bench = try Bench()
    var other = bench.snapshots[0]
    other.id = DamageCase.foreignPage.id
    try bench.put(other.encoded(), at: PackagePaths.page(other.id))
    try bench.put(bench.snapshots[0].encoded(), at: "pages/page 1.content")
    try bench.remove(DamageCase.page1)
    // A changed title: all entries can still be read.
    try bench.damage(DamageCase.document) { bytes in
      let place = bytes.firstIndex(of: UInt8(ascii: "P"))
      if let place { bytes[place] = UInt8(ascii: "Q") }
    }
    _ = bench.repair()
    #expect(try bench.readDocument().pages.map(\.id) == Bench.pages + [other.id])
  }

  /// Strokes tell that a page was drawn on after it was deleted, though its header is gone.
  @Test(arguments: [(4, "LN3001"), (5, "LN2017")]) func aDeletedPageIsKnownByItsStrokes(
    generation: Int, code: String
  ) throws {
    let bench = try Bench()
    try bench.edit { record in
      record.pages.removeFirst()
      record.deleted = [DeletedPage(id: Bench.pages[0], generation: UInt64(generation))]
    }
    try bench.damage(DamageCase.page1) { $0.replaceSubrange(0..<84, with: [UInt8](repeating: 0xEE, count: 84)) }
    #expect(codes(bench.check().found.filter { $0.path == DamageCase.page1 }) == code)
  }

  // MARK: Versions beside a page

  @Test func theNewerVersionTakesThePlaceAndTheOlderOneIsSetAside() throws {
    let bench = try Bench()
    var newer = bench.snapshots[0]
    newer.generation = 6
    newer.elements.append(.stroke(Bench.stroke(50, samples: 3)))
    let name = BytePath("pages/page 1.content")
    try bench.put(newer.encoded(), at: name)
    let found = try #require(bench.check().found.first)
    #expect(found.kind == .temporaryNewer && found.path == name)
    #expect(found.details == ["It has 4 strokes, the page's own file 3 strokes."])
    // Not without consent.
    #expect(bench.repair(.automatic).actions.isEmpty)
    let report = bench.repair()
    #expect(try bench.page(0) == newer)
    #expect(report.asides.contains { $0.from == DamageCase.page1 })
    #expect(try bench.readDocument().pages[0].elementCount == 4)
    _ = Bench.Again(bench).undo()
    #expect(try bench.page(0) == bench.snapshots[0])
    #expect(try bench.bytes(name) == newer.encoded())
  }

  @Test func whatStaysIsToldWithWhatItHolds() throws {
    let name = BytePath("pages/copy.content")
    let own = "It holds page 1 of 3, whole: generation"
    for (generation, strokes, text) in [
      (4, 3, "\(own) 4 with 3 strokes; the page itself has generation 5 with 3 strokes."),
      (
        6, 2,
        "\(own) 6 with 2 strokes; the page itself has generation 5 with 3 strokes. It is newer but has less on it, so "
          + "nothing was decided: to have it, move \(DamageCase.page1) out of the document and repair."
      ),
    ] {
      let bench = try Bench()
      var page = bench.snapshots[0]
      page.generation = UInt64(generation)
      page.elements = Array(page.elements.prefix(strokes))
      try bench.put(page.encoded(), at: name)
      #expect(bench.check().found.map(\.details) == [[text]])
      // What the text says comes true.
      try bench.remove(DamageCase.page1)
      if generation > 5 {
        _ = bench.repair()
        #expect(try bench.page(0) == page)
      }
    }
    let bench = try Bench()
    var record = bench.document
    record.generation = 18
    record.pages.removeLast()
    try bench.put(record.encoded(), at: "document 2.json")
    #expect(
      bench.check().found.map(\.details) == [
        [
          "It is a newer document.json, of generation 18 with 2 pages; the one in use has generation 17 with 3 pages."
        ]
      ])
  }

  // MARK: Images

  @Test func noMoveTakesAnImageFromWhereItIsShown() throws {
    let bench = try Bench()
    let second = JPEGMaker.picture(sizeBytes: 900, seed: 2)
    try bench.write(page: 0) { $0.elements.append(.image(Bench.image(of: Bench.free, second, element: 22))) }
    try bench.edit { $0.pages[0].elementCount = 4 }
    let own = PackagePaths.asset(Bench.free)
    // Ours is whole in its own place and missed nowhere, though the other file has the same bytes.
    try bench.put(second, at: own)
    try bench.put(second, at: DamageCase.picture)
    #expect(codes(bench.check().found) == "LN4005")
    // Exchanged, each comes home, byte for byte, and back again.
    try bench.put(Bench.picture, at: own)
    let report = bench.repair()
    #expect(report.found.map(\.loss.elements) == [0, 0])
    #expect(try bench.bytes(own) == second)
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
    #expect(try bench.readDocument().losses.isEmpty)
    _ = Bench.Again(bench).undo()
    #expect(try bench.bytes(own) == Bench.picture)
    #expect(try bench.bytes(DamageCase.picture) == second)
  }

  /// Two images that were recorded as lost when nothing looked for them are healed.
  @Test func aLossOnRecordIsHealedWhenTheImageIsFoundUnderAnothersName() throws {
    let bench = try Bench()
    let second = JPEGMaker.picture(sizeBytes: 900, seed: 2)
    try bench.write(page: 0) { $0.elements.append(.image(Bench.image(of: Bench.free, second, element: 22))) }
    try bench.edit { record in
      record.pages[0].elementCount = 4
      record.losses = [Bench.asset, Bench.free].map { id in
        RecordedLoss(
          at: Bench.made, code: "LN4006", elements: 1, stamp: "20260701T093000Z", unknown: ["asset": .string("\(id)")])
      }
    }
    try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
    try bench.put(second, at: DamageCase.picture)
    #expect(codes(bench.repair().left) == "")
    #expect(try bench.readDocument().losses.isEmpty)
  }
}
