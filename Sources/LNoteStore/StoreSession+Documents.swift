import Files
import LNoteFormat

extension StoreSession {
  /// The most bytes of a title.
  static let titleBytesMax = 4096

  /// The most pages of a document; as many entries fit into `document.json` with room to spare.
  static let pagesMax = 4000

  func createDocument(_ id: NoteID, title: String) throws(StoreFailure) -> DocumentOutline {
    try checkTitle(title)
    if documents[id] != nil { throw .exists("The document \(id) is open already.") }
    let time = Timestamp(milliseconds: now)
    let record = DocumentRecord(id: id, title: title, created: time, modified: time, generation: 1, pages: [])
    let document = try DocumentCreation(writer: writer).create(record)
    documents[id] = document
    tellDurable(document: id)
    return document.outline
  }

  func open(_ id: NoteID) throws(StoreFailure) -> DocumentOutline {
    if documents[id] != nil { throw .exists("The document \(id) is open already.") }
    let document = try DocumentOpening(volume: volume, mutant: configuration.mutant, memory: memory).open(id)
    documents[id] = document
    if document.needsSave { restartAutosave(of: document) }
    return document.outline
  }

  /// Saves, cleans, draws, lets go. A document that cannot be saved stays open with its changes.
  func close(_ id: NoteID) throws(StoreFailure) {
    let document = try document(id)
    // SEEDED BUG close-without-save: what the autosave was about to save goes with the memory.
    if configuration.mutant != .closeWithoutSave {
      do throws(StoreFailure) {
        try save(document)
      } catch {
        // The file of a deleted page may stay: nothing that was written is unsaved then.
        if document.needsSave { throw error }
        report(error)
      }
    }
    do throws(StoreFailure) {
      try AssetCleaning(writer: writer).clean(document)
    } catch {
      report(error)
    }
    thumbnails?.bringUpToDate(document)
    try letGo(id)
  }

  func letGo(_ id: NoteID) throws(StoreFailure) {
    let document = try document(id)
    documents[id] = nil
    do throws(FileCallError) {
      try volume.close(document.lock)
    } catch {
      throw StoreFailure(error, "The lock of document \(id) could not be given back", then: "The document is closed.")
    }
  }

  func setTitle(_ title: String, of id: NoteID) throws(StoreFailure) {
    let document = try editable(id)
    try checkTitle(title)
    document.record.title = title
    noteEdit(of: document)
  }

  func addPage(_ name: PageName, canvas: CanvasSize, at place: Int?) throws(StoreFailure) {
    let document = try editable(name.document)
    let count = document.record.pages.count
    let place = place ?? count
    guard (0...count).contains(place) else { throw .invalid("The new page's place must be 0 to \(count).") }
    guard count < StoreSession.pagesMax else {
      throw .tooLarge("A document can have at most \(StoreSession.pagesMax) pages. Go on in a new document.")
    }
    let sides: ClosedRange<UInt32> = 1...UInt32(Int32.max)
    guard sides.contains(canvas.width), sides.contains(canvas.height) else {
      throw .invalid("A page needs a width and a height above 0.")
    }
    try refuseTaken(name, in: document)
    let time = Timestamp(milliseconds: now)
    let content = PageSnapshot(
      id: name.page, generation: 0, canvas: canvas, created: time, modified: time, elements: [])
    let page = LoadedPage(content: content)
    page.editedUpTo = number
    page.hasGained = true
    document.pages[name.page] = page
    document.record.pages.insert(
      PageEntry(
        id: name.page, canvas: canvas, created: time, modified: time, elementCount: 0, generation: 0), at: place)
    noteEdit(of: document)
  }

  func deletePage(_ name: PageName) throws(StoreFailure) {
    let document = try editable(name.document)
    let place = try place(of: name, in: document)
    document.record.pages.remove(at: place)
    document.pages[name.page] = nil
    document.undoStacks.forget(name.page)
    document.heldNews[name.page] = nil
    if document.pagesWritten.contains(name.page) {
      let generation = document.pageGenerations[name.page] ?? 0
      document.record.deleted.append(DeletedPage(id: name.page, generation: generation))
      document.removals[name.page] = .owed
    }
    noteEdit(of: document)
  }

  func movePage(_ name: PageName, to place: Int) throws(StoreFailure) {
    let document = try editable(name.document)
    let old = try self.place(of: name, in: document)
    let last = document.record.pages.count - 1
    guard (0...last).contains(place) else { throw .invalid("The page's new place must be 0 to \(last).") }
    document.record.pages.insert(document.record.pages.remove(at: old), at: place)
    noteEdit(of: document)
  }

  func readPage(_ name: PageName) throws(StoreFailure) -> PageContent {
    let document = try document(name.document)
    let page = try PageLoading(volume: volume, mutant: configuration.mutant, memory: memory).page(
      name.page, of: document)
    return PageContent(page: name, canvas: page.content.canvas, elements: page.content.elements)
  }

  private func place(of name: PageName, in document: OpenDocument) throws(StoreFailure) -> Int {
    guard let place = document.place(of: name.page) else {
      throw .notFound("The document \(name.document) has no page \(name.page).")
    }
    return place
  }

  /// A change of title, order or set of pages: `document.json` is behind from now on.
  private func noteEdit(of document: OpenDocument) {
    document.record.modified = Timestamp(milliseconds: now)
    document.editedUpTo = number
    document.recordIsBehind = true
    restartAutosave(of: document)
  }

  private func checkTitle(_ title: String) throws(StoreFailure) {
    if title.utf8.count > StoreSession.titleBytesMax {
      throw .tooLarge("A title can have at most \(StoreSession.titleBytesMax) bytes.")
    }
    if title.utf8.contains(0) { throw .invalid("A title cannot hold a zero character.") }
  }

  /// A file that no entry lists may hold strokes that a crash left behind; a new page must not replace it.
  private func refuseTaken(_ name: PageName, in document: OpenDocument) throws(StoreFailure) {
    if document.place(of: name.page) != nil || document.record.deleted.contains(where: { $0.id == name.page }) {
      throw .exists("The document has or had a page \(name.page) already.")
    }
    do throws(FileCallError) {
      _ = try volume.status(at: document.path(of: PackageNames.page(name.page)))
    } catch {
      if error.errno == .enoent { return }
      throw .reading("The pages of document \(name.document)", error)
    }
    throw .exists("The document has a file of page \(name.page) that it does not list. Run lnote-fsck to get it back.")
  }
}

extension OpenDocument {
  /// Title and order of the pages, for the caller.
  var outline: DocumentOutline {
    DocumentOutline(document: id, title: record.title, pages: record.pages.map(\.id))
  }
}
