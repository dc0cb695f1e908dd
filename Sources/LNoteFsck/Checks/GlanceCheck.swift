import Files
import LNoteFormat

/// Pages and images by their names, headers and sizes alone, as under `--quick`.
///
/// What it says claims no more than that: no page is called whole, no image unused, and no repair is offered.
enum GlanceCheck {
  /// What a page's header tells; `entry` is nil for a page that the document does not list.
  static func problems(_ glance: PageGlance, _ page: PageFacts, _ entry: PageEntry?, _ view: PackageView) -> [Problem] {
    let found: [Problem]
    if glance.condition == .whole, let header = glance.header {
      found =
        entry.map { listed(header, page, $0, view) + unnumbered(header, $0, page, view) }
        ?? unlisted(header, page, view)
    } else if entry == nil && view.document != nil && view.isDeleted(page) {
      found = unlisted(glance.header, page, view)
    } else {
      found = [damaged(glance, page, view)]
    }
    return found.map { problem in
      var problem = problem
      (problem.path, problem.page) = (page.file.path, view.place(page.id))
      return problem
    }
  }

  private static func damaged(_ glance: PageGlance, _ page: PageFacts, _ view: PackageView) -> Problem {
    let what = view.name(ofPage: page.id)
    var slots = ["what": what]
    var kind = ProblemKind.pageDamaged
    var statement: String?
    switch glance.condition {
    case .trailing(let extra):
      kind = .trailingBytes
      statement = Sentences.longerThanItSays(what, by: UInt64(extra))
    case .truncated(let missing), .headerCut(let missing):
      kind = .pageTruncated
      slots["missing"] = Sentences.bytes(UInt64(missing))
    case .idDiffers:
      kind = .nameIdentityDiffers
      slots["other"] = glance.header.map { view.name(ofContent: $0.id) }
    case .nulFilled: kind = page.file.zeros
    case .versionUnknown(let version):
      kind = .pageVersion
      slots["version"] = "\(version)"
    case .limitExceeded:
      kind = .resourceLimit
      statement = Sentences.saysTooMuch(what)
    default: slots["place"] = " in its header"
    }
    var problem = Problem(kind, evidence: "the header and the size: \(glance.condition)", slots: slots)
    problem.statement = statement
    if kind != .pageVersion { problem.details = [Sentences.contentNotRead] }
    return problem
  }

  private static func listed(
    _ header: PageHeader, _ page: PageFacts, _ entry: PageEntry, _ view: PackageView
  ) -> [Problem] {
    let what = view.name(ofPage: page.id)
    let evidence = "generation \(header.generation), document.json says \(entry.generation)"
    if header.generation > entry.generation {
      var problem = Problem(.entryLags, evidence: evidence)
      problem.statement = Sentences.newerThanKnown(what)
      return [problem]
    }
    let elements = UInt64(header.elementCount)
    if header.generation < entry.generation {
      // What may be back is told by the record of its loss until the page is read.
      if LossCheck.isHealed(entry, from: header.generation, elements: elements) { return [] }
      return [
        Problem(
          .pageRolledBack, evidence: evidence,
          slots: ["what": what, "found": "\(header.generation)", "expected": "\(entry.generation)"])
      ]
    }
    if elements == entry.elementCount || entry.losses.contains(where: { !$0.isAccepted }) {
      if header.canvas == entry.canvas || header.canvas.isNothing || entry.canvas.isNothing { return [] }
      return [
        Problem(
          .canvasDiffers, evidence: evidence,
          slots: [
            "what": what, "found": Sentences.canvas(header.canvas), "expected": Sentences.canvas(entry.canvas),
          ])
      ]
    }
    // Whether changes in its journal explain it is seen when both are read.
    if view.pagesWithUnmergedJournals.contains(page.id) { return [] }
    return [
      Problem(
        .elementCountDiffers, evidence: "\(elements) elements, document.json says \(entry.elementCount)",
        slots: [
          "what": what, "found": Sentences.elements(elements, strokesOnly: false),
          "expected": "\(entry.elementCount)",
        ])
    ]
  }

  /// A page without a version number; one that is older than the document knows is told as that.
  private static func unnumbered(
    _ header: PageHeader, _ entry: PageEntry, _ page: PageFacts, _ view: PackageView
  ) -> [Problem] {
    guard header.generation == 0, entry.generation == 0 else { return [] }
    var problem = Problem(.generationZero, evidence: "generation 0")
    problem.statement = Sentences.unnumbered(view.name(ofPage: page.id))
    return [problem]
  }

  private static func unlisted(_ header: PageHeader?, _ page: PageFacts, _ view: PackageView) -> [Problem] {
    if view.document == nil { return [] }
    if view.isDeleted(page) {
      return [Problem(.deletionUnfinished, slots: ["file": "\(page.file.path)"])]
    }
    var problem = Problem(.pageUnlisted, evidence: header.map { "generation \($0.generation)" } ?? "")
    problem.statement = Sentences.notListed(page.file.path)
    return [problem]
  }

  /// Images of which not one byte is there.
  static func emptyImages(in view: PackageView) -> [Problem] {
    view.facts.assets.filter { $0.file.obstacle == nil && $0.file.size == 0 }.map { asset in
      Problem(
        .zeroLength, path: asset.file.path, asset: asset.id,
        slots: ["what": Sentences.imageFile(asset.file.path)])
    }
  }
}

extension Problem {
  /// Without what only a look at the content can decide.
  func withoutRepair() -> Problem {
    var problem = self
    (problem.action, problem.recovered) = (nil, nil)
    if kind == .temporaryLeftover { problem.statement = Sentences.leftoverNotRead(slots["file"] ?? "") }
    // What has another spelling may be sound, and what lies beside it too.
    if kind == .caseVariant || kind == .characterVariant {
      (problem.severity, problem.loss) = (kind.severity, ContentLoss())
    }
    if kind == .missingDirectory { problem.statement = "The folder \(slots["file"] ?? "") is missing." }
    return problem
  }
}
