import LNoteStore
import Testing

@testable import Harness
@testable import LNoteFormat

/// The judge on values: what it must convict, and where it must stay silent.
@Suite struct JudgementTests {
  private static let document = NoteID(high: 1, low: 1)
  private static let page = PageName(document: document, page: NoteID(high: 2, low: 2))

  private static func stroke(_ number: UInt64) -> Stroke {
    StrokeMaker.stroke(
      id: NoteID(high: 3, low: number), points: 3, pen: 0, baseRadius: 10, origin: (x: 0, y: 0), seed: number)
  }

  /// A document with one page, two strokes called durable and a third that is not.
  private static func ledger() -> Ledger {
    var ledger = Ledger()
    let commands: [StoreCommand] = [
      .createDocument(document, title: "Trip"), .addPage(page, canvas: CanvasSize(width: 10, height: 10), at: nil),
      .addStroke(page, stroke(1)), .addStroke(page, stroke(2)), .addStroke(page, stroke(3)),
    ]
    for (number, command) in commands.enumerated() {
      ledger.record(NumberedCommand(UInt64(number + 1), command))
    }
    ledger.acknowledge(
      DurableNews(pages: [DurablePage(page, upTo: 4)], documents: [DurableDocument(document, upTo: 2)]))
    return ledger
  }

  private static func content(
    title: String = "Trip", strokes: [UInt64]?, pages: [NoteID] = [page.page]
  ) -> DocumentContent {
    let elements = strokes.map { $0.map { PageElement.stroke(stroke($0)) } }
    return DocumentContent(
      id: document, state: DocumentState(title: title, pages: pages),
      pages: pages.map { DocumentContent.Page(id: $0, elements: elements) }, recordedLoss: 0,
      recordsLoss: false)
  }

  static let rows: [(content: DocumentContent?, findings: [String], keptStrokes: Int)] = [
    (content(strokes: [1, 2]), [], 2),
    (content(strokes: [1, 2, 3]), [], 2),
    (content(strokes: [1]), ["page p1 lost 1 stroke that the store had called durable"], 1),
    (content(strokes: []), ["page p1 lost 2 strokes that the store had called durable"], 0),
    (content(strokes: [2, 1]), ["page p1 is no version that it ever had"], 2),
    (content(strokes: [1, 2, 9]), ["page p1 is no version that it ever had"], 2),
    (content(strokes: nil), ["page p1 cannot be read"], 0),
    (
      content(strokes: [1, 2], pages: []),
      ["the document lists 1 acknowledged page less", "page p1 cannot be read"], 0
    ),
    (
      content(title: "Other", strokes: [1, 2]), ["the document's title and order are no version that they ever were"], 2
    ),
    (nil, ["the document is gone or cannot be read", "page p1 cannot be read"], 0),
  ]

  @Test(arguments: rows) func judges(content: DocumentContent?, findings: [String], keptStrokes: Int) {
    let contents = content.map { [JudgementTests.document: $0] } ?? [:]
    let judgement = Judgement(of: contents, against: JudgementTests.ledger()) { _ in "p1" }
    #expect(judgement.findings == findings)
    #expect(judgement.promised.strokes == 2)
    #expect(judgement.kept.strokes == keptStrokes)
  }

  @Test func aRebuiltDocumentMayHaveAnotherTitle() {
    let contents = [JudgementTests.document: JudgementTests.content(title: "Rebuilt", strokes: [1, 2])]
    let judgement = Judgement(of: contents, against: JudgementTests.ledger(), isRepaired: true) { _ in "p1" }
    #expect(judgement.findings == [])
  }

