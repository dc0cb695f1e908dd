import FileTracing
import Files
import LNoteFormat
import Testing

@testable import LNoteStore

/// A manifest that a crash left behind its document is brought up to date, whatever the next run does.
@Suite struct ManifestTests {
  /// A closed document with the title "B", and the manifest from before that.
  static func behind() throws -> Stage {
    let stage = Stage.withPages(2)
    let old = try #require(stage.bytes(Stage.manifestPath))
    stage.done(.setTitle(Stage.document, "B"))
    stage.done(.close(Stage.document))
    try stage.look.replace(Stage.manifestPath, with: old)
    stage.restartStore()
    stage.done(.open(Stage.document))
    stage.disk.beginRecording()
    return stage
  }

  @Test(arguments: [StoreCommand.close(Stage.document), .background]) func nothingElseIsToSave(
    _ end: StoreCommand
  ) throws {
    let stage = try Self.behind()
    #expect(stage.done(.readPage(Stage.name(1))).unsaved.isEmpty)
    #expect(stage.counted() == [])
    stage.done(end)
    #expect(stage.counted() == SaveOrderTests.manifest)
    #expect(stage.manifestOnDisk() == ManifestRecord(mirroring: try #require(stage.recordOnDisk())))
    // Once is enough.
    stage.done(.background)
    #expect(stage.counted() == SaveOrderTests.manifest)
  }

  @Test func aSaveBeginsWithWhatTheDocumentHoldsAndEndsWithWhatIsNew() throws {
    let stage = try Self.behind()
    stage.done(.deletePage(Stage.name(1)))
    try stage.failing(.eio, nth: 1, on: [.rename], path: "**/document.json")
    stage.answer(.background)
    #expect(stage.counted().prefix(4) == SaveOrderTests.manifest[...])
    #expect(stage.manifestOnDisk() == ManifestRecord(mirroring: try #require(stage.recordOnDisk())))
    #expect(stage.manifestOnDisk()?.pageCount == 2)
    stage.done(.background)
    #expect(stage.manifestOnDisk()?.pageCount == 1)
    #expect(stage.manifestOnDisk()?.documentGeneration == stage.recordOnDisk()?.generation)
  }

  /// No stroke waits for it: a disk that takes no manifest keeps nobody from closing the document.
  @Test func aFailureIsNotToldAndTriedAgain() throws {
    let stage = try Self.behind()
    try stage.failing(.erofs, nth: nil)
    stage.done(.background)
    #expect(stage.temporaryNames() == [])
    stage.disk.clearAll()
    stage.done(.close(Stage.document))
    #expect(stage.manifestOnDisk()?.title == "B")
    let full = try Self.behind()
    try full.failing(.enospc, nth: nil)
    full.done(.close(Stage.document))
    #expect(full.manifestOnDisk()?.title == "Analysis I")
  }

  @Test func nothingIsWrittenWhereAnotherProgramChangedTheDocument() throws {
    let stage = try Self.behind()
    try stage.look.make("other", LoadingTests.record(pages: [1], generation: 90))
    try stage.look.rename("other", to: Stage.documentPath)
    stage.disk.beginRecording()
    stage.done(.close(Stage.document))
    #expect(stage.counted() == [])
  }

  /// The library's entry of another document, of a later version or of this one is none that is behind.
  @Test func anotherManifestIsLeftAlone() throws {
    let record = try #require(Stage.withPages(2).recordOnDisk())
    var later = ManifestRecord(mirroring: record)
    later.documentGeneration += 1
    var other = ManifestRecord(mirroring: record)
    other.documentGeneration = 1
    other.id = Stage.page(1)
    for manifest in [later, other, ManifestRecord(mirroring: record)] {
      let stage = LoadingTests.closed()
      try stage.look.replace(Stage.manifestPath, with: manifest.encoded())
      stage.done(.open(Stage.document))
      stage.disk.beginRecording()
      stage.done(.close(Stage.document))
      #expect(stage.counted() == [])
    }
  }

  /// Where the package's folder cannot be synced, the old manifest may come back: the page's file waits.
  @Test func aDeletedPageWaitsForTheManifest() throws {
    for path in ["**/.manifest.json.*", "*.lnote"] {
      let stage = Stage.withPages(2)
      stage.done(.deletePage(Stage.name(1)))
      // The package's first sync is that of document.json.
      try stage.failing(.eio, nth: path == "*.lnote" ? 2 : 1, on: [.fsync], path: path)
      #expect(stage.answer(.background).failures.map(\.errno) == [.eio], "\(path)")
      #expect(stage.disk.firings.count == 1)
      #expect(stage.names(in: "pages") == ["page1", "page2"], "\(path)")
      stage.done(.setTitle(Stage.document, "B"))
      stage.done(.close(Stage.document))
      #expect(stage.names(in: "pages") == ["page2"])
    }
  }
}
