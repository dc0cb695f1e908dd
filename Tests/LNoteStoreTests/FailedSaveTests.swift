import FileTracing
import Files
import LNoteFormat
import Testing

@testable import LNoteStore

/// One operation of a save fails; n = 1, 2, 3, … until a run in which none did.
@Suite struct FailedSaveTests {
  static let errnos: [Errno] = [.eio, .enospc, .erofs]

  @Test(arguments: errnos) func atEveryOperationOfASave(_ errno: Errno) throws {
    var reached = 0
    for nth in UInt64(1)... {
      let stage = Stage.withPages(2)
      let before = stage.pageOnDisk(1)
      let edit = stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
      try stage.failing(errno, nth: nth)
      let failed = stage.answer(.background)
      if stage.disk.firings.isEmpty { break }
      reached += 1
      #expect(failed.failures.map(\.errno) == [errno], "operation \(nth)")
      #expect(failed.failures.map(\.kind) == [.fileCall])
      #expect(stage.temporaryNames() == [], "operation \(nth)")
      let page = stage.pageOnDisk(1)
      // create, write, fsync, rename: the old file is untouched; fsync of the directory: the new one is there, in doubt.
      if nth <= 4 {
        #expect(page == before)
      } else {
        #expect(page?.elements == [.stroke(Stage.stroke(1)), .stroke(Stage.stroke(10))])
      }
      #expect(failed.unsaved.pages == (nth <= 5 ? [Stage.name(1)] : []), "operation \(nth)")
      #expect(failed.unsaved.documents == (nth >= 6 ? [Stage.document] : []), "operation \(nth)")
      #expect(failed.durable.pages == (nth <= 5 ? [] : [DurablePage(Stage.name(1), upTo: edit.number)]))
      #expect(stage.recordOnDisk() != nil)
      try nextSaveWorks(stage, nth)
    }
    #expect(reached == 14)
  }

  /// The next save takes new temporary files and new generations, and what it calls durable survives.
  private func nextSaveWorks(_ stage: Stage, _ nth: UInt64) throws {
    stage.disk.clearAll()
    stage.done(.background)
    #expect(stage.temporaryNames() == [])
    let created = stage.disk.log.records.filter { $0.kind == .create && $0.errno == nil }.map(\.path)
    #expect(Set(created).count == created.count, "a temporary name was used twice")
    let synced = stage.disk.log.records.filter { $0.kind == .fsync && $0.path.name.hasPrefix(".") }.map(\.inode)
    #expect(Set(synced).count == synced.count, "a file was synced twice")
    stage.cut(.keepNone)
    #expect(stage.elementsOnDisk(1) == [1, 10])
    #expect(stage.recordOnDisk()?.pages.first?.elementCount == 2)
    // Whatever failed, a number is used for one body only: pages take it at each try, so does the document.
    #expect(stage.pageOnDisk(1)?.generation == (nth <= 5 ? 3 : 2), "operation \(nth)")
    #expect(stage.recordOnDisk()?.pages.first?.generation == stage.pageOnDisk(1)?.generation)
    #expect(stage.recordOnDisk()?.generation == ((6...10).contains(nth) ? 4 : 3), "operation \(nth)")
  }

  @Test(arguments: errnos) func atEveryOperationOfAnInsertedPicture(_ errno: Errno) throws {
    var reached = 0
    for nth in UInt64(1)... {
      let stage = Stage.withPages(1)
      try stage.failing(errno, nth: nth)
      let failed = stage.answer(stage.insertImage(1, on: 1))
      if stage.disk.firings.isEmpty { break }
      reached += 1
      #expect(failed.failures.map(\.errno) == [errno])
      #expect(failed.durable.isEmpty)
      #expect(failed.unsaved.isEmpty)
      #expect(stage.names(in: "assets") == [])
      // The same picture can be inserted again.
      stage.disk.clearAll()
      stage.done(stage.insertImage(1, on: 1))
      stage.done(.background)
      #expect(stage.elementsOnDisk(1) == [1, 501])
      #expect(stage.names(in: "assets") == ["asset1"])
    }
    #expect(reached == 5)
  }