  @Test func anAcknowledgedTitleIsMissed() {
    var ledger = JudgementTests.ledger()
    ledger.record(NumberedCommand(6, .setTitle(JudgementTests.document, "New")))
    ledger.acknowledge(DurableNews(pages: [], documents: [DurableDocument(JudgementTests.document, upTo: 6)]))
    let contents = [JudgementTests.document: JudgementTests.content(strokes: [1, 2])]
    let judgement = Judgement(of: contents, against: ledger) { _ in "p1" }
    #expect(
      judgement.findings == ["the document went back to a title or order older than what the store had called durable"])
  }

  /// Behind an opening: what the user did, and whether the store's silence about it, or word of it, forgets it.
  static let memories: [(command: StoreCommand, unsaved: UnsavedWork, durableUpTo: UInt64, isForgotten: Bool)] = [
    (.background, UnsavedWork(), 0, false),
    (.addStroke(page, stroke(4)), UnsavedWork(), 0, true),
    (.addStroke(page, stroke(4)), UnsavedWork(), 6, true),
    (.addStroke(page, stroke(4)), UnsavedWork(), 7, false),
    (.addStroke(page, stroke(4)), UnsavedWork(pages: [page]), 0, false),
    (.addStroke(page, stroke(4)), UnsavedWork(documents: [document]), 0, false),
    (.setTitle(document, "New"), UnsavedWork(pages: [page]), 0, true),
    (.setTitle(document, "New"), UnsavedWork(documents: [document]), 0, false),
    (.deletePage(page), UnsavedWork(documents: [document]), 0, false),
  ]

  @Test(arguments: memories) func anAcceptedEditIsDurableOrUnsaved(
    command: StoreCommand, unsaved: UnsavedWork, durableUpTo: UInt64, isForgotten: Bool
  ) {
    var ledger = JudgementTests.ledger()
    // What an earlier process left unsaved, or in the page cache, is none of this one's.
    ledger.resume(JudgementTests.content(strokes: [1, 2, 3]), number: 6, isDurable: false)
    ledger.record(NumberedCommand(7, command))
    ledger.acknowledge(DurableNews(pages: [DurablePage(JudgementTests.page, upTo: durableUpTo)], documents: []))
    #expect(ledger.forgotten(by: unsaved) == (isForgotten ? [JudgementTests.document] : []))
    ledger.letGo(JudgementTests.document)
    #expect(ledger.forgotten(by: unsaved) == [])
  }

  /// A store that calls a page durable before the document lists it.
  @Test func aPageThatNothingListsIsMissed() {
    var ledger = JudgementTests.ledger()
    let second = PageName(document: JudgementTests.document, page: NoteID(high: 2, low: 3))
    ledger.record(NumberedCommand(6, .addPage(second, canvas: CanvasSize(width: 10, height: 10), at: nil)))
    ledger.record(NumberedCommand(7, .addStroke(second, JudgementTests.stroke(5))))
    ledger.acknowledge(DurableNews(pages: [DurablePage(second, upTo: 7)], documents: []))
    let contents = [JudgementTests.document: JudgementTests.content(strokes: [1, 2])]
    let judgement = Judgement(of: contents, against: ledger) { $0 == second ? "p2" : "p1" }
    #expect(judgement.findings == ["the document lists 1 acknowledged page less", "page p2 cannot be read"])
  }

  /// A store that lost a stroke, and goes on as if nothing were.
  @Test(arguments: [true, false]) func aLossIsNotForgottenWhenTheStoreGoesOn(isDurable: Bool) {
    var ledger = JudgementTests.ledger()
    ledger.resume(JudgementTests.content(strokes: [1]), number: 6, isDurable: isDurable)
    ledger.record(NumberedCommand(7, .addStroke(JudgementTests.page, JudgementTests.stroke(4))))
    ledger.acknowledge(DurableNews(pages: [DurablePage(JudgementTests.page, upTo: 7)], documents: []))
    let contents = [JudgementTests.document: JudgementTests.content(strokes: [1, 4])]
    let judgement = Judgement(of: contents, against: ledger) { _ in "p1" }
    #expect(judgement.findings == ["page p1 lost 1 stroke that the store had called durable"])
    #expect(judgement.promised.strokes == 3)
    #expect(judgement.kept.strokes == 2)
  }

  @Test func anEditThatACrashInterruptedMayBeThere() {
    for strokes: [UInt64] in [[1, 2], [1, 2, 3, 4]] {
      var ledger = JudgementTests.ledger()
      ledger.recordInterrupted(NumberedCommand(6, .addStroke(JudgementTests.page, JudgementTests.stroke(4))))
      let content = JudgementTests.content(strokes: strokes)
      #expect(Judgement(of: [JudgementTests.document: content], against: ledger) { _ in "p1" }.findings == [])
      ledger.resume(content, number: 7, isDurable: true)
      #expect(Judgement(of: [JudgementTests.document: content], against: ledger) { _ in "p1" }.findings == [])
    }
  }

  /// The deletion was in what a crash tore, the title was not; without a deletion the page is missed.
  @Test(arguments: [(true, true, true), (true, false, false), (false, true, false)])
  func aRebuiltDocumentMayTellADeletionAndNoTitle(isDeleted: Bool, isRepaired: Bool, isAllowed: Bool) {
    var ledger = JudgementTests.ledger()
    ledger.record(NumberedCommand(8, .setTitle(JudgementTests.document, "Other")))
    if isDeleted { ledger.record(NumberedCommand(9, .deletePage(JudgementTests.page))) }
    let content = JudgementTests.content(strokes: nil, pages: [])
    let missed = ["the document lists 1 acknowledged page less", "page p1 cannot be read"]
    for isReopened in [false, true] {
      if isReopened { ledger.resume(content, number: 10, isDurable: true, isRepaired: isRepaired) }
      let judgement = Judgement(of: [JudgementTests.document: content], against: ledger, isRepaired: isRepaired) { _ in
        "p1"
      }
      #expect(judgement.findings == (isAllowed ? [] : missed), "reopened: \(isReopened)")
    }
  }

  @Test func aPageThatTheUserDeletedIsNotMissed() {
    var ledger = JudgementTests.ledger()
    ledger.record(NumberedCommand(9, .deletePage(JudgementTests.page)))
    let content = JudgementTests.content(strokes: nil, pages: [])
    let judgement = Judgement(of: [JudgementTests.document: content], against: ledger) { _ in "p1" }
    #expect(judgement.findings == [])
    #expect(judgement.promised == judgement.kept)
  }
}
