import Files
import LNoteFormat
import Terminal

/// A run as the user reads it on a terminal of 80 columns.
package struct TextReport {
  private static let columns = 79
  private static let codeColumns = 6
  private let run: RunReport
  private let paint: Paint
  private let isQuiet: Bool

  /// The words for a run; `isQuiet` leaves only problems.
  package init(_ run: RunReport, paint: Paint, isQuiet: Bool = false) {
    self.run = run
    self.paint = paint
    self.isQuiet = isQuiet
  }

  /// The whole text, with its last newline.
  package var text: String {
    var lines = run.errors.map { "lnote-fsck: \(printable($0))" }
    for folder in run.synced {
      lines += wrapped("Note: \(printable(Sentences.synced(folder)))", columns: TextReport.columns) + [""]
    }
    for item in run.items { lines += block(item) }
    if !isQuiet {
      if !lines.isEmpty && !run.items.isEmpty && lines.last != "" { lines.append("") }
      lines += summary + asideFolders + drawings + advice
    }
    if let exit = Sentences.exit(run.exit, run), !isQuiet { lines += wrapped(exit, rest: "") }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: One document

  func block(_ item: RunReport.Item) -> [String] {
    let report = item.report
    let numbers = report.pageNumbers
    var lines: [String] = []
    for problem in report.repaired {
      lines += self.problem(label: paint.green("fixed"), Sentences.done(problem), [], problem.kind.code)
    }
    if !report.asides.isEmpty {
      lines += self.problem(
        label: "aside", report.asidesTold, [], nil)
    }
    for (label, text) in report.undoLines(numbers: numbers) { lines += problem(label: label, text, [], nil) }
    for problem in report.shown where !isOwnLoss(problem, report) {
      if isQuiet && problem.severity == .info && problem.repairClass != .operational { continue }
      lines += self.problem(label: label(of: problem), problem.message, problem.details, problem.kind.code)
    }
    for text in report.planLines { lines += problem(label: "step", text, [], nil) }
    if let plan = report.plan {
      lines += wrapped(Sentences.cost(of: plan), columns: TextReport.columns, first: "  ")
    }
    if report.isPlanDone { lines += problem(label: "none", Sentences.planIsDone, [], nil) }
    for text in [
      report.leftOut.isEmpty ? nil : Sentences.leftOut(report.leftOut),
      report.removedCopies.isEmpty ? nil : Sentences.removedCopies(report.removedCopies),
    ].compactMap(\.self) {
      lines += self.problem(label: "note", text, [], nil)
    }
    if !report.actions.isEmpty && report.refusal == nil {
      lines += wrapped(checkedAgain(report), columns: TextReport.columns, first: "  ")
    }
    if lines.isEmpty { return [] }
    let title = report.title.map { printable($0) } ?? "(no title)"
    let head = spread(paint.bold(title), verdict(report), columns: TextReport.columns + (paint.isOn ? 8 : 0))
    let place = "  " + printable(item.shown.split(separator: "/").last.map(String.init) ?? item.shown)
    return (report.isDocument ? [head, place] : [head]) + lines + [""]
  }

  /// The loss that this very repair recorded stands in its "fixed" line.
  func isOwnLoss(_ problem: Problem, _ report: PackageReport) -> Bool {
    guard problem.kind == .knownLoss, let folder = report.lostAndFound else { return false }
    return folder.name == BytePath(problem.evidence)
  }

  private func problem(label: String, _ message: String, _ details: [String], _ code: String?) -> [String] {
    let head = "  " + padded(label, columns: 8 + (label.utf8.first == 0x1B ? label.utf8.count - plain(label) : 0))
    let indent = String(repeating: " ", count: 10)
    let room = TextReport.columns - TextReport.codeColumns - 1
    // Only the first line must leave room for the code.
    var lines = code == nil ? wrapped(printable(message), columns: TextReport.columns, first: indent) : []
    if let code {
      let first = wrapped(printable(message), columns: room, first: indent)[0]
      let rest = printable(message).split(separator: " ").dropFirst(first.split(separator: " ").count)
      lines = [padded(first, columns: room) + " " + paint.dim(code)]
      if !rest.isEmpty {
        lines += wrapped(rest.joined(separator: " "), columns: TextReport.columns, first: indent)
      }
    }
    lines[0] = head + lines[0].dropFirst(indent.count)
    for detail in details { lines += wrapped(printable(detail), columns: TextReport.columns, first: indent) }
    return lines
  }

  /// How many bytes of a coloured word are the word.
  private func plain(_ label: String) -> Int {
    ["fixed", "error", "warning", "unread", "absent"].first { label.contains($0) }?.utf8.count ?? label.utf8.count
  }

  private func label(of problem: Problem) -> String {
    if problem.repairClass == .operational {
      return paint.yellow(problem.kind == .notDownloaded ? "absent" : "unread")
    }
    switch problem.severity {
    case .fatal, .error: return paint.red("error")
    case .warning: return paint.yellow("warning")
    case .info: return "note"
    }
  }

  func verdict(_ report: PackageReport) -> String {
    if let verdict = report.undoVerdict { return verdict }
    if report.isUnjudged {
      let kinds = Set(report.left.map(\.kind))
      if case .planDiffers = report.refusal { return "not repaired: it has changed" }
      if case .cannotBeCopied = report.refusal { return "not repaired" }
      if kinds.contains(.noSpaceForRepair) { return "not repaired: no room" }
      if run.isRepair && kinds.contains(.inUse) { return "not repaired: it is open" }
      if report.isCopied && report.refusal == nil { return "saved as far as it is here" }
      if !report.isDocument { return "cannot be read" }
      return "cannot be judged yet"
    }
    if report.didChange {
      if report.left.contains(where: { $0.kind == .knownLoss && $0.severity == .error }) {
        return "repaired, with a loss"
      }
      return report.isDamaged ? "repaired in part" : "repaired"
    }
    let problems = report.left.count { $0.severity > .info }
    if problems > 0 { return Figures.counted(problems, "problem") }
    return Figures.counted(report.left.count, "note")
  }

  func checkedAgain(_ report: PackageReport) -> String {
    let left = report.left.filter { $0.severity >= .error && $0.kind != .knownLoss }.count
    if left > 0 { return "Checked again: \(Figures.counted(left, "problem is", "problems are")) left." }
    let untold = report.hidden.count { $0.severity >= .error }
    if untold > 0 { return Sentences.othersAreLeft(untold) }
    // A damaged image stays in its place, where part of it may still be seen.
    let isImageLost = report.left.contains { $0.kind == .knownLoss && $0.severity >= .error && $0.asset != nil }
    let what = isImageLost ? "everything else that is there" : "everything that is there"
    return "Checked again: \(what) is whole; nothing else was touched."
  }

  // MARK: The end

  private var documents: String { Figures.counted(run.documents.count, "document") }

  /// What has not changed, and where the copies are.
  private var unchanged: String {
    let copies = run.items.count { $0.report.isCopied }
    guard case .copy(let folder) = run.mode, copies > 0 else { return "Nothing was changed." }
    let them = Figures.counted(copies, "copy of it is", "copies of them are")
    return "\(them) in \(printable(folder)); what was copied was not changed."
  }

  var summary: [String] {
    if run.items.isEmpty && (run.selection.part == nil || !run.errors.isEmpty) { return [] }
    let reports = run.documents.map(\.report)
    if reports.isEmpty {
      let text = run.selection.part == nil ? "No document was found in it." : run.selectionTexts.joined(separator: " ")
      return wrapped("\(text) \(unchanged)", columns: TextReport.columns)
    }
    if case .acceptLoss = run.mode { return wrapped(run.acceptedSummary, columns: TextReport.columns) }
    if run.mode == .undo { return wrapped(run.undoSummary, columns: TextReport.columns) }
    let verified = run.verified
    let changed = reports.contains { $0.didChange }
    let isSound = run.items.map(\.report).allSatisfy { report in
      report.left.allSatisfy { $0.severity == .info } && !report.isUnjudged
    }
    if isSound && !changed { return soundSummary(verified) + selectionLines }
    var parts: [String] = []
    let repaired = reports.count { $0.didChange }
    let damaged = reports.count { !$0.didChange && $0.isDamaged }
    let unjudged = reports.count { !$0.didChange && !$0.isDamaged && $0.isUnjudged }
    let warned = reports.count { report in
      !report.didChange && !report.isDamaged && !report.isUnjudged && report.left.contains { $0.severity == .warning }
    }
    let untold = reports.count { report in
      !report.didChange && !report.isDamaged && !report.isUnjudged && report.hidden.contains { $0.severity > .info }
        && !report.left.contains { $0.severity == .warning }
    }
    let sound = reports.count - repaired - damaged - unjudged - warned - untold
    if sound > 0 { parts.append("\(Figures.grouped(sound)) without problems") }
    if warned > 0 { parts.append("\(Figures.grouped(warned)) with something to look at") }
    if untold > 0 { parts.append("\(Figures.grouped(untold)) with problems that are not told") }
    if damaged > 0 { parts.append("\(Figures.grouped(damaged)) damaged") }
    if unjudged > 0 { parts.append("\(Figures.grouped(unjudged)) not checked completely") }
    if repaired > 0 { parts.append("\(Figures.grouped(repaired)) repaired") }
    var text = "\(documents): \(parts.joined(separator: ", "))."
    let lost = Int(clamping: run.elementsLost)
    if lost > 0 { text += " \(Figures.counted(lost, "stroke or image is", "strokes or images are")) lost for now." }
    if reports.contains(where: { $0.left.contains { $0.kind == .notDownloaded } }),
      !run.items.contains(where: \.report.isDamaged)
    {
      text += " No damage was found."
    }
    if !changed || run.isCopy { text += " \(unchanged)" }
    return wrapped(text, columns: TextReport.columns) + run.scope.flatMap { wrapped($0, columns: TextReport.columns) }
      + selectionLines
  }

  private var selectionLines: [String] { run.selectionTexts.flatMap { wrapped($0, columns: TextReport.columns) } }

  private func soundSummary(_ verified: VerifiedCount) -> [String] {
    let pages = run.items.reduce(0) { $0 + $1.report.pageCount }
    let images = Figures.counted(Int(clamping: verified.images + verified.imagesUnread), "image")
    let size = run.level == .quick ? "" : ", \(Figures.size(bytes: Int(clamping: verified.bytes)))"
    var lines = ["\(documents), \(Figures.counted(pages, "page")), \(images)\(size): \(run.soundWords).", ""]
    lines += wrapped(run.soundScope, columns: TextReport.columns)
    if verified.withoutChecksum > 0 {
      let count = Int(clamping: verified.withoutChecksum)
      lines.append(
        "\(Figures.counted(count, "document was", "documents were")) written without checksums: "
          + "\(count == 1 ? "its" : "their") structure was checked.")
    }
    return lines + wrapped(unchanged, columns: TextReport.columns)
  }

  var asideFolders: [String] {
    let folders = run.items.compactMap { item in
      item.report.lostAndFound.map { printable((item.report.asidePrefix ?? item.prefix) + $0.description) }
    }
    if folders.isEmpty { return [] }
    return ["", "Nothing was deleted. What was set aside is in"] + folders.map { "    \($0)" }
  }

  private var drawings: [String] {
    run.drawings.map { [""] + Sentences.drawn($0, to: run.drawingsFolder).map { printable($0) } } ?? []
  }

  private var advice: [String] {
    let lines = Advice.lines(for: run)
    return lines.isEmpty ? [] : ["", "What now"] + lines
  }
}

extension PackageReport {
  /// The numbers of the pages that problems name.
  var pageNumbers: [NoteID: Int] {
    var numbers: [NoteID: Int] = [:]
    let problems = found + repaired
    for place in problems.compactMap(\.page) + problems.flatMap(\.pages) {
      if let number = place.number { numbers[place.id] = number }
    }
    return numbers
  }
}
