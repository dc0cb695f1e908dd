import LNoteFormat

/// Single fields of `document.json`: LN1701, LN2008 to LN2011, LN8008. Nothing here is decided by a time.
enum FieldCheck {
  static func problems(in view: PackageView) -> [Problem] {
    guard let document = view.document else { return [] }
    var found: [Problem] = []
    if case .faulty(let mended) = view.facts.document.content {
      found += faults(mended, view)
    } else {
      found += backwards(document, view) + controls(document)
    }
    return found + sizes(view) + unknown(document) + implausible(document, view) + moments(view)
  }

  // MARK: Fields of no use: the app cannot read the document.

  private static func faults(_ mended: MendedDocument, _ view: PackageView) -> [Problem] {
    var canvases: [PagePlace] = []
    var kinds: [(kind: ProblemKind, faults: [RecordFault])] = [(.badCanvas, []), (.badTimestamp, []), (.badTitle, [])]
    for fault in mended.faults {
      switch fault.field {
      case .title: kinds[2].faults.append(fault.fault)
      case .canvas(let page):
        kinds[0].faults.append(fault.fault)
        canvases.append(PagePlace(id: mended.record.pages[page].id, number: page + 1))
      default: kinds[1].faults.append(fault.fault)
      }
    }
    return kinds.compactMap { kind, faults in
      guard let first = faults.first else { return nil }
      let more = faults.count - 1
      var problem = Problem(
        kind, severity: .error, repairClass: .consent, path: PackagePaths.document,
        evidence: "\(first)" + (more > 0 ? ", and \(more) more" : ""), action: .mendDocument)
      problem.statement = Sentences.unreadable(kind, faults)
      if kind == .badCanvas { name(canvases, in: &problem) }
      return problem
    }
  }

  private static func name(_ places: [PagePlace], in problem: inout Problem) {
    if places.count == 1 { problem.page = places[0] } else { problem.pages = places }
  }

  // MARK: LN2008

  private static func sizes(_ view: PackageView) -> [Problem] {
    view.entries.flatMap { entry -> [Problem] in
      let whole = view.page(entry.id)?.whole
      let isPageBad = whole?.canvas.isNothing == true
      guard entry.canvas.isNothing || isPageBad else { return [] }
      var problem = Problem(
        .badCanvas, path: isPageBad ? view.page(entry.id)?.file.path : PackagePaths.document,
        page: view.place(entry.id),
        evidence: "\(entry.canvas.width) by \(entry.canvas.height) tenths of a point",
        slots: ["what": "\(view.name(ofPage: entry.id)) has"])
      if !isPageBad {
        problem.action = .mendCanvas(entry.id)
      } else if let whole, whole.generation == entry.generation,
        view.newerVersion(ofPage: entry.id, than: whole) == nil
      {
        // What is to happen to the page as a whole comes first.
        problem.action = .amendPage(entry.id, .canvas)
      }
      return [problem]
    }
  }

  // MARK: LN2009, LN2010, LN2011

  /// A clock that is a little wrong is put right every day.
  private static let backwardsMillisecondsMin: Int64 = 86_400_000

  private static func isBackwards(_ created: Timestamp, _ modified: Timestamp) -> Bool {
    let (difference, isFar) = created.milliseconds.subtractingReportingOverflow(modified.milliseconds)
    return created > modified && (isFar || difference > backwardsMillisecondsMin)
  }

  private static func backwards(_ document: DocumentRecord, _ view: PackageView) -> [Problem] {
    let pages = document.pages.filter { isBackwards($0.created, $0.modified) }.map { view.place($0.id) }
    let isDocument = isBackwards(document.created, document.modified)
    if pages.isEmpty && !isDocument { return [] }
    let numbers = pages.compactMap(\.number)
    let what = [isDocument ? "it" : "", Sentences.somePages(numbers)].filter { !$0.isEmpty }
    let isOne = pages.count + (isDocument ? 1 : 0) == 1
    var problem = Problem(
      .badTimestamp, path: PackagePaths.document, evidence: isDocument ? "\(document.created.text)" : "",
      slots: [
        "what": "\(what.joined(separator: " and ")) \(isOne ? "was" : "were")", "it": isOne ? "it was" : "they were",
      ])
    name(pages, in: &problem)
    return [problem]
  }

