import Files
import LNoteFormat
import Terminal

/// The small pictures of pages: LN5101 to LN5104, one finding each for all pages.
///
/// Only pages that are whole and not older than the document says are looked at: the small picture of any other may be
/// the last picture of what is lost.
enum ThumbnailCheck {
  /// The kinds that are found here.
  static let kinds: Set<ProblemKind> = [.thumbnailMissing, .thumbnailStale, .thumbnailDamaged, .thumbnailUnused]
  /// The codes of those whose repair draws from a whole page.
  static let codes = Set([ProblemKind.thumbnailMissing, .thumbnailStale, .thumbnailDamaged].map(\.code))

  static func problems(in view: PackageView) -> [Problem] {
    // A program that has the document open may be about to draw them.
    guard view.document != nil, view.facts.lock == .free, view.isListed(PackagePaths.thumbnails) else { return [] }
    return judged(view) + unused(view)
  }

  // MARK: Pages that are listed

  private struct Findings {
    var missing: [PagePlace] = []
    var stale: [PagePlace] = []
    var later: [PagePlace] = []
    var damaged: [PagePlace] = []
    var reasons: Set<String> = []
  }

  private static func judged(_ view: PackageView) -> [Problem] {
    let present = Dictionary(
      view.facts.thumbnails.map { ($0.id, $0) }, uniquingKeysWith: { isCanonical($0) ? $0 : $1 })
    var found = Findings()
    for entry in view.entries {
      guard let summary = view.page(entry.id)?.whole, summary.generation >= entry.generation else { continue }
      let place = view.place(entry.id)
      guard let thumbnail = present[entry.id] else {
        if !view.isAbsent(PackagePaths.thumbnail(entry.id)) { found.missing.append(place) }
        continue
      }
      // Under another spelling of the name the app may find it or not.
      guard isCanonical(thumbnail) else { continue }
      switch thumbnail.content {
      case .marked(let mark) where mark.page != entry.id || mark.generation < summary.generation:
        found.stale.append(place)
      case .marked(let mark) where mark.generation > summary.generation: found.later.append(place)
      case .damaged(let reason):
        found.damaged.append(place)
        found.reasons.insert(reason)
      case .marked, .unmarked, nil: break
      }
    }
    return problems(found, of: view.entries.count)
  }

  private static func problems(_ found: Findings, of count: Int) -> [Problem] {
    var problems: [Problem] = []
    if !found.missing.isEmpty {
      var problem = problem(.thumbnailMissing, found.missing, of: count)
      let isOne = found.missing.count == 1
      problem.slots["what"] =
        isOne ? "\(one(found.missing, of: count)) has" : "\(Sentences.pages(found.missing.count, of: count)) have"
      problems.append(problem)
    }
    if !found.stale.isEmpty { problems.append(pictures(.thumbnailStale, found.stale, of: count)) }
    if !found.later.isEmpty {
      var problem = pictures(.thumbnailStale, found.later, of: count)
      problem.statement = Sentences.laterPicture(found.later.count, problem.slots["what"] ?? "")
      problem.details = [Sentences.laterPictureAdvice]
      problem.saysAll = true
      problem.severity = .warning
      problem.repairClass = .consent
      problems.append(problem)
    }
    if !found.damaged.isEmpty {
      var problem = pictures(.thumbnailDamaged, found.damaged, of: count)
      if found.damaged.count == 1, let reason = found.reasons.first { problem.slots["reason"] = ": \(reason)" }
      problem.evidence = found.reasons.sorted().joined(separator: "; ")
      problems.append(problem)
    }
    return problems
  }

  private static func pictures(_ kind: ProblemKind, _ pages: [PagePlace], of count: Int) -> Problem {
    var problem = problem(kind, pages, of: count)
    problem.slots["what"] =
      pages.count == 1
      ? "picture of \(one(pages, of: count).lowercasedFirst) is"
      : "pictures of \(Sentences.pages(pages.count, of: count)) are"
    return problem
  }

  private static func problem(_ kind: ProblemKind, _ pages: [PagePlace], of count: Int) -> Problem {
    let ids = pages.map(\.id)
    var problem = Problem(kind, action: .drawThumbnails(ids))
    if ids.count == 1 {
      problem.path = PackagePaths.thumbnail(ids[0])
      problem.page = pages[0]
    } else {
      problem.pages = pages
      if pages.count < count { problem.slots["which"] = Sentences.which(pages.compactMap(\.number)) }
    }
    return problem
  }

  private static func one(_ pages: [PagePlace], of count: Int) -> String {
    Sentences.page(pages.first?.number ?? 0, of: count)
  }

  private static func isCanonical(_ thumbnail: ThumbnailFacts) -> Bool {
    thumbnail.file.path == PackagePaths.thumbnail(thumbnail.id)
  }

  // MARK: Pages that are not there any more

  /// Not while anything is in doubt: it may be the last picture of a page that is lost.
  private static func unused(_ view: PackageView) -> [Problem] {
    guard view.doubt == nil, let document = view.document else { return [] }
    if let manifest = view.facts.manifest.record, view.isLater(manifest, than: document) { return [] }
    let unused = view.facts.thumbnails.filter { thumbnail in
      guard thumbnail.file.obstacle == nil, view.entry(thumbnail.id) == nil else { return false }
      if let page = view.page(thumbnail.id) { return view.isDeleted(page) }
      return view.candidate(forPage: thumbnail.id) == nil
    }
    if unused.isEmpty { return [] }
    let size = Sentences.size(unused.reduce(0) { $0 + $1.file.size })
    let isOne = unused.count == 1
    var problem = Problem(
      .thumbnailUnused, path: isOne ? unused[0].file.path : nil,
      slots: [
        "what": isOne
          ? "One small picture (\(size)) shows a page that is"
          : "\(Figures.grouped(unused.count)) small pictures (\(size)) show pages that are"
      ], action: .setAsideThumbnails(unused.map(\.file.path)))
    if !isOne { problem.evidence = Sentences.some(unused.map(\.file.path)) }
    return [problem]
  }
}
