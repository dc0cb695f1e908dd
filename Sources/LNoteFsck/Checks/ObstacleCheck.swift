import Files
import LNoteFormat

/// Files whose content was not read: LN0004, LN0005, LN0006, LN0011, LN1002, LN1003.
///
/// A FIFO or link in a page's, an asset's or a document's place is judged by the check of that thing as well, which
/// takes the action from here.
enum ObstacleCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    let facts = view.facts
    if let file = facts.document.file {
      found += problems(of: file, what: "\(file.path)", action: documentAction(view))
    }
    for page in facts.pages {
      found += problems(
        of: page.file, what: view.name(ofPage: page.id), page: view.place(page.id), action: action(view, page)
      ).map { problem in
        var problem = problem
        guard problem.action != nil, let entry = view.entry(page.id) else { return problem }
        if let candidate = view.candidate(forPage: page.id) {
          problem.loss = PageLoss.loss(placing: candidate.summary, for: entry)
        } else if !Placement.isAnywhere(page.id, view) {
          problem.loss = PageLoss.loss(of: entry, view)
        }
        return problem
      }
    }
    for journal in facts.journals { found += journalProblems(view, journal) }
    for asset in facts.assets { found += assetProblems(view, asset) }
    for thumbnail in facts.thumbnails {
      found += problems(of: thumbnail.file, what: "\(thumbnail.file.path)", action: .setAside(thumbnail.file.path))
    }
    if let file = facts.manifest.file {
      found += problems(of: file, what: "\(file.path)", action: view.document == nil ? nil : .writeManifest)
    }
    for stray in facts.strays {
      found += problems(of: stray.file, what: "\(stray.file.path)", action: .setAside(stray.file.path))
    }
    for file in facts.folderFailures { found += problems(of: file, what: "The folder \(file.path)", action: nil) }
    return found
  }

  static func problem(of failure: FileCallFailure, path: BytePath?, what: String) -> Problem {
    if failure.isTooManyNames { return crowded(path: path, what: what) }
    return Problem(
      failure.isPermission ? .permissionDenied : .inputOutputError, path: path,
      evidence: "\(failure.call): \(failure.errno.name)", slots: ["what": what, "reason": Sentences.reason(failure)])
  }

  /// Nobody can say what a document needs of a folder that was not read: nothing of it is repaired.
  private static func crowded(path: BytePath?, what: String) -> Problem {
    let limit = SurveyLimits.ownNamesMax
    var problem = Problem(.resourceLimit, repairClass: .operational, path: path, evidence: "more than \(limit) names")
    problem.statement = Sentences.holdsTooManyNames(what, limit)
    problem.saysAll = true
    return problem
  }

  private static func problems(
    of file: FileFacts, what: String, page: PagePlace? = nil, asset: NoteID? = nil, action: RepairAction?
  ) -> [Problem] {
    var found: Problem
    switch file.obstacle {
    case nil: return []
    case .unreadable(let failure): found = problem(of: failure, path: file.path, what: what)
    case .changing: found = Problem(.changedDuringCheck, path: file.path, slots: ["what": what])
    case .tooLarge(let limit):
      found = Problem(
        .resourceLimit, path: file.path, evidence: "\(file.size) bytes",
        slots: ["what": what, "size": Sentences.size(file.size), "limit": Sentences.size(limit)])
      if file.size <= limit { found.statement = Sentences.saysTooMuch(what) }
    case .unexpectedType(let kind):
      found = Problem(
        .unexpectedType, path: file.path, evidence: kind.rawValue,
        slots: ["what": what, "type": Sentences.kind(kind)], action: action)
    case .symbolicLink:
      found = Problem(.symlinkInside, path: file.path, slots: ["what": what], action: action)
    }
    found.page = page
    found.asset = asset
    return [found]
  }

  private static func documentAction(_ view: PackageView) -> RepairAction? {
    guard let candidate = view.documentCandidate else {
      // What nobody can list nobody can put in order.
      return view.isListed(PackagePaths.pages) ? .rebuildDocument : nil
    }
    return .restore(from: candidate.file.path, to: PackagePaths.document)
  }

  private static func action(_ view: PackageView, _ page: PageFacts) -> RepairAction {
    if view.entry(page.id) == nil { return .setAside(page.file.path) }
    if let candidate = view.candidate(forPage: page.id) {
      return .restore(from: candidate.file.path, to: page.file.path)
    }
    return .emptyPage(page.id)
  }

  /// Changes may lie behind a link, so nothing is decided without it.
  private static func journalProblems(_ view: PackageView, _ journal: JournalFacts) -> [Problem] {
    problems(
      of: journal.file, what: view.name(ofJournal: journal), page: view.place(journal.id),
      action: .setAside(journal.file.path)
    ).map { problem in
      guard case .symbolicLink = journal.file.obstacle else { return problem }
      var problem = problem
      (problem.action, problem.repairClass) = (nil, .report)
      problem.details = ["Put the journal itself in the place of the link, then check again."]
      return problem
    }
  }

  /// How many images show nothing any more when the file of this one is set aside.
  static func lossOfImage(_ id: NoteID, _ view: PackageView) -> UInt64 {
    guard let uses = view.uses[id], let use = uses.first, !view.isLossRecorded(ofAsset: id),
      !view.isAbsent(PackagePaths.asset(id)), view.candidate(forAsset: use) == nil,
      view.facts.elsewhere.images[id] == nil
    else { return 0 }
    let isUnderAnothersName = view.facts.assets.contains { other in
      guard let content = other.content, view.uses[other.id] != nil, !view.isAssetWhole(other.id) else { return false }
      return uses.contains { $0.image.assetLength == content.length && $0.image.assetDigest == content.digest }
    }
    return isUnderAnothersName ? 0 : UInt64(uses.count)
  }

  private static func assetProblems(_ view: PackageView, _ asset: AssetFacts) -> [Problem] {
    let uses = view.uses[asset.id] ?? []
    let what =
      uses.isEmpty ? Sentences.imageFile(asset.file.path) : "The image on \(Sentences.onPages(uses))"
    // The next round sees that the image is missing, and looks for a copy.
    return problems(of: asset.file, what: what, asset: asset.id, action: .setAside(asset.file.path)).map { problem in
      var problem = problem
      if problem.action != nil { problem.loss.elements = lossOfImage(asset.id, view) }
      return problem
    }
  }
}
