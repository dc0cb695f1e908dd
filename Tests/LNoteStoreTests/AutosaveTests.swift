import LNoteFormat
import Testing

@testable import LNoteStore

@Suite struct AutosaveTests {
  @Test func savesHalfASecondAfterTheLastChange() {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    #expect(stage.done(.advance(milliseconds: 300)).unsaved.pages == [Stage.name(1)])
    let last = stage.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    let early = stage.done(.advance(milliseconds: 499))
    #expect(early.durable.isEmpty)
    #expect(early.unsaved.pages == [Stage.name(1)])
    #expect(stage.counted() == [])
    let late = stage.done(.advance(milliseconds: 1))
    #expect(late.durable.pages == [DurablePage(Stage.name(1), upTo: last.number)])
    #expect(late.durable.documents == [])
    #expect(late.unsaved.isEmpty)
    #expect(stage.elementsOnDisk(1) == [1, 10, 11])
    #expect(stage.pageOnDisk(1)?.modified.milliseconds == Stage.now.milliseconds + 300)
    #expect(stage.recordOnDisk()?.modified.milliseconds == Stage.now.milliseconds + 300)
  }

  @Test func untilSavedMovesTheClockAndDoesNothingWithoutChanges() {
    let stage = Stage.withPages(1)
    #expect(stage.done(.advanceUntilSaved).durable.isEmpty)
    #expect(stage.counted() == [])
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    #expect(stage.done(.advanceUntilSaved).durable.pages.count == 1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    stage.done(.background)
    #expect(stage.pageOnDisk(1)?.modified.milliseconds == Stage.now.milliseconds + 500)
  }

  @Test func aFailedSaveIsTriedAgainLessAndLessOftenAndToldOnceAnAnswer() throws {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    try stage.failing(.enospc, nth: nil, on: [.create])
    let failed = stage.answer(.advance(milliseconds: 4000))
    #expect(failed.failures.map(\.errno) == [.enospc])
    // 0.5 s after the change, then 0.5, 1 and 2 s later.
    #expect(stage.counted().count == 4)
    stage.disk.clearAll()
    #expect(stage.done(.advance(milliseconds: 3999)).durable.isEmpty)
    #expect(stage.done(.advance(milliseconds: 1)).durable.pages.count == 1)
  }

  @Test func theClockCannotGoBackOrBeyondTheYear9999() {
    let stage = Stage.withPages(1)
    for milliseconds in [-1, Int64.max, StoreConfiguration.clockRange.upperBound] {
      #expect(stage.answer(.advance(milliseconds: milliseconds)).failures.map(\.kind) == [.invalid])
    }
    stage.done(.advance(milliseconds: 0))
  }
}
