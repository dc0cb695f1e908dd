import Files
import LNoteFormat
import LNoteStore

/// Reads documents from a disk for the judge, without a word of the store's code.
struct DocumentReading {
  let volume: any Volume

  /// The document of this identity; nil where it is missing or cannot be read.
  func content(of id: NoteID) -> DocumentContent? {
    let package = BytePath(PackageNames.package(id))
    guard
      let bytes = read(package.appending(PackageNames.document), sizeMax: RecordLimits.bytesMax),
      let record = DocumentRecord.read(bytes).record
    else { return nil }
    let pages = record.pages.map { entry in
      DocumentContent.Page(
        id: entry.id, elements: elements(of: PageName(document: id, page: entry.id)))
    }
    let state = DocumentState(title: record.title, pages: record.pages.map(\.id))
    let losses = record.losses + record.pages.flatMap(\.losses)
    let recorded = losses.reduce(0) { $0 + Int(clamping: $1.elements) }
    return DocumentContent(id: id, state: state, pages: pages, recordedLoss: recorded)
  }

  /// The elements of a page; nil where its file is missing or not whole.
  func elements(of page: PageName) -> [PageElement]? {
    let path = BytePath(PackageNames.package(page.document)).appending(PackageNames.page(page.page))
    guard let bytes = read(path, sizeMax: PageLimits.fileBytesMax) else { return nil }
    return PageReader.read(bytes, expecting: page.page).snapshot?.elements
  }

  private func read(_ path: BytePath, sizeMax: Int) -> [UInt8]? {
    do throws(FileCallError) {
      return try volume.readWhole(path, sizeMax: sizeMax)
    } catch {
      return nil
    }
  }
}
