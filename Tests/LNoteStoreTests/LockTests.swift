import Files
import Glibc
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteStore

@Suite struct LockTests {
  @Test func aSecondWriterIsRefusedUntilTheFirstLetsGo() {
    for end in [StoreCommand.close(Stage.document), .letGo(Stage.document)] {
      let first = Stage.withPages(1)
      let second = Stage(disk: first.disk)
      let refused = second.answer(.open(Stage.document))
      #expect(refused.failures.map(\.kind) == [.locked])
      #expect(refused.failures.map(\.errno) == [.eagain])
      #expect(second.answer(.addStroke(Stage.name(1), Stage.stroke(10))).failures.map(\.kind) == [.notFound])
      first.done(end)
      second.done(.open(Stage.document))
      #expect(first.answer(.open(Stage.document)).failures.map(\.kind) == [.locked])
    }
  }

  @Test func theHolderIsNamedOnTheHost() throws {
    let folder = try TemporaryDirectory("lock")
    let configuration = StoreConfiguration(now: Stage.now, seed: 1)
    let first = StoreSession(volume: try folder.volume(), configuration: configuration)
    #expect(first.perform(NumberedCommand(1, .createDocument(Stage.document, title: "A"))).failures == [])
    let second = StoreSession(volume: try folder.volume(), configuration: configuration)
    let refused = second.perform(NumberedCommand(1, .open(Stage.document)))
    #expect(refused.failures.map(\.kind) == [.locked])
    #expect(refused.failures.first?.message.contains("(process \(getpid()))") == true)
  }

  @Test func aDocumentThatAnotherProgramChangedIsNotWrittenOver() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    // A sync service puts its own version in place.
    let other = LoadingTests.record(pages: [1], generation: 90)
    try stage.look.make("other", other)
    try stage.look.rename("other", to: Stage.documentPath)
    stage.disk.beginRecording()
    let refused = stage.answer(.background)
    #expect(refused.failures.map(\.kind) == [.changedElsewhere])
    #expect(refused.unsaved.pages == [Stage.name(1)])
    #expect(stage.counted() == [])
    #expect(stage.bytes(Stage.documentPath) == other)
  }
}
