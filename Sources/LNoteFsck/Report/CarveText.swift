import LNoteFormat
import Terminal

/// A search of raw bytes as the user reads it.
package struct CarveText {
  private static let columns = 79
  private let report: CarveReport
  private let paint: Paint
  private let isQuiet: Bool

  /// The words for a search; `isQuiet` leaves only documents that are not whole, and trouble.
  package init(_ report: CarveReport, paint: Paint, isQuiet: Bool = false) {
    self.report = report
    self.paint = paint
    self.isQuiet = isQuiet
  }

  /// The whole text, with its last newline; of the errors only what is no document.
  package var text: String {
    var lines = report.errors.flatMap { wrapped("lnote-fsck: \(printable($0))", columns: CarveText.columns) }
    for item in report.items where !(isQuiet && item.isWhole) { lines += block(item) }
    lines += trouble
    if !isQuiet && report.files > 0 { lines += summary + advice }
    if !isQuiet, let exit { lines += wrapped(exit, columns: CarveText.columns) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func block(_ item: CarveReport.Item) -> [String] {
    let state = item.isWhole ? paint.green("whole") : paint.red("not whole")
    var lines = ["\(printable(item.title)): \(state)"]
    lines.append("  \(printable(report.target))/\(PackageNames.package(item.id))")
    for text in Sentences.carved(item) { lines += wrapped(text, columns: CarveText.columns, first: "  ") }
    return lines + [""]
  }

  private var trouble: [String] {
    var texts = report.failures.map { "Could not be read: \($0)" }
    if report.bytesUnread > 0 {
      texts.append("\(Sentences.size(report.bytesUnread)) could not be read; what lies there was not found.")
    }
    if report.isIncomplete { texts.append("There is more in it than one search takes; search its parts one by one.") }
    if report.recordsDamaged > 0 {
      let count = Figures.counted(report.recordsDamaged, "file begins", "files begin")
      texts.append(
        "\(count) as document.json or manifest.json and cannot be read whole: titles and page orders may be missing.")
    }
    if report.olderDocuments > 0 && !isQuiet {
      let count = Figures.counted(report.olderDocuments, "older version of a document", "older versions of documents")
      texts.append("\(count) were found too; the newest is what was written.")
    }
    let lines = texts.flatMap { wrapped(printable($0), columns: CarveText.columns) }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var summary: [String] {
    let searched = "\(Sentences.size(report.bytes)) in \(Figures.counted(report.files, "file")) searched"
    let whole = report.items.count { $0.isWhole }
    var found = "\(Figures.counted(report.items.count, "document")) written, \(Figures.grouped(whole)) of them whole"
    if report.items.isEmpty { found = "no page and no document was found" }
    if report.documentsUnwritten > 0 {
      let count = Figures.counted(report.documentsUnwritten, "document was", "documents were")
      found = (report.items.isEmpty ? "" : found + "; ") + "\(count) found and could not be written"
    }
    return wrapped("\(searched): \(found). What was searched was not changed.", columns: CarveText.columns)
  }

  private var advice: [String] {
    if report.documentsUnwritten > 0 {
      return [
        "", "What now", "  Name a folder on another disk, with more room, and run it again. Write nothing to the disk",
        "  that was searched.",
      ]
    }
    if report.items.isEmpty {
      return [
        "", "What now", "  Search the disk itself, or an image of all of it, as root: photorec and file managers",
        "  do not know pages. An SSD may have erased what was deleted.",
      ]
    }
    let target = Advice.quoted(report.target)
    return [
      "", "What now", "  Look at what was found, with pictures:",
      "      lnote-fsck --report found.html \(target)",
      "  Copy the documents into the app, and compare them with what you have there.",
      "  Write nothing to the disk that was searched until nothing is missed any more.",
    ]
  }

  private var exit: String? {
    let exit = report.exit
    if exit.contains(.cancelled) { return "Exit status \(exit.rawValue): ended before all was done." }
    if exit.contains(.usage) { return nil }
    if exit.contains(.operational) {
      return report.items.isEmpty && report.errors.isEmpty
        ? "Exit status \(exit.rawValue): nothing was found."
        : "Exit status \(exit.rawValue): not everything could be searched or written."
    }
    return exit.contains(.errorsLeft) ? "Exit status \(exit.rawValue): something is missing." : nil
  }
}
