import LNoteFormat

/// One step that a caller asks of the store, with the caller's own number for it.
package struct NumberedCommand: Hashable, Sendable {
  /// 1, 2, 3, … in the order of asking; answers speak of edits by these numbers.
  package var number: UInt64
  /// What is asked.
  package var command: StoreCommand

  /// The command of this number.
  package init(_ number: UInt64, _ command: StoreCommand) {
    self.number = number
    self.command = command
  }
}

/// What a caller can ask of the store. Identities are the caller's choice, so that a run can be repeated.
package enum StoreCommand: Hashable, Sendable {
  /// A new, empty document; it is open and on disk when the answer comes.
  case createDocument(NoteID, title: String)
  /// Takes the document's lock and reads `document.json`; no page.
  case open(NoteID)
  /// Saves what is unsaved, cleans unused assets, gives the lock back.
  case close(NoteID)
  /// Gives the lock back at once: nothing is saved and nothing cleaned.
  case letGo(NoteID)
  /// A new, empty page at this place in the order, counted from 0; nil is at the end.
  case addPage(PageName, canvas: CanvasSize, at: Int?)
  case deletePage(PageName)
  /// Moves the page to this place in the order, counted from 0 with the page itself taken out.
  case movePage(PageName, to: Int)
  /// Draws a stroke on top of the page.
  case addStroke(PageName, Stroke)
  /// Erases part of a stroke: its remaining pieces, perhaps none, take its place in the z-order.
  case erase(PageName, element: NoteID, pieces: [Stroke])
  /// Moves an element, in 0.1 pt.
  case moveElement(PageName, element: NoteID, dx: Int32, dy: Int32)
  case deleteElement(PageName, element: NoteID)
  /// Writes the picture as an asset, synced before the answer comes, and places it on top of the page.
  case insertImage(PageName, ImagePlacement, jpeg: [UInt8])
  /// Takes back the last change of an element in the document; `undoEditsMax` of them since it was opened.
  case undo(NoteID)
  /// Makes the change again that was taken back last, as long as no other one followed.
  case redo(NoteID)
  case setTitle(NoteID, String)
  /// Moves the virtual clock; autosaves that become due run on the way.
  case advance(milliseconds: Int64)
  /// Moves the virtual clock to the end of the next autosave; does nothing where nothing is unsaved.
  case advanceUntilSaved
  /// The app goes to the background: every changed page is saved at once.
  case background
  case foreground
  /// Lists the library: manifests and cover thumbnails only.
  case list
  /// The page's elements as the store would show them.
  case readPage(PageName)

  /// How many changes of elements a document can take back.
  package static let undoEditsMax = 100
}

/// A page, by its document and its own identity.
package struct PageName: Hashable, Comparable, Sendable {
  /// The document that lists it.
  package var document: NoteID
  /// The page.
  package var page: NoteID

  /// The page of this document.
  package init(document: NoteID, page: NoteID) {
    self.document = document
    self.page = page
  }

  /// Order by document, then by page.
  package static func < (left: PageName, right: PageName) -> Bool {
    (left.document, left.page) < (right.document, right.page)
  }
}

/// A picture's identities and its place on the page.
package struct ImagePlacement: Hashable, Sendable {
  /// The identity of the element on the page.
  package var element: NoteID
  /// The identity of the asset, the picture's file.
  package var asset: NoteID
  /// Place from the left, in 0.1 pt.
  package var x: Int32
  /// Place from the top, in 0.1 pt.
  package var y: Int32
  /// Width, in 0.1 pt.
  package var width: Int32
  /// Height, in 0.1 pt.
  package var height: Int32

  /// A picture of these identities at this place.
  package init(element: NoteID, asset: NoteID, x: Int32, y: Int32, width: Int32, height: Int32) {
    self.element = element
    self.asset = asset
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
