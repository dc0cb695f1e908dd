import Files
import LNoteFormat
import Terminal

/// What a repair did, in the user's words.
extension Sentences {
  static func done(_ problem: Problem) -> String {
    let what = problem.slots["what"] ?? problem.message
    switch problem.action {
    case nil: return problem.message
    case .makeDirectory(let path): return "The folder \(path) was made again."
    case .setAside: return problem.message + " It was set aside."
    case .place: return problem.message + " It took its own name."
    case .adoptIdentity: return "document.json took over the identity in its folder's name."
    case .restore: return problem.message + " It was put in its place."
    case .fetch(let file, _): return "\(problem.message) It was put in its place from \(file.shown)."
    case .rebuildDocument:
      return "document.json, which holds title and page order, was made again. Look at the order of the pages."
    case .keepOlderDocument:
      return "document.json: the older version was kept. What was changed since was found nowhere."
    case .salvagePage: return salvaged(problem, what: what)
    case .emptyPage: return "\(what): an empty page took its place. \(foundNowhere(problem.loss))"
    case .trimPage:
      return "\(what): \(problem.slots["extra"] ?? "what") at its end did not belong to it and was cut off."
    case .cutJournal: return problem.message + " That was cut off, and the journal as it was set aside."
    case .keepOlderPage: return "\(what): the older version was kept. \(foundNowhere(problem.loss))"
    case .mendDocument: return "document.json: what is known otherwise took the place of what was of no use."
    case .mendCanvas: return "\(problem.message) It was given one."
    case .cleanTitle: return "The title was written without what cannot be seen."
    case .listPages(let ids):
      return "\(pages(ids.count)) that the document did not list were added behind the last. Look at their order."
    case .amendPage(_, let amendment): return "\(what): \(amended(amendment, problem))"
    case .dropDoubles: return "\(what) is listed once now."
    case .listPage:
      return
        "A page (\(problem.slots["elements"] ?? "whole")) that the document did not list was added behind the last."
    case .adoptCopy: return "\(problem.message) It is a page of its own now, behind that page."
    case .correctEntry: return "document.json took over what \(what.lowercasedFirst) itself says."
    case .correctCanvas: return "document.json took over the size that \(what.lowercasedFirst) itself says."
    case .recordAssetLoss: return "\(problem.message) Its place on the page was kept; a better copy was found nowhere."
    case .healPage, .healAsset: return problem.message
    case .drawThumbnails: return drawn(problem)
    case .setAsideThumbnails(let paths):
      return problem.message + (paths.count == 1 ? " It was set aside." : " They were set aside.")
    case .writeManifest: return "manifest.json, the library's summary, was made again."
    }
  }

  private static func salvaged(_ problem: Problem, what: String) -> String {
    guard let kept = problem.recovered else { return "\(what) was written again." }
    let strokesOnly = kept.strokes == kept.elements
    var text = "\(what): \(elements(kept.elements, strokesOnly: strokesOnly)) kept exactly"
    if let partial = kept.partial {
      text += ", 1 kept in part (\(grouped(partial.samples)) of \(points(partial.samplesBefore)))"
    }
    text += "."
    if problem.loss.elements == 0 { return text }
    let verb = problem.loss.elements == 1 ? "was" : "were"
    return "\(text) \(elements(problem.loss.elements, strokesOnly: strokesOnly)) \(verb) found nowhere."
  }

  private static func foundNowhere(_ loss: ContentLoss) -> String {
    if loss.elements > 0 {
      let verb = loss.elements == 1 ? "was" : "were"
      return "\(elements(loss.elements, strokesOnly: false).capitalisedFirst) \(verb) found nowhere."
    }
    return loss.isAtLeast ? "What was on it since was found nowhere." : "Nothing was on it."
  }

