import Files
import LNoteFormat
import LNoteFsck
import LNoteStore

/// What the judgements of one sweep share: what the same bytes were read as, by store, checker and judge.
///
/// Each of the three has a memory of its own, and none of them keeps a verdict: see decision 087.
final class SweepMemory {
  /// The store's.
  let store = StoreMemory()
  /// The checker's.
  let survey = SurveyMemory()
  /// The judge's.
  let documents: DocumentMemory

  /// An empty memory for a sweep whose judge knows these contents at the end.
  init(ledger: Ledger) { documents = DocumentMemory(ledger: ledger) }
}

/// What the judge keeps of files' bytes.
final class DocumentMemory {
  let records = ContentMemory<OnlyQuestion, DocumentRecord?>(bytesMax: 16 << 20)
  let pages = ContentMemory<PageName, [PageElement]?>(bytesMax: 128 << 20)
  private let known: [PageName: History<[PageElement]>]

  init(ledger: Ledger) { known = ledger.pages }

  /// These elements; where the ledger has the same ones, in its own storage, with which it is compared at once.
  func inStorageOfLedger(_ elements: [PageElement], of page: PageName) -> [PageElement] {
    known[page]?.versions.first { $0.content == elements }?.content ?? elements
  }
}
