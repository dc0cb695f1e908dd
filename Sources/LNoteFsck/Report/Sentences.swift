import Files
import LNoteFormat
import Terminal

/// Every sentence that is not a row of the catalogue. They say what a note taker sees, and what to do next.
package enum Sentences {
  /// The message with {slot} replaced by its words; a slot without words becomes nothing.
  static func filled(_ message: String, with slots: [String: String]) -> String {
    var result = ""
    var rest = message[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += slots[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  static func page(_ number: Int, of count: Int) -> String {
    "Page \(Figures.grouped(number)) of \(Figures.grouped(count))"
  }

  static func pageFile(_ path: BytePath) -> String { "The page file \(path)" }

  static func imageFile(_ path: BytePath) -> String { "The image file \(path)" }

  static func file(_ path: BytePath) -> String { path.isRoot ? "The folder" : "\(path)" }

  /// "on page 2", "on pages 2, 5 and 7".
  static func onPages(_ uses: [ImageUse]) -> String {
    var numbers: [Int] = []
    for use in uses { if let number = use.page.number, numbers.last != number { numbers.append(number) } }
    guard let last = numbers.last else { return "a page that the document does not list" }
    if numbers.count == 1 { return "page \(Figures.grouped(last))" }
    return "pages " + numbers.dropLast().map { Figures.grouped($0) }.joined(separator: ", ")
      + " and \(Figures.grouped(last))"
  }

  static func kind(_ kind: FileKind) -> String {
    switch kind {
    case .regular: "a file where a folder belongs"
    case .directory: "a folder where a file belongs"
    case .symbolicLink: "a symbolic link"
    case .fifo: "a pipe (FIFO), not a file"
    case .socket: "a socket, not a file"
    case .blockDevice, .characterDevice: "a device, not a file"
    case .unknown: "of an unknown kind, not a file"
    }
  }

  /// "1 stroke", "1,499 strokes", "3 strokes or images".
  static func elements(_ count: UInt64, strokesOnly: Bool) -> String {
    let number = Int(clamping: count)
    if strokesOnly { return Figures.counted(number, "stroke") }
    return Figures.counted(number, "stroke or image", "strokes or images")
  }

  static func points(_ count: UInt64) -> String { Figures.counted(Int(clamping: count), "point") }

  static func bytes(_ count: UInt64) -> String { Figures.counted(Int(clamping: count), "byte") }

  static func size(_ count: UInt64) -> String { Figures.size(bytes: Int(clamping: count)) }

  static func reason(_ failure: FileCallFailure) -> String { "\(failure.errno.description) (\(failure.call))" }

  static func repairEnded(at path: BytePath, _ failure: FileCallFailure) -> String {
    "The repair ended at \(path): \(reason(failure)). What was done before is whole; run it again."
  }

  static func saysTooMuch(_ what: String) -> String {
    "\(what) says that it holds more than the format allows. It was not read."
  }

  static func holdsTooManyNames(_ what: String, _ limit: Int) -> String {
    "\(what) holds more than \(Figures.grouped(limit)) files, which no app made: it was not read. Move out of it what "
      + "is not the document's, and check again."
  }

  static func crowd(_ count: Int, of kind: ProblemKind, in folder: BytePath) -> String {
    let files = Figures.counted(count, "file") + " in \(folder.isRoot ? "the document's folder" : "\(folder)")"
    if kind == .unknownFile { return files + " are not known to this tool; a newer app may own them. They stay." }
    return files + " are not the document's, but the operating system's. They stay."
  }

  static func crowdNames(_ names: [String]) -> String { "Among them: \(names.joined(separator: ", "))." }

  static func repairNotBegun(at path: BytePath, _ failure: FileCallFailure) -> String {
    "The repair could not begin at \(path): \(reason(failure)). Nothing was changed."
  }

  static func copyFailed(_ place: BytePath, _ failure: FileCallFailure) -> String {
    switch failure.errno.name {
    case "EEXIST": "\(place) is there already; nothing was written. Name a folder that does not hold it yet."
    case "ENOSPC": "There is no room for the copy; nothing of it was kept."
    default: "The copy could not be written: \(reason(failure)). Nothing of it was kept."
    }
  }

  /// What can be saved of a damaged page, and what cannot.
  static func salvage(_ salvage: SalvageSummary, expected: UInt64?, loss: ContentLoss) -> [String] {
    let strokesOnly = salvage.strokes == salvage.elements
    guard salvage.elements > 0 || salvage.partial != nil else {
      let lost = loss.elements > 0 ? " \(elements(loss.elements, strokesOnly: false)) were on it." : ""
      return ["Nothing of it can be saved.\(lost)"]
    }
    var kept = "Can be saved: "
    if let expected, expected >= salvage.elements {
      kept += "\(Figures.grouped(Int(clamping: salvage.elements))) of \(elements(expected, strokesOnly: strokesOnly))"
    } else {
      kept += elements(salvage.elements, strokesOnly: strokesOnly)
    }
    if let partial = salvage.partial { kept += ", and \(points(partial.samples)) of one more" }
    if loss.elements == 0 { return [kept + "."] }
    return [kept + ".", "Not in the file: \(elements(loss.elements, strokesOnly: strokesOnly))."]
  }

  static func pages(_ count: Int, of all: Int) -> String {
    "\(Figures.grouped(count)) of \(Figures.counted(all, "page"))"
  }

  static func othersAreWhole(_ count: Int) -> String {
    count == 1 ? "The other page is whole." : "The other \(Figures.grouped(count)) pages are whole."
  }

  static func pages(_ count: Int) -> String { Figures.counted(count, "page") }

  static func rebuild(pages: Int, manifest: ManifestRecord?) -> String {
    let source = manifest == nil ? "the pages alone" : "manifest.json and the pages"
    return "It can be made again from \(source): \(Figures.counted(pages, "page file is", "page files are")) there."
  }

  static let newIdentity =
    "A copy needs an identity of its own: the one in its folder's name. Nothing else is changed."

  /// What a page file holds of another page.
  static func foreign(_ elements: ForeignElements) -> String {
    let count = Figures.counted(Int(clamping: elements.count), "stroke or image is", "strokes or images are")
    let page = elements.page.map { "of the page \($0)" } ?? "of a page that is not known here"
    return "\(count) in it that can be read, but \(page): not taken for this one's. --carve writes them elsewhere."
  }

  static let assetStays = "It stays: what cannot be read may use it."

  static let assetStaysWhileOpen = "It stays: the program that has the document open may be about to use it."

  static let assetStaysForLoss = "It stays: what was lost in an earlier repair may have used it."

  static func grouped(_ number: UInt64) -> String { Figures.grouped(Int(clamping: number)) }

  static func assetStays(damagedPages: [Int]) -> String {
    guard let first = damagedPages.first else { return assetStays }
    if damagedPages.count == 1 { return "It stays: the missing part of page \(Figures.grouped(first)) may use it." }
    return "It stays: the missing parts of \(damagedPages.count) pages may use it."
  }

  static func recordedLoss(_ loss: RecordedLoss) -> String {
    if loss.asset != nil { return "the picture is missing or damaged" }
    if loss.pagesMissing > 0 {
      return Figures.counted(Int(clamping: loss.pagesMissing), "page is missing", "pages are missing")
    }
    if loss.elements > 0 {
      let count = Int(clamping: loss.elements)
      return Figures.counted(count, "stroke or image is missing", "strokes or images are missing")
    }
    if loss.samples > 0 {
      return Figures.counted(
        Int(clamping: loss.samples), "point of one stroke is missing", "points of one stroke are missing")
    }
    if loss.generation == nil { return "what was saved last may be missing" }
    return loss.code == ProblemKind.pageRolledBack.code
      ? "what was drawn last may be missing" : "what was on it is missing"
  }
}

extension String {
  /// The text with a small first letter, for the middle of a sentence.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  /// The text with a capital first letter.
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
