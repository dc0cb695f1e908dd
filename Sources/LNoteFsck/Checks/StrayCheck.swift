import Files
import LNoteFormat

/// Files that have no name of the package's own: LN1101 to LN1103, LN1401, LN1402, LN1501, LN1504, LN1601 to LN1603.
///
/// Those that are of use are reported by the check of what they are of use for.
enum StrayCheck {
  static func problems(in view: PackageView) -> [Problem] {
    var found: [Problem] = []
    for stray in view.facts.strays where stray.file.obstacle == nil {
      let path = stray.file.path
      switch stray.name {
      case .foreign:
        var kind = ProblemKind.foreignFile
        if case .appleDouble = stray.content { kind = .appleDouble }
        found.append(Problem(kind, path: path, slots: ["file": "\(path)"]))
      case .unknown, .variant, .copy:
        if let target = view.ownFile(sameAs: stray.file) {
          found.append(
            Problem(
              .secondName, path: path, slots: ["file": "\(path)", "target": "\(target)"], action: .setAside(path)))
        } else if !isOfUse(stray, view) {
          found.append(other(stray, view))
        }
      case .temporary(let target):
        if isOfUse(stray, view) || isUndecided(stray, view) { continue }
        found.append(
          Problem(
            .temporaryLeftover, repairClass: isTargetWhole(target, view) ? .automatic : .consent, path: path,
            evidence: evidence(stray), slots: ["file": "\(path)"], action: .setAside(path)))
      }
    }
    return StrayCrowd.gathered(found)
  }

  // MARK: Names that tell what a file was meant to be, and names that do not

  private static func other(_ stray: StrayFacts, _ view: PackageView) -> Problem {
    let path = stray.file.path
    switch stray.name {
    case .variant(let target, let spelling):
      return variant(stray, of: target, spelling == .letterCase ? .caseVariant : .characterVariant, view)
    case .copy(let target, let isSame) where isCopy(stray, of: target, view):
      let slots = ["file": "\(path)", "target": "\(target)"]
      if isSame { return Problem(.conflictCopySame, path: path, slots: slots, action: .setAside(path)) }
      let action = view.adoption(of: stray)
      return Problem(
        .conflictCopyDiffers, repairClass: action == nil ? .report : .consent, path: path, evidence: evidence(stray),
        slots: slots, details: details(of: stray, view, action), action: action)
    default: break
    }
    guard case .page(let id, _) = stray.content, let home = view.home(of: stray) else {
      return Problem(.unknownFile, path: path, slots: ["file": "\(path)"], details: details(of: stray, view))
    }
    return Problem(
      .badName, path: path, page: view.place(id), evidence: evidence(stray),
      slots: ["file": "\(path)", "target": view.name(ofContent: id)], details: details(of: stray, view),
      action: .restore(from: path, to: home))
  }

  /// Another spelling of a name: it is put right where nothing has that name, and gives way where something has.
  private static func variant(
    _ stray: StrayFacts, of target: BytePath, _ kind: ProblemKind, _ view: PackageView
  ) -> Problem {
    let path = stray.file.path
    var problem = Problem(
      kind, path: path, evidence: evidence(stray), slots: ["file": "\(path)", "target": "\(target)"])
    if stray.file.status?.kind == .directory {
      (problem.severity, problem.repairClass) = (.error, .report)
      problem.details = [Sentences.renameFolder(path, to: target)]
      return problem
    }
    if let home = view.home(of: stray) {
      problem.action = .restore(from: path, to: home)
      return problem
    }
    (problem.severity, problem.repairClass) = (.error, .consent)
    problem.details = details(of: stray, view)
    if view.isTaken(target) || target == PackagePaths.manifest { problem.action = .setAside(path) }
    if problem.action == nil { problem.repairClass = .report }
    return problem
  }

  /// True where the file is what its name says, beside the original.
  private static func isCopy(_ stray: StrayFacts, of target: BytePath, _ view: PackageView) -> Bool {
    if case .page(let id, _) = stray.content, PackagePaths.page(id) != target { return false }
    return view.isTaken(target) || view.facts.thumbnails.contains { $0.file.path == target }
  }

  /// True where another check offers to put this file in its place.
  private static func isOfUse(_ stray: StrayFacts, _ view: PackageView) -> Bool {
    let path = stray.file.path
    switch stray.content {
    case .document(let record):
      guard view.documentCandidate?.file.path == path else { return false }
      guard let document = view.document else { return true }
      return view.isTemporary(stray.file) && record.generation > document.generation
    case .page(let id, let summary):
      guard let entry = view.entry(id) else { return false }
      if let whole = view.page(id)?.whole { return view.newerVersion(ofPage: id, than: whole)?.file.path == path }
      guard view.candidate(forPage: id)?.file.path == path else { return false }
      guard let page = view.page(id) else { return view.document != nil }
      if case .misplaced = page.content { return !Placement.isMisplaced(id, view) }
      guard page.file.obstacle == nil else { return true }
      return !page.isReadable && summary.generation >= entry.generation
    case .damagedPage(let id, _): return isRemains(of: id, stray, view)
    case .bytes:
      return view.uses.contains { id, uses in
        !view.isAssetWhole(id) && uses.first.map { view.candidate(forAsset: $0)?.path == path } ?? false
      }
    default:
      guard case .variant(let target, _) = stray.name,
        let entry = view.entries.first(where: { PackagePaths.page($0.id) == target })
      else { return false }
      return isRemains(of: entry.id, stray, view)
    }
  }

  private static func isRemains(of id: NoteID, _ stray: StrayFacts, _ view: PackageView) -> Bool {
    view.document != nil && view.entry(id) != nil && view.isListed(PackagePaths.pages)
      && !view.isAbsent(PackagePaths.page(id)) && view.remains(ofPage: id)?.file.path == stray.file.path
  }

  /// While the document is in doubt nobody can say whether a whole page is needed.
  private static func isUndecided(_ stray: StrayFacts, _ view: PackageView) -> Bool {
    if case .page(let id, _) = stray.content { return view.document == nil && view.page(id) == nil }
    return false
  }

  /// True where the file that it was to replace is whole, or was never there.
  private static func isTargetWhole(_ target: BytePath?, _ view: PackageView) -> Bool {
    guard let target else { return true }
    if target == PackagePaths.document { return view.document != nil }
    if let page = view.facts.pages.first(where: { $0.file.path == target }) { return page.isReadable }
    return true
  }

  /// What a file that stays holds of this document.
  private static func details(
    of stray: StrayFacts, _ view: PackageView, _ action: RepairAction? = nil
  ) -> [String] {
    switch stray.content {
    case .page(let id, let summary):
      let own = view.page(id).flatMap { page in page.whole.map { (page.file.path, $0) } }
      let isAdopted = if case .adoptCopy = action { true } else { false }
      return [Sentences.holds(view.name(ofContent: id), summary, besides: own, isAdopted: isAdopted)]
    case .damagedPage(let id, let damage): return [Sentences.holdsDamaged(view.name(ofContent: id), damage.salvage)]
    case .document(let record):
      guard let own = view.document, own.id == record.id, record.generation > own.generation else { return [] }
      return [Sentences.holdsNewer(record, than: own)]
    default: return []
    }
  }

  private static func evidence(_ stray: StrayFacts) -> String {
    switch stray.content {
    case .document: "a whole document.json"
    case .manifest: "a whole manifest.json"
    case .page(_, let summary): "a whole page of generation \(summary.generation)"
    case .damagedPage(_, let damage): "a damaged page: \(damage.evidence)"
    case .bytes, .appleDouble, .nothing: "\(stray.file.size) bytes"
    }
  }
}
