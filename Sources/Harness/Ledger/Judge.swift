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

  /// Judges what the documents hold on disk; a document that is not there has no content.
  ///
  /// - Parameter spelling: how the scenario calls a page.
  package init(of contents: [NoteID: DocumentContent], against ledger: Ledger, spelling: (PageName) -> String) {
    for document in ledger.documentIDs {
      guard let history = ledger.documents[document] else { continue }
      let content = contents[document]
      judge(history, content)
      let promisedPages = history.lastDurable?.pages ?? []
      let listed = content?.state.pages ?? []
      for page in promisedPages where isStillWanted(page, history, content) {
        promised.pages += 1
        if listed.contains(page) { kept.pages += 1 }
      }
      let names = Set(listed).union(promisedPages.filter { isStillWanted($0, history, content) })
      for page in names.sorted() {
        let name = PageName(document: document, page: page)
        guard let pages = ledger.pages[name] else { continue }
        judge(pages, of: content?.pages.first { $0.id == page }, spelling: spelling(name))
      }
    }
  }

  /// False for a page that the user deleted, in a state that the disk may show.
  private func isStillWanted(_ page: NoteID, _ history: History<DocumentState>, _ content: DocumentContent?) -> Bool {
    guard let content, let index = history.index(of: content.state, from: history.durableIndex ?? 0) else {
      return true
    }
    return history.versions[index].content.pages.contains(page)
  }

  private mutating func judge(_ history: History<DocumentState>, _ content: DocumentContent?) {
    guard let content else {
      if history.durableIndex != nil { findings.append("the document is gone or cannot be read") }
      return
    }
    if history.index(of: content.state, from: history.durableIndex ?? 0) != nil { return }
    // A rebuilt document may have another title, or more pages than the user saw; it may not have fewer.
    let missing = (history.lastDurable?.pages ?? []).filter { !content.state.pages.contains($0) }
    if !missing.isEmpty {
      findings.append("the document lists \(Figures.counted(missing.count, "acknowledged page")) less")
    }
  }

  private mutating func judge(
    _ history: History<[PageElement]>, of page: DocumentContent.Page?, spelling: String
  ) {
    let durable = history.lastDurable ?? []
    let found = page?.elements
    let isKept = found.map { history.index(of: $0, from: history.durableIndex ?? 0) != nil } ?? false
    let there = Set(found ?? [])
    for element in durable {
      let isThere = isKept || there.contains(element)
      switch element {
      case .stroke:
        promised.strokes += 1
        kept.strokes += isThere ? 1 : 0
      case .image:
        promised.photos += 1
        kept.photos += isThere ? 1 : 0
      case .unknown: break
      }
    }
    if isKept { return }
    if found == nil {
      if history.durableIndex != nil { findings.append("page \(spelling) cannot be read") }
      return
    }
    let missing = durable.filter { !there.contains($0) }
    if missing.isEmpty {
      findings.append("page \(spelling) is no version that it ever had")
    } else {
      findings.append("page \(spelling) lost \(sentence(for: missing)) that the store had called durable")
    }
  }

  private func sentence(for elements: [PageElement]) -> String {
    let strokes = elements.filter(\.isStroke).count
    let others = elements.count - strokes
    let parts = [(strokes, "stroke"), (others, "photo")].filter { $0.0 > 0 }
    return parts.map { Figures.counted($0.0, $0.1) }.joined(separator: " and ")
  }
}
