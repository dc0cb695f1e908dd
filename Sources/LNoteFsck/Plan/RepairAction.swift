import Files
import LNoteFormat

/// What a repair would do about one problem; the plan turns it into steps.
package enum RepairAction: Hashable, Sendable {
  /// A folder of the package is made.
  case makeDirectory(BytePath)
  /// What stands there is moved to the lost+found folder.
  case setAside(BytePath)
  /// The page or image at `from`, which has another one's name, takes its own.
  case place(from: BytePath, to: BytePath)
  /// The document takes over the identity in its folder's name.
  case adoptIdentity(NoteID)
  /// The file at `from` takes the name `to`; what stood there is set aside.
  case restore(from: BytePath, to: BytePath)
  /// A whole file from a folder that the user named takes the place `to`; what stood there is set aside.
  case fetch(FoundFile, to: BytePath)
  /// `document.json` is written anew from what is left of it, the manifest and the pages.
  case rebuildDocument
  /// `document.json` stays as it is but gets a generation above the one that was lost.
  case keepOlderDocument
  /// Everything whole in a damaged page goes into a new file.
  case salvagePage(NoteID)
  /// An empty page takes the place of one that is gone.
  case emptyPage(NoteID)
  /// Fields of `document.json` that are of no use get what is known otherwise.
  case mendDocument
  /// The page's entry gets a size.
  case mendCanvas(NoteID)
  /// The title loses its control characters.
  case cleanTitle
  /// Pages that nobody lists are listed, in this order.
  case listPages([NoteID])
  /// What follows behind a page's end is cut off.
  case trimPage(NoteID)
  /// What follows behind the last whole change of the journal at the path is cut off; that ends at `end`.
  case cutJournal(BytePath, end: UInt64)
  /// A page that came back older keeps its content under a new generation; the loss is recorded.
  case keepOlderPage(NoteID)
  /// A whole page is written again with this put right.
  case amendPage(NoteID, PageAmendment)
  /// Every page is listed once.
  case dropDoubles
  /// A page that nobody lists is listed.
  case listPage(NoteID)
  /// A second copy of a page becomes a page of its own behind it.
  case adoptCopy(AdoptOrder)
  /// The page's entry takes over what the page says.
  case correctEntry(NoteID)
  /// The page's entry takes over the size that the page says.
  case correctCanvas(NoteID)
  /// The loss of an asset is recorded.
  case recordAssetLoss(NoteID)
  /// The record of a page's losses is taken out: the page is back.
  case healPage(NoteID)
  /// The record of an asset's loss is taken out: the asset is back.
  case healAsset(NoteID)
  /// New small pictures are drawn of these pages, which are whole.
  case drawThumbnails([NoteID])
  /// Small pictures of pages that are not there any more are moved to the lost+found folder.
  case setAsideThumbnails([BytePath])
  /// `manifest.json` is written anew.
  case writeManifest

  /// True for what decides about everything else: it is done first, and the package surveyed anew.
  var decidesDocument: Bool {
    switch self {
    case .rebuildDocument, .keepOlderDocument, .mendDocument: true
    case .restore(_, let target), .fetch(_, let target): target == PackagePaths.document
    default: false
    }
  }
}
