import FileTracing
import Files
import LNoteFormat
import Testing

@testable import LNoteStore

/// What the store calls durable survives a power cut under `full`; under `none` and `file` the same judge finds losses.
@Suite struct DurabilityTests {
  static let script: [StoreCommand] = [
    .createDocument(Stage.document, title: "A"),
    .addPage(Stage.name(1), canvas: Stage.canvas, at: nil),
    .addStroke(Stage.name(1), Stage.stroke(1)),
    .advanceUntilSaved,
    .insertImage(Stage.name(1), Stage.placement(1), jpeg: Stage.jpeg),
    .addPage(Stage.name(2), canvas: Stage.canvas, at: 0),
    .addStroke(Stage.name(2), Stage.stroke(2)),
    .background,
    .erase(Stage.name(1), element: Stage.element(1), pieces: [Stage.stroke(11), Stage.stroke(12)]),
    .setTitle(Stage.document, "B"),
    .movePage(Stage.name(1), to: 0),
    .advance(milliseconds: 600),
    .deleteElement(Stage.name(1), element: Stage.element(501)),
    .deletePage(Stage.name(2)),
    .background,
    .addStroke(Stage.name(1), Stage.stroke(13)),
    .close(Stage.document),
  ]

  /// The content that the user saw after each command, and what the store called durable until then.
  struct Ledger {
    var pages: [NoteID: [(number: UInt64, elements: [PageElement]?)]] = [:]
    var records: [(number: UInt64, title: String, pages: [NoteID])] = []
    var durablePages: [NoteID: UInt64] = [:]
    var durableRecord: UInt64 = 0
    var durableAssets: [NoteID] = []

    mutating func note(_ answer: StoreAnswer, of stage: Stage) {
      if let document = stage.session.documents[Stage.document] {
        records.append((answer.number, document.record.title, document.record.pages.map(\.id)))
        for page in [Stage.page(1), Stage.page(2)] {
          pages[page, default: []].append((answer.number, document.pages[page]?.content.elements))
        }
      }
      for page in answer.durable.pages { durablePages[page.page.page] = page.upTo }
      for document in answer.durable.documents { durableRecord = document.upTo }
      durableAssets += answer.durable.assets.map(\.asset)
    }

    /// What is wrong with the medium; empty for a store that kept its word.
    func losses(on stage: Stage) -> [String] {
      guard durableRecord > 0 else { return [] }
      guard let record = stage.recordOnDisk() else { return ["document.json is not whole"] }
      var found: [String] = []
      let files = stage.names(in: "pages").filter { !$0.hasPrefix("~") }
      if let count = stage.manifestOnDisk()?.pageCount, count > files.count {
        found.append("the manifest counts \(count) pages of \(files.count)")
      }
      let listed = record.pages.map(\.id)
      let isKnown = records.contains {
        $0.number >= durableRecord && $0.title == record.title && $0.pages == listed
      }
      if !isKnown { found.append("document.json is older than durable") }
      for page in listed {
        let number = page.low
        guard let content = stage.pageOnDisk(number) else {
          found.append("page \(number) is not whole")
          continue
        }
        let upTo = durablePages[page] ?? 0
        let versions = pages[page] ?? []
        if !versions.contains(where: { $0.number >= upTo && $0.elements == content.elements }) {
          found.append("page \(number) is older than durable")
        }
        for asset in content.assets where stage.bytes(Stage.assetPath(asset.low)) != Stage.jpeg {
          found.append("page \(number) shows a picture that is not there")
        }
      }
      return found
    }
  }

  /// Cuts the power at the nth counted operation; nil where the script has fewer.
  static func losses(
    cuttingAt nth: UInt64, _ survivors: SurvivingState, _ durability: Durability, mutant: StoreMutant? = nil
  ) throws -> [String]? {
    let stage = Stage(durability: durability, mutant: mutant)
    try stage.disk.arm(
      FaultRule(
        name: "cut", effect: .powerCut(survivors), operations: [], occurrence: FaultOccurrence(nth: nth)))
    var ledger = Ledger()
    for command in script {
      ledger.note(stage.answer(command), of: stage)
      if stage.disk.condition != .running { break }
    }
    if stage.disk.firings.isEmpty { return nil }
    stage.disk.clearAll()
    stage.cut(survivors)
    return ledger.losses(on: stage)
  }

