import Files
import LNoteFormat
import Terminal

/// What a repair would do, in the user's words.
extension Sentences {
  static func planned(_ step: RepairStep, numbers: [NoteID: Int]) -> String {
    let what = name(of: step.path, numbers)
    return switch step.work {
    case .makeDirectory: "Make the folder \(step.path)."
    case .setAside: "Set aside \(what)."
    case .rename(let from): "Put \(from) in the place of \(what), and set aside what is there now."
    case .fetch(let file): "Put a copy of \(file.shown) in the place of \(what), and set aside what is there now."
    case .writeDocument: "Write document.json anew, which holds title and page order, and set the old one aside."
    case .writeManifest: "Write manifest.json anew, the library's summary, and set the old one aside."
    case .writeEmptyPage: "Put an empty page in the place of \(what), and set aside what is there now."
    case .salvagePage: "Write \(what) anew with everything in it that is whole, and set the old file aside."
    case .cutJournal: "Write \(what) anew up to its last whole change, and set the old file aside."
    case .trimPage: "Write \(what) anew without what follows behind its end, and set the old file aside."
    case .renewPage: "Write \(what) anew as its newest version, with the same content, and set the old file aside."
    case .amendPage(let order): "Write \(what) anew with \(order.words) put right, and set the old file aside."
    case .adoptPage(let order): "Write \(order.from) as a page of its own: \(step.path)."
    case .drawThumbnail where ProblemKind.ofNewPages.contains(step.code): "Draw \(what) from the page."
    case .drawThumbnail where ThumbnailCheck.codes.contains(step.code) || ElementCheck.codes.contains(step.code):
      "Draw \(what) anew from the page, and set the old one aside."
    case .drawThumbnail: "Draw \(what) anew, and set the old one aside: it may still show what is lost."
    }
  }

  private static func name(of path: BytePath, _ numbers: [NoteID: Int]) -> String {
    switch PackageName.read(path.name.bytes, in: PackagePaths.folder(path.parent)) {
    case .page(let id): numbers[id].map { "page \(grouped(UInt64($0)))" } ?? "the page file \(path)"
    case .thumbnail(let id):
      numbers[id].map { "the small picture of page \(grouped(UInt64($0)))" } ?? "the small picture \(path)"
    case .journal(let id): numbers[id].map { "the journal of page \(grouped(UInt64($0)))" } ?? "the journal \(path)"
    case .asset: "the image file \(path)"
    default: path.description
    }
  }

  /// What the plan loses, and what it leaves for later.
  static func cost(of plan: RepairPlan) -> String {
    let lost = plan.problems.reduce(UInt64(0)) { $0 + $1.loss.elements }
    let samples = plan.problems.reduce(UInt64(0)) { $0 + $1.loss.samples }
    var parts: [String] = []
    if lost > 0 { parts.append(elements(lost, strokesOnly: false)) }
    if samples > 0 { parts.append("\(points(samples)) of strokes that are kept in part") }
    var text = "Nothing is lost by it."
    if let first = parts.first {
      let isMore = plan.problems.contains { $0.loss.isAtLeast }
      let what = parts.count == 1 ? first : parts.joined(separator: ", and ")
      text =
        "What it cannot bring back: \(isMore ? "at least " : "")\(what). That is missing already, and stays on record."
    } else if plan.problems.contains(where: { $0.loss.isAtLeast }) {
      text = "What it cannot bring back is missing already, and stays on record."
    }
    if plan.isBeginning { text += " Then the document is to be looked at again: the rest depends on it." }
    return text
  }

  static let planIsDone = "Nothing is left to be done: the plan was applied already, or it was repaired otherwise."

  static func planDiffers(_ changed: [BytePath]) -> String {
    let what: String
    switch changed.count {
    case 0: what = "The document does not have the same problems as when the plan was made."
    case 1: what = "\(changed[0]) is not what it was when the plan was made."
    default: what = "\(changed[0]) and \(counted(changed.count - 1)) are not what they were when the plan was made."
    }
    return what + " Nothing was changed. Make a new plan of it with --plan, and read that."
  }

  private static func counted(_ files: Int) -> String { Figures.counted(files, "other file") }
}

extension RepairPlan {
  /// True where everything else waits for the document itself.
  var isBeginning: Bool { problems.contains { $0.action?.decidesDocument == true } }
}

extension PackageReport {
  /// The steps of the plan as sentences.
  var planLines: [String] {
    let numbers = pageNumbers
    let steps = plan?.steps ?? []
    var lines: [String] = []
    var place = 0
    while place < steps.count {
      let alike = steps[place...].prefix { $0.isDrawing(like: steps[place]) }.count
      if alike > Sentences.picturesPlannedMax {
        let all = "\(Figures.grouped(place + 1)) to \(Figures.grouped(place + alike))"
        lines.append("\(all). \(Sentences.drawings(alike, steps[place]))")
        place += alike
      } else {
        lines.append("\(Figures.grouped(place + 1)). \(Sentences.planned(steps[place], numbers: numbers))")
        place += 1
      }
    }
    return lines
  }
}

extension Advice {
  static func afterPlan(_ run: RunReport, _ arguments: String) -> [String] {
    let planned = run.items.filter { $0.report.plan != nil }
    if planned.isEmpty { return [] }
    // Nothing is changed in an archive: the plan is for the documents that were packed.
    let isArchive = planned.allSatisfy(\.isInArchive)
    if let file = run.planFile {
      return [
        "  Do exactly this, and nothing where something has changed since:",
        "      lnote-fsck --apply-plan \(quoted(file)) \(isArchive ? "FOLDER" : arguments)",
      ]
    }
    let how = isArchive ? "-y --to REPAIRED" : run.mode == .plan(.automatic) ? "-p" : "-y"
    let keep = ["  Keep this plan, to do exactly this later:", "      lnote-fsck --save-plan PLAN \(arguments)"]
    return (run.selection.rules.isAll ? keep : []) + [
      isArchive ? "  Write a repaired copy as folders; the archive stays as it is:" : nowInPlace,
      "      lnote-fsck \(how) \(arguments)",
    ]
  }

  private static let nowInPlace = "  Repair now. Nothing is deleted; what is replaced is set aside:"
}

extension ProblemKind {
  /// Codes of small pictures that are drawn where none was.
  fileprivate static let ofNewPages: Set = [thumbnailMissing.code, conflictCopyDiffers.code]
}
