import Files
import LNoteFormat

/// Turns problems of a package whose document is sound into steps.
struct PagePlanner {
  private let view: PackageView
  private var edit: DocumentEdit
  private var done: Set<RepairAction> = []
  // In the order in which they are done.
  private var first: [RepairStep] = []
  private var amended: [RepairStep] = []
  // What is fetched may be a file of the package that then takes another's name.
  private var fetches: [RepairStep] = []
  private var restores: [RepairStep] = []
  private var pages: [RepairStep] = []
  private var last: [RepairStep] = []
  private var amendments: [(id: NoteID, amendments: [PageAmendment], problem: Problem)] = []
  private var reason: Problem?
  private var writesManifest: Problem?

  init(view: PackageView, edit: DocumentEdit) {
    self.view = view
    self.edit = edit
  }

  /// Plans what the problem asks for, once.
  mutating func take(_ problem: Problem) {
    guard let action = problem.action, done.insert(action).inserted else { return }
    switch action {
    case .fetch: fetches += [RepairPlan.plainStep(for: problem)].compactMap(\.self)
    case .restore: restores += [RepairPlan.plainStep(for: problem)].compactMap(\.self)
    case .makeDirectory: first += [RepairPlan.plainStep(for: problem)].compactMap(\.self)
    case .setAside(let path):
      // A link or file in the place of a folder gives way before anything is written there.
      let isFolder = PackagePaths.directories.contains(path)
      let steps = [RepairPlan.plainStep(for: problem)].compactMap(\.self)
      if isFolder { first += steps + [RepairPlan.step(.makeDirectory, path, problem)] } else { last += steps }
    case .rebuildDocument, .keepOlderDocument, .mendDocument, .place: break
    case .adoptIdentity(let id): change(problem) { $0.adopt(id) }
    case .salvagePage(let id): salvage(id, problem)
    case .emptyPage(let id): empty(id, problem)
    case .trimPage(let id):
      if let page = view.page(id) { pages.append(RepairPlan.step(.trimPage, page.file.path, problem)) }
    case .cutJournal(let path, let end): pages.append(RepairPlan.step(.cutJournal(end: end), path, problem))
    case .keepOlderPage(let id): keepOlder(id, problem)
    case .amendPage(let id, let amendment):
      if let place = amendments.firstIndex(where: { $0.id == id }) {
        amendments[place].amendments.append(amendment)
      } else {
        amendments.append((id, [amendment], problem))
      }
    case .dropDoubles: change(problem) { $0.dropDoubles() }
    case .listPage(let id):
      if let summary = view.page(id)?.whole { change(problem) { $0.append(PageEntry(id: id, summary)) } }
    case .listPages(let ids):
      for id in ids {
        if let summary = view.page(id)?.whole { change(problem) { $0.append(PageEntry(id: id, summary)) } }
      }
    case .mendCanvas(let id):
      let canvas = view.canvas(ofPage: id)
      change(problem) { $0.setCanvas(of: id, to: canvas) }
    case .cleanTitle: change(problem) { $0.setTitle($0.record.title.withoutControls) }
    case .adoptCopy(let order): adopt(order, problem)
    case .correctEntry(let id): correct(id, problem)
    case .correctCanvas(let id):
      if let summary = view.page(id)?.whole { change(problem) { $0.correctCanvas(id, summary.canvas) } }
    case .recordAssetLoss(let id):
      change(problem) { $0.recordAssetLoss(id, elements: problem.loss.elements, code: problem.kind.code) }
      removeEmptyAsset(id, problem)
    case .healPage(let id): heal(id, problem)
    case .healAsset(let id): change(problem) { $0.healAsset(id) }
    case .drawThumbnails(let ids): for id in ids { draw(id, problem) }
    case .setAsideThumbnails(let paths):
      for path in paths where done.insert(.setAside(path)).inserted {
        last.append(RepairPlan.step(.setAside, path, problem))
      }
    case .writeManifest: writesManifest = writesManifest ?? problem
    }
  }

  /// The steps: what must be there first, pages that lose nothing, the document with its losses, the other pages, what
  /// is moved away, the manifest.
  mutating func finished() -> [RepairStep] {
    // What entries take over from pages as they are is known now.
    for page in amendments { amend(page.id, page.amendments, page.problem) }
    // A page of which nothing is lost is written before its entry, as in every save: cut short, the entry lags.
    var steps = first + fetches + restores + amended
    var document = edit.record
    if edit.isChanged, let reason {
      document = edit.finished(above: view.highestDocumentGeneration)
      steps.append(RepairPlan.step(.writeDocument(document), PackagePaths.document, reason))
    }
    steps += pages + last
    if let cause = writesManifest ?? (edit.isChanged ? reason : nil) {
      let older = view.facts.manifest
      let manifest = ManifestRecord(mirroring: document, after: older.record, keeping: older.unknown)
      steps.append(RepairPlan.step(.writeManifest(manifest), PackagePaths.manifest, cause))
    }
    return steps
  }

  private mutating func change(_ problem: Problem, _ body: (inout DocumentEdit) -> Void) {
    body(&edit)
    reason = reason ?? problem
  }

