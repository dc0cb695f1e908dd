import Files
import LNoteFormat

/// Files that have no name of the package's own: LN1101, LN1501, LN1504, LN1601, LN1602, LN1603.
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
      case .unknown:
        if let target = view.ownFile(sameAs: stray.file) {
          found.append(
            Problem(
              .secondName, path: path, slots: ["file": "\(path)", "target": "\(target)"], action: .setAside(path)))
        } else if let problem = badName(stray, view) {
          found.append(problem)
        } else if !isOfUse(stray, view) {
          found.append(
            Problem(.unknownFile, path: path, slots: ["file": "\(path)"], details: details(of: stray, view)))
        }
      case .temporary(let target):
        if isOfUse(stray, view) || isUndecided(stray, view) { continue }
        found.append(
          Problem(
            .temporaryLeftover, repairClass: isTargetWhole(target, view) ? .automatic : .consent, path: path,
            evidence: evidence(stray), slots: ["file": "\(path)"], action: .setAside(path)))
      }
    }
    return found
  }

  /// A whole page under a wrong name, of which nothing else is here and which the document does not know.
  private static func badName(_ stray: StrayFacts, _ view: PackageView) -> Problem? {
    guard case .page(let id, let summary) = stray.content, let document = view.document, view.entry(id) == nil,
      !view.facts.pages.contains(where: { $0.contentID == id }),
      view.candidate(forPage: id)?.file.path == stray.file.path,
      !document.deleted.contains(where: { $0.id == id }), !view.isAbsent(PackagePaths.page(id))
    else { return nil }
    return Problem(
      .badName, path: stray.file.path, page: view.place(id), evidence: evidence(stray),
      slots: ["file": "\(stray.file.path)", "content": Sentences.elements(summary.elements, strokesOnly: false)],
      action: .restore(from: stray.file.path, to: PackagePaths.page(id)))
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
    case .bytes:
      return view.uses.contains { id, uses in
        !view.isAssetWhole(id) && uses.first.map { view.candidate(forAsset: $0)?.path == path } ?? false
      }
    default: return false
    }
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
  private static func details(of stray: StrayFacts, _ view: PackageView) -> [String] {
    switch stray.content {
    case .page(let id, let summary):
      let own = view.page(id).flatMap { page in page.whole.map { (page.file.path, $0) } }
      return [Sentences.holds(view.name(ofContent: id), summary, besides: own)]
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
    case .bytes, .appleDouble, .nothing: "\(stray.file.size) bytes"
    }
  }
}
