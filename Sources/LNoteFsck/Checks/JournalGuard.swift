import Files
import LNoteFormat

/// No page gets a new version while a journal holds changes that are not in it: they would count as merged.
enum JournalGuard {
  /// The problems, without the repairs that must not be made.
  ///
  /// Of pages that have each other's names none is moved where one must not be: what stood there would be in the way.
  static func problems(_ problems: [Problem], in view: PackageView) -> [Problem] {
    if view.facts.journals.isEmpty && view.absent.isEmpty { return problems }
    let unmerged = view.pagesWithUnmergedJournals
    let isRefused = { (problem: Problem) in
      guard let id = page(writtenBy: problem.action, view) else { return false }
      return (unmerged.contains(id) || view.isAbsent(PackagePaths.journal(id)))
        && !keepsJournals(problem.action, of: id, view)
    }
    let areNamesRefused = problems.contains { $0.kind == .nameIdentityDiffers && isRefused($0) }
    return problems.map { problem in
      let isOfNames = problem.kind == .nameIdentityDiffers && problem.action != nil
      return isRefused(problem) || areNamesRefused && isOfNames ? refused(problem) : problem
    }
  }

  private static func refused(_ problem: Problem) -> Problem {
    var problem = problem
    (problem.action, problem.repairClass) = (nil, .report)
    problem.details.append(Sentences.pageWaitsForJournal)
    return problem
  }

  /// The page whose file the repair writes, replaces or takes away; nil where it leaves all of them.
  private static func page(writtenBy action: RepairAction?, _ view: PackageView) -> NoteID? {
    switch action {
    case .salvagePage(let id), .emptyPage(let id), .keepOlderPage(let id), .healPage(let id),
      .amendPage(let id, _):
      id
    case .setAside(let path), .restore(_, let path), .fetch(_, let path), .place(_, let path): page(at: path)
    default: nil
    }
  }

  private static func page(at path: BytePath) -> NoteID? {
    guard path.parent == PackagePaths.pages, case .page(let id) = PackageName.read(path.name.bytes, in: .pages) else {
      return nil
    }
    return id
  }

  /// True where what is put there is the very version that the journal's changes are made on.
  private static func keepsJournals(_ action: RepairAction?, of id: NoteID, _ view: PackageView) -> Bool {
    switch action {
    case .restore(let from, _):
      return view.facts.strays.contains { stray in
        guard case .page(id, let summary) = stray.content, stray.file.path == from else { return false }
        return view.fitsJournals(of: id, summary)
      }
    case .fetch(let file, _):
      return view.facts.elsewhere.pages[id]?.contains { $0.file == file && view.fitsJournals(of: id, $0.summary) }
        ?? false
    case .place(let from, _):
      return view.facts.pages.contains { page in
        guard case .misplaced(id, let summary) = page.content, page.file.path == from else { return false }
        return view.fitsJournals(of: id, summary)
      }
    case .setAside(let path):
      // What is in the way of a page is no version of it.
      return view.page(id)?.isInTheWay == true && view.page(id)?.file.path == path
    default: return false
    }
  }
}
