import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteStore

/// What the store reads, and what it does not do after it could not read.
@Suite struct LoadingTests {
  /// A saved document that is closed, where recording begins.
  static func closed(pages: UInt64 = 2, mutant: StoreMutant? = nil) -> Stage {
    let stage = Stage.withPages(pages, mutant: mutant)
    stage.done(.close(Stage.document))
    stage.disk.beginRecording()
    return stage
  }

  @Test func openReadsNoPageAndAPageIsReadWhenTouched() {
    let stage = Self.closed()
    stage.done(.open(Stage.document))
    #expect(stage.everything() == ["open package", "open document", "open manifest"])
    stage.disk.beginRecording()
    stage.done(.readPage(Stage.name(2)))
    #expect(stage.everything() == ["open pages", "readdir pages", "open pages/page2"])
    stage.disk.beginRecording()
    stage.done(.readPage(Stage.name(2)))
    #expect(stage.everything() == [])
  }

  @Test func theLibraryReadsManifestsAndCoversOnly() throws {
    let stage = Self.closed()
    try stage.look.make(Stage.package.appending(PackageNames.thumbnail(Stage.page(1))), [1])
    try stage.look.makeDirectories("not a package")
    try stage.look.makeDirectories(BytePath(PackageNames.package(Stage.page(9))))
    try stage.look.make("file.lnote")
    stage.disk.beginRecording()
    let items = stage.done(.list).payload
    let manifest = stage.manifestOnDisk()
    #expect(manifest?.pageCount == 2)
    #expect(
      items
        == .library([
          LibraryItem(document: Stage.document, manifest: manifest, hasCover: true),
          LibraryItem(document: Stage.page(9), manifest: nil, hasCover: false),
        ]))
    let touched = stage.disk.log.records.filter { $0.kind == .read }.map(\.path.name)
    #expect(Set(touched) == ["manifest.json"])
    #expect(stage.counted() == [])
  }

  @Test(arguments: [Errno.eio, .eacces, .enoent]) func nothingIsWrittenAfterADocumentCouldNotBeRead(
    _ errno: Errno
  ) throws {
    for kind in [OperationKind.open, .read] {
      let stage = Self.closed()
      let before = stage.bytes(Stage.documentPath)
      stage.disk.beginRecording()
      try stage.failing(errno, nth: 1, on: [kind], path: "**/document.json")
      let opened = stage.answer(.open(Stage.document))
      #expect(opened.failures.map(\.kind) == [.fileCall])
      #expect(opened.failures.map(\.errno) == [errno])
      // The user draws to test.
      #expect(stage.answer(.addStroke(Stage.name(1), Stage.stroke(10))).failures.map(\.kind) == [.notFound])
      stage.answer(.background)
      stage.answer(.advance(milliseconds: 5000))
      stage.answer(.close(Stage.document))
      #expect(stage.counted() == [])
      #expect(stage.bytes(Stage.documentPath) == before)
      // The lock is free again, and nothing was lost.
      stage.disk.clearAll()
      stage.done(.open(Stage.document))
      #expect(stage.elementsOnDisk(1) == [1])
    }
  }

  @Test func aDamagedDocumentDoesNotOpen() throws {
    let rows: [(String, (inout [UInt8]) -> Void, StoreFailure.Kind)] = [
      ("empty", { $0 = [] }, .damaged), ("zeros", { $0 = $0.map { _ in 0 } }, .damaged),
      ("half", { $0 = Array($0.prefix($0.count / 2)) }, .damaged),
      ("one letter of the title", { $0[$0.firstRange(of: Array("Analysis".utf8))!.lowerBound] ^= 1 }, .damaged),
      ("another document", { $0 = Self.record(id: Stage.page(1)) }, .damaged),
      ("a page twice", { $0 = Self.record(pages: [1, 1]) }, .damaged),
      ("an impossible generation", { $0 = Self.record(generation: UInt64(Int64.max)) }, .damaged),
      ("a newer format", { $0 = Self.replacing("\"formatVersion\": 1", "\"formatVersion\": 9", $0) }, .versionUnknown),
    ]
    for (name, change, kind) in rows {
      let stage = Self.closed()
      var bytes = try #require(stage.bytes(Stage.documentPath))
      change(&bytes)
      try stage.look.replace(Stage.documentPath, with: bytes)
      stage.disk.beginRecording()
      #expect(stage.answer(.open(Stage.document)).failures.map(\.kind) == [kind], "\(name)")
      #expect(stage.answer(.background).failures == [])
      #expect(stage.counted() == [], "\(name)")
    }
  }

  static func record(id: NoteID = Stage.document, pages: [UInt64] = [], generation: UInt64 = 3) -> [UInt8] {
    let entries = pages.map {
      PageEntry(
        id: Stage.page($0), canvas: Stage.canvas, created: Stage.now, modified: Stage.now, elementCount: 0,
        generation: 1)
    }
    return DocumentRecord(
      id: id, title: "", created: Stage.now, modified: Stage.now, generation: generation, pages: entries
    ).encoded()
  }

  /// The text with another piece in place of `old`, and without its checksum, as an editor would leave it.
  static func replacing(_ old: String, _ new: String, _ bytes: [UInt8]) -> [UInt8] {
    var text = String(decoding: bytes, as: UTF8.self).replacing(old, with: new)
    text.removeSubrange(
      text.firstRange(of: "  \"checksum\"")!.lowerBound..<text.firstRange(of: "  \"createdAt\"")!.lowerBound)
    return Array(text.utf8)
  }

  @Test func anEditedDocumentOpensAndIsWrittenWithAChecksum() throws {
    let stage = Self.closed()
    let edited = Self.replacing("Analysis I", "By hand", try #require(stage.bytes(Stage.documentPath)))
    try stage.look.replace(Stage.documentPath, with: edited)
    stage.done(.open(Stage.document))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.background)
    #expect(stage.recordOnDisk()?.title == "By hand")
    #expect(stage.manifestOnDisk()?.title == "By hand")
  }

  @Test(arguments: [Errno.eio, .eacces, .enoent]) func aPageThatCannotBeReadTakesNoEdits(_ errno: Errno) throws {
    let stage = Self.closed()
    stage.done(.open(Stage.document))
    let before = stage.bytes(Stage.pagePath(1))
    stage.disk.beginRecording()
    try stage.failing(errno, nth: nil, on: [.open, .read], path: "**/*.content")
    for command in [
      StoreCommand.addStroke(Stage.name(1), Stage.stroke(10)), .readPage(Stage.name(1)),
      .deleteElement(Stage.name(1), element: Stage.element(1)), stage.insertImage(1, on: 1),
    ] {
      let answer = stage.answer(command)
      #expect(answer.failures.map(\.errno) == [errno])
      #expect(answer.unsaved.isEmpty)
    }
    stage.done(.background)
    #expect(stage.counted() == [])
    stage.disk.clearAll()
    #expect(stage.bytes(Stage.pagePath(1)) == before)
    // The next touch tries again.
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.background)
    #expect(stage.elementsOnDisk(1) == [1, 10])
  }

  @Test func aDamagedPageTakesNoEditsAndItsNeighboursDo() throws {
    let rows: [(inout [UInt8]) -> Void] = [
      { $0 = [] }, { $0.removeLast() }, { $0.append(0) }, { $0[90] ^= 1 }, { $0[50] ^= 1 },
    ]
    for (place, change) in rows.enumerated() {
      let stage = Self.closed()
      var bytes = try #require(stage.bytes(Stage.pagePath(1)))
      change(&bytes)
      try stage.look.replace(Stage.pagePath(1), with: bytes)
      stage.done(.open(Stage.document))
      #expect(stage.answer(.addStroke(Stage.name(1), Stage.stroke(10))).failures.map(\.kind) == [.damaged], "\(place)")
      stage.done(.addStroke(Stage.name(2), Stage.stroke(10)))
      stage.done(.close(Stage.document))
      #expect(stage.bytes(Stage.pagePath(1)) == bytes, "\(place)")
      #expect(stage.elementsOnDisk(2) == [2, 10])
    }
  }

  @Test func olderVersionsCanBeReadAndNotChanged() throws {
    let stage = Stage.withPages(1)
    let oldPage = try #require(stage.bytes(Stage.pagePath(1)))
    let oldDocument = try #require(stage.bytes(Stage.documentPath))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.close(Stage.document))
    let newPage = try #require(stage.bytes(Stage.pagePath(1)))
    // An older page came back.
    try stage.look.replace(Stage.pagePath(1), with: oldPage)
    stage.done(.open(Stage.document))
    #expect(stage.answer(.addStroke(Stage.name(1), Stage.stroke(11))).failures.map(\.kind) == [.readOnly])
    guard case .page(let content) = stage.done(.readPage(Stage.name(1))).payload else { return #expect(Bool(false)) }
    #expect(content.elements.compactMap(\.id) == [Stage.element(1)])
    stage.done(.close(Stage.document))
    // An older document came back; the entry lags the page, which alone is normal.
    try stage.look.replace(Stage.pagePath(1), with: newPage)
    try stage.look.replace(Stage.documentPath, with: oldDocument)
    stage.done(.open(Stage.document))
    #expect(stage.answer(.addStroke(Stage.name(1), Stage.stroke(11))).failures.map(\.kind) == [.readOnly])
    #expect(stage.answer(.setTitle(Stage.document, "B")).failures.map(\.kind) == [.readOnly])
    stage.done(.readPage(Stage.name(1)))
    stage.done(.close(Stage.document))
    #expect(stage.bytes(Stage.documentPath) == oldDocument)
    // Without the manifest's word it is an entry that lags.
    try stage.look.unlink(Stage.manifestPath)
    stage.done(.open(Stage.document))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    stage.done(.close(Stage.document))
    #expect(stage.elementsOnDisk(1) == [1, 10, 11])
    #expect(stage.manifestOnDisk()?.documentGeneration == stage.recordOnDisk()?.generation)
  }

  @Test func generationsOfLeftoversAreNotUsedAgain() throws {
    let stage = Self.closed()
    var left = try #require(stage.pageOnDisk(1))
    left.generation = 41
    let names = [
      ".\(Stage.page(1)).content.0000002a.tmp", ".dat.nosync1F.abcdef", ".\(Stage.page(1)).content.00000000.tmp",
    ]
    try stage.look.make(Stage.package.appending("pages/\(names[0])"), Array(left.encoded().dropLast(2)))
    left.generation = 57
    try stage.look.make(Stage.package.appending("pages/\(names[1])"), left.encoded())
    try stage.look.make(Stage.package.appending("pages/\(names[2])"), [])
    stage.done(.open(Stage.document))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.addStroke(Stage.name(2), Stage.stroke(11)))
    stage.done(.background)
    #expect(stage.pageOnDisk(1)?.generation == 58)
    #expect(stage.pageOnDisk(2)?.generation == 2)
  }

  @Test func aFileThatNoEntryListsIsNotReplacedByANewPage() throws {
    let stage = Self.closed(pages: 1)
    let left = PageSnapshot(
      id: Stage.page(2), generation: 1, canvas: Stage.canvas, created: Stage.now, modified: Stage.now,
      elements: [.stroke(Stage.stroke(5))])
    try stage.look.make(Stage.pagePath(2), left.encoded())
    stage.done(.open(Stage.document))
    #expect(stage.answer(.addPage(Stage.name(2), canvas: Stage.canvas, at: nil)).failures.map(\.kind) == [.exists])
    stage.done(.close(Stage.document))
    #expect(stage.elementsOnDisk(2) == [5])
  }

  @Test func aDeletionThatACrashCutShortIsFinishedLater() throws {
    for (generation, names) in [(UInt64(1), ["page2"]), (9, ["page1", "page2"])] {
      let stage = Stage.withPages(2)
      stage.done(.deletePage(Stage.name(1)))
      try stage.failing(.eio, nth: 1, on: [.unlink])
      stage.answer(.background)
      stage.done(.letGo(Stage.document))
      var left = try #require(stage.pageOnDisk(1))
      left.generation = generation
      try stage.look.replace(Stage.pagePath(1), with: left.encoded())
      stage.done(.open(Stage.document))
      stage.done(.setTitle(Stage.document, "B"))
      stage.done(.background)
      // A newer file of that name is not the page that was deleted.
      #expect(stage.names(in: "pages") == names)
    }
  }

  @Test func knownLossStaysCountedUntilItIsAccepted() throws {
    for (isAccepted, count) in [(false, UInt64(102)), (true, 2)] {
      let stage = Self.closed(pages: 1)
      var record = try #require(stage.recordOnDisk())
      record.pages[0].elementCount = 101
      record.pages[0].losses = [
        RecordedLoss(at: Stage.now, code: "LN3001", elements: 100, stamp: "20261130T140212Z", isAccepted: isAccepted)
      ]
      try stage.look.replace(Stage.documentPath, with: record.encoded())
      stage.done(.open(Stage.document))
      stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
      stage.done(.close(Stage.document))
      #expect(stage.recordOnDisk()?.pages[0].elementCount == count)
      #expect(stage.recordOnDisk()?.pages[0].losses == record.pages[0].losses)
    }
  }

  @Test func unknownKeysAndElementsAreKept() throws {
    let stage = Self.closed(pages: 1)
    var record = try #require(stage.recordOnDisk())
    record.unknown = ["paper": "lined"]
    record.pages[0].unknown = ["tint": 3]
    try stage.look.replace(Stage.documentPath, with: record.encoded())
    var manifest = try #require(stage.manifestOnDisk())
    manifest.unknown = ["pinned": true]
    try stage.look.replace(Stage.manifestPath, with: manifest.encoded())
    var page = try #require(stage.pageOnDisk(1))
    page.elements.append(.unknown(UnknownElement(type: 9, payload: [1, 2, 3])))
    try stage.look.replace(Stage.pagePath(1), with: page.encoded())
    stage.done(.open(Stage.document))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.close(Stage.document))
    #expect(stage.recordOnDisk()?.unknown == record.unknown)
    #expect(stage.recordOnDisk()?.pages[0].unknown == record.pages[0].unknown)
    #expect(stage.manifestOnDisk()?.unknown == manifest.unknown)
    #expect(stage.pageOnDisk(1)?.elements == page.elements + [.stroke(Stage.stroke(10))])
  }

  @Test func loadFailureIsEmptyIsConvicted() throws {
    let stage = Self.closed(mutant: .loadFailureIsEmpty)
    try stage.failing(.eio, nth: 1, on: [.read], path: "**/document.json")
    stage.answer(.open(Stage.document))
    stage.answer(.background)
    #expect(stage.recordOnDisk()?.pages == [])
    let other = Self.closed(mutant: .loadFailureIsEmpty)
    other.done(.open(Stage.document))
    try other.failing(.eio, nth: 1, on: [.read], path: "**/*.content")
    other.answer(.addStroke(Stage.name(1), Stage.stroke(10)))
    other.answer(.background)
    #expect(other.elementsOnDisk(1) == [10])
  }

  @Test func retryFsyncIsConvicted() throws {
    for (mutant, count) in [(StoreMutant?.none, 1), (.retryFsync, 2)] {
      let stage = Stage.withPages(1, mutant: mutant)
      stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
      try stage.failing(.eio, nth: 1, on: [.fsync])
      stage.answer(.background)
      let synced = stage.disk.log.records.filter { $0.kind == .fsync }.map(\.inode)
      #expect(synced.filter { $0 == synced.first }.count == count)
    }
  }
}
