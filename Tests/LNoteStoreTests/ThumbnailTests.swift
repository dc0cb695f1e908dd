import FaultDisk
import FileTracing
import Files
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteStore

/// Small pictures are drawn behind every save, and nothing that the user drew waits for one or is lost for one.
@Suite struct ThumbnailTests {
  /// A closed document of two pages with their pictures, where recording begins.
  static func closed() -> Stage {
    let stage = Stage.withPages(2, drawsThumbnails: true)
    stage.done(.close(Stage.document))
    stage.disk.beginRecording()
    return stage
  }

  static func path(_ page: UInt64) -> BytePath { Stage.package.appending(PackageNames.thumbnail(Stage.page(page))) }

  /// What the page's picture says that it shows; nil where there is none, or none that is whole.
  static func shown(_ page: UInt64, on stage: Stage) -> Thumbnail? {
    stage.bytes(path(page)).flatMap { Thumbnail.read($0) }
  }

  static func current(_ page: UInt64, on stage: Stage) -> Bool {
    guard let shown = shown(page, on: stage), let content = stage.pageOnDisk(page) else { return false }
    return shown == Thumbnail(page: content.id, generation: content.generation)
  }

  static let drawing = [
    "create thumbnails/~page1", "write thumbnails/~page1", "rename thumbnails/~page1, thumbnails/page1",
  ]

  // MARK: When

  @Test func atBackgroundBehindTheWholeSaveAndWithoutASync() {
    let stage = Stage.withPages(1, drawsThumbnails: true)
    #expect(Self.current(1, on: stage))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.advanceUntilSaved)
    #expect(!stage.counted().contains { $0.contains("thumbnails") })
    #expect(!Self.current(1, on: stage))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    stage.disk.beginRecording()
    stage.done(.background)
    #expect(Self.current(1, on: stage))
    let plain = Stage.withPages(1)
    plain.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    plain.done(.background)
    #expect(plain.counted().count == 14)
    #expect(stage.counted() == plain.counted() + Self.drawing)
    // What is drawn already is not drawn again.
    stage.disk.beginRecording()
    stage.done(.background)
    #expect(stage.counted() == [])
  }

  @Test func noDocumentWaitsForAPictureOfAnother() throws {
    let other = NoteID(high: 0xD0C, low: 2)
    let page = PageName(document: other, page: Stage.page(3))
    let stage = Stage.withPages(1, drawsThumbnails: true)
    stage.done(.createDocument(other, title: "B"))
    stage.done(.addPage(page, canvas: Stage.canvas, at: nil))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.disk.beginRecording()
    stage.done(.background)
    let lines = stage.counted()
    let lastSync = try #require(lines.lastIndex { $0.hasPrefix("fsync") })
    let firstPicture = try #require(lines.firstIndex { $0.contains("thumbnails") })
    #expect(lastSync < firstPicture)
    #expect(lines.count { $0.hasPrefix("rename") && $0.contains("thumbnails") } == 2)
  }

  @Test func aStoreThatIsToldSoDrawsNone() {
    let stage = Stage.withPages(1)
    stage.done(.close(Stage.document))
    #expect(stage.names(in: "thumbnails") == [])
  }

  @Test func theSamePageGivesTheSameBytes() {
    #expect(Self.closed().bytes(Self.path(1)) == Self.closed().bytes(Self.path(1)))
  }

  @Test func aPictureShowsTheImagesOfItsPage() throws {
    let stage = Stage.withPages(1, drawsThumbnails: true)
    stage.done(stage.insertImage(1, on: 1))
    stage.done(.background)
    let with = try #require(stage.bytes(Self.path(1)))
    try stage.look.unlink(Stage.assetPath(1))
    try stage.look.unlink(Self.path(1))
    stage.done(.close(Stage.document))
    #expect(Self.current(1, on: stage))
    #expect(stage.bytes(Self.path(1)) != with)
  }

  // MARK: At close

  /// Everything that a crash or somebody else may have done to a picture, and whether it is drawn anew.
  static let found: [(what: String, isDrawn: Bool, change: @Sendable (Stage) throws -> [UInt8]?)] = [
    ("missing", true, { _ in nil }),
    ("empty", true, { _ in [] }),
    ("zeros", true, { _ in [UInt8](repeating: 0, count: 900) }),
    ("cut off", true, { $0.bytes(path(1)).map { Array($0.prefix(300)) } }),
    (
      "a bit turned", true,
      { stage in
        var bytes = stage.bytes(path(1)) ?? []
        bytes[bytes.count / 2] ^= 1
        return bytes
      }
    ),
    ("of another page", true, { $0.bytes(path(2)) }),
    ("older", true, { _ in picture(1, 1) }),
    ("as it is", false, { $0.bytes(path(1)) }),
    // The last picture of what went back, perhaps: whoever repairs the document asks first.
    ("later", false, { _ in picture(1, 99) }),
    ("of another program", false, { _ in Stage.jpeg }),
    ("of another kind", false, { _ in [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] }),
    ("too large to be one", false, { _ in [UInt8](repeating: 7, count: ThumbnailDrawing.foreignBytesMax + 1) }),
  ]

