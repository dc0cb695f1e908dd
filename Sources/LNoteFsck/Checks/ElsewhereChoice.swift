import Files
import LNoteFormat

/// What becomes of problems where something better was found in a folder that the user named: pure.
///
/// A page is taken only where nothing that is newer here is given up for it: everything whole of a damaged page is kept
/// rather than an older version of it.
enum ElsewhereChoice {
  static func problems(_ problems: [Problem], in view: PackageView) -> [Problem] {
    let elsewhere = view.facts.elsewhere
    return problems.flatMap { problem -> [Problem] in
      if problem.kind == .pagesBulkMissing { return bulk(problem, elsewhere, view) }
      return [better(problem, elsewhere, view) ?? problem]
    }
  }

  private static func better(_ problem: Problem, _ elsewhere: ElsewhereFacts, _ view: PackageView) -> Problem? {
    switch problem.action {
    case .emptyPage(let id):
      guard let best = elsewhere.pages[id]?.first else { return nil }
      return fetched(problem, page: id, best.file, best.summary, view)
    case .salvagePage(let id):
      let least = max(view.entry(id)?.generation ?? 0, view.page(id)?.damagedGeneration ?? 0)
      guard let best = elsewhere.pages[id]?.first, best.summary.generation >= least else { return nil }
      return fetched(problem, page: id, best.file, best.summary, view)
    case .keepOlderPage(let id):
      guard let best = elsewhere.pages[id]?.first, best.summary.generation >= view.entry(id)?.generation ?? 0 else {
        return nil
      }
      return fetched(problem, page: id, best.file, best.summary, view)
    case .recordAssetLoss(let id): return image(problem, id, elsewhere, view)
    case .rebuildDocument, .keepOlderDocument:
      guard let best = elsewhere.document, best.record.generation >= view.highestDocumentGeneration else { return nil }
      return fetched(problem, best.file, to: PackagePaths.document)
    case nil where problem.kind == .knownLoss && problem.severity == .error: return healing(problem, elsewhere, view)
    default: return nil
    }
  }

  private static func fetched(_ problem: Problem, _ file: FoundFile, to target: BytePath) -> Problem {
    var problem = problem
    problem.action = .fetch(file, to: target)
    problem.loss = ContentLoss()
    problem.recovered = nil
    problem.details = [Sentences.foundElsewhere(file)]
    return problem
  }

  private static func fetched(
    _ problem: Problem, page id: NoteID, _ file: FoundFile, _ summary: PageSummary, _ view: PackageView
  ) -> Problem {
    var result = fetched(problem, file, to: view.page(id)?.file.path ?? PackagePaths.page(id))
    result.repairClass = .consent
    if let entry = view.entry(id), summary.generation < entry.generation,
      !LossCheck.isHealed(entry, by: summary)
    {
      let expected = PageLoss.expected(by: entry) ?? 0
      result.loss.elements = expected - min(summary.elements, expected)
      result.loss.isAtLeast = true
      result.details.append(Sentences.isOlder(found: summary.generation, expected: entry.generation))
    }
    return result
  }

  private static func image(
    _ problem: Problem, _ id: NoteID, _ elsewhere: ElsewhereFacts, _ view: PackageView
  ) -> Problem? {
    guard let file = elsewhere.images[id] else { return nil }
    var result = fetched(problem, file, to: view.asset(id)?.file.path ?? PackagePaths.asset(id))
    // Its bytes are the very ones that the page was given, and nothing gives way to them.
    if view.asset(id) == nil { result.repairClass = .automatic }
    return result
  }

  /// A loss on record: what was lost may be there, and the page was not changed since.
  private static func healing(_ problem: Problem, _ elsewhere: ElsewhereFacts, _ view: PackageView) -> Problem? {
    if let id = problem.asset {
      guard view.isListed(PackagePaths.assets) else { return nil }
      var result = image(problem, id, elsewhere, view)
      result?.repairClass = .consent
      return result
    }
    guard let id = problem.page?.id, let entry = view.entry(id), let page = view.page(id)?.whole,
      page.generation == entry.generation,
      // An entry that took over what the app has drawn since still holds the loss of the older generation.
      entry.losses.allSatisfy({ $0.isAccepted || $0.generation == page.generation })
    else { return nil }
    guard let best = elsewhere.pages[id]?.first(where: { LossCheck.isHealed(entry, by: $0.summary) }) else {
      return nil
    }
    return fetched(problem, page: id, best.file, best.summary, view)
  }

  /// Of many missing pages those that were found are a finding each; the others stay one.
  private static func bulk(_ problem: Problem, _ elsewhere: ElsewhereFacts, _ view: PackageView) -> [Problem] {
    let missing = view.entries.filter {
      view.page($0.id) == nil && view.candidate(forPage: $0.id) == nil && !view.isAbsent(PackagePaths.page($0.id))
    }
    let found = missing.compactMap { entry -> Problem? in
      guard let best = elsewhere.pages[entry.id]?.first else { return nil }
      let single = Problem(
        .pageMissing, path: PackagePaths.page(entry.id), page: view.place(entry.id),
        evidence: "generation \(entry.generation), \(entry.elementCount) elements",
        slots: ["what": view.name(ofPage: entry.id)])
      return fetched(single, page: entry.id, best.file, best.summary, view)
    }
    if found.count == missing.count { return found }
    var rest = problem
    let lost = missing.filter { elsewhere.pages[$0.id] == nil }
    rest.slots["count"] = Sentences.pages(lost.count, of: view.entries.count)
    rest.loss.elements = lost.reduce(0) { $0 + (PageLoss.expected(by: $1) ?? 0) }
    return [rest] + found
  }
}
