import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Second copies that a sync service or a file manager made inside a document: both are described, nothing is merged.
@Suite struct ConflictCopyTests {
  static let copy = BytePath("pages/\(Bench.pages[0]).sync-conflict-20261102-101010-ABCDEFG.content")

  /// Page 1 as another device has it: with three strokes more.
  static func other(_ bench: Bench, strokes: Int = 3) -> PageSnapshot {
    var page = bench.snapshots[0]
    page.generation = 6
    page.elements += (0..<strokes).map { .stroke(Bench.stroke(UInt64($0) + 60, samples: 3)) }
    return page
  }

  /// Every page of the document, as the elements on it.
  static func pages(_ bench: Bench) throws -> [[PageElement]] {
    try bench.readDocument().pages.map { entry in
      let page = PageReader.read(try bench.bytes(PackagePaths.page(entry.id)), expecting: entry.id).snapshot
      #expect(page?.generation == entry.generation && UInt64(page?.elements.count ?? 0) == entry.elementCount)
      return try #require(page).elements
    }
  }

  @Test func aCopyOfAWholePageBecomesAPageOfItsOwnBehindIt() throws {
    let bench = try Bench()
    let other = Self.other(bench)
    try bench.put(other.encoded(), at: Self.copy)
    let before = try bench.picture()
    let own = try bench.bytes(PackagePaths.page(Bench.pages[0]))
    let found = bench.check()
    #expect(codes(found.found) == "LN1402" && found.exit == [])
    #expect(found.found[0].details.joined().contains("6 strokes; the page itself has generation 5 with 3 strokes"))
    #expect(bench.repair(.automatic).actions.isEmpty)
    let report = bench.repair()
    #expect(report.exit.rawValue == 1 && report.left.isEmpty)
    #expect(
      try Self.pages(bench) == [
        bench.snapshots[0].elements, other.elements, bench.snapshots[1].elements, bench.snapshots[2].elements,
      ])
    #expect(try bench.bytes(PackagePaths.page(Bench.pages[0])) == own)
    let aside = SetAsidePlace(beside: Bench.package, in: bench.volume).parent.appending(BytePath(Bench.stampText))
    #expect(try bench.volume.bytes(of: aside.appending(Self.copy)) == other.encoded())
    #expect(codes(bench.check().found) == "" && bench.repair().actions.isEmpty)
    let undo = Bench.Again(bench).undo()
    #expect(undo.undo?.refused.isEmpty == true)
    let kept = { (lines: [String]) in Set(lines.map { $0.split(separator: " ").first.map(String.init) ?? "" }) }
    #expect(kept(before).isSubset(of: kept(try bench.picture())))
    #expect(codes(bench.check().found) == "LN1402")
    #expect(try bench.readDocument().pages.count == 3)
  }

  @Test func aRepairThatWasCutShortMakesOnePage() throws {
    for stop in 0..<12 {
      let bench = try Bench()
      let other = Self.other(bench)
      try bench.put(other.encoded(), at: Self.copy)
      _ = Bench.Again(bench).repair(endingBehind: stop)
      _ = bench.repair()
      let pages = try Self.pages(bench)
      #expect(pages.count == 4 && pages.filter { $0 == other.elements }.count == 1, "\(stop)")
      #expect(codes(bench.check().found) == "", "\(stop)")
    }
  }

  static let rest: [(name: String, codes: String, left: String, pages: Int, make: @Sendable (Bench) throws -> Void)] = [
    (
      "two copies of one page", "LN1402 LN1402", "", 5,
      { bench in
        try bench.put(other(bench).encoded(), at: copy)
        try bench.put(other(bench, strokes: 1).encoded(), at: BytePath("pages/\(Bench.pages[0]) 2.content"))
      }
    ),
    (
      "a copy without anything on it", "LN1402", "", 3,
      { bench in
        var page = bench.snapshots[0]
        page.elements = []
        try bench.put(page.encoded(), at: copy)
      }
    ),
    (
      "a damaged copy", "LN1402", "LN1402", 3,
      { bench in try bench.put(Array(other(bench).encoded().dropLast(9)), at: copy) }
    ),
    (
      "a copy beside a damaged page takes its place", "LN1402 LN3001", "", 3,
      { bench in
        try bench.put(other(bench).encoded(), at: copy)
        try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
      }
    ),
    (
      "a copy of a page that nobody lists", "LN1402 LN2006", "", 4,
      { bench in
        try bench.put(other(bench).encoded(), at: copy)
        try bench.edit { $0.pages.removeFirst() }
      }
    ),
    (
      "copies of several services", "LN1401 LN1402 LN1402 LN1402", "LN1402 LN1402", 4,
      { bench in
        try bench.put(other(bench).encoded(), at: copy)
        try bench.put(bench.snapshots[1].encoded(), at: BytePath("pages/\(Bench.pages[1]) 2.content"))
        var document = bench.document
        document.title = "Physics 4"
        try bench.put(document.encoded(), at: "document (conflicted copy 2026-11-02).json")
        try bench.put([1, 2, 3], at: "manifest_conflict-20261102-101010.json")
      }
    ),
  ]

  @Test(arguments: rest.indices) func everyCopyStaysInReach(_ place: Int) throws {
    let row = Self.rest[place]
    let bench = try Bench()
    try row.make(bench)
    #expect(codes(bench.check().found) == row.codes, "\(row.name)")
    _ = bench.repair()
    _ = bench.repair()
    #expect(codes(bench.check().found) == row.left, "\(row.name)")
    #expect(try Self.pages(bench).count == row.pages, "\(row.name)")
    #expect(bench.repair().actions.isEmpty, "\(row.name)")
  }
}
