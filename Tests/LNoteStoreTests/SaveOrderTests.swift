import FileTracing
import Files
import LNoteFormat
import Testing

@testable import LNoteStore

@Suite struct SaveOrderTests {
  static let record = ["create ~document", "write ~document", "fsync ~document", "rename ~document, document"]
  static let manifest = ["create ~manifest", "write ~manifest", "fsync ~manifest", "rename ~manifest, manifest"]

  static func staging(_ page: String) -> [String] {
    ["create pages/~\(page)", "write pages/~\(page)", "fsync pages/~\(page)"]
  }

  @Test func onePageUnderEachPolicy() {
    let full =
      Self.staging("page1") + ["rename pages/~page1, pages/page1", "fsync pages"] + Self.record + ["fsync package"]
      + Self.manifest
    for (durability, expected) in [
      (Durability.full, full),
      (.file, full.filter { !["fsync pages", "fsync package"].contains($0) }),
      (.none, full.filter { !$0.hasPrefix("fsync") }),
    ] {
      let stage = Stage.withPages(2, durability: durability)
      stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
      #expect(stage.counted() == [])
      stage.done(.background)
      #expect(stage.counted() == expected, "\(durability)")
    }
  }

  @Test func manyPagesAreAllSyncedThenAllRenamedAndGainersGoFirst() {
    let stage = Stage.withPages(3)
    stage.done(.deleteElement(Stage.name(1), element: Stage.element(1)))
    stage.done(.moveElement(Stage.name(2), element: Stage.element(2), dx: 5, dy: -5))
    stage.done(.addStroke(Stage.name(3), Stage.stroke(10)))
    stage.done(.background)
    #expect(
      stage.counted() == Self.staging("page3") + Self.staging("page2") + Self.staging("page1") + [
        "rename pages/~page3, pages/page3", "rename pages/~page2, pages/page2", "rename pages/~page1, pages/page1",
        "fsync pages",
      ] + Self.record + ["fsync package"] + Self.manifest)
  }

  @Test(
    arguments: [
      ([(1, true, true), (2, true, false)], [2, 1]),
      ([(1, false, true), (2, false, false), (3, true, false)], [3, 2, 1]),
      ([(1, true, false), (2, true, false)], [1, 2]),
      ([], []),
    ] as [([(UInt64, Bool, Bool)], [UInt64])])
  func ordersPages(_ changes: [(UInt64, Bool, Bool)], _ expected: [UInt64]) {
    let order = SavePlan.order(
      changes.map { SavePlan.Change(page: Stage.page($0.0), hasGained: $0.1, hasLost: $0.2) })
    #expect(order == expected.map(Stage.page))
  }

  @Test func assetIsOnTheMediumBeforeTheCallReturns() {
    let stage = Stage.withPages(1)
    let answer = stage.done(stage.insertImage(1, on: 1))
    #expect(
      stage.counted() == [
        "create assets/~asset1", "write assets/~asset1", "fsync assets/~asset1",
        "rename assets/~asset1, assets/asset1", "fsync assets",
      ])
    #expect(answer.durable.assets == [DurableAsset(document: Stage.document, asset: Stage.asset(1))])
    #expect(stage.bytes(Stage.assetPath(1)) == Stage.jpeg)
  }

  @Test func newDocumentIsBuiltUnderADotName() {
    let stage = Stage()
    let answer = stage.done(.createDocument(Stage.document, title: "A"))
    let made = "~package"
    #expect(
      stage.counted().map { $0.replacing("~document1.lnote", with: made) } == [
        "mkdir ~package", "mkdir ~package/pages", "mkdir ~package/assets", "mkdir ~package/thumbnails",
        "create ~package/document", "write ~package/document", "fsync ~package/document",
        "create ~package/manifest", "write ~package/manifest", "fsync ~package/manifest",
        "fsync ~package/pages", "fsync ~package/assets", "fsync ~package/thumbnails", "fsync ~package",
        "rename ~package, package", "fsync /",
      ])
    #expect(answer.durable.documents == [DurableDocument(Stage.document, upTo: 1)])
  }

  @Test func deletedPageLeavesTheDocumentThenTheManifestAndItsFileIsLast() {
    let stage = Stage.withPages(2)
    stage.done(.deletePage(Stage.name(1)))
    stage.done(.background)
    #expect(
      stage.counted() == Self.record + ["fsync package"] + Self.manifest + ["fsync package", "unlink pages/page1"])
    #expect(stage.manifestOnDisk()?.pageCount == 1)
    #expect(stage.recordOnDisk()?.deleted == [DeletedPage(id: Stage.page(1), generation: 1)])
    #expect(stage.recordOnDisk()?.pages.map(\.id) == [Stage.page(2)])
    // A later save knows that the removal is durable before it forgets the page.
    stage.disk.beginRecording()
    stage.done(.setTitle(Stage.document, "B"))
    stage.done(.background)
    #expect(stage.counted() == ["fsync pages"] + Self.record + ["fsync package"] + Self.manifest)
    #expect(stage.recordOnDisk()?.deleted == [])
  }

  @Test func newPageIsContentFirstAndEntrySecond() {
    let stage = Stage.withPages(1)
    stage.done(.addPage(Stage.name(2), canvas: Stage.canvas, at: 0))
    stage.done(.background)
    #expect(
      stage.counted() == Self.staging("page2") + ["rename pages/~page2, pages/page2", "fsync pages"] + Self.record
        + ["fsync package"] + Self.manifest)
    #expect(stage.recordOnDisk()?.pages.map(\.id) == [Stage.page(2), Stage.page(1)])
    #expect(stage.manifestOnDisk()?.coverPage == Stage.page(2))
  }

  @Test func aSaveCostsTheSameInADocumentOf200Pages() {
    func operations(_ pages: UInt64, reopening: Bool) -> [String] {
      let stage = Stage.withPages(pages)
      if reopening {
        stage.done(.close(Stage.document))
        stage.disk.beginRecording()
        stage.done(.open(Stage.document))
      }
      stage.done(.addStroke(Stage.name(2), Stage.stroke(1000)))
      stage.done(.advanceUntilSaved)
      return stage.everything()
    }
    for reopening in [false, true] {
      let few = operations(2, reopening: reopening)
      #expect(few.count > 13)
      #expect(operations(200, reopening: reopening) == few, "reopening \(reopening)")
    }
  }

  @Test func theSameCommandsMakeTheSameLogAndBytes() {
    func run() -> (records: [OperationRecord], data: [[UInt8]]) {
      let stage = Stage()
      stage.done(.createDocument(Stage.document, title: "A"))
      for page in UInt64(1)...3 {
        stage.done(.addPage(Stage.name(page), canvas: Stage.canvas, at: 0))
        stage.done(.addStroke(Stage.name(page), Stage.stroke(page)))
        stage.done(stage.insertImage(page + 10, on: page))
      }
      stage.done(.advance(milliseconds: 700))
      stage.done(.deletePage(Stage.name(2)))
      stage.done(.close(Stage.document))
      return (stage.disk.log.records, stage.disk.log.records.map { stage.disk.data(of: $0) })
    }
    let (first, second) = (run(), run())
    #expect(first.records == second.records)
    #expect(first.data == second.data)
  }
}
