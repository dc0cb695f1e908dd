import Files
import LNoteFormat
import Rendering

/// One step of a repair. Whatever it replaces is set aside first; doing it twice does no harm.
package struct RepairStep: Sendable {
  /// What it does.
  package enum Work: Sendable {
    /// Makes a folder of the package.
    case makeDirectory
    /// Moves what stands at the path to the lost+found folder.
    case setAside
    /// Gives a file that is whole the name that it should have.
    case rename(from: BytePath)
    /// Copies a whole file that was found in a folder that the user named.
    case fetch(FoundFile)
    /// Writes `document.json`.
    case writeDocument(DocumentRecord)
    /// Writes `manifest.json`.
    case writeManifest(ManifestRecord)
    /// Writes a page without elements.
    case writeEmptyPage(PageSnapshot)
    /// Writes what is whole in the damaged page that stands at the path.
    case salvagePage(SalvageOrder)
    /// Writes the page that stands at the path without what follows behind its end.
    case trimPage
    /// Writes the journal that stands at the path up to its last whole change, which ends there.
    case cutJournal(end: UInt64)
    /// Writes the page that stands at the path under a new generation.
    case renewPage(generation: UInt64)
    /// Writes the page that stands at the path with what is odd in it put right.
    case amendPage(AmendOrder)
    /// Writes a second copy of a page as a page of its own.
    case adoptPage(AdoptOrder)
    /// Draws a new thumbnail of the page as it is now.
    case drawThumbnail(NoteID)
  }

  /// What it does.
  package let work: Work
  /// On what, relative to the package.
  package let path: BytePath
  /// Because of which problem.
  package let code: String
  /// The problem in the user's words, for the ledger.
  package let why: String

  /// What is written, at the most, in bytes.
  func bytesToWrite(sizeOf: (BytePath) -> UInt64) -> UInt64 {
    switch work {
    case .makeDirectory, .setAside, .rename: 0
    case .fetch(let file): file.bytes
    case .writeDocument(let record): UInt64(record.encoded().count)
    case .writeManifest(let record): UInt64(record.encoded().count)
    case .writeEmptyPage: UInt64(PageLimits.headerBytes)
    case .salvagePage, .trimPage, .renewPage, .amendPage: sizeOf(path)
    case .adoptPage(let order): sizeOf(order.from)
    case .cutJournal(let end): end
    case .drawThumbnail: UInt64(Thumbnail.bytesMax)
    }
  }
}

extension RepairStep: CustomStringConvertible {
  /// "LN3002 salvage pages/....content".
  package var description: String {
    let verb =
      switch work {
      case .makeDirectory: "make folder"
      case .setAside: "set aside"
      case .rename(let from): "rename \(from) to"
      case .fetch: "fetch"
      case .writeDocument(let record): "write generation \(record.generation) of"
      case .writeManifest: "write"
      case .writeEmptyPage(let page): "write an empty page of generation \(page.generation) at"
      case .salvagePage(let order): "salvage into generation \(order.generation)"
      case .trimPage: "trim"
      case .cutJournal(let end): "cut at byte \(end)"
      case .renewPage(let generation): "renew as generation \(generation)"
      case .amendPage(let order): "put \(order.words) right as generation \(order.generation) in"
      case .adoptPage(let order): "write \(order.from) as a page of its own at"
      case .drawThumbnail: "draw"
      }
    return "\(code) \(verb) \(path)"
  }
}

/// How a damaged page is to be written anew.
package struct SalvageOrder: Hashable, Sendable {
  /// The page.
  package var id: NoteID
  /// The new generation.
  package var generation: UInt64
  /// The generation in the document's entry, for a damaged header.
  package var hint: UInt64?
  /// What the survey found; the executor must find the same.
  package var expected: SalvageSummary
  /// Canvas and times where the header is damaged.
  package var canvas: CanvasSize
  /// When the page was made, where the header is damaged.
  package var created: Timestamp
  /// When it was changed, where the header is damaged.
  package var modified: Timestamp
}
