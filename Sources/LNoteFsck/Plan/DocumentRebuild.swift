import JSON
import LNoteFormat

/// `document.json` made again from what is left: its own remains, the manifest, and the pages themselves.
enum DocumentRebuild {
  /// The title of a document whose title nothing tells.
  static let unknownTitle = "Recovered document"

  /// The document that is older than the manifest, with a generation above it, and the loss recorded.
  static func keepingOlder(_ view: PackageView, stamp: RepairStamp) -> DocumentRecord {
    guard var record = view.document else { return record(view, stamp: stamp, code: "LN2016") }
    let pages = view.facts.manifest.record.map { $0.pageCount - min($0.pageCount, UInt64(record.pages.count)) } ?? 0
    record.generation = view.highestDocumentGeneration + 1
    record.losses.append(loss(stamp, code: "LN2016", pages: listable(view, besides: record.pages) >= pages ? 0 : pages))
    return record
  }

  /// The document from its remains.
  static func record(_ view: PackageView, stamp: RepairStamp, code: String) -> DocumentRecord {
    let remains = remains(of: view)
    let manifest = view.facts.manifest.record
    var entries = matched(remains.pages, view)
    let order = remains.pages.isEmpty
    entries += unlisted(view, besides: entries, deleted: remains.deleted)
    // Nothing tells the order of pages but the time they were begun; the first one the manifest knows.
    if order, let cover = manifest?.coverPage, let place = entries.firstIndex(where: { $0.id == cover }) {
      entries.insert(entries.remove(at: place), at: 0)
    }
    let times = entries.map(\.modified)
    let id = view.facts.folderID ?? remains.id ?? manifest?.id ?? entries.first?.id ?? NoteID(high: 0, low: 0)
    var record = DocumentRecord(
      id: id, title: remains.title ?? manifest?.title ?? unknownTitle,
      created: remains.created ?? entries.map(\.created).min() ?? manifest?.modified ?? stamp.at,
      modified: remains.modified ?? manifest?.modified ?? times.max() ?? stamp.at,
      generation: view.highestDocumentGeneration + 1, pages: entries, deleted: remains.deleted,
      losses: remains.losses)
    if case .mismatched(let old) = view.facts.document.content { record.unknown = old.unknown }
    let counted = manifest?.pageCount ?? UInt64(entries.count)
    let missing = counted - min(counted, UInt64(entries.count))
    // Nothing counts the pages then: an entry that the damage hit may have been that of a page that is gone.
    let isUncounted = manifest == nil && !view.isDocumentComplete
    if missing > 0 || isUncounted { record.losses.append(loss(stamp, code: code, pages: missing)) }
    return record
  }

  private static func loss(_ stamp: RepairStamp, code: String, pages: UInt64) -> RecordedLoss {
    let details: [String: JSONValue] = pages > 0 ? ["pages": .integer(Int64(clamping: pages))] : [:]
    return RecordedLoss(at: stamp.at, code: code, elements: 0, stamp: stamp.text, unknown: details)
  }

  private static func remains(of view: PackageView) -> SalvagedDocument {
    switch view.facts.document.content {
    case .mismatched(let record), .whole(let record), .unverified(let record):
      var remains = SalvagedDocument()
      (remains.id, remains.title, remains.generation) = (record.id, record.title, record.generation)
      (remains.created, remains.modified) = (record.created, record.modified)
      (remains.pages, remains.deleted, remains.losses) = (record.pages, record.deleted, record.losses)
      return remains
    case .damaged(_, _, let salvaged), .zeros(let salvaged): return salvaged
    default: return SalvagedDocument()
    }
  }

  /// The entries that are left. One without a file whose numbers fit exactly one page without an entry is that page's:
  /// the damage hit its identity.
  private static func matched(_ entries: [PageEntry], _ view: PackageView) -> [PageEntry] {
    let listed = Set(entries.map(\.id))
    var free = view.facts.pages.filter { !listed.contains($0.id) }
    var result: [PageEntry] = []
    var taken: Set<NoteID> = []
    for entry in entries where taken.insert(entry.id).inserted {
      var entry = entry
      if view.page(entry.id) == nil {
        let fitting = free.indices.filter { free[$0].whole.map { entry.fits($0) } ?? false }
        if fitting.count == 1, let place = fitting.first {
          entry.id = free.remove(at: place).id
          taken.insert(entry.id)
        }
      }
      result.append(entry)
    }
    return result
  }

  /// Entries for the pages that have none, in the order in which they were begun.
  private static func unlisted(
    _ view: PackageView, besides entries: [PageEntry], deleted: [DeletedPage]
  ) -> [PageEntry] {
    let listed = Set(entries.map(\.id))
    let gone = Dictionary(deleted.map { ($0.id, $0.generation) }, uniquingKeysWith: { max($0, $1) })
    return view.facts.pages
      .filter { page in
        !listed.contains(page.id) && page.file.obstacle == nil
          && gone[page.id].map { page.images.generation > $0 || (page.whole?.generation ?? 0) > $0 } ?? true
      }
      .map { view.guessedEntry(for: $0) }
      .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  private static func listable(_ view: PackageView, besides entries: [PageEntry]) -> UInt64 {
    UInt64(unlisted(view, besides: entries, deleted: view.document?.deleted ?? []).count)
  }
}

extension PageEntry {
  /// True where two of the three things that entry and page both say agree.
  fileprivate func fits(_ summary: PageSummary) -> Bool {
    let agreeing = [
      created == summary.created, generation == summary.generation, elementCount == summary.elements,
    ]
    return agreeing.count { $0 } >= 2
  }
}

extension PackageView {
  /// True where the document can be read from its beginning to its end, though something in it was changed.
  fileprivate var isDocumentComplete: Bool {
    switch facts.document.content {
    case .whole, .unverified, .mismatched: true
    default: false
    }
  }
}
