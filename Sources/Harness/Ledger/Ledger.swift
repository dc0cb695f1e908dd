import LNoteFormat
import LNoteStore

/// What a document shows beside its pages' content.
package struct DocumentState: Hashable, Sendable {
  /// The title.
  package var title: String
  /// The pages in order.
  package var pages: [NoteID]

  /// A document of this title and these pages.
  package init(title: String, pages: [NoteID]) {
    self.title = title
    self.pages = pages
  }
}

/// What the user did and what the store promised, kept apart from the store: the memory of the judge.
package struct Ledger: Hashable, Sendable {
  /// Every document, by identity.
  package private(set) var documents: [NoteID: History<DocumentState>] = [:]
  /// Every page there ever was.
  package private(set) var pages: [PageName: History<[PageElement]>] = [:]
  /// What each open document can take back.
  private var undos: [NoteID: UndoMemory] = [:]
  /// The command by which each document was opened last.
  private var openings: [NoteID: UInt64] = [:]

  /// An empty ledger.
  package init() {}

  /// The documents in the order of their identities.
  package var documentIDs: [NoteID] { documents.keys.sorted() }

  /// Records an edit that the store accepted. Commands that change nothing are let go by.
  package mutating func record(_ accepted: NumberedCommand) {
    let number = accepted.number
    switch accepted.command {
    case .createDocument(let id, let title):
      documents[id] = History(DocumentState(title: title, pages: []), madeBy: number, isDurable: false)
    case .setTitle(let id, let title):
      change(id, number) { $0.title = title }
    case .addPage(let page, _, let place):
      if pages[page] == nil {
        pages[page] = History([], madeBy: number, isDurable: false)
      } else {
        pages[page]?.append([], number: number)
      }
      change(page.document, number) { $0.pages.insert(page.page, at: min(place ?? .max, $0.pages.count)) }
    case .undo(let id): if let step = undos[id]?.undo() { show(step.page, version: step.before, number) }
    case .redo(let id): if let step = undos[id]?.redo() { show(step.page, version: step.after, number) }
    case .deletePage(let page):
      undos[page.document]?.forget(page)
      change(page.document, number) { $0.pages.removeAll { $0 == page.page } }
    case .movePage(let page, let place):
      change(page.document, number) {
        $0.pages.removeAll { $0 == page.page }
        $0.pages.insert(page.page, at: min(place, $0.pages.count))
      }
    case .addStroke(let page, let stroke):
      edit(page, number) { $0.append(.stroke(stroke)) }
    case .erase(let page, let element, let pieces):
      edit(page, number) { elements in
        guard let place = elements.firstIndex(where: { $0.id == element }) else { return }
        elements.replaceSubrange(place...place, with: pieces.map { .stroke($0) })
      }
    case .moveElement(let page, let element, let dx, let dy):
      edit(page, number) { elements in
        guard let place = elements.firstIndex(where: { $0.id == element }) else { return }
        elements[place] = elements[place].moved(dx: dx, dy: dy)
      }
    case .deleteElement(let page, let element):
      edit(page, number) { $0.removeAll { $0.id == element } }
    case .insertImage(let page, let placement, let jpeg):
      edit(page, number) { $0.append(.image(placement.element(showing: jpeg))) }
    case .open(let id): undos[id] = nil
    case .close, .letGo, .advance, .advanceUntilSaved, .background, .foreground, .list, .readPage: break
    }
  }

  /// Records an edit that a crash interrupted: nobody knows whether it was done.
  package mutating func recordInterrupted(_ asked: NumberedCommand) {
    var done = self
    done.record(asked)
    for (id, history) in done.documents where history.latestIndex > documents[id]?.latestIndex ?? .max {
      documents[id]?.interrupt(with: history.latest)
    }
    for (page, history) in done.pages where history.latestIndex > pages[page]?.latestIndex ?? .max {
      pages[page]?.interrupt(with: history.latest)
    }
  }

  /// Records what the store calls durable.
  package mutating func acknowledge(_ news: DurableNews) {
    for page in news.pages {
      pages[page.page]?.acknowledge(upTo: page.upTo)
      // A page that nothing lists cannot be opened, so its durable edits promise the document that lists it.
      if let made = pages[page.page]?.versions[0].number { documents[page.page.document]?.acknowledge(upTo: made) }
    }
    for document in news.documents { documents[document.document]?.acknowledge(upTo: document.upTo) }
  }

  /// The documents with an accepted edit that the store calls neither durable nor unsaved.
  ///
  /// Only edits since the document was opened count.
  package func forgotten(by unsaved: UnsavedWork) -> [NoteID] {
    openings.keys.sorted().filter { id in
      guard let opening = openings[id], let document = documents[id], !unsaved.documents.contains(id) else {
        return false
      }
      if document.isUndurable(since: opening) { return true }
      return document.working.pages.contains { page in
        let name = PageName(document: id, page: page)
        return !unsaved.pages.contains(name) && pages[name]?.isUndurable(since: opening) == true
      }
    }
  }

  /// The document is no longer open: what was not saved is gone, as was asked for, or by a crash.
  package mutating func letGo(_ document: NoteID) {
    openings[document] = nil
    undos[document] = nil
  }

  /// Goes on from what a document holds on disk when it is opened again.
  ///
  /// - Parameters:
  ///   - isDurable: true behind a power cut.
  ///   - isRepaired: true behind a repair, which may have had to build the document anew.
  package mutating func resume(_ content: DocumentContent, number: UInt64, isDurable: Bool, isRepaired: Bool = false) {
    openings[content.id] = number
    undos[content.id] = nil
    let isForgiven =
      isRepaired
      && documents[content.id].map { $0.floor == nil || $0.version(shownBy: content.state, isRepaired: true) != nil }
        ?? false
    documents[content.id]?.resume(
      from: content.state, number: number, isDurable: isDurable, isRepaired: isRepaired, isForgiven: isForgiven)
    for page in content.pages {
      let name = PageName(document: content.id, page: page.id)
      guard let elements = page.elements else { continue }
      if pages[name] == nil {
        pages[name] = History(elements, madeBy: number, isDurable: isDurable)
      } else {
        pages[name]?.resume(from: elements, number: number, isDurable: isDurable, isRepaired: isRepaired)
      }
    }
  }

  private mutating func change(_ document: NoteID, _ number: UInt64, _ edit: (inout DocumentState) -> Void) {
    guard var state = documents[document]?.working else { return }
    edit(&state)
    documents[document]?.append(state, number: number)
  }

  private mutating func edit(_ page: PageName, _ number: UInt64, _ edit: (inout [PageElement]) -> Void) {
    guard let history = pages[page] else { return }
    var elements = history.working
    edit(&elements)
    pages[page]?.append(elements, number: number)
    let step = UndoMemory.Step(page: page, before: history.workingIndex, after: history.latestIndex + 1)
    undos[page.document, default: UndoMemory()].note(step)
  }

  /// The page is as it was in an older version.
  private mutating func show(_ page: PageName, version: Int, _ number: UInt64) {
    guard let content = pages[page]?.versions[version].content else { return }
    pages[page]?.append(content, number: number)
  }
}

extension History<DocumentState> {
  /// The version that a document shows; a rebuilt one may have another title and order, and more pages.
  func version(shownBy state: DocumentState, isRepaired: Bool) -> DocumentState? {
    if let index = allowedIndex(of: state, isRepaired: isRepaired) { return versions[index].content }
    return isRepaired ? newestForRepair { Set($0.pages).isSubset(of: state.pages) } : nil
  }
}
