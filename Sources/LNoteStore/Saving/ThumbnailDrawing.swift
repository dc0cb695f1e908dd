import Files
import LNoteFormat
import Rendering

/// Draws the small pictures of pages, behind everything that holds what the user drew.
///
/// A picture can be drawn again at any time: it is written beside its target and renamed as all else, but nothing is
/// synced, and no failure is told. What could not be drawn is owed until the next `background` or `close`.
struct ThumbnailDrawing {
  /// More bytes than a small picture of another program is expected to have; a larger one is left alone.
  static let foreignBytesMax = 4 << 20

  let writer: SafeWriter
  let loading: PageLoading

  /// Draws the pages that were saved since their picture was drawn.
  func drawOwed(of document: OpenDocument) {
    guard mayDraw(document) else { return }
    for entry in document.record.pages where document.thumbnailsOwed.contains(entry.id) { draw(entry, of: document) }
  }

  /// Draws every page whose picture is missing, older than the page or damaged, and removes those of deleted pages.
  func bringUpToDate(_ document: OpenDocument) {
    guard mayDraw(document) else { return }
    for entry in document.record.pages {
      let isOwed = document.thumbnailsOwed.contains(entry.id)
      if isOwed || isBehind(entry, in: document) { draw(entry, of: document) }
    }
    for page in document.record.deleted { removeReturned(page.id, of: document) }
  }

  /// Removes the picture of a page whose file is gone.
  func remove(_ page: NoteID, of document: OpenDocument) {
    try? writer.volume.unlink(document.path(of: PackageNames.thumbnail(page)))
  }

  /// Not while anything is unsaved, which needs the room more; and not in a document that takes no edits, where a
  /// picture may be the last of what is lost.
  private func mayDraw(_ document: OpenDocument) -> Bool { document.readOnly == nil && !document.needsSave }

  // MARK: Which pages

  /// True where the page's picture has to be drawn although this session did not change the page.
  private func isBehind(_ entry: PageEntry, in document: OpenDocument) -> Bool {
    let file: [UInt8]
    do throws(FileCallError) {
      file = try writer.volume.readWhole(
        document.path(of: PackageNames.thumbnail(entry.id)), sizeMax: ThumbnailDrawing.foreignBytesMax)
    } catch {
      return error.errno == .enoent
    }
    // One of a later version shows what was lost; whoever repairs the document asks before it goes.
    if let shown = Thumbnail.read(file) {
      return shown.page != entry.id || shown.generation < generation(of: entry, in: document)
    }
    return ThumbnailDrawing.isDamaged(file, of: entry.id)
  }

  /// The generation of the page's file, which a crash may have put in front of its entry.
  private func generation(of entry: PageEntry, in document: OpenDocument) -> UInt64 {
    if let page = document.pages[entry.id] { return page.content.generation }
    let volume = writer.volume
    guard let file = try? volume.open(document.path(of: PackageNames.page(entry.id)), for: .reading) else {
      return entry.generation
    }
    defer { try? volume.close(file) }
    var head = [UInt8](repeating: 0, count: PageGlance.bytes)
    let count = head.withUnsafeMutableBytes { try? volume.read(file, at: 0, into: $0) } ?? 0
    let glance = head.withUnsafeBytes {
      PageReader.glance(UnsafeRawBufferPointer(rebasing: $0[..<count]), size: UInt64(count), expecting: entry.id)
    }
    return max(entry.generation, glance.header?.generation ?? 0)
  }

  /// True for one of ours that was changed, and for no picture at all; one of another program may show anything.
  private static func isDamaged(_ file: [UInt8], of page: NoteID) -> Bool {
    file.withUnsafeBytes { bytes in
      switch JPEGCheck.walk(bytes).condition {
      case .whole: Thumbnail.isMarked(bytes, as: page)
      case .notJPEG(let kind): kind == .unknown || kind == .jpeg
      case .zeroLength, .nulFilled, .truncated, .damaged: true
      }
    }
  }

  // MARK: One page

  /// Draws the page as its file has it; one that cannot be read whole, or came back older, keeps the picture it has.
  private func draw(_ entry: PageEntry, of document: OpenDocument) {
    guard let page = document.pages[entry.id] ?? (try? loading.load(entry, of: document)), page.readOnly == nil
    else { return }
    let scene = PageScene(canvas: page.content.canvas, elements: page.content.elements)
    let picture = Thumbnail(page: entry.id, generation: page.content.generation).file(showing: scene) { image in
      let path = document.path(of: PackageNames.asset(image.asset))
      let bytes = try? writer.volume.readWhole(path, sizeMax: StoreSession.pictureBytesMax)
      return bytes.flatMap { image.shows($0) ? $0 : nil }
    }
    do throws(FileCallError) {
      let target = document.path(of: PackageNames.thumbnail(entry.id))
      try writer.commit(try writer.stage(picture, for: target, synced: false))
      document.thumbnailsOwed.remove(entry.id)
    } catch {
      // Owed until the next time; the temporary file is gone, or will be.
      return
    }
  }

  /// A power cut may have brought back the picture of a page that stays deleted.
  private func removeReturned(_ page: NoteID, of document: OpenDocument) {
    guard (try? writer.volume.status(at: document.path(of: PackageNames.thumbnail(page)))) != nil else { return }
    do throws(FileCallError) {
      _ = try writer.volume.status(at: document.path(of: PackageNames.page(page)))
    } catch {
      if error.errno == .enoent { remove(page, of: document) }
    }
  }
}
