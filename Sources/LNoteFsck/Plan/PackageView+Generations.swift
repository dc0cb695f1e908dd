import LNoteFormat

extension PackageView {
  /// A generation that no body of this page ever had.
  func nextGeneration(ofPage id: NoteID) -> UInt64 {
    var highest: UInt64 = 0
    if let entry = entry(id) { highest = max(highest, entry.generation) }
    switch page(id)?.content {
    case .whole(let summary), .trailing(let summary, _): highest = max(highest, summary.generation)
    case .misplaced: break
    case .damaged(let damage):
      highest = max(highest, damage.header?.generation ?? 0, damage.salvage.generation ?? 0)
    default: break
    }
    for journal in facts.journals {
      if let header = journal.content?.header, header.page == id { highest = max(highest, header.base) }
    }
    for stray in facts.strays {
      switch stray.content {
      case .page(id, let summary): highest = max(highest, summary.generation)
      case .damagedPage(id, let damage):
        highest = max(highest, damage.header?.generation ?? 0, damage.salvage.generation ?? 0)
      default: break
      }
    }
    return min(highest, PageLimits.generationMax - 1) + 1
  }

  /// The highest generation that any record of this document names.
  var highestDocumentGeneration: UInt64 {
    var highest = document?.generation ?? 0
    switch facts.document.content {
    case .mismatched(let record): highest = max(highest, record.generation)
    case .damaged(_, _, _, let salvaged), .zeros(let salvaged): highest = max(highest, salvaged.generation ?? 0)
    default: break
    }
    if let manifest = facts.manifest.record, manifest.documentGeneration < PageLimits.generationMax - 2 {
      highest = max(highest, manifest.documentGeneration)
    }
    if let older = facts.setAside { highest = max(highest, older.generation) }
    for stray in facts.strays {
      if case .document(let record) = stray.content { highest = max(highest, record.generation) }
    }
    return min(highest, PageLimits.generationMax - 2)
  }

  /// True where the manifest mirrors a later document than this; a number that no save ever reaches is none.
  func isLater(_ manifest: ManifestRecord, than document: DocumentRecord) -> Bool {
    manifest.id == document.id && manifest.documentGeneration > document.generation
      && manifest.documentGeneration < PageLimits.generationMax - 2
  }

  /// An entry for a page that no document describes, from whatever is known of it.
  func guessedEntry(for page: PageFacts) -> PageEntry {
    switch page.content {
    case .whole(let summary), .trailing(let summary, _): return PageEntry(id: page.id, summary)
    case .misplaced(let id, let summary): return PageEntry(id: id, summary)
    case .damaged(let damage):
      if let header = damage.header ?? damage.foreign?.header {
        return PageEntry(
          id: header.id, canvas: header.canvas, created: header.created, modified: header.modified,
          elementCount: UInt64(header.elementCount), generation: header.generation)
      }
    default: break
    }
    // The size of another page is the best guess, and what the disk says of the file is that of its time.
    let neighbour = facts.pages.lazy.compactMap(\.whole).first
    let known = document?.modified ?? facts.manifest.record?.modified
    let time = facts.time(page.file.modified, known, neighbour?.modified)
    return PageEntry(
      id: page.contentID, canvas: entries.first?.canvas ?? neighbour?.canvas ?? PackageView.canvasGuess, created: time,
      modified: time, elementCount: 0, generation: 0)
  }

  /// An entry for every page of which anything is here, whatever its file is called, and the generation that is known.
  ///
  /// Of a page that is there more than once the newest counts; what has no page's name only where nothing else is there.
  var guessedEntries: [(entry: PageEntry, generation: UInt64)] {
    var best: [NoteID: (entry: PageEntry, generation: UInt64)] = [:]
    for page in facts.pages where page.file.obstacle == nil {
      let entry = guessedEntry(for: page)
      let generation = max(entry.generation, page.images.generation)
      if let known = best[entry.id], known.generation >= generation { continue }
      best[entry.id] = (entry, generation)
    }
    for stray in facts.strays {
      guard case .page(let id, _) = stray.content, best[id] == nil, let copy = candidate(forPage: id) else { continue }
      best[id] = (PageEntry(id: id, copy.summary), copy.summary.generation)
    }
    return Array(best.values)
  }

  /// The canvas of a page of which nothing is known, in 0.1 pt.
  static let canvasGuess = CanvasSize(width: 8340, height: 11_940)
}

extension PageFacts {
  /// The generation of a damaged page, where anything in it tells.
  var damagedGeneration: UInt64? {
    guard case .damaged(let damage) = content else { return nil }
    return damage.salvage.generation ?? damage.header?.generation
  }
}
