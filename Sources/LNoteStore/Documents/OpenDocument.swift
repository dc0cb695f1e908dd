import Files
import LNoteFormat

/// A document that this session holds the lock of, with what is unsaved.
final class OpenDocument {
  /// How far below the greatest possible number a generation must be, so that a session never reaches the end.
  static let generationsSpare: UInt64 = 1 << 32

  let id: NoteID
  /// The package's directory.
  let path: BytePath
  /// The package's directory, open and locked.
  let lock: OpenFile

  /// The document as the user sees it; entries mirror the page files as they were saved.
  var record: DocumentRecord
  /// The pages that `document.json` lists on the medium.
  var pagesListed: Set<NoteID>
  /// The pages that may have a file.
  var pagesWritten: Set<NoteID>
  /// The greatest generation of `document.json` that was ever seen or tried.
  var generationTried: UInt64
  /// What `document.json` was when this session read or wrote it; nil where that could not be told.
  var stamp: FileStamp?
  /// The manifest as it was found; nil where there was none that could be understood.
  var manifest: ManifestRecord?
  /// Pages that were touched in this session.
  var pages: [NoteID: LoadedPage] = [:]
  /// The greatest generation of each page that was ever seen or tried.
  var pageGenerations: [NoteID: UInt64]
  /// True once temporary files of earlier runs were asked for their generations.
  var knowsLeftovers = false

  /// The last command that changed title, order or the set of pages and is not saved.
  var editedUpTo: UInt64?
  /// True where `document.json` is behind: it lacks an edit, or an entry lags its page.
  var recordIsBehind = false
  /// True where the manifest is behind `document.json`.
  var manifestIsBehind = false
  /// What `document.json` holds and a manifest of an earlier run does not mirror; nil where it does, or is behind anew.
  var unmirrored: DocumentRecord?
  /// Pages whose content is durable but which `document.json` does not list yet, with the command.
  var heldNews: [NoteID: UInt64] = [:]
  /// How far the removal of each deleted page's file has come.
  var removals: [NoteID: PageRemoval] = [:]
  /// Pages that were saved since their small picture was drawn.
  var thumbnailsOwed: Set<NoteID> = []

  /// Pictures that a seeded bug writes after their pages; empty otherwise.
  var deferredAssets: [(id: NoteID, bytes: [UInt8])] = []

  /// What the user can take back, since the document was opened.
  var undoStacks = UndoStacks()

  /// Why the document takes no edits; nil where it does.
  var readOnly: StoreFailure?
  /// When the next autosave is due, in milliseconds of the virtual clock; nil where nothing is unsaved.
  var saveDue: Int64?
  /// How long a failed save waits for the next try.
  var retryMilliseconds: Int64 = 0

  init(id: NoteID, path: BytePath, lock: OpenFile, record: DocumentRecord) {
    self.id = id
    self.path = path
    self.lock = lock
    self.record = record
    generationTried = record.generation
    pagesListed = Set(record.pages.map(\.id))
    pagesWritten = pagesListed
    pageGenerations = [:]
    for entry in record.pages { pageGenerations[entry.id] = entry.generation }
    for page in record.deleted { pageGenerations[page.id] = max(page.generation, pageGenerations[page.id] ?? 0) }
  }

  /// The folder of page snapshots.
  var pagesPath: BytePath { path.appending(PackageNames.pages) }

  /// The folder of pictures.
  var assetsPath: BytePath { path.appending(PackageNames.assets) }

  /// The path of a name inside the package.
  func path(of name: String) -> BytePath { path.appending(name) }

  /// The pages with unsaved content, in the document's order.
  var dirtyPages: [LoadedPage] { record.pages.compactMap { pages[$0.id] }.filter { $0.editedUpTo != nil } }

  /// True where a save has something to do.
  var needsSave: Bool { recordIsBehind || manifestIsBehind || !dirtyPages.isEmpty }

  /// The entry's place in the order; nil where the document has no such page.
  func place(of page: NoteID) -> Int? { record.pages.firstIndex { $0.id == page } }

  /// Brings a saved page's entry up to date with its file.
  ///
  /// What a repair could not bring back stays counted until the user accepts the loss.
  func mirror(_ page: LoadedPage) {
    guard let place = place(of: page.content.id) else { return }
    let lost = record.pages[place].losses.filter { !$0.isAccepted }.reduce(UInt64(0)) { $0 &+ $1.elements }
    record.pages[place].elementCount = UInt64(page.content.elements.count) &+ lost
    record.pages[place].generation = page.content.generation
    record.pages[place].modified = page.content.modified
    record.pages[place].canvas = page.content.canvas
  }

  /// A number that no body of this page had: 1 + the greatest that was ever seen or tried.
  func takeGeneration(of page: NoteID) -> UInt64 {
    let next = (pageGenerations[page] ?? 0) + 1
    pageGenerations[page] = next
    return next
  }
}

/// A page in memory.
final class LoadedPage {
  /// The page as the user sees it; the generation is that of its file.
  var content: PageSnapshot
  /// The last command that changed the page and is not saved; nil for a clean page.
  var editedUpTo: UInt64?
  /// True where elements were added since the last save.
  var hasGained = false
  /// True where elements were taken away since the last save.
  var hasLost = false
  /// The size of the page's file, in bytes.
  var fileBytes: Int
  /// Why the page takes no edits; nil where it does.
  let readOnly: StoreFailure?

  init(content: PageSnapshot, readOnly: StoreFailure? = nil) {
    self.content = content
    self.readOnly = readOnly
    fileBytes = PageLimits.headerBytes + content.elements.reduce(0) { $0 + $1.frameBytes }
  }
}

/// Tells whether a file is still the one that was read or written.
struct FileStamp: Hashable {
  private let inode: UInt64
  private let size: UInt64
  private let modified: Int64

  /// The stamp of what stands at the path; nil where that cannot be told.
  init?(_ path: BytePath, on volume: any Volume) {
    guard let status = try? volume.status(at: path) else { return nil }
    inode = status.inode
    size = status.size
    modified = status.modified
  }
}

/// How far the removal of a deleted page's file has come.
enum PageRemoval {
  /// The file may be there.
  case owed
  /// The file is gone, but a power cut may bring it back.
  case unlinked
  /// The file is gone for good.
  case durable
}

extension PageElement {
  /// The size of the element's frame in a page file, in bytes.
  var frameBytes: Int {
    switch self {
    case .stroke(let stroke):
      PageLimits.framePrefixBytes + PageLimits.strokeBytes + stroke.samples.count * PageLimits.sampleBytes
    case .image: PageLimits.framePrefixBytes + PageLimits.imageBytes
    case .unknown(let unknown): PageLimits.framePrefixBytes + unknown.payload.count
    }
  }
}