  static func picture(_ page: UInt64, _ generation: UInt64) -> [UInt8] {
    Thumbnail(page: Stage.page(page), generation: generation).file(
      showing: PageScene(canvas: Stage.canvas, elements: [])
    ) { _ in nil }
  }

  @Test(arguments: found.indices) func closeBringsUpToDate(_ index: Int) throws {
    let (what, isDrawn, change) = Self.found[index]
    let stage = Stage.withPages(2, drawsThumbnails: true)
    // So that there is an older generation.
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.close(Stage.document))
    let bytes = try change(stage)
    try stage.look.unlink(Self.path(1))
    if let bytes { try stage.look.make(Self.path(1), bytes) }
    stage.disk.beginRecording()
    // No page of this session was touched.
    stage.done(.open(Stage.document))
    stage.done(.close(Stage.document))
    #expect(stage.counted() == (isDrawn ? Self.drawing : []), "\(what)")
    #expect(isDrawn ? Self.current(1, on: stage) : stage.bytes(Self.path(1)) == bytes, "\(what)")
  }

  /// The picture of a page that cannot be read, or that went back, may be the last of what is lost.
  @Test func whatMayBeTheLastPictureStays() throws {
    let stage = Self.closed()
    let old = try #require(stage.bytes(Stage.pagePath(1)))
    let record = try #require(stage.bytes(Stage.documentPath))
    stage.done(.open(Stage.document))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.close(Stage.document))
    let manifest = try #require(stage.bytes(Stage.manifestPath))
    let late = try #require(stage.bytes(Stage.pagePath(1)))
    let states: [(path: BytePath, bytes: [UInt8])] = [
      (Stage.pagePath(1), Array(late.dropLast(9))), (Stage.pagePath(1), old), (Stage.documentPath, record),
    ]
    for (path, bytes) in states {
      let before = stage.bytes(path) ?? []
      let damaged: [UInt8] = [1, 2, 3]
      for (path, bytes) in [(path, bytes), (Self.path(1), damaged), (Stage.manifestPath, manifest)] {
        try stage.look.unlink(path)
        try stage.look.make(path, bytes)
      }
      stage.restartStore()
      stage.answer(.open(Stage.document))
      stage.answer(.close(Stage.document))
      #expect(stage.bytes(Self.path(1)) == damaged, "\(path)")
      try stage.look.unlink(path)
      try stage.look.make(path, before)
    }
    // With all back in its place the same picture is drawn anew.
    stage.restartStore()
    stage.done(.open(Stage.document))
    stage.done(.close(Stage.document))
    #expect(Self.current(1, on: stage))
  }

  // MARK: Deleted pages

  @Test func thePictureGoesBehindItsPage() throws {
    let stage = Self.closed()
    let picture = try #require(stage.bytes(Self.path(1)))
    stage.done(.open(Stage.document))
    stage.disk.beginRecording()
    stage.done(.deletePage(Stage.name(1)))
    stage.done(.advanceUntilSaved)
    let unlinks = stage.counted().filter { $0.hasPrefix("unlink") }
    #expect(unlinks == ["unlink pages/page1", "unlink thumbnails/page1"])
    #expect(stage.names(in: "thumbnails") == ["page2"])
    // A power cut brings the picture back, which nobody synced away; the next close finds it.
    try stage.look.make(Self.path(1), picture)
    stage.done(.close(Stage.document))
    #expect(stage.names(in: "thumbnails") == ["page2"])
  }

  @Test func thePictureStaysWhileItsPageIsThere() throws {
    let stage = Self.closed()
    stage.done(.open(Stage.document))
    try stage.failing(.eio, nth: nil, on: [.unlink], path: "\(Stage.pagePath(1))")
    stage.done(.deletePage(Stage.name(1)))
    stage.answer(.background)
    #expect(stage.names(in: "thumbnails") == ["page1", "page2"])
    // A process that ends here leaves both, and the next close does not take one without the other.
    stage.answer(.letGo(Stage.document))
    stage.restartStore()
    stage.disk.clearAll()
    stage.done(.open(Stage.document))
    stage.done(.close(Stage.document))
    #expect(stage.names(in: "pages").contains("page1"))
    #expect(stage.names(in: "thumbnails") == ["page1", "page2"])
  }
}
