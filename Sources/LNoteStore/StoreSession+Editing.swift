import Bytes
import Files
import LNoteFormat
import Rendering

extension StoreSession {
  /// The most bytes of a picture.
  static let pictureBytesMax = 64 << 20

  /// Changes one page in memory; it is saved by the next autosave.
  func edit(_ name: PageName, _ edit: PageEdit) throws(StoreFailure) {
    let (document, page) = try editablePage(name)
    let splice = edit.splice(in: page.content.elements)
    var elements = page.content.elements
    // The page lets go of its own copy, so that an append does not copy all elements.
    page.content.elements = []
    var fileBytes = page.fileBytes
    do throws(StoreFailure) {
      try edit.apply(to: &elements, fileBytes: &fileBytes)
    } catch {
      page.content.elements = elements
      throw error
    }
    page.content.elements = elements
    page.fileBytes = fileBytes
    note(edit, of: page, in: document)
    if let splice, !edit.isSplice { document.undoStacks.note(.init(page: name.page, splice: splice)) }
  }

  /// Takes back the last change of an element.
  func undo(in id: NoteID) throws(StoreFailure) {
    let document = try editable(id)
    guard let change = document.undoStacks.done.last else { throw .invalid("There is no change to take back.") }
    try edit(PageName(document: id, page: change.page), .splice(change.splice.reversed))
    document.undoStacks.undo()
  }

  /// Makes the change again that was taken back last.
  func redo(in id: NoteID) throws(StoreFailure) {
    let document = try editable(id)
    guard let change = document.undoStacks.undone.last else { throw .invalid("No change was taken back last.") }
    try edit(PageName(document: id, page: change.page), .splice(change.splice))
    document.undoStacks.redo()
  }

  /// Writes the picture's file, durable before this returns, and places it on the page in memory.
  func insertImage(_ name: PageName, _ place: ImagePlacement, jpeg: [UInt8]) throws(StoreFailure) {
    let (document, page) = try editablePage(name)
    if jpeg.count > StoreSession.pictureBytesMax {
      throw .tooLarge("A picture can have at most \(StoreSession.pictureBytesMax >> 20) MiB.")
    }
    guard JPEGCheck.walk(jpeg).condition == .whole else {
      throw .invalid("The picture is no whole JPEG file. Choose another one.")
    }
    var place = place
    // SEEDED BUG asset-named-by-size: see `write`.
    if configuration.mutant == .assetNamedBySize { place.asset = NoteID(high: 0, low: UInt64(jpeg.count)) }
    let digest = XXH3.digest128(of: jpeg)
    let image = PlacedImage(
      id: place.element, asset: place.asset, x: place.x, y: place.y, width: place.width, height: place.height,
      rotation: 0, assetLength: UInt64(jpeg.count), assetDigest: AssetDigest(high: digest.high, low: digest.low))
    // Everything that can be refused is refused before the file is written.
    let edit = PageEdit.add(.image(image))
    let splice = PageSplice(place: page.content.elements.count, old: [], new: [.image(image)])
    var elements = page.content.elements
    var fileBytes = page.fileBytes
    try edit.apply(to: &elements, fileBytes: &fileBytes)
    try write(jpeg, as: place.asset, of: document)
    page.content.elements = elements
    page.fileBytes = fileBytes
    note(edit, of: page, in: document)
    document.undoStacks.note(.init(page: name.page, splice: splice))
  }

  private func write(_ jpeg: [UInt8], as asset: NoteID, of document: OpenDocument) throws(StoreFailure) {
    let assets = AssetWriting(writer: writer)
    do throws(StoreFailure) {
      try assets.refuseTaken(asset, of: document)
    } catch {
      // SEEDED BUG asset-named-by-size: a file of this name is taken for this picture's.
      if configuration.mutant == .assetNamedBySize { return }
      throw error
    }
    if configuration.mutant == .pageBeforeAsset {
      // SEEDED BUG page-before-asset: the picture waits for the next save, and goes behind its page there.
      document.deferredAssets.append((asset, jpeg))
      return
    }
    writer.removeAbandoned()
    try assets.write(jpeg, as: asset, of: document)
    tellDurable(asset: asset, of: document.id)
  }

  private func editablePage(_ name: PageName) throws(StoreFailure) -> (OpenDocument, LoadedPage) {
    let document = try editable(name.document)
    let page = try PageLoading(volume: volume, mutant: configuration.mutant, memory: memory).page(
      name.page, of: document)
    if let failure = page.readOnly { throw failure }
    return (document, page)
  }

  private func note(_ edit: PageEdit, of page: LoadedPage, in document: OpenDocument) {
    // SEEDED BUG undo-not-saved: memory is changed, and no save knows.
    if configuration.mutant == .undoNotSaved, edit.isSplice { return }
    let time = Timestamp(milliseconds: now)
    page.content.modified = time
    page.editedUpTo = number
    if edit.gains { page.hasGained = true }
    if edit.loses { page.hasLost = true }
    document.record.modified = time
    restartAutosave(of: document)
  }
}