  private static func controls(_ document: DocumentRecord) -> [Problem] {
    let count = document.title.unicodeScalars.count { $0.properties.generalCategory == .control }
    if count == 0 { return [] }
    return [
      Problem(
        .badTitle, path: PackagePaths.document, evidence: "\(count) control characters",
        slots: ["count": Sentences.controls(count)], action: .cleanTitle)
    ]
  }

  private static func unknown(_ document: DocumentRecord) -> [Problem] {
    var names = Set(document.unknown.keys)
    for entry in document.pages {
      names.formUnion(entry.unknown.keys.filter { $0 != PageEntry.healedKey })
      names.formUnion(entry.canvasUnknown.keys)
      for loss in entry.losses { names.formUnion(loss.unknownKeys) }
    }
    for page in document.deleted { names.formUnion(page.unknown.keys) }
    for loss in document.losses { names.formUnion(loss.unknownKeys) }
    if names.isEmpty { return [] }
    return [
      Problem(
        .unknownField, path: PackagePaths.document, evidence: "\(names.count) keys",
        slots: ["fields": Sentences.fields(names.sorted())])
    ]
  }

  // MARK: LN1701

  private static func implausible(_ document: DocumentRecord, _ view: PackageView) -> [Problem] {
    let isOdd = { (time: Timestamp) in !time.isPlausible(at: view.facts.checkedAt) }
    var times = [document.created, document.modified].filter(isOdd)
    let isDocument = !times.isEmpty
    var pages: [PagePlace] = []
    for entry in document.pages {
      let whole = view.page(entry.id)?.whole
      let odd = [entry.created, entry.modified, whole?.created, whole?.modified].compactMap { $0 }.filter(isOdd)
      if odd.isEmpty { continue }
      times += odd
      pages.append(view.place(entry.id))
    }
    guard let first = times.min(), let last = times.max() else { return [] }
    let what = [isDocument ? "the document" : "", Sentences.somePages(pages.compactMap(\.number))].filter {
      !$0.isEmpty
    }
    let isOne = pages.count + (isDocument ? 1 : 0) == 1
    var problem = Problem(
      .implausibleTime, path: PackagePaths.document, evidence: "\(first.milliseconds) ms and \(last.milliseconds) ms",
      slots: [
        "what": "\(what.joined(separator: " and ").capitalisedFirst) \(isOne ? "is" : "are")",
        "times": first == last ? first.day : "\(first.day) and \(last.day)",
      ])
    name(pages, in: &problem)
    return [problem]
  }

  // MARK: LN8008

  /// A crash leaves pages ahead of their entries, and an old copy that came back leaves them behind; only a copy that was
  /// taken during a save has both.
  private static func moments(_ view: PackageView) -> [Problem] {
    var (ahead, behind): ([Int], [Int]) = ([], [])
    for entry in view.entries {
      guard let page = view.page(entry.id)?.whole, let number = view.place(entry.id).number else { continue }
      if page.generation > entry.generation && entry.generation > 0 { ahead.append(number) }
      if page.generation < entry.generation && !LossCheck.isHealed(entry, by: page) { behind.append(number) }
    }
    if ahead.isEmpty || behind.isEmpty { return [] }
    return [
      Problem(
        .copiedWhileWritten, evidence: "\(ahead.count) pages ahead of their entries, \(behind.count) behind",
        slots: ["ahead": Sentences.somePages(ahead), "behind": Sentences.somePages(behind)])
    ]
  }
}

extension Timestamp {
  /// "2099-01-01".
  fileprivate var day: String { String(text.prefix(10)) }
}
