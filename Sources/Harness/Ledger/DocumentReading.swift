import Files
import LNoteFormat
import LNoteStore

/// Reads documents from a disk for the judge, without a word of the store's code.
struct DocumentReading {
  let volume: any Volume
  /// What was read before, where the volume names contents.
  var memory: DocumentMemory?

  /// The document of this identity; nil where it is missing or cannot be read.
  func content(of id: NoteID) -> DocumentContent? {
    let package = BytePath(PackageNames.package(id))
    let read = try? volume.readWhole(
      package.appending(PackageNames.document), sizeMax: RecordLimits.bytesMax, OnlyQuestion(), from: memory?.records,
      { DocumentRecord.read($0).record })
    guard let record = read ?? nil else { return nil }
    let pages = record.pages.map { entry in
      DocumentContent.Page(
        id: entry.id, elements: elements(of: PageName(document: id, page: entry.id)))
    }
    let state = DocumentState(title: record.title, pages: record.pages.map(\.id))
    let losses = record.losses + record.pages.flatMap(\.losses)
    let recorded = losses.reduce(0) { $0 + Int(clamping: $1.elements) }
    return DocumentContent(
      id: id, state: state, pages: pages, recordedLoss: recorded, recordsLoss: !losses.isEmpty)
  }

  /// The elements of a page; nil where its file is missing or not whole.
  func elements(of page: PageName) -> [PageElement]? {
    let path = BytePath(PackageNames.package(page.document)).appending(PackageNames.page(page.page))
    let read = try? volume.readWhole(path, sizeMax: PageLimits.fileBytesMax, page, from: memory?.pages) { bytes in
      let elements = PageReader.read(bytes, expecting: page.page).snapshot?.elements
      return elements.map { memory?.inStorageOfLedger($0, of: page) ?? $0 }
    }
    return read ?? nil
  }
}