  @Test(arguments: errnos) func atEveryOperationOfANewDocument(_ errno: Errno) throws {
    var reached = 0
    for nth in UInt64(1)... {
      let stage = Stage()
      try stage.failing(errno, nth: nth)
      let failed = stage.answer(.createDocument(Stage.document, title: "A"))
      if stage.disk.firings.isEmpty { break }
      reached += 1
      #expect(failed.failures.map(\.errno) == [errno])
      #expect(failed.durable.isEmpty)
      #expect(try stage.look.entries(of: .root, countMax: 10) == [], "operation \(nth)")
      stage.disk.clearAll()
      stage.done(.createDocument(Stage.document, title: "A"))
      #expect(stage.recordOnDisk()?.title == "A")
    }
    #expect(reached == 16)
  }

  @Test(arguments: errnos) func atEveryOperationOfADeletedPage(_ errno: Errno) throws {
    var reached = 0
    for nth in UInt64(1)... {
      let stage = Stage.withPages(2)
      stage.done(.deletePage(Stage.name(1)))
      try stage.failing(errno, nth: nth)
      let failed = stage.answer(.background)
      if stage.disk.firings.isEmpty { break }
      reached += 1
      #expect(failed.failures.map(\.errno) == [errno])
      #expect(stage.temporaryNames() == [])
      // An entry never lacks its file.
      let listed = stage.recordOnDisk()?.pages.map(\.id) ?? []
      #expect(!listed.contains(Stage.page(1)) || stage.pageOnDisk(1) != nil)
      // Nor does the manifest count a file that is gone.
      #expect(stage.manifestOnDisk()?.pageCount == 1 || stage.pageOnDisk(1) != nil)
      stage.disk.clearAll()
      stage.done(.setTitle(Stage.document, "B"))
      stage.done(.background)
      #expect(stage.names(in: "pages") == ["page2"])
      #expect(stage.recordOnDisk()?.pages.map(\.id) == [Stage.page(2)])
    }
    #expect(reached == 11)
  }

