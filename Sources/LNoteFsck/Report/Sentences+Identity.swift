import Files
import LNoteFormat
import Terminal

/// What files say they are, whatever their names.
extension Sentences {
  /// A newer version of a page that somebody put beside it.
  static func versions(_ newer: PageSummary, besides own: PageSummary) -> String {
    "It has \(content(newer)), the page's own file \(content(own))."
  }

  /// The content of another page, which is damaged as well.
  static func damagedToo(_ foreign: ForeignElements) -> String {
    let count = Figures.counted(Int(clamping: foreign.count), "stroke or image", "strokes or images")
    return "It is damaged, and all that is left of that page: \(count) can be read."
  }

  /// A file without a name of its own that holds a whole page, perhaps beside the page itself.
  static func holds(
    _ page: String, _ found: PageSummary, besides own: (file: BytePath, summary: PageSummary)?,
    isAdopted: Bool = false
  ) -> String {
    let holds = "It holds \(page), whole: generation \(found.generation) with \(content(found))"
    guard let own else { return "\(holds)." }
    let text = "\(holds); the page itself has generation \(own.summary.generation) with \(content(own.summary))."
    if isAdopted { return "\(text) A repair makes it a page of its own behind that page; nothing is merged." }
    if found.generation <= own.summary.generation { return text }
    let doubt = found.elements < own.summary.elements ? "has less on it" : "may come from another device"
    return "\(text) It is newer but \(doubt), so nothing was decided: to have it, move \(own.file) out of the "
      + "document and repair."
  }

  /// A file without a name of its own that holds a damaged page.
  static func holdsDamaged(_ page: String, _ salvage: SalvageSummary) -> String {
    let count = Figures.counted(Int(clamping: salvage.elements), "stroke or image", "strokes or images")
    return "It holds \(page), damaged: \(count) can be read."
  }

  /// "834 x 1194 points", from tenths of a point.
  static func canvas(_ size: CanvasSize) -> String {
    let text = { (tenths: UInt32) in
      tenths % 10 == 0 ? Figures.grouped(Int(tenths / 10)) : "\(Figures.grouped(Int(tenths / 10))).\(tenths % 10)"
    }
    return "\(text(size.width)) x \(text(size.height)) points"
  }

  /// A second copy of what is missing or damaged.
  static func onlyWholeCopy(_ file: String, of target: String) -> String {
    "\(file) has the name of a second copy, and is the only whole file of \(target)."
  }

  /// A folder whose name is spelled otherwise.
  static func renameFolder(_ folder: BytePath, to name: BytePath) -> String {
    "What is in it was not looked at. Rename it to \(name), then check again."
  }

  /// A newer `document.json` under another name.
  static func holdsNewer(_ record: DocumentRecord, than own: DocumentRecord) -> String {
    "It is a newer document.json, of generation \(record.generation) with \(pages(record.pages.count)); the one in "
      + "use has generation \(own.generation) with \(pages(own.pages.count))."
  }

  private static func content(_ page: PageSummary) -> String {
    elements(page.elements, strokesOnly: page.strokes == page.elements)
  }
}