  private mutating func salvage(_ id: NoteID, _ problem: Problem) {
    guard let page = view.page(id), case .damaged(let damage) = page.content else { return }
    let generation = view.nextGeneration(ofPage: id)
    let kept = damage.salvage.elements + (damage.salvage.partial == nil ? 0 : 1)
    let known = edit.entry(id)
    let fallback = known ?? view.guessedEntry(for: page)
    if known == nil { change(problem) { $0.append(fallback) } }
    change(problem) {
      $0.replacePage(
        id, generation: generation, elements: kept, loss: problem.loss, code: problem.kind.code,
        lostGeneration: damage.salvage.generation)
    }
    let order = SalvageOrder(
      id: id, generation: generation, hint: known?.generation, expected: damage.salvage, canvas: fallback.canvas,
      created: fallback.created, modified: fallback.modified)
    pages.append(RepairPlan.step(.salvagePage(order), page.file.path, problem))
    renewThumbnail(id, problem)
  }

  private mutating func empty(_ id: NoteID, _ problem: Problem) {
    guard let entry = edit.entry(id) else { return }
    let generation = view.nextGeneration(ofPage: id)
    let lost = view.page(id)?.damagedGeneration
    change(problem) {
      $0.replacePage(
        id, generation: generation, elements: 0, loss: problem.loss, code: problem.kind.code,
        lostGeneration: lost)
    }
    let snapshot = PageSnapshot(
      id: id, generation: generation, canvas: entry.canvas, created: entry.created, modified: entry.modified,
      elements: [])
    let path = view.page(id)?.file.path ?? PackagePaths.page(id)
    pages.append(RepairPlan.step(.writeEmptyPage(snapshot), path, problem))
    renewThumbnail(id, problem)
  }

  private mutating func keepOlder(_ id: NoteID, _ problem: Problem) {
    guard let page = view.page(id), let summary = page.whole else { return }
    let generation = view.nextGeneration(ofPage: id)
    change(problem) {
      $0.keepOlder(
        id, generation: generation, elements: summary.elements, loss: problem.loss, code: problem.kind.code)
    }
    pages.append(RepairPlan.step(.renewPage(generation: generation), page.file.path, problem))
    renewThumbnail(id, problem)
  }

  private mutating func amend(_ id: NoteID, _ amendments: [PageAmendment], _ problem: Problem) {
    guard let page = view.page(id), let summary = page.whole, let entry = edit.entry(id) else { return }
    let canvas = amendments.contains(.canvas) ? view.canvas(ofPage: id) : summary.canvas
    let order = AmendOrder(
      id: id, generation: view.nextGeneration(ofPage: id), amendments: amendments, canvas: canvas, expected: summary)
    change(problem) {
      if entry.generation < summary.generation { $0.correctEntry(id, from: summary) }
      $0.replacePage(
        id, generation: order.generation, elements: order.elements, loss: ContentLoss(), code: problem.kind.code,
        lostGeneration: nil)
      if amendments.contains(.canvas) { $0.setCanvas(of: id, to: canvas) }
    }
    amended.append(RepairPlan.step(.amendPage(order), page.file.path, problem))
    renewThumbnail(id, problem)
  }

  /// The page is there before it is listed, as in every save; the copy goes when both are there.
  private mutating func adopt(_ order: AdoptOrder, _ problem: Problem) {
    amended.append(RepairPlan.step(.adoptPage(order), PackagePaths.page(order.id), problem))
    change(problem) { $0.insert(order.entry, behind: order.original) }
    draw(order.id, problem)
    last.append(RepairPlan.step(.setAside, order.from, problem))
  }

  private mutating func correct(_ id: NoteID, _ problem: Problem) {
    guard let summary = view.page(id)?.whole else { return }
    change(problem) {
      if problem.loss.elements > 0 {
        $0.recordFewer(id, loss: problem.loss, code: problem.kind.code)
      } else {
        $0.correctEntry(id, from: summary)
      }
    }
  }

  private mutating func heal(_ id: NoteID, _ problem: Problem) {
    guard let page = view.page(id), let summary = page.whole else { return }
    let generation = view.nextGeneration(ofPage: id)
    change(problem) { $0.healPage(id, generation: generation, from: summary) }
    pages.append(RepairPlan.step(.renewPage(generation: generation), page.file.path, problem))
  }

  /// The old one may be the last picture of what is lost, so it is set aside when the new one takes its place.
  private mutating func renewThumbnail(_ id: NoteID, _ problem: Problem) {
    for thumbnail in view.facts.thumbnails where thumbnail.id == id && thumbnail.file.obstacle == nil {
      if done.insert(.setAside(thumbnail.file.path)).inserted {
        last.append(RepairPlan.step(.drawThumbnail(id), thumbnail.file.path, problem))
      }
    }
  }

  private mutating func draw(_ id: NoteID, _ problem: Problem) {
    let path = PackagePaths.thumbnail(id)
    if done.insert(.setAside(path)).inserted { last.append(RepairPlan.step(.drawThumbnail(id), path, problem)) }
  }

  /// A file of 0 bytes or of zeros shows nothing; one with content stays where it is.
  private mutating func removeEmptyAsset(_ id: NoteID, _ problem: Problem) {
    guard let asset = view.asset(id), asset.content?.length == 0 else { return }
    if done.insert(.setAside(asset.file.path)).inserted {
      last.append(RepairPlan.step(.setAside, asset.file.path, problem))
    }
  }
}
