import FileTracing
import Files
import LNoteFormat
import Rendering
import Testing

@testable import LNoteStore

/// A picture that cannot be drawn or written costs nothing but itself.
@Suite struct ThumbnailFailureTests {
  /// Each operation of the drawing fails once: nobody is told, and nothing half is left.
  @Test(arguments: [Errno.enospc, .eio, .erofs]) func atEveryOperationOfADrawing(_ errno: Errno) throws {
    var reached = 0
    for nth in UInt64(1)... {
      let stage = Stage.withPages(1, drawsThumbnails: true)
      let before = try #require(stage.bytes(ThumbnailTests.path(1)))
      let edit = stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
      let pictures = ["*", ".*"].map { NamePattern(BytePath("\(Stage.package)/thumbnails/\($0)")) }
      try stage.disk.arm(
        FaultRule(
          name: "failing", effect: .errno(errno), operations: [.create, .write, .rename],
          target: FaultTarget(patterns: pictures, spelling: "pictures"), occurrence: FaultOccurrence(nth: nth)))
      let answer = stage.answer(.background)
      if stage.disk.firings.isEmpty { break }
      reached += 1
      #expect(answer.failures == [])
      #expect(answer.unsaved.isEmpty)
      #expect(answer.durable.pages == [DurablePage(Stage.name(1), upTo: edit.number)])
      #expect(stage.temporaryNames() == [], "operation \(nth)")
      #expect(stage.bytes(ThumbnailTests.path(1)) == before, "operation \(nth)")
      stage.disk.clearAll()
      // It is owed until it is drawn, though nothing has changed since.
      stage.done(.background)
      #expect(ThumbnailTests.current(1, on: stage), "operation \(nth)")
    }
    #expect(reached == 3)
  }

  /// What is unsaved needs the room more than a picture does.
  @Test(arguments: [Errno.enospc, .eio]) func nothingIsDrawnWhileAnythingIsUnsaved(_ errno: Errno) throws {
    let stage = Stage.withPages(2, drawsThumbnails: true)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.addStroke(Stage.name(2), Stage.stroke(11)))
    try stage.failing(errno, nth: nil, on: [.write], path: "\(Stage.package)/pages/.\(Stage.page(2)).content.*.tmp")
    let answer = stage.answer(.background)
    #expect(answer.failures.map(\.errno) == [errno])
    #expect(stage.elementsOnDisk(1) == [1, 10])
    #expect(!stage.counted().contains { $0.contains("thumbnails") })
    stage.disk.clearAll()
    stage.done(.background)
    #expect(ThumbnailTests.current(1, on: stage) && ThumbnailTests.current(2, on: stage))
  }

  /// The folder may be gone: a picture is no reason to make one, or to fail.
  @Test func withoutTheirFolderNoneAreDrawn() throws {
    let stage = Stage.withPages(1)
    try stage.look.removeDirectory(Stage.package.appending(PackageNames.thumbnails))
    let drawing = Stage(drawsThumbnails: true, disk: stage.disk)
    stage.done(.letGo(Stage.document))
    drawing.done(.open(Stage.document))
    drawing.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    drawing.done(.close(Stage.document))
    #expect(drawing.elementsOnDisk(1) == [1, 10])
    #expect(drawing.temporaryNames() == [])
  }

  /// Whatever a power cut takes of a picture, the page is there, and the next close draws it.
  @Test func aPowerCutTakesAPictureAndNoStroke() {
    let stage = Stage.withPages(1, drawsThumbnails: true)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.background)
    #expect(ThumbnailTests.current(1, on: stage))
    stage.cut(.keepNone)
    #expect(stage.elementsOnDisk(1) == [1, 10])
    #expect(!ThumbnailTests.current(1, on: stage))
    stage.done(.open(Stage.document))
    stage.done(.close(Stage.document))
    #expect(ThumbnailTests.current(1, on: stage))
  }
}