  /// "The old file and the old thumbnail of page 12, ..." for the files that were set aside.
  ///
  /// - Parameter outdated: small pictures that nothing is lost of: their page is whole, or was deleted.
  static func asides(_ paths: [BytePath], numbers: [NoteID: Int], outdated: Set<BytePath> = []) -> String {
    var words: [String] = []
    var records: [String] = []
    var images = 0
    var others = 0
    var hint = ""
    let old = paths.count { outdated.contains($0) }
    if old > 0 { words.append(Figures.counted(old, "old thumbnail")) }
    for path in paths where !outdated.contains(path) {
      let folder = PackagePaths.folder(path.parent)
      switch PackageName.read(path.name.bytes, in: folder) {
      case .document: records.append("document.json as it was")
      case .manifest: records.append("manifest.json as it was")
      case .page(let id): words.append("the file of \(page(id, numbers)) as it was")
      case .thumbnail(let id):
        words.append("the old thumbnail of \(page(id, numbers))")
        hint = " A thumbnail may still show what is lost."
      case .journal(let id): words.append("the journal of \(page(id, numbers)) as it was")
      case .asset: images += 1
      default: others += 1
      }
    }
    if images > 0 { words.append(Figures.counted(images, "image file")) }
    if others > 0 { words.append(Figures.counted(others, "other file")) }
    let isOnlyRecords = words.isEmpty
    words += records
    guard let last = words.last else { return "" }
    let text = words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and \(last)"
    return (isOnlyRecords ? text : text.capitalisedFirst) + "." + hint
  }

  private static func page(_ id: NoteID, _ numbers: [NoteID: Int]) -> String {
    numbers[id].map { "page \(Figures.grouped($0))" } ?? "a page"
  }

  static func exit(_ exit: FsckExit, _ run: RunReport) -> String? {
    var reasons: [(bit: Int32, text: String)] = []
    if exit.contains(.repaired) { reasons.append((1, changed(run))) }
    if exit.contains(.errorsLeft) { reasons.append((4, left(run))) }
    if exit.contains(.operational) { reasons.append((8, operational(run))) }
    if exit.contains(.usage) { reasons.append((16, "the command line makes no sense")) }
    if exit.contains(.cancelled) { reasons.append((32, "ended before all was done")) }
    if exit.contains(.internal) { reasons.append((128, "the program itself failed; please report it")) }
    guard let first = reasons.first else { return nil }
    if reasons.count == 1 { return "Exit status \(exit.rawValue): \(first.text)." }
    let parts = reasons.map { "\($0.text) (\($0.bit))" }
    return "Exit status \(exit.rawValue): \(parts.joined(separator: ", and "))."
  }

  private static func changed(_ run: RunReport) -> String {
    switch run.mode {
    case .undo: "taken back"
    case .acceptLoss: "accepted"
    default: "repaired"
    }
  }

  static func cancelled(notBegun count: Int, of all: Int) -> String {
    count == 0
      ? "ended on request. What was done is whole; run it again for the rest."
      : "ended on request: \(Figures.grouped(count)) of \(Figures.counted(all, "document")) not looked at. "
        + "What was done is whole; run it again for the rest."
  }

  private static func left(_ run: RunReport) -> String {
    let left = run.items.flatMap { item in
      item.report.left.filter { $0.severity >= .error && $0.repairClass != .operational }
    }
    if run.isStrictAlone { return "there is something to look at, which --strict counts" }
    if left.allSatisfy({ $0.kind == .knownLoss }) { return "content is still missing" }
    if run.mode == .undo { return "the damage that was repaired is there again" }
    return run.isRepair ? "damage is left" : "damage was found and left as it is"
  }

  private static func operational(_ run: RunReport) -> String {
    let kinds = Set(run.items.filter { $0.report.isUnjudged }.flatMap { $0.report.left.map(\.kind) })
    if run.items.contains(where: { if case .planDiffers = $0.report.refusal { true } else { false } }) {
      return "a document is not what it was when the plan was made, and was not changed"
    }
    if kinds.contains(.noSpaceForRepair) { return "there was no room to repair, and nothing was changed" }
    if run.isRepair && kinds.contains(.inUse) { return "a document is open in another program and was not repaired" }
    if run.items.contains(where: { $0.report.undo?.isUnfinished == true }) { return "not everything was taken back" }
    if run.items.isEmpty { return "nothing could be checked" }
    return "not everything could be checked; such a document is not repaired"
  }
}
