import LNoteFormat
import LNoteStore
import Terminal

/// The judgement of a disk against the ledger: pure, on values.
package struct Judgement: Sendable {
  /// What convicts the store, as sentences; empty where it kept its word.
  package private(set) var findings: [String] = []
  /// What the store called durable.
  package private(set) var promised = Promise()
  /// What of it is there.
  package private(set) var kept = Promise()
  /// How many elements called durable are not there at all, not even in part.
  package private(set) var goneCount = 0

  /// Judges what the documents hold on disk; a document that is not there has no content.
  ///
  /// - Parameters:
  ///   - isRepaired: true where a repair may have had to build a document anew.
  ///   - spelling: how the scenario calls a page.
  package init(
    of contents: [NoteID: DocumentContent], against ledger: Ledger, isRepaired: Bool = false,
    spelling: (PageName) -> String
  ) {
    for document in ledger.documentIDs {
      guard let history = ledger.documents[document] else { continue }
      let content = contents[document]
      let listed = content?.state.pages ?? []
      let wanted = Self.wantedPages(history, content, isRepaired: isRepaired)
      promised.pages += wanted.count
      kept.pages += wanted.filter { listed.contains($0) }.count
      judge(history, content, missing: wanted.filter { !listed.contains($0) }, isRepaired: isRepaired)
      for page in Set(listed).union(wanted).sorted() {
        let name = PageName(document: document, page: page)
        guard let pages = ledger.pages[name] else { continue }
        let found = content?.pages.first { $0.id == page }
        judge(pages, of: found, isRepaired: isRepaired, spelling: spelling(name))
      }
    }
  }

  /// The pages that have to be there: those called durable, but for one that the user deleted in a state that the disk
  /// may show.
  static func wantedPages(
    _ history: History<DocumentState>, _ content: DocumentContent?, isRepaired: Bool
  ) -> [NoteID] {
    let allowed = content.flatMap { history.version(shownBy: $0.state, isRepaired: isRepaired)?.pages }
    let owed = (history.floor?.pages ?? []).filter { allowed?.contains($0) ?? true }
    let lost = history.breaches.flatMap { breach in
      (breach.owed?.pages ?? []).filter { !breach.found.pages.contains($0) }
    }
    return owed + Set(lost).subtracting(owed).sorted()
  }

  private mutating func judge(
    _ history: History<DocumentState>, _ content: DocumentContent?, missing: [NoteID], isRepaired: Bool
  ) {
    guard let content else {
      if history.durableIndex != nil { findings.append("the document is gone or cannot be read") }
      return
    }
    if !missing.isEmpty {
      findings.append("the document lists \(Figures.counted(missing.count, "acknowledged page")) less")
      return
    }
    // A rebuilt document may have another title and order, or more pages than the user saw; it may not have fewer.
    let isBreach = history.allows(content.state) || isRepaired ? nil : history.index(of: content.state) != nil
    guard let isOlder = history.breaches.last?.isOlder ?? isBreach else { return }
    findings.append(
      isOlder
        ? "the document went back to a title or order older than what the store had called durable"
        : "the document's title and order are no version that they ever were")
  }

  private mutating func judge(
    _ history: History<[PageElement]>, of page: DocumentContent.Page?, isRepaired: Bool, spelling: String
  ) {
    let found = page?.elements
    let isAllowed = found.map { history.allows($0, isRepaired: isRepaired) } ?? false
    // Hashing a page costs more than all the rest, so it is done only where something is wrong.
    let there = isAllowed ? [] : Set(found ?? [])
    var missing: [PageElement] = []
    func count(_ element: PageElement, isThere: Bool) {
      switch element {
      case .stroke:
        promised.strokes += 1
        kept.strokes += isThere ? 1 : 0
      case .image:
        promised.photos += 1
        kept.photos += isThere ? 1 : 0
      case .unknown: break
      }
      if !isThere { missing.append(element) }
    }
    let owed = history.floor ?? []
    for element in owed { count(element, isThere: isAllowed || there.contains(element)) }
    for element in lost(history) where !owed.contains(element) {
      count(element, isThere: found?.contains(element) ?? false)
    }
    if !missing.isEmpty {
      let identities = Set((found ?? []).compactMap(\.id))
      goneCount += missing.filter { $0.id.map { !identities.contains($0) } ?? true }.count
    }
    if isAllowed && history.breaches.isEmpty { return }
    guard let found else {
      if history.durableIndex != nil { findings.append("page \(spelling) cannot be read") }
      return
    }
    let isOlder = history.breaches.last?.isOlder ?? (history.index(of: found) != nil)
    if !missing.isEmpty {
      findings.append("page \(spelling) lost \(sentence(for: missing)) that the store had called durable")
    } else if isOlder {
      findings.append("page \(spelling) went back to a version older than what the store had called durable")
    } else {
      findings.append("page \(spelling) is no version that it ever had")
    }
  }

  /// What was called durable and was gone when the page was opened again, each element once.
  private func lost(_ history: History<[PageElement]>) -> [PageElement] {
    var seen: Set<PageElement> = []
    return history.breaches.flatMap { breach in
      let found = Set(breach.found)
      return (breach.owed ?? []).filter { !found.contains($0) && seen.insert($0).inserted }
    }
  }

  private func sentence(for elements: [PageElement]) -> String {
    let strokes = elements.filter(\.isStroke).count
    let others = elements.count - strokes
    let parts = [(strokes, "stroke"), (others, "photo")].filter { $0.0 > 0 }
    return parts.map { Figures.counted($0.0, $0.1) }.joined(separator: " and ")
  }
}
