import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteStore

/// What the checker wrote into a document about losses goes on in the manifest, with the saves that there are anyway.
@Suite struct LossMirrorTests {
  static func loss(_ number: UInt64) -> RecordedLoss {
    RecordedLoss(at: Stage.now, code: "LN3001", elements: number, stamp: "20261130T140212Z")
  }

  /// Pages 1 and 2 with a loss each, and one of the document, as a repair leaves them.
  static func stage() throws -> Stage {
    let stage = Stage.withPages(2)
    stage.done(.close(Stage.document))
    var record = try #require(stage.recordOnDisk())
    record.losses = [loss(7)]
    record.pages[0].losses = [loss(1)]
    record.pages[1].losses = [loss(2)]
    try stage.look.replace(Stage.documentPath, with: record.encoded())
    try stage.look.replace(
      Stage.manifestPath, with: ManifestRecord(mirroring: record, after: stage.manifestOnDisk()).encoded())
    stage.restartStore()
    stage.done(.open(Stage.document))
    stage.disk.beginRecording()
    return stage
  }

  @Test func aSaveKeepsThemAndTakesNoOperationMore() throws {
    let stage = try Self.stage()
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.background)
    #expect(
      stage.counted() == SaveOrderTests.staging("page1") + ["rename pages/~page1, pages/page1", "fsync pages"]
        + SaveOrderTests.record + ["fsync package"] + SaveOrderTests.manifest)
    let record = try #require(stage.recordOnDisk())
    #expect(record.mirroredLosses.map(\.loss.elements) == [7, 1, 2])
    #expect(stage.manifestOnDisk()?.losses == record.mirroredLosses)
  }

  @Test func theyGoWithTheirPage() throws {
    let stage = try Self.stage()
    stage.done(.deletePage(Stage.name(1)))
    stage.done(.background)
    #expect(stage.manifestOnDisk()?.losses?.map(\.loss.elements) == [7, 2])
  }

  @Test func aDocumentThatNeverLostAnythingHasNoList() throws {
    let stage = Stage.withPages(2)
    #expect(stage.manifestOnDisk()?.losses == nil)
    #expect(stage.bytes(Stage.manifestPath).map { String(decoding: $0, as: UTF8.self).contains("losses") } == false)
  }
}
