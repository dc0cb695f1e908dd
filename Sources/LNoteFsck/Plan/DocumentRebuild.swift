import JSON
import LNoteFormat

/// `document.json` made again from what is left: its own remains, the manifest, and the pages themselves.
enum DocumentRebuild {
  /// The title of a document whose title nothing tells.
  static let unknownTitle = "Recovered document"

  /// The document that is older than the manifest, with a generation above it, and the loss recorded.
  static func keepingOlder(_ view: PackageView, stamp: RepairStamp) -> DocumentRecord {
    guard var record = view.document else { return record(view, stamp: stamp, code: "LN2016") }
    let manifest = view.facts.manifest.record
    let pages = manifest.map { $0.pageCount - min($0.pageCount, UInt64(record.pages.count)) } ?? 0
    record.generation = view.highestDocumentGeneration + 1
    record.losses.append(loss(stamp, code: "LN2016", pages: listable(view, besides: record.pages) >= pages ? 0 : pages))
    record.takeBack(manifest?.losses ?? []) { view.page($0)?.whole }
    return record
  }

  /// The document from its remains, and the loss of what nothing tells any more.
  static func record(_ view: PackageView, stamp: RepairStamp, code: String) -> DocumentRecord {
    var record = known(view, at: stamp.at)
    let counted = view.ownManifest?.pageCount ?? UInt64(record.pages.count)
    let found = UInt64(record.pages.count + deletedSinceManifest(view, record.deleted))
    let missing = counted - min(counted, found)
    // Nothing counts the pages then: an entry that the damage hit may have been that of a page that is gone.
    let isUncounted = view.ownManifest == nil && !view.isDocumentComplete
    if missing > 0 || isUncounted { record.losses.append(loss(stamp, code: code, pages: missing)) }
    return record
  }

  /// How many pages the manifest still counts that the user has deleted since: no loss.
  ///
  /// The document says so itself, is newer than the manifest, and their files are there: the deletion was cut off.
  private static func deletedSinceManifest(_ view: PackageView, _ deleted: [DeletedPage]) -> Int {
    guard let manifest = view.ownManifest, let generation = remains(of: view).generation,
      generation > manifest.documentGeneration
    else { return 0 }
    return deleted.count { gone in view.page(gone.id)?.whole.map { $0.generation <= gone.generation } ?? false }
  }

  /// Everything that is known of the document: its remains, the manifest, what was set aside, the pages themselves.
  static func known(_ view: PackageView, at moment: Timestamp) -> DocumentRecord {
    let own = remains(of: view)
    let remains = own.completed(from: view)
    let manifest = view.ownManifest
    var entries = matched(remains.pages, view)
    entries += unlisted(view, besides: entries, deleted: remains.deleted)
    // A page without an entry stands where it was begun; the first one the manifest knows.
    if let cover = manifest?.coverPage, !own.pages.contains(where: { $0.id == cover }),
      let place = entries.firstIndex(where: { $0.id == cover })
    {
      entries.insert(entries.remove(at: place), at: 0)
    }
    entries = completed(entries, besides: own.pages, from: own.partial, view)
    let times = entries.map(\.modified)
    let id = view.facts.folderID ?? remains.id ?? manifest?.id ?? entries.first?.id ?? NoteID(high: 0, low: 0)
    var record = DocumentRecord(
      id: id, title: remains.title ?? manifest?.title ?? view.facts.setAside?.title ?? unknownTitle,
      created: remains.created ?? entries.map(\.created).min() ?? manifest?.modified ?? moment,
      modified: remains.modified ?? manifest?.modified ?? times.max() ?? moment,
      generation: view.highestDocumentGeneration + 1, pages: entries, deleted: remains.deleted,
      losses: remains.losses)
    record.unknown = (own.isComplete ? [:] : view.facts.setAside?.unknown ?? [:]).merging(own.unknown) { $1 }
    record.takeBack(own.partial.flatMap { entry in entry.losses.map { MirroredLoss(page: entry.id, $0) } }) {
      view.page($0)?.whole
    }
    record.takeBack(view.setAsideWithLosses?.mirroredLosses ?? []) { view.page($0)?.whole }
    record.takeBack(manifest?.losses ?? []) { view.page($0)?.whole }
    return record
  }

