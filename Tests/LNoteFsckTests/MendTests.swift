import JSON
import Testing

@testable import LNoteFormat
@testable import LNoteFsck

/// Fields of document.json that are of no use: what takes their places is the best that is known.
@Suite struct MendTests {
  typealias Row = (
    name: String, keys: [(page: Int?, key: String)], before: @Sendable (Bench) throws -> Void,
    isRight: @Sendable (DocumentRecord) -> Bool
  )

  static let rows: [Row] = [
    (
      "the document was made with its first page", [(nil, "createdAt")],
      { try $0.edit { $0.pages[1].created = after(-5) } }, { $0.created == after(-5) }
    ),
    (
      "the manifest says when it was changed", [(nil, "modifiedAt")],
      { bench in
        var manifest = ManifestRecord(mirroring: bench.document)
        manifest.modified = after(8)
        try bench.put(manifest.encoded(), at: PackagePaths.manifest)
      }, { $0.modified == after(8) }
    ),
    (
      "without a manifest it was changed with its last page", [(nil, "modifiedAt")],
      { bench in
        try bench.edit { $0.pages[2].modified = after(7) }
        try bench.remove(PackagePaths.manifest)
      }, { $0.modified == after(7) }
    ),
    (
      "a page says when it was made", [(1, "createdAt")],
      { try $0.write(page: 1) { $0.created = after(-3) } }, { $0.pages[1].created == after(-3) }
    ),
    (
      "so does the header of a damaged page", [(1, "createdAt")],
      { bench in
        try bench.write(page: 1) { $0.created = after(-3) }
        try bench.damage(PackagePaths.page(Bench.pages[1])) { $0[200] ^= 1 }
      }, { $0.pages[1].created == after(-3) }
    ),
    (
      "a page says when it was changed", [(1, "modifiedAt")],
      { try $0.write(page: 1) { $0.modified = after(9) } }, { $0.pages[1].modified == after(9) }
    ),
    (
      "where nothing tells when a page was made, it was with the document", [(2, "createdAt")],
      { bench in
        try bench.edit { $0.created = after(-4) }
        try bench.remove(PackagePaths.page(Bench.pages[2]))
      }, { $0.pages[2].created == after(-4) }
    ),
    (
      "or before the document was changed, where it does not say when it was made",
      [(nil, "createdAt"), (2, "createdAt")],
      { bench in
        try bench.edit { $0.modified = after(3) }
        try bench.remove(PackagePaths.page(Bench.pages[2]))
      }, { $0.pages[2].created == after(3) }
    ),
    (
      "a page has its own size", [(1, "canvas")],
      { try $0.write(page: 1) { $0.canvas = CanvasSize(width: 100, height: 200) } },
      { $0.pages[1].canvas == CanvasSize(width: 100, height: 200) }
    ),
    (
      "a size of nothing is none", [(1, "canvas")],
      { try $0.write(page: 1) { $0.canvas.width = 0 } }, { $0.pages[1].canvas == $0.pages[0].canvas }
    ),
  ]

  private static func after(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: Bench.made.milliseconds + seconds * 1000)
  }

  @Test(arguments: rows.indices) func theBestThatIsKnownIsTaken(index: Int) throws {
    let row = Self.rows[index]
    let bench = try Bench()
    try row.before(bench)
    try bench.editMembers { members in
      for (page, key) in row.keys {
        guard let page else {
          members[key] = nil
          continue
        }
        var pages = members["pages"]?.array ?? []
        pages[page] = .object((pages[page].object ?? [:]).filter { $0.key != key })
        members["pages"] = .array(pages)
      }
    }
    let report = bench.repair()
    #expect(report.found.contains { $0.action == .mendDocument }, Comment(rawValue: row.name))
    #expect(!report.found.contains { $0.kind == .canvasDiffers }, Comment(rawValue: row.name))
    #expect(row.isRight(try bench.readDocument()), Comment(rawValue: row.name))
  }

  @Test(arguments: 0..<4) func membersOfANewerAppAreToldWhereverTheyAre(place: Int) throws {
    let bench = try Bench()
    let loss = RecordedLoss(
      at: Bench.made, code: "LN2016", elements: 0, stamp: Bench.stampText, unknown: ["shelf": "left"])
    var gone = DeletedPage(id: NoteID(high: 0xF0, low: 2), generation: 3)
    gone.unknown = ["shelf": "left"]
    try bench.edit { document in
      switch place {
      case 0: document.pages[0].canvasUnknown = ["depth": 3]
      case 1: document.losses = [loss]
      case 2: document.pages[0].losses = [loss]
      default: document.deleted = [gone]
      }
    }
    #expect(bench.check().found.contains { $0.kind == .unknownField })
  }

  @Test func pagesThatAreNotListedComeInTheOrderInWhichTheyWereBegun() throws {
    let bench = try Bench()
    let pages = (1...4).map { NoteID(high: 0xF0, low: $0) }
    for (place, id) in pages.enumerated() {
      var page = bench.snapshots[0]
      (page.id, page.created) = (id, Self.after(-Int64(place)))
      try bench.put(page.encoded(), at: PackagePaths.page(id))
    }
    #expect(bench.repair().found.contains { $0.kind == .pagesUnlisted })
    #expect(try bench.readDocument().pages.map(\.id) == Bench.pages + pages.reversed())
  }

  @Test func aPageOfNoSizeThatCameBackOlderIsNotAmended() throws {
    let bench = try Bench()
    try bench.write(page: 0) { page in
      page.canvas.width = 0
      page.generation = 4
    }
    // What is to happen to the page as a whole comes first.
    let sizes = bench.check().found.filter { $0.kind == .badCanvas }
    #expect(sizes.map(\.action) == [nil])
    try bench.write(page: 0) { $0.canvas.width = 0 }
    let amended = bench.check().found.filter { $0.kind == .badCanvas }
    #expect(amended.map(\.action) == [.amendPage(Bench.pages[0], .canvas)])
  }

  static let besides: [(kind: ProblemKind, change: @Sendable (Bench) throws -> Void)] = [
    (.documentIdentityDiffers, { bench in try bench.edit { $0.id = NoteID(high: 0xF0, low: 7) } }),
    (.duplicatePageEntry, { bench in try bench.edit { $0.pages.append($0.pages[1]) } }),
    (
      .documentRolledBack,
      { bench in
        var manifest = ManifestRecord(mirroring: bench.document)
        manifest.documentGeneration += 1
        try bench.put(manifest.encoded(), at: PackagePaths.manifest)
      }
    ),
    (
      .temporaryNewer,
      { bench in
        var newer = bench.document
        newer.generation += 1
        try bench.put(newer.encoded(), at: Bench.temporary(PackagePaths.document))
      }
    ),
  ]

  @Test(arguments: besides.indices, [false, true])
  func whatElseIsWrongWithADocumentToBeMendedIsTold(index: Int, isSealed: Bool) throws {
    let row = Self.besides[index]
    let bench = try Bench()
    try row.change(bench)
    try bench.editMembers { $0["title"] = .null }
    if isSealed {
      // The checksum that a writer of such a document would have given it.
      try bench.damage(PackagePaths.document) { $0 = RecordChecksum.sealed($0) }
    }
    let report = bench.check()
    #expect(report.found.contains { $0.action == .mendDocument })
    #expect(report.found.contains { $0.kind == row.kind })
    #expect(report.found.contains { $0.kind == .checksumMismatch } == !isSealed)
    #expect(report.verified.withoutChecksum == (isSealed ? 0 : 1))
  }
}
