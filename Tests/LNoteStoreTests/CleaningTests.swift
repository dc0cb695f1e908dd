import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteStore

/// Pictures that nothing uses go at close; where anything is in doubt, nothing goes.
@Suite struct CleaningTests {
  /// Two pages with a picture each; picture 3 is used by none.
  static func stage(mutant: StoreMutant? = nil) -> Stage {
    let stage = Stage.withPages(2, mutant: mutant)
    stage.done(stage.insertImage(1, on: 1))
    stage.done(stage.insertImage(2, on: 2))
    stage.done(stage.insertImage(3, on: 2))
    stage.done(.deleteElement(Stage.name(2), element: Stage.element(503)))
    stage.done(.background)
    stage.done(.letGo(Stage.document))
    stage.disk.beginRecording()
    return stage
  }

  static func reopenAndClose(_ stage: Stage) {
    stage.done(.open(Stage.document))
    stage.disk.beginRecording()
    stage.done(.close(Stage.document))
  }

  @Test func removesWhatNothingUses() {
    let stage = Self.stage()
    Self.reopenAndClose(stage)
    #expect(stage.names(in: "assets") == ["asset1", "asset2"])
    #expect(stage.counted() == ["fsync pages", "unlink assets/asset3"])
    // The second close finds nothing to do.
    Self.reopenAndClose(stage)
    #expect(stage.counted() == [])
  }

  @Test func readsNoPageWhereAllPicturesAreKnownToBeUsed() {
    let stage = Self.stage()
    Self.reopenAndClose(stage)
    stage.done(.open(Stage.document))
    stage.done(.readPage(Stage.name(1)))
    stage.done(.readPage(Stage.name(2)))
    stage.disk.beginRecording()
    stage.done(.close(Stage.document))
    #expect(stage.everything() == ["open assets", "readdir assets"])
  }

  static func snapshot(_ page: UInt64, _ elements: [PageElement]) -> [UInt8] {
    PageSnapshot(
      id: Stage.page(page), generation: 7, canvas: Stage.canvas, created: Stage.now, modified: Stage.now,
      elements: elements
    ).encoded()
  }

  static func image(_ number: UInt64) -> PageElement {
    .image(
      PlacedImage(
        id: Stage.element(600 + number), asset: Stage.asset(number), x: 0, y: 0, width: 1, height: 1, rotation: 0,
        assetLength: 0, assetDigest: AssetDigest(high: 0, low: 0)))
  }

  static let pages = Stage.package.appending("pages")
  static let kept = ["asset1", "asset2", "asset3"]

