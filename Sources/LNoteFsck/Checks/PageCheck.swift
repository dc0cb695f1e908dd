import Files
import LNoteFormat

/// Pages against the document, and their content.
enum PageCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    let bulk = bulkMissing(view)
    let gone = Set(bulk.map(\.id))
    for entry in view.entries where !gone.contains(entry.id) { found += problems(of: entry, view) }
    if !bulk.isEmpty { found.append(bulkProblem(bulk, view)) }
    addOthers(to: &found, view)
    let unlisted = bulkUnlisted(view)
    let told = Set(unlisted.map(\.id))
    for page in view.facts.pages where view.entry(page.id) == nil && !told.contains(page.id) {
      found += self.unlisted(page, view)
    }
    if !unlisted.isEmpty { found.append(bulkUnlistedProblem(unlisted)) }
    return found
  }

  // MARK: Many pages at once: LN2013.

  /// From how many missing pages on, and only where they are most of the document, they are one finding.
  private static let bulkPagesMin = 4

  private static func bulkMissing(_ view: PackageView) -> [PageEntry] {
    guard view.document != nil, view.isListed(PackagePaths.pages) else { return [] }
    let missing = view.entries.filter { entry in
      view.page(entry.id) == nil && view.candidate(forPage: entry.id) == nil
        && view.remains(ofPage: entry.id) == nil && !view.isAbsent(PackagePaths.page(entry.id))
        && !Placement.isAnywhere(entry.id, view)
    }
    return missing.count >= bulkPagesMin && missing.count * 2 > view.entries.count ? missing : []
  }

  private static func bulkProblem(_ missing: [PageEntry], _ view: PackageView) -> Problem {
    let numbers = missing.compactMap { view.place($0.id).number }
    var problem = Problem(
      .pagesBulkMissing, path: PackagePaths.pages, evidence: "pages \(numbers)",
      slots: ["count": Sentences.pages(missing.count, of: view.entries.count)])
    problem.loss.elements = missing.reduce(0) { $0 + (PageLoss.expected(by: $1) ?? 0) }
    return problem
  }

  // MARK: Many pages that are not listed: LN2012.

  /// The pages in the order in which they were begun; none where they are few, or fewer than those that are listed.
  private static func bulkUnlisted(_ view: PackageView) -> [(id: NoteID, summary: PageSummary)] {
    guard view.document != nil else { return [] }
    let pages = view.facts.pages.compactMap { page in
      view.entry(page.id) == nil && !view.isDeleted(page) ? page.whole.map { (id: page.id, summary: $0) } : nil
    }
    guard pages.count >= bulkPagesMin && pages.count > view.entries.count else { return [] }
    return pages.sorted { ($0.summary.created, $0.id) < ($1.summary.created, $1.id) }
  }

  private static func bulkUnlistedProblem(_ pages: [(id: NoteID, summary: PageSummary)]) -> Problem {
    let elements = pages.reduce(UInt64(0)) { $0 + $1.summary.elements }
    return Problem(
      .pagesUnlisted, path: PackagePaths.pages, evidence: "\(elements) elements",
      slots: ["count": Sentences.areWhole(pages.count)], action: .listPages(pages.map(\.id)))
  }

  /// Where one page alone is damaged, it is a comfort to hear that the others are whole.
  private static func addOthers(to found: inout [Problem], _ view: PackageView) {
    let whole = view.entries.count { view.page($0.id)?.whole != nil }
    guard view.entries.count > 1, whole == view.entries.count - 1 else { return }
    guard let place = found.firstIndex(where: { $0.recovered != nil }) else { return }
    let text = Sentences.othersAreWhole(whole)
    if let last = found[place].details.indices.last { found[place].details[last] += " \(text)" }
  }

  // MARK: Listed pages: LN1502, LN1503, LN2005, LN2007, LN2018, LN2019, LN3107, LN9002, and their content.

  private static func problems(of entry: PageEntry, _ view: PackageView) -> [Problem] {
    guard let page = view.page(entry.id) else { return missing(entry, view) }
    let candidate = view.candidate(forPage: entry.id)
    switch page.content {
    case nil: return []
    case .whole(let summary):
      let found = whole(summary, page, entry, view)
      return found + ElementCheck.problems(summary, page, besides: found, view)
    case .trailing(_, let extra): return [trailing(extra, page, view)]
    case .unknownVersion(let version): return [unknownVersion(version, page, view)]
    case .misplaced(let id, let summary):
      let found = [misplaced(page, id, summary, entry, view)]
      guard let candidate, !Placement.isMisplaced(entry.id, view) else { return found }
      return found + [onlyCopy(candidate, of: entry, isAlone: false, view)]
    case .glanced(let glance): return GlanceCheck.problems(glance, page, entry, view)
    case .empty, .damaged:
      if let better = Placement.misplacedFile(of: entry.id, view) {
        var problem = content(page, entry, view)
        problem.action = .place(from: better.path, to: page.file.path)
        problem.details = ["A whole copy is there: \(better.path)."]
        problem.loss = PageLoss.loss(placing: better.summary, for: entry)
        problem.recovered = nil
        return [problem]
      }
      guard let candidate, candidate.summary.generation >= entry.generation else {
        return [content(page, entry, view)]
      }
      var problem = content(page, entry, view)
      problem.action = .restore(from: candidate.file.path, to: page.file.path)
      problem.details = ["A whole copy is there: \(candidate.file.path)."]
      problem.loss = ContentLoss()
      return [problem, onlyCopy(candidate, of: entry, isAlone: false, view)]
    }
  }

  private static func missing(_ entry: PageEntry, _ view: PackageView) -> [Problem] {
    // A document that is not whole cannot say that a page is missing.
    guard view.document != nil, view.isListed(PackagePaths.pages), !view.isAbsent(PackagePaths.page(entry.id)) else {
      return []
    }
    if let candidate = view.candidate(forPage: entry.id) {
      let isEnough = candidate.summary.generation >= entry.generation
      return [onlyCopy(candidate, of: entry, isAlone: isEnough, view)]
    }
    // It is there under another page's name, which is told with that.
    if Placement.isAnywhere(entry.id, view) { return [] }
    if let remains = view.remains(ofPage: entry.id) { return [remaining(remains, of: entry, view)] }
    let expected = PageLoss.expected(by: entry)
    var problem = Problem(
      .pageMissing, path: PackagePaths.page(entry.id), page: view.place(entry.id),
      evidence: "generation \(entry.generation), \(entry.elementCount) elements",
      slots: ["what": view.name(ofPage: entry.id)], action: .emptyPage(entry.id))
    problem.loss.elements = expected ?? 0
    problem.loss.isAtLeast = expected == nil
    if let expected, expected > 0 {
      problem.details = ["\(Sentences.elements(expected, strokesOnly: false)) were on it.".capitalisedFirst]
    }
    if view.facts.isAsIs { problem.keepsItsPlace() }
    return [problem]
  }

  private static func onlyCopy(
    _ copy: (file: FileFacts, summary: PageSummary), of entry: PageEntry, isAlone: Bool, _ view: PackageView
  ) -> Problem {
    let path = copy.file.path
    let target = view.page(entry.id)?.file.path ?? PackagePaths.page(entry.id)
    var problem = Problem(
      view.kind(ofCopyAt: path, for: target), path: path, page: view.place(entry.id), evidence: "a whole page file",
      slots: ["file": "\(path)", "target": view.name(ofPage: entry.id).lowercasedFirst],
      action: .restore(from: path, to: target))
    problem.isAlone(isAlone)
    problem.loss = PageLoss.loss(placing: copy.summary, for: entry)
    return problem
  }

  /// A page of which only a damaged file under another name is left: it takes its own name, and is salvaged there.
  private static func remaining(_ stray: StrayFacts, of entry: PageEntry, _ view: PackageView) -> Problem {
    let (path, target) = (stray.file.path, PackagePaths.page(entry.id))
    var problem = Problem(
      view.kind(ofCopyAt: path, for: target), severity: .error, repairClass: .consent, path: path,
      page: view.place(entry.id), slots: ["file": "\(path)", "target": view.name(ofPage: entry.id).lowercasedFirst],
      action: .restore(from: path, to: target))
    guard case .damagedPage(_, let damage) = stray.content else {
      let expected = PageLoss.expected(by: entry)
      problem.loss = ContentLoss(elements: expected ?? 0, isAtLeast: expected == nil)
      return problem
    }
    let expected = PageLoss.expected(of: damage, entry: entry)
    (problem.offset, problem.evidence, problem.recovered) = (damage.offset, damage.evidence, damage.salvage)
    problem.loss = PageLoss.loss(keeping: damage.salvage, of: expected)
    problem.details = Sentences.salvage(damage.salvage, expected: expected, loss: problem.loss)
    return problem
  }

  private static func whole(
    _ summary: PageSummary, _ page: PageFacts, _ entry: PageEntry, _ view: PackageView
  ) -> [Problem] {
    var found: [Problem] = []
    let what = view.name(ofPage: page.id)
    let place = view.place(page.id)
    if let newer = view.newerVersion(ofPage: page.id, than: summary) {
      found.append(
        Problem(
          .temporaryNewer, path: newer.file.path, page: place,
          evidence: "generation \(newer.summary.generation), the page has \(summary.generation)",
          slots: ["file": "\(newer.file.path)", "target": what.lowercasedFirst],
          details: view.isTemporary(newer.file) ? [] : [Sentences.versions(newer.summary, besides: summary)],
          action: .restore(from: newer.file.path, to: page.file.path)))
    }
    if LossCheck.isHealed(entry, by: summary) { return found + [LossCheck.healed(entry, page, view)] }
    let evidence = "generation \(summary.generation), document.json says \(entry.generation)"
    if summary.generation > entry.generation {
      found.append(
        Problem(
          .entryLags, path: page.file.path, page: place, evidence: evidence, slots: ["what": what],
          action: .correctEntry(page.id)))
    } else if summary.generation < entry.generation {
      var problem = Problem(
        .pageRolledBack, path: page.file.path, page: place, evidence: evidence,
        slots: ["what": what, "found": "\(summary.generation)", "expected": "\(entry.generation)"],
        action: found.last?.action ?? .keepOlderPage(page.id))
      problem.loss = PageLoss.loss(
        placing: view.newerVersion(ofPage: page.id, than: summary)?.summary ?? summary, for: entry)
      found.append(problem)
    } else if summary.elements != entry.elementCount && !entry.losses.contains(where: { !$0.isAccepted }),
      !view.isCountOfJournal(entry.elementCount, summary, of: page.id)
    {
      found.append(countDiffers(summary, page, entry, view))
    } else if summary.canvas != entry.canvas, !summary.canvas.isNothing, !entry.canvas.isNothing {
      // A size of nothing is told by itself.
      found.append(
        Problem(
          .canvasDiffers, path: page.file.path, page: place, evidence: evidence,
          slots: ["what": what, "found": Sentences.canvas(summary.canvas), "expected": Sentences.canvas(entry.canvas)],
          action: .correctCanvas(page.id)))
    }
    return found
  }

  private static func countDiffers(
    _ summary: PageSummary, _ page: PageFacts, _ entry: PageEntry, _ view: PackageView
  ) -> Problem {
    let strokesOnly = summary.strokes == summary.elements
    var problem = Problem(
      .elementCountDiffers, path: page.file.path, page: view.place(page.id),
      evidence: "\(summary.elements) elements, document.json says \(entry.elementCount)",
      slots: [
        "what": view.name(ofPage: page.id),
        "found": Sentences.elements(summary.elements, strokesOnly: strokesOnly),
        "expected": "\(entry.elementCount)",
      ], action: .correctEntry(page.id))
    problem.loss.elements = entry.elementCount - min(summary.elements, entry.elementCount)
    return problem
  }

  // MARK: Pages that the document does not list: LN2006, LN2017, and their content.

  private static func unlisted(_ page: PageFacts, _ view: PackageView) -> [Problem] {
    if page.content == nil { return [] }
    if case .glanced(let glance) = page.content { return GlanceCheck.problems(glance, page, nil, view) }
    guard view.document != nil else { return contentOnly(page, view) }
    if view.isDeleted(page) {
      return [
        Problem(
          .deletionUnfinished, path: page.file.path, page: view.place(page.id),
          slots: ["file": "\(page.file.path)"], action: .setAside(page.file.path))
      ]
    }
    switch page.content {
    case .whole(let summary):
      let strokesOnly = summary.strokes == summary.elements
      return [
        Problem(
          .pageUnlisted, path: page.file.path, page: view.place(page.id),
          evidence: "generation \(summary.generation), \(summary.elements) elements",
          slots: [
            "file": "\(page.file.path)", "elements": Sentences.elements(summary.elements, strokesOnly: strokesOnly),
          ], action: .listPage(page.id))
      ]
    default: return contentOnly(page, view)
    }
  }

  private static func contentOnly(_ page: PageFacts, _ view: PackageView) -> [Problem] {
    switch page.content {
    case .trailing(_, let extra): [trailing(extra, page, view)]
    case .unknownVersion(let version): [unknownVersion(version, page, view)]
    case .misplaced(let id, let summary): [misplaced(page, id, summary, nil, view)]
    case .empty, .damaged: [content(page, nil, view)]
    default: []
    }
  }

  // MARK: The content of another page: LN1104.

  private static func misplaced(
    _ page: PageFacts, _ id: NoteID, _ summary: PageSummary, _ entry: PageEntry?, _ view: PackageView
  ) -> Problem {
    var problem = Problem(
      .nameIdentityDiffers, path: page.file.path, page: view.place(page.id),
      evidence: "the identity inside is \(id), generation \(summary.generation)",
      slots: ["what": view.name(ofPage: page.id), "other": view.name(ofContent: id)])
    // Where the document cannot say what it lists, nobody can say what belongs where.
    if view.document != nil { problem.action = Placement.action(at: page.file.path, holding: id, summary, view) }
    addOwnLoss(of: entry, to: &problem, view)
    if case .place = problem.action, let other = view.entry(id),
      view.page(id).map({ $0.isReadable || $0.isInTheWay }) ?? true
    {
      problem.loss += PageLoss.loss(placing: summary, for: other)
    }
    return problem
  }

  /// The same for content that is damaged, where it is all that is left of its page.
  private static func misplacedDamage(
    _ page: PageFacts, _ damage: PageDamage, _ entry: PageEntry?, _ view: PackageView
  ) -> Problem? {
    guard let foreign = damage.foreign, let id = foreign.page, Placement.isPlacedDamaged(page, view) else { return nil }
    var problem = Problem(
      .nameIdentityDiffers, path: page.file.path, page: view.place(page.id), offset: damage.offset,
      evidence: "\(foreign.count) elements of \(id); \(damage.evidence)",
      slots: ["what": view.name(ofPage: page.id), "other": view.name(ofContent: id)],
      details: [Sentences.damagedToo(foreign)],
      action: .place(from: page.file.path, to: PackagePaths.page(id)))
    addOwnLoss(of: entry, to: &problem, view)
    let expected = PageLoss.expected(header: foreign.header, entry: view.entry(id)) ?? foreign.count
    problem.loss.elements += expected - min(foreign.count, expected)
    if let partial = foreign.partial { problem.loss.samples += partial.samplesBefore - partial.samples }
    return problem
  }

  /// What was on a page in whose place another one lies, where it is not here at all.
  private static func addOwnLoss(of entry: PageEntry?, to problem: inout Problem, _ view: PackageView) {
    guard let entry, !Placement.isAnywhere(entry.id, view) else { return }
    problem.loss = PageLoss.loss(of: entry, view)
    if problem.loss.elements > 0 {
      let lost = Sentences.elements(problem.loss.elements, strokesOnly: false)
      problem.details.append("Its own content is not here: \(lost).")
    }
  }

  // MARK: Content: LN1203, LN1204, LN3001 to LN3004, LN3105, LN3109.

  private static func trailing(_ extra: UInt64, _ page: PageFacts, _ view: PackageView) -> Problem {
    Problem(
      .trailingBytes, path: page.file.path, page: view.place(page.id),
      offset: page.file.size - min(extra, page.file.size),
      evidence: "\(extra) bytes behind the body",
      slots: ["what": view.name(ofPage: page.id), "extra": Sentences.bytes(extra)], action: .trimPage(page.id))
  }

  private static func unknownVersion(_ version: Int, _ page: PageFacts, _ view: PackageView) -> Problem {
    Problem(
      .pageVersion, path: page.file.path, page: view.place(page.id), evidence: "format version \(version)",
      slots: ["what": view.name(ofPage: page.id), "version": "\(version)"])
  }

  private static func content(_ page: PageFacts, _ entry: PageEntry?, _ view: PackageView) -> Problem {
    let what = view.name(ofPage: page.id)
    let lost: RepairAction = entry == nil ? .setAside(page.file.path) : .emptyPage(page.id)
    guard case .damaged(let damage) = page.content else {
      let expected = entry.flatMap { PageLoss.expected(by: $0) }
      var problem = Problem(
        .zeroLength, path: page.file.path, page: view.place(page.id), slots: ["what": what], action: lost)
      problem.loss.elements = expected ?? 0
      problem.loss.isAtLeast = expected == nil && entry != nil
      if let expected, expected > 0 {
        problem.details = ["\(Sentences.elements(expected, strokesOnly: false)) were on it.".capitalisedFirst]
      }
      return problem
    }
    if let misplaced = misplacedDamage(page, damage, entry, view) { return misplaced }
    var problem = damaged(damage, page.file, what: what)
    problem.path = page.file.path
    problem.page = view.place(page.id)
    problem.offset = damage.offset
    problem.evidence = damage.evidence
    let expected = PageLoss.expected(of: damage, entry: entry)
    problem.recovered = damage.salvage
    problem.loss = PageLoss.loss(keeping: damage.salvage, of: expected)
    problem.details = Sentences.salvage(damage.salvage, expected: expected, loss: problem.loss)
    if let foreign = damage.foreign { problem.details.append(Sentences.foreign(foreign)) }
    let keepsSomething = damage.salvage.elements > 0 || damage.salvage.partial != nil
    // A page whose header says that nothing was on it loses nothing; one that nobody lists and whose header says that
    // something was is listed, since nothing else could tell the loss. What is another page's is not written anew.
    let isTold = expected.map { $0 == 0 || entry == nil } ?? false
    problem.action = keepsSomething || (isTold && damage.foreign == nil) ? .salvagePage(page.id) : lost
    return problem
  }

  private static func damaged(_ damage: PageDamage, _ file: FileFacts, what: String) -> Problem {
    switch damage.kind {
    case .damaged:
      let place = damage.offset.map { " at byte \(Sentences.grouped($0))" } ?? ""
      return Problem(.pageDamaged, slots: ["what": what, "place": place])
    case .truncated(let missing):
      return Problem(.pageTruncated, slots: ["what": what, "missing": Sentences.bytes(missing)])
    case .elementsDiffer: return Problem(.frameListDiffers, slots: ["what": what])
    case .sampleCounts:
      let place = damage.offset.map { ", at byte \(Sentences.grouped($0))" } ?? ""
      return Problem(.sampleCountDiffers, slots: ["what": what, "place": place])
    case .zeros: return Problem(file.zeros, slots: ["what": what])
    }
  }
}