  private static func loss(_ stamp: RepairStamp, code: String, pages: UInt64) -> RecordedLoss {
    let details: [String: JSONValue] = pages > 0 ? ["pages": .integer(Int64(clamping: pages))] : [:]
    return RecordedLoss(at: stamp.at, code: code, elements: 0, stamp: stamp.text, unknown: details)
  }

  private static func remains(of view: PackageView) -> SalvagedDocument {
    switch view.facts.document.content {
    case .mismatched(let record): SalvagedDocument(record)
    case .damaged(_, _, _, let salvaged), .zeros(let salvaged): salvaged
    // One that can be trusted is made again only where it is another document's.
    default: SalvagedDocument()
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
      if view.page(entry.id) == nil && !Placement.isElsewhere(entry.id, view) {
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
    return view.guessedEntries
      .filter { page in
        !listed.contains(page.entry.id) && gone[page.entry.id].map { page.generation > $0 } ?? true
      }
      .map(\.entry)
      .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
  }

  /// The entries with what only document.json could know of pages whose own entry cannot be read: where they stand, and
  /// what a newer app noted. What a version says that was set aside comes last.
  private static func completed(
    _ entries: [PageEntry], besides whole: [PageEntry], from partial: [PartialEntry], _ view: PackageView
  ) -> [PageEntry] {
    let known = Set(whole.map(\.id))
    var entries = entries
    for part in partial where !known.contains(part.id) {
      guard let place = entries.firstIndex(where: { $0.id == part.id }) else { continue }
      var entry = entries.remove(at: place)
      entry.unknown.merge(part.unknown) { $1 }
      entry.canvasUnknown.merge(part.canvasUnknown) { $1 }
      let before = part.after.map { after in entries.firstIndex { $0.id == after } }
      entries.insert(entry, at: before.map { ($0 ?? place - 1) + 1 } ?? 0)
    }
    let older = view.facts.setAside?.pages ?? []
    let notes = Dictionary(older.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let read = known.union(partial.map(\.id))
    for place in entries.indices where !read.contains(entries[place].id) {
      guard let note = notes[entries[place].id] else { continue }
      entries[place].unknown.merge(note.unknown) { own, _ in own }
      entries[place].canvasUnknown.merge(note.canvasUnknown) { own, _ in own }
    }
    return entries
  }

  private static func listable(_ view: PackageView, besides entries: [PageEntry]) -> UInt64 {
    UInt64(unlisted(view, besides: entries, deleted: view.document?.deleted ?? []).count)
  }
}

extension SalvagedDocument {
  /// What a version that an earlier repair set aside tells of what the document itself tells no more.
  fileprivate func completed(from view: PackageView) -> SalvagedDocument {
    var remains = self
    guard let older = view.setAsideWithLosses else { return remains }
    remains.created = created ?? older.created
    if !pages.isEmpty { return remains }
    if deleted.isEmpty { remains.deleted = older.deleted }
    // Pages may have been deleted since: then only those are listed whose files are there.
    let isOld = view.facts.manifest.record.map { $0.documentGeneration > older.generation } ?? false
    remains.pages = older.pages.filter { !isOld || view.page($0.id) != nil }
    return remains
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
  /// The version of the document that was set aside last; without losses where the manifest knows better.
  fileprivate var setAsideWithLosses: DocumentRecord? {
    guard let older = facts.setAside else { return nil }
    guard let manifest = facts.manifest.record, manifest.losses != nil,
      manifest.documentGeneration >= older.generation
    else { return older }
    return older.withoutLosses
  }

  /// What manifest.json says; nil where it came from elsewhere together with document.json.
  fileprivate var ownManifest: ManifestRecord? {
    facts.manifest.record.flatMap { facts.hasForeignDocument && $0.id != facts.folderID ? nil : $0 }
  }

  /// True where the document can be read from its beginning to its end, though something in it was changed.
  fileprivate var isDocumentComplete: Bool {
    if case .mismatched = facts.document.content { true } else { false }
  }
}