  /// Everything that keeps picture 3, each with what it does to the package.
  static let doubts: [(String, @Sendable (Stage) throws -> Void)] = [
    (
      "a page cut in half",
      { try $0.look.replace(Stage.pagePath(1), with: Array(#require($0.bytes(Stage.pagePath(1))).prefix(100))) }
    ),
    ("an empty page", { try $0.look.replace(Stage.pagePath(1), with: []) }),
    ("a page that is missing", { try $0.look.unlink(Stage.pagePath(1)) }),
    (
      "an element of unknown type",
      {
        try $0.look.replace(
          Stage.pagePath(1), with: snapshot(1, [image(1), .unknown(UnknownElement(type: 77, payload: [1]))]))
      }
    ),
    (
      "an unlisted page that is damaged",
      { try $0.look.make(Stage.pagePath(3), Array(snapshot(3, [image(1)]).dropLast())) }
    ),
    ("an unlisted page that uses it", { try $0.look.make(Stage.pagePath(3), snapshot(3, [image(3)])) }),
    (
      "a temporary file that uses it",
      { try $0.look.make(pages.appending(".\(Stage.page(1)).content.00000001.tmp"), snapshot(1, [image(3)])) }
    ),
    (
      "a cut temporary file that uses it",
      {
        try $0.look.make(
          pages.appending(".\(Stage.page(1)).content.00000001.tmp"),
          Array(snapshot(1, [image(3), image(1)]).dropLast()))
      }
    ),
    (
      "a conflict copy that uses it",
      { try $0.look.make(pages.appending("\(Stage.page(1)) 2.content"), snapshot(1, [image(3)])) }
    ),
    (
      "a conflict copy that is damaged", { try $0.look.make(pages.appending("\(Stage.page(1)) 2.content"), [1, 2, 3]) }
    ),
    ("a journal", { try $0.look.make(pages.appending("\(Stage.page(1)).journal"), [1]) }),
    ("a page that is not downloaded", { try $0.look.make(pages.appending(".\(Stage.page(3)).content.icloud"), [1]) }),
    ("a database of a newer engine", { try $0.look.make(Stage.package.appending("document.sqlite"), [1]) }),
    ("a second folder", { try $0.look.makeDirectories(Stage.package.appending("pages 2")) }),
    ("a loss that is not accepted", { try lose($0, isAccepted: false) }),
    ("a page older than its entry", { try raiseEntry($0) }),
    ("a page that cannot be read", { try $0.failing(.eio, nth: nil, on: [.read], path: "**/*.content") }),
    ("a folder that cannot be listed", { try $0.failing(.eio, nth: nil, on: [.readdir], path: "**/pages") }),
  ]

  static func lose(_ stage: Stage, isAccepted: Bool) throws {
    var record = try #require(stage.recordOnDisk())
    record.pages[1].losses = [
      RecordedLoss(at: Stage.now, code: "LN3001", elements: 1, stamp: "20261130T140212Z", isAccepted: isAccepted)
    ]
    try stage.look.replace(Stage.documentPath, with: record.encoded())
  }

  static func raiseEntry(_ stage: Stage) throws {
    var record = try #require(stage.recordOnDisk())
    record.pages[1].generation += 1
    try stage.look.replace(Stage.documentPath, with: record.encoded())
  }

  @Test func keepsEverythingInDoubt() throws {
    for (name, change) in Self.doubts {
      let stage = Self.stage()
      try change(stage)
      Self.reopenAndClose(stage)
      #expect(stage.names(in: "assets") == Self.kept, "\(name)")
      #expect(stage.counted() == [], "\(name)")
    }
  }

  /// What keeps nothing.
  static let noDoubts: [(String, @Sendable (Stage) throws -> Void)] = [
    ("an accepted loss", { try lose($0, isAccepted: true) }),
    (
      "a temporary file of nothing", { try $0.look.make(pages.appending(".\(Stage.page(1)).content.00000001.tmp"), []) }
    ),
    ("a file of the system", { try $0.look.make(pages.appending(".DS_Store"), [1]) }),
    ("an unlisted page that uses others", { try $0.look.make(Stage.pagePath(3), snapshot(3, [image(1)])) }),
  ]

  @Test func cleansAllTheSame() throws {
    for (name, change) in Self.noDoubts {
      let stage = Self.stage()
      try change(stage)
      Self.reopenAndClose(stage)
      #expect(stage.names(in: "assets") == ["asset1", "asset2"], "\(name)")
    }
  }

  @Test func namesAreComparedAsValuesAndOtherNamesStay() throws {
    let stage = Self.stage()
    let assets = Stage.package.appending("assets")
    try stage.look.rename(Stage.assetPath(1), to: assets.appending("\(Stage.asset(1))".lowercased() + ".jpg"))
    try stage.look.make(assets.appending("notes.txt"), [1])
    try stage.look.makeDirectories(assets.appending("\(Stage.asset(9)).jpg"))
    Self.reopenAndClose(stage)
    #expect(stage.counted() == ["fsync pages", "unlink assets/asset3"])
    #expect(stage.names(in: "assets").count == 4)
  }

  @Test func theRemovalOfADeletedPageIsDurableBeforeItsPictureGoes() {
    let stage = Self.stage()
    stage.done(.open(Stage.document))
    stage.done(.deletePage(Stage.name(1)))
    stage.disk.beginRecording()
    stage.done(.close(Stage.document))
    #expect(Array(stage.counted().suffix(3)) == ["fsync pages", "unlink assets/asset1", "unlink assets/asset3"])
    #expect(stage.counted().contains("unlink pages/page1"))
  }

  /// Killed behind the rename of the page that no longer shows picture 1, before its name was synced.
  @Test func anEarlierProcessesRenameIsDurableBeforeThePictureGoes() throws {
    let stage = Self.stage()
    stage.done(.open(Stage.document))
    stage.done(.deleteElement(Stage.name(1), element: Stage.element(501)))
    try stage.disk.arm(
      FaultRule(name: "kill", effect: .kill, operations: [.rename], occurrence: FaultOccurrence(nth: 1)))
    stage.answer(.background)
    stage.restartStore()
    Self.reopenAndClose(stage)
    #expect(stage.names(in: "assets") == ["asset2"])
    // A new picture's sync makes the removals durable; the page must be what it was when they were decided.
    stage.done(.open(Stage.document))
    stage.done(stage.insertImage(4, on: 2))
    stage.disk.powerCut(.keepNone)
    stage.disk.restart()
    #expect(stage.pageOnDisk(1)?.assets == [])
  }

  @Test func cleansUnprovenIsConvicted() throws {
    let stage = Self.stage(mutant: .cleansUnproven)
    let whole = try #require(stage.bytes(Stage.pagePath(1)))
    try stage.look.replace(Stage.pagePath(1), with: Array(whole.prefix(100)))
    Self.reopenAndClose(stage)
    #expect(stage.names(in: "assets") == ["asset2"])
  }
}