  /// What was wrong after each cut, for n = 1, 2, 3, … until the script is through or `isEnough`.
  static func sweep(
    _ survivors: SurvivingState, _ durability: Durability, mutant: StoreMutant? = nil,
    until isEnough: ([String]) -> Bool = { _ in false }
  ) throws -> [[String]] {
    var all: [[String]] = []
    for nth in UInt64(1)... {
      guard let losses = try losses(cuttingAt: nth, survivors, durability, mutant: mutant) else { break }
      all.append(losses)
      if isEnough(losses) { break }
    }
    return all
  }

  @Test(arguments: [SurvivingState.keepNone, .keepAll]) func fullLosesNothingAtAnyOperation(
    _ survivors: SurvivingState
  ) throws {
    let all = try Self.sweep(survivors, .full)
    #expect(all.count > 70)
    #expect(all.flatMap { $0 } == [])
  }

  @Test(arguments: [Durability.none, .file]) func otherPoliciesLoseWhatTheyCallDurable(
    _ durability: Durability
  ) throws {
    #expect(try Self.sweep(.keepNone, durability, until: { !$0.isEmpty }).last != [])
  }

  @Test func withoutAnySyncNothingIsLostThatTheDiskKeeps() throws {
    #expect(try Self.sweep(.keepAll, .none).flatMap { $0 } == [])
  }

  static let convictions: [(StoreMutant, SurvivingState, String)] = [
    (.assetFileNotSynced, .keepNone, "page 1 shows a picture that is not there"),
    (.pageBeforeAsset, .keepAll, "page 1 shows a picture that is not there"),
    (.overwriteInPlace, .keepAll, "page 1 is not whole"),
    (.replaceItem, .keepAll, "document.json is not whole"),
  ]

  @Test(arguments: convictions) func mutantsAreConvictedByTheSameJudge(
    _ mutant: StoreMutant, _ survivors: SurvivingState, _ loss: String
  ) throws {
    #expect(try Self.sweep(survivors, .full, mutant: mutant, until: { $0.contains(loss) }).last?.contains(loss) == true)
  }

  @Test func aNewPageIsDurableOnlyWithItsEntry() throws {
    let stage = Stage.withPages(1)
    let added = stage.done(.addPage(Stage.name(2), canvas: Stage.canvas, at: nil))
    let drawn = stage.done(.addStroke(Stage.name(2), Stage.stroke(10)))
    try stage.failing(.eio, nth: 1, on: [.create], path: "**/.document.json.*")
    let failed = stage.answer(.background)
    #expect(failed.failures.map(\.errno) == [.eio])
    #expect(failed.durable.isEmpty)
    #expect(failed.unsaved == UnsavedWork(documents: [Stage.document]))
    #expect(stage.elementsOnDisk(2) == [10])
    let saved = stage.done(.background)
    #expect(saved.durable.pages == [DurablePage(Stage.name(2), upTo: drawn.number)])
    #expect(saved.durable.documents == [DurableDocument(Stage.document, upTo: added.number)])
  }

  @Test func aReopenedDocumentTellsNothingNew() {
    let stage = Stage.withPages(1)
    stage.done(.addStroke(Stage.name(1), Stage.stroke(10)))
    stage.done(.close(Stage.document))
    let opened = stage.done(.open(Stage.document))
    #expect(opened.durable.isEmpty)
    #expect(opened.unsaved.isEmpty)
    #expect(
      opened.payload
        == .document(DocumentOutline(document: Stage.document, title: "Analysis I", pages: [Stage.page(1)])))
    stage.done(.addStroke(Stage.name(1), Stage.stroke(11)))
    stage.done(.letGo(Stage.document))
    #expect(stage.elementsOnDisk(1) == [1, 10])
  }
}
