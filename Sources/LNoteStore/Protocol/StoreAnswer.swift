import Files
import LNoteFormat

/// What the store says to one command.
package struct StoreAnswer: Hashable, Sendable {
  /// The command's number.
  package var number: UInt64
  /// What went wrong, in the order of happening; empty where all went well. A failed edit is not applied.
  package var failures: [StoreFailure]
  /// What became durable since the last answer.
  package var durable: DurableNews
  /// What is still unsaved after this command.
  package var unsaved: UnsavedWork
  /// What was asked for, where the command asks for something.
  package var payload: StorePayload?

  /// The answer to the command of this number.
  package init(
    number: UInt64, failures: [StoreFailure] = [], durable: DurableNews = DurableNews(),
    unsaved: UnsavedWork = UnsavedWork(), payload: StorePayload? = nil
  ) {
    self.number = number
    self.failures = failures
    self.durable = durable
    self.unsaved = unsaved
    self.payload = payload
  }
}

/// What became durable, or is called so by a policy that does not sync. Sorted by identity, each at most once.
package struct DurableNews: Hashable, Sendable {
  /// Content of pages.
  package var pages: [DurablePage]
  /// Titles, page orders, added and deleted pages.
  package var documents: [DurableDocument]
  /// Files of pictures.
  package var assets: [DurableAsset]

  /// News of these.
  package init(pages: [DurablePage] = [], documents: [DurableDocument] = [], assets: [DurableAsset] = []) {
    self.pages = pages
    self.documents = documents
    self.assets = assets
  }

  /// True where nothing became durable.
  package var isEmpty: Bool { pages.isEmpty && documents.isEmpty && assets.isEmpty }
}

/// Every edit of this page with a number up to `upTo` is durable now.
package struct DurablePage: Hashable, Sendable {
  /// The page.
  package var page: PageName
  /// The number of the last command whose edit is durable.
  package var upTo: UInt64

  /// The page up to this command.
  package init(_ page: PageName, upTo: UInt64) {
    self.page = page
    self.upTo = upTo
  }
}

/// Every change of title, page order, added or deleted page with a number up to `upTo` is durable now.
package struct DurableDocument: Hashable, Sendable {
  /// The document.
  package var document: NoteID
  /// The number of the last command whose change is durable.
  package var upTo: UInt64

  /// The document up to this command.
  package init(_ document: NoteID, upTo: UInt64) {
    self.document = document
    self.upTo = upTo
  }
}

/// A picture's file that is durable now.
package struct DurableAsset: Hashable, Sendable {
  /// The document that owns it.
  package var document: NoteID
  /// The asset.
  package var asset: NoteID

  /// The asset of this document.
  package init(document: NoteID, asset: NoteID) {
    self.document = document
    self.asset = asset
  }
}

/// What is not saved yet. Sorted by identity.
package struct UnsavedWork: Hashable, Sendable {
  /// Pages with changes that no file holds.
  package var pages: [PageName]
  /// Documents whose `document.json` or library entry is behind.
  package var documents: [NoteID]

  /// Work on these pages and documents.
  package init(pages: [PageName] = [], documents: [NoteID] = []) {
    self.pages = pages
    self.documents = documents
  }

  /// True where everything is saved.
  package var isEmpty: Bool { pages.isEmpty && documents.isEmpty }
}

/// Something that went wrong, with what is needed to say what to do next.
package struct StoreFailure: Error, Hashable, Sendable {
  /// What sort of failure it is; decides what a caller can do.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A system call failed; `call` and `errno` say which and why. What was unsaved is still unsaved.
    case fileCall = "file-call"
    /// Another writer has the document.
    case locked
    /// A file could not be understood; nothing is written over it.
    case damaged
    /// The file is of a version that this store does not know.
    case versionUnknown = "version-unknown"
    /// No such document, page or element, or it is not open.
    case notFound = "not-found"
    /// The identity is taken already.
    case exists
    /// The page could not be loaded in this session and takes no edits.
    case readOnly = "read-only"
    /// Another program changed the document since it was opened here; nothing is written over its work.
    case changedElsewhere = "changed-elsewhere"
    /// The command's values make no sense: a picture that is no JPEG, a place out of range.
    case invalid
    /// Greater than a limit of the format.
    case tooLarge = "too-large"
  }

  /// The sort.
  package var kind: Kind
  /// The system call that failed, as its manual page is named; nil where none did.
  package var call: String?
  /// The reason of the system; nil where no call failed.
  package var errno: Errno?
  /// One sentence for a person.
  package var message: String

  /// A failure of these values.
  package init(kind: Kind, call: String? = nil, errno: Errno? = nil, message: String) {
    self.kind = kind
    self.call = call
    self.errno = errno
    self.message = message
  }
}

/// What a command asked for.
package enum StorePayload: Hashable, Sendable {
  /// For `open` and `createDocument`.
  case document(DocumentOutline)
  /// For `readPage`.
  case page(PageContent)
  /// For `list`.
  case library([LibraryItem])
}

/// An open document as its first screen shows it.
package struct DocumentOutline: Hashable, Sendable {
  /// The document.
  package var document: NoteID
  /// The title.
  package var title: String
  /// The pages in order.
  package var pages: [NoteID]

  /// An outline of these values.
  package init(document: NoteID, title: String, pages: [NoteID]) {
    self.document = document
    self.title = title
    self.pages = pages
  }
}

/// A page as the store would show it.
package struct PageContent: Hashable, Sendable {
  /// The page.
  package var page: PageName
  /// The size of its canvas.
  package var canvas: CanvasSize
  /// The elements in z-order, saved or not.
  package var elements: [PageElement]

  /// A page of these values.
  package init(page: PageName, canvas: CanvasSize, elements: [PageElement]) {
    self.page = page
    self.canvas = canvas
    self.elements = elements
  }
}

/// A document as the library screen shows it.
package struct LibraryItem: Hashable, Sendable {
  /// The document.
  package var document: NoteID
  /// What its manifest says; nil where there is none or it cannot be understood.
  package var manifest: ManifestRecord?
  /// True where the cover page has a thumbnail.
  package var hasCover: Bool

  /// An item of these values.
  package init(document: NoteID, manifest: ManifestRecord?, hasCover: Bool) {
    self.document = document
    self.manifest = manifest
    self.hasCover = hasCover
  }
}
