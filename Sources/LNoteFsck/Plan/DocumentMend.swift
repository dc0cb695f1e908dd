import LNoteFormat

extension MendedDocument {
  /// The document with the best that is known in each field of no use.
  func filled(from facts: PackageFacts) -> DocumentRecord {
    let pages = Dictionary(facts.pages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let said = { (place: Int) -> PageSaid? in pages[record.pages[place].id].flatMap { PageSaid($0) } }
    let own = facts.manifest.record.flatMap { $0.id == record.id ? $0 : nil }
    var filled = record
    let broken = Set(faults.map(\.field))
    let known = facts.time(
      broken.contains(.created) ? nil : record.created, broken.contains(.modified) ? nil : record.modified,
      own?.modified, facts.document.file?.modified)
    // Pages first: the times of the document follow from theirs.
    let canvas =
      record.pages.map(\.canvas).first { !$0.isNothing } ?? facts.pages.lazy.compactMap { PageSaid($0)?.canvas }.first
      ?? PackageView.canvasGuess
    for place in record.pages.indices {
      if broken.contains(.canvas(page: place)) { filled.pages[place].canvas = said(place)?.canvas ?? canvas }
    }
    for place in record.pages.indices where broken.contains(.pageCreated(page: place)) {
      filled.pages[place].created = said(place)?.created ?? known
    }
    for place in record.pages.indices where broken.contains(.pageModified(page: place)) {
      filled.pages[place].modified = said(place)?.modified ?? filled.pages[place].created
    }
    let earliest = filled.pages.map(\.created).min()
    if broken.contains(.modified) {
      filled.modified = own?.modified ?? filled.pages.map(\.modified).max() ?? known
    }
    if broken.contains(.created) { filled.created = earliest ?? filled.modified }
    if broken.contains(.title) { filled.title = own?.title ?? DocumentRebuild.unknownTitle }
    return filled
  }
}

/// What the header of a page says that an entry says too.
private struct PageSaid {
  var canvas: CanvasSize?
  let created: Timestamp
  let modified: Timestamp

  init?(_ page: PageFacts) {
    switch page.content {
    case .whole(let summary), .trailing(let summary, _):
      (canvas, created, modified) = (summary.canvas, summary.created, summary.modified)
    case .damaged(let damage):
      guard let header = damage.header else { return nil }
      (canvas, created, modified) = (header.canvas, header.created, header.modified)
    case .glanced(let glance):
      guard let header = glance.header, header.id == page.id else { return nil }
      (canvas, created, modified) = (header.canvas, header.created, header.modified)
    default: return nil
    }
    if canvas?.isNothing == true { canvas = nil }
  }
}

extension PackageView {
  /// The size that a page should have, where its entry or the page itself has none.
  func canvas(ofPage id: NoteID) -> CanvasSize {
    let own = [page(id)?.whole?.canvas, entry(id)?.canvas].compactMap { $0 }.first { !$0.isNothing }
    return own ?? entries.map(\.canvas).first { !$0.isNothing }
      ?? facts.pages.lazy.compactMap { $0.whole?.canvas }.first { !$0.isNothing } ?? PackageView.canvasGuess
  }
}

extension String {
  /// The text with a space in the place of each control character, which nobody can see or write.
  var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