  @Test func closeThatFailsIsAFailedSave() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(.eio, nth: 1, on: [.close])
    #expect(stage.answer(.background).failures.map(\.errno) == [.eio])
    #expect(stage.temporaryNames() == [])
    #expect(stage.elementsOnDisk(1) == [1])
    stage.done(.background)
    #expect(stage.elementsOnDisk(1) == [1, 10])
  }

  @Test func aTakenTemporaryNameIsNoFailure() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(.eexist, nth: 1, on: [.create])
    stage.done(.background)
    #expect(stage.elementsOnDisk(1) == [1, 10])
  }

  @Test(arguments: [Errno.eexist, .exdev]) func aRenameThatDoesNotReplaceIsNotMadeUpFor(_ errno: Errno) throws {
    let stage = Stage.withPages(1)
    let before = stage.bytes(Stage.pagePath(1))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(errno, nth: nil, on: [.rename])
    for _ in 1...2 {
      let failed = stage.answer(.background)
      #expect(failed.failures.map(\.errno) == [errno])
      #expect(failed.unsaved.pages == [Stage.name(1)])
      #expect(stage.bytes(Stage.pagePath(1)) == before)
      #expect(stage.temporaryNames() == [])
    }
    #expect(!stage.counted().contains("unlink pages/page1"))
    stage.disk.clearAll()
    stage.done(.background)
    #expect(stage.elementsOnDisk(1) == [1, 10])
  }

  @Test func shortWritesAreGoneOnWith() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10, points: 40)))
    try stage.disk.arm(FaultRule(name: "short", effect: .shortWrite(bytesMax: 100), operations: [.write]))
    stage.done(.background)
    #expect(stage.elementsOnDisk(1) == [1, 10])
    #expect(stage.counted().filter { $0 == "write pages/~page1" }.count > 5)
  }

  @Test func aFullDiskKeepsAllThatFitsAndTheRestIsSavedLater() {
    let stage = Stage.withPages(3)
    for page in UInt64(1)...3 { stage.done(.addStroke(Stage.name(page), Stage.stroke(page + 10, points: 300))) }
    stage.disk.setFreeSpace(bytes: 8 << 10)
    let failed = stage.answer(.background)
    #expect(failed.failures.map(\.errno) == [.enospc])
    #expect(stage.temporaryNames() == [])
    #expect(failed.durable.pages.map(\.page) == [Stage.name(1)])
    #expect(failed.unsaved.pages == [Stage.name(2), Stage.name(3)])
    #expect((1...3).map { stage.elementsOnDisk($0) } == [[1, 11], [2], [3]])
    stage.disk.setFreeSpace(bytes: nil)
    let later = stage.done(.background)
    #expect(later.durable.pages.map(\.page) == [Stage.name(2), Stage.name(3)])
    #expect(later.unsaved.isEmpty)
  }

  @Test func whatCannotEvenBeRemovedIsRemovedBeforeTheNextSave() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(.eio, nth: nil, on: [.fsync, .unlink])
    #expect(stage.answer(.background).failures.map(\.errno) == [.eio])
    #expect(stage.temporaryNames() == ["pages/~page1"])
    stage.disk.clearAll()
    stage.done(.background)
    #expect(stage.temporaryNames() == [])
  }

  @Test func aDocumentThatCannotBeSavedStaysOpenAtClose() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(.eio, nth: 1)
    let failed = stage.answer(.close(Stage.document))
    #expect(failed.failures.map(\.errno) == [.eio])
    #expect(failed.unsaved.pages == [Stage.name(1)])
    stage.done(.close(Stage.document))
    #expect(stage.elementsOnDisk(1) == [1, 10])
    #expect(stage.answer(.background).failures == [])
    #expect(stage.answer(.close(Stage.document)).failures.map(\.kind) == [.notFound])
  }

  /// Nothing is unsaved where only the file of a deleted page stays.
  @Test func aPageFileThatCannotBeRemovedKeepsNoDocumentOpen() throws {
    let stage = Stage.withPages(2)
    stage.done(.deletePage(Stage.name(1)))
    try stage.failing(.enospc, nth: nil, on: [.unlink])
    let closed = stage.answer(.close(Stage.document))
    #expect(closed.failures.map(\.errno) == [.enospc])
    #expect(closed.unsaved.isEmpty)
    #expect(stage.names(in: "pages").contains("page1"))
    stage.disk.clearAll()
    stage.done(.open(Stage.document))
    // The next save takes it away.
    stage.done(.setTitle(Stage.document, "Later"))
    stage.done(.close(Stage.document))
    #expect(!stage.names(in: "pages").contains("page1"))
  }

  @Test func aFailedEditChangesNothing() {
    let stage = Stage.withPages(1)
    let page = Stage.name(1)
    let tooHard = Stroke(
      id: Stage.element(9), pen: 0, colour: 0, baseRadius: 1,
      samples: [StrokeSample(x: 0, y: 0, radius: 1, pressure: 1001, time: 0)])
    let rows: [(StoreCommand, StoreFailure.Kind)] = [
      (.addStroke(page, Stage.stroke(1)), .exists),
      (.addStroke(page, Stage.stroke(9, points: 0)), .invalid),
      (.addStroke(page, tooHard), .invalid),
      (.addStroke(Stage.name(2), Stage.stroke(9)), .notFound),
      (.erase(page, element: Stage.element(9), pieces: []), .notFound),
      (.erase(page, element: Stage.element(1), pieces: [Stage.stroke(9), Stage.stroke(9)]), .exists),
      (.moveElement(page, element: Stage.element(1), dx: .max, dy: 0), .invalid),
      (.deleteElement(page, element: Stage.element(9)), .notFound),
      (.insertImage(page, Stage.placement(1), jpeg: [0xFF, 0xD8]), .invalid),
      (.insertImage(page, Stage.placement(1), jpeg: Array(Stage.jpeg.dropLast(2))), .invalid),
      (.addPage(page, canvas: Stage.canvas, at: nil), .exists),
      (.addPage(Stage.name(2), canvas: Stage.canvas, at: 2), .invalid),
      (.addPage(Stage.name(2), canvas: CanvasSize(width: 0, height: 1), at: nil), .invalid),
      (.movePage(page, to: 1), .invalid), (.movePage(page, to: -1), .invalid),
      (.deletePage(Stage.name(2)), .notFound),
      (.setTitle(Stage.document, "a\0b"), .invalid),
      (.setTitle(Stage.document, String(repeating: "a", count: 4097)), .tooLarge),
      (.open(Stage.document), .exists), (.createDocument(Stage.document, title: ""), .exists),
      (.open(Stage.page(1)), .notFound), (.readPage(Stage.name(2)), .notFound),
    ]
    for (command, kind) in rows {
      let answer = stage.answer(command)
      #expect(answer.failures.map(\.kind) == [kind], "\(command.word)")
      #expect(answer.unsaved.isEmpty, "\(command.word)")
    }
    #expect(stage.counted() == [])
  }
}
