import Files
import Rendering
import Terminal

/// What was looked at and what was not, and what follows for the words of a finding.
extension Sentences {
  static let contentNotRead = "Its content was not read: a check without --quick says what can be saved of it."

  static func longerThanItSays(_ what: String, by bytes: UInt64) -> String {
    "\(what) is longer than its header says: by \(Sentences.bytes(bytes))."
  }

  static func newerThanKnown(_ what: String) -> String { "\(what) is newer than the document knows." }

  static func notListed(_ path: BytePath) -> String {
    "\(path) is a page that the document does not list; nobody can open it."
  }

  static func leftoverNotRead(_ file: String) -> String {
    "A temporary file was left behind: \(file). It was not read."
  }

  static func image(of kind: ImageKind) -> String {
    switch kind {
    case .unknown: "no picture of a known kind"
    case .jpeg: "a damaged JPEG"
    default: "a picture of the kind \(kind.rawValue.uppercased())"
    }
  }

  static func tooManyPixels(_ what: String, _ size: String) -> String {
    "\(what) is too large to be decoded here: \(size). Its bytes are what was inserted."
  }

  static func insertedLikeThis(_ what: String, _ state: String) -> String {
    "\(what) is \(state), and was when it was inserted: its bytes are those that the page knows."
  }

  static func othersAreLeft(_ count: Int) -> String {
    let others = Figures.counted(count, "problem", "problems")
    return "Checked again: \(others) that this run is not about \(count == 1 ? "is" : "are") left."
  }

  static func only(_ codes: [String], others count: Int, _ untold: [String]) -> String {
    let others =
      count == 0
      ? "Nothing else was found."
      : "\(Figures.counted(count, "other finding is", "other findings are")) not told: \(list(untold))."
    return "This run was about \(list(codes)) only. \(others)"
  }

  static func part(_ part: DocumentPart, of count: Int, _ all: Int) -> String {
    count == 0
      ? "None of \(Figures.counted(all, "document")) is in the part \(part): nothing was looked at."
      : "Only the part \(part) was looked at: \(Figures.grouped(count)) of \(Figures.counted(all, "document"))."
  }

  static let libraryTooLarge =
    "Missing images were not looked for in all of the other documents, since that took too long. Name fewer documents, "
    + "or a folder to look in with --look-in."

  static let repairWaits =
    "Something was not repaired, since document.json or the names of pages have to be repaired before, and this run is "
    + "not about that."

  static func shown(_ percent: Int) -> String {
    percent == 100 ? "All of it can be shown." : "Of the picture the upper \(percent) % can be shown."
  }
}

extension RunReport {
  /// The scope of a verdict that found nothing.
  var soundScope: String {
    if !hidden(from: .warning).isEmpty {
      return level == .quick ? scope.joined(separator: " ") : "Every page and image was read."
    }
    switch level {
    case .quick:
      return "Pages and images were not read: names, document.json, manifest.json, the headers of pages and sizes "
        + "agree. A check without --quick reads the rest."
    case .default:
      let images = verified.images == 0 ? "" : " Whether images can also be decoded is checked with --deep."
      return "Every page and image was read, and every byte agrees with its checksum.\(images)"
    case .deep:
      let images = verified.images == 0 ? "" : " Every image was decoded."
      return "Every page and image was read, and every byte agrees with its checksum.\(images)"
    }
  }

  /// What a verdict calls it that nothing was found.
  var soundWords: String {
    if !selection.rules.only.isEmpty { return "none of what was looked for was found" }
    return hidden().isEmpty ? "no problems found" : "no other problems found"
  }

  /// What the run was told to leave out, in sentences; empty where that is nothing.
  var selectionTexts: [String] {
    var texts: [String] = []
    if let part = selection.part {
      texts.append(Sentences.part(part, of: documents.count, selection.documentsInAll))
    }
    let untold = hiddenByCode.sorted { $0.key < $1.key }.map { "\($0.key) (\(Figures.grouped($0.value)))" }
    let count = hiddenByCode.values.reduce(0, +)
    if !selection.rules.only.isEmpty {
      texts.append(Sentences.only(selection.rules.only.sorted(), others: count, untold))
    } else if count > 0 {
      texts.append(
        "\(Figures.counted(count, "finding was", "findings were")) ignored, as asked: \(Sentences.list(untold)).")
    }
    if let repairMode, items.contains(where: { $0.report.isWaiting(repairMode) }) {
      texts.append(Sentences.repairWaits)
    }
    if isLibraryTooLarge { texts.append(Sentences.libraryTooLarge) }
    return texts
  }

  /// What may be repaired, or is planned to be; nil where nothing is.
  private var repairMode: RepairMode? {
    switch mode {
    case .repair(let mode), .plan(let mode): mode
    case .copy, .ask: .all
    default: nil
    }
  }

  /// What is to be said of the scope where something was found; nothing where all was looked at as it always is.
  var scope: [String] {
    switch level {
    case .quick: ["Pages and images were not read: names, headers and sizes were looked at."]
    case .default: []
    case .deep: ["\(Figures.counted(Int(clamping: verified.imagesDecoded), "image was", "images were")) decoded."]
    }
  }
}
