import Files
import LNoteFormat

/// Page files whose name is not the identity inside: LN1104. Where each belongs, and in which steps it gets there.
enum Placement {
  /// What becomes of the page file at `path` that holds this page, whole.
  ///
  /// It takes its own name, unless what stands there is as good or the document has deleted that page. Of several the
  /// newest does, then the fullest, then the first by name; the others are set aside.
  static func action(at path: BytePath, holding id: NoteID, _ summary: PageSummary, _ view: PackageView) -> RepairAction
  {
    isPlaced(path, id, summary, view) ? .placePage(from: path, to: PackagePaths.page(id)) : .setAside(path)
  }

  /// True where another file will be this page: it is misplaced too, or a temporary file.
  static func isElsewhere(_ id: NoteID, _ view: PackageView) -> Bool {
    if view.candidate(forPage: id) != nil { return true }
    return view.facts.pages.contains { page in
      guard case .misplaced(id, let summary) = page.content else { return false }
      return isPlaced(page.file.path, id, summary, view)
    }
  }

  private static func isPlaced(_ path: BytePath, _ id: NoteID, _ summary: PageSummary, _ view: PackageView) -> Bool {
    if let deleted = view.document?.deleted.first(where: { $0.id == id }), summary.generation <= deleted.generation,
      view.entry(id) == nil
    {
      return false
    }
    for other in view.facts.pages where other.file.path != path {
      switch other.content {
      case .misplaced(id, let theirs):
        let mine = (summary.generation, summary.elements)
        if mine < (theirs.generation, theirs.elements) { return false }
        if mine == (theirs.generation, theirs.elements) && other.file.path < path { return false }
      case .whole(let theirs) where other.id == id, .trailing(let theirs, _) where other.id == id:
        if theirs.generation >= summary.generation { return false }
      case .damaged(let damage) where other.id == id && damage.salvage.elements > 0:
        if summary.generation < max(view.entry(id)?.generation ?? 0, damage.salvage.generation ?? 0) { return false }
      case .unknownVersion where other.id == id, nil where other.id == id: return false
      default: break
      }
    }
    return true
  }

  /// The steps: first what stands in the way of another goes to a temporary name of its own target, so that no file is
  /// ever replaced by one that should stand beside it; a run that is cut short finds it there (LN1503).
  static func steps(for problems: [Problem], _ view: PackageView) -> [RepairStep] {
    var (first, last): ([RepairStep], [RepairStep]) = ([], [])
    let occupied = Set(problems.compactMap(\.path))
    var taken = Set(view.facts.strays.map(\.file.path))
    for problem in problems {
      switch problem.action {
      case .setAside(let path): first.append(RepairPlan.step(.setAside, path, problem))
      case .placePage(let from, let target):
        guard occupied.contains(target) else {
          last.append(RepairPlan.step(.rename(from: from), target, problem))
          continue
        }
        let temporary = freeTemporary(for: target, &taken)
        first.append(RepairPlan.step(.rename(from: from), temporary, problem))
        last.append(RepairPlan.step(.rename(from: temporary), target, problem))
      default: break
      }
    }
    return first + last
  }

  private static func freeTemporary(for target: BytePath, _ taken: inout Set<BytePath>) -> BytePath {
    var number: UInt32 = 0
    while true {
      let path = BytePath(PackageNames.temporary(for: target.description, number: number))
      if taken.insert(path).inserted { return path }
      number += 1
    }
  }
}
