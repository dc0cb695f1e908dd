import Files
import LNoteFormat
import Terminal

/// What taking a repair back did, in the user's words.
extension Sentences {
  static func restored(_ paths: [BytePath], numbers: [NoteID: Int]) -> String {
    "As it was before the repair: " + asides(paths, numbers: numbers).lowercasedFirst
  }

  /// More small pictures than these are counted, not named.
  private static let picturesNamedMax = 3

  static func removed(_ paths: [BytePath]) -> String {
    var names = paths.map(\.description)
    let pictures = paths.count { $0.parent == PackagePaths.thumbnails }
    if pictures > picturesNamedMax {
      names = paths.filter { $0.parent != PackagePaths.thumbnails }.map(\.description)
      names.append(Figures.counted(pictures, "small picture"))
    }
    return "Taken out, since the repair had made it: " + names.joined(separator: ", ") + "."
  }

  static func refused(_ path: BytePath, _ reason: UndoRefusal) -> String {
    switch reason {
    case .changed: "\(path) was changed after the repair, so it stays as it is now."
    case .keptIsGone: "\(path) stays as it is now: what the repair had set aside is gone, or was changed."
    case .inUse: "The folder \(path), which the repair had made, stays: it is not empty now."
    }
  }

  static func nothingAccepted(isDamaged: Bool) -> String {
    isDamaged
      ? "Nothing was accepted: no such loss is on record, or damage is to be repaired first."
      : "No loss is on record there that is not accepted already."
  }

  static func undoEnded(at path: BytePath, _ failure: FileCallFailure) -> String {
    "Taking the repair back ended at \(path): \(reason(failure)). What was done before is whole; run it again."
  }

  /// "2026-11-30 14:02:12" for "20261130T140212Z-2"; times are in UTC.
  static func date(ofRepair stamp: String) -> String {
    let digits = Array(stamp)
    guard digits.count >= 16 else { return stamp }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8)) \(part(9..<11)):\(part(11..<13)):\(part(13..<15)) UTC"
  }
}

extension PackageReport {
  /// What is to be said of an undo, each with its label; nothing where none was asked for.
  func undoLines(numbers: [NoteID: Int]) -> [(label: String, text: String)] {
    if accepted == false { return [("none", Sentences.nothingAccepted(isDamaged: isDamaged))] }
    guard let undo else { return [] }
    guard let repair = undo.repair else {
      return [("none", "There is no repair of this document that could be taken back.")]
    }
    var lines: [(label: String, text: String)] = []
    if !undo.restored.isEmpty { lines.append(("back", Sentences.restored(undo.restored, numbers: numbers))) }
    if !undo.removed.isEmpty { lines.append(("out", Sentences.removed(undo.removed))) }
    for (path, reason) in undo.refused { lines.append(("stays", Sentences.refused(path, reason))) }
    if let (failure, path) = undo.failure { lines.append(("ended", Sentences.undoEnded(at: path, failure))) }
    if lines.isEmpty {
      lines.append(("none", "The repair of \(Sentences.date(ofRepair: repair)) had been taken back already."))
    }
    return lines
  }

  /// The words beside the title.
  var undoVerdict: String? {
    if let accepted { return accepted ? "loss accepted" : "nothing was accepted" }
    guard let undo else { return nil }
    if undo.repair == nil { return "nothing to take back" }
    if undo.isUnfinished { return undo.didChange ? "taken back in part" : "not taken back" }
    return "taken back"
  }
}

extension RunReport {
  /// The line under the documents where losses were accepted.
  var acceptedSummary: String {
    let count = items.count { $0.report.accepted == true }
    let text = "\(Figures.counted(items.count, "document")): "
    if count == 0 { return text + "no loss was accepted. Nothing was changed." }
    return text + "its known loss was accepted. Every check still tells it, as a note."
  }

  /// The line under the documents of an undo.
  var undoSummary: String {
    let undone = items.compactMap(\.report.undo)
    let back = undone.count { $0.didChange }
    var text = "\(Figures.counted(items.count, "document")): "
    let dates = Set(undone.filter(\.didChange).compactMap(\.repair)).sorted().map { Sentences.date(ofRepair: $0) }
    switch (back, dates.first) {
    case (1, let date?): text += "the repair of \(date) was taken back."
    case (0, _): text += "nothing was taken back. Nothing was changed."
    default: text += "\(Figures.grouped(back)) repairs were taken back."
    }
    return text
  }
}

extension Advice {
  static func afterUndo(_ run: RunReport) -> [String] {
    var lines: [String] = []
    if run.items.contains(where: { $0.report.undo?.refused.isEmpty == false }) {
      lines += [
        "  What stays can be taken back too: move it elsewhere and run this again."
      ]
    }
    if run.items.contains(where: { $0.report.undo?.didChange == true && $0.report.isDamaged }) {
      lines += ["  To repair it again:", "      lnote-fsck -y \(run.arguments.map(quoted).joined(separator: " "))"]
    }
    return lines
  }

  /// How to go back to what was there before a repair in place.
  static func undo(_ run: RunReport) -> [String] {
    guard run.isRepair, !run.isCopy, run.mode != .undo else { return [] }
    let repaired = run.items.filter(\.report.didChange)
    guard let first = repaired.first else { return [] }
    let place = repaired.count == 1 ? quoted(first.prefix + first.report.package.description) : "DOCUMENT"
    // The folder as the user wrote it, without the slash behind it.
    let quarantine = first.report.asidePrefix.map { " --quarantine \(quoted(String($0.dropLast())))" } ?? ""
    return ["  To go back to how it was:", "      lnote-fsck --undo\(quarantine) \(place)"]
  }
}
