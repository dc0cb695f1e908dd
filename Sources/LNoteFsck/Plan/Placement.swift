import Files
import LNoteFormat

/// Page files whose name is not the identity inside: LN1104. Where each belongs, and in which steps it gets there, as
/// images do whose bytes are another's.
enum Placement {
  /// What becomes of the page file at `path` that holds this page, whole.
  ///
  /// It takes its own name, unless what stands there is as good or the document has deleted that page. Of several the
  /// newest does, then the fullest, then the first by name; the others are set aside.
  static func action(at path: BytePath, holding id: NoteID, _ summary: PageSummary, _ view: PackageView) -> RepairAction
  {
    isPlaced(path, id, summary, view) ? .place(from: path, to: PackagePaths.page(id)) : .setAside(path)
  }

  /// True where another file will be this page: it is misplaced too, or a temporary file.
  static func isElsewhere(_ id: NoteID, _ view: PackageView) -> Bool {
    view.candidate(forPage: id) != nil || isMisplaced(id, view)
  }

  /// True where anything of this page will stand in its place, whole or damaged.
  static func isAnywhere(_ id: NoteID, _ view: PackageView) -> Bool {
    isElsewhere(id, view) || view.facts.pages.contains { $0.contentID == id && isPlacedDamaged($0, view) }
  }

  /// True where a damaged file under another page's name is all that is left of its page; the first one of several.
  static func isPlacedDamaged(_ page: PageFacts, _ view: PackageView) -> Bool {
    let id = page.contentID
    guard let document = view.document, case .damaged = page.content, id != page.id, view.page(id) == nil,
      view.isListed(PackagePaths.pages), !view.isAbsent(PackagePaths.page(id)), !isElsewhere(id, view)
    else { return false }
    if view.entry(id) == nil && document.deleted.contains(where: { $0.id == id }) { return false }
    let first = view.facts.pages.first { other in
      if case .damaged = other.content { other.contentID == id } else { false }
    }
    return first?.file.path == page.file.path
  }

  /// True where a file under another page's name will be this page.
  static func isMisplaced(_ id: NoteID, _ view: PackageView) -> Bool { misplacedFile(of: id, view) != nil }

  /// The file under another page's name that will be this page.
  static func misplacedFile(of id: NoteID, _ view: PackageView) -> (path: BytePath, summary: PageSummary)? {
    view.facts.pages.lazy.compactMap { page in
      guard case .misplaced(id, let summary) = page.content else { return nil }
      return isPlaced(page.file.path, id, summary, view) ? (page.file.path, summary) : nil
    }.first
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
      case .unknownVersion where other.id == id: return false
      // A folder, FIFO or link in the page's place is no page.
      case nil where other.id == id && !other.isInTheWay: return false
      default: break
      }
    }
    return true
  }

  /// The steps: nothing is put where a file still stands that has another place to go to, so of a chain the file whose
  /// place is free goes first.
  ///
  /// In a ring the first page steps aside to the name of a page that nobody knows. There a run that is cut short leaves
  /// what this one began with: a file under another page's name. An image steps aside to a temporary name: its bytes tell
  /// what it is, and it is no leftover while it is missed, which an image under an unknown name might seem to be.
  static func steps(for problems: [Problem], _ view: PackageView) -> [RepairStep] {
    var (asides, moves): ([RepairStep], [RepairStep]) = ([], [])
    var waiting: [BytePath: Move] = [:]
    for problem in problems {
      switch problem.action {
      case .setAside(let path): asides.append(RepairPlan.step(.setAside, path, problem))
      case .place(let from, let target): waiting[from] = Move(from: from, target: target, problem: problem)
      default: break
      }
    }
    var taken: Set<NoteID>?
    var temporaries = Set(view.facts.strays.map(\.file.path))
    for problem in problems {
      var chain: [Move] = []
      var next = problem.path.flatMap { waiting.removeValue(forKey: $0) }
      while let move = next {
        chain.append(move)
        next = waiting.removeValue(forKey: move.target)
      }
      if let first = chain.first, chain.last?.target == first.from {
        let place: BytePath
        if first.target.parent == PackagePaths.assets {
          place = freeTemporary(for: first.target, &temporaries)
        } else {
          var known = taken ?? view.knownPages
          place = PackagePaths.page(freeIdentity(near: first.target, &known, view))
          taken = known
        }
        moves.append(RepairPlan.step(.rename(from: first.from), place, first.problem))
        chain[0].from = place
      }
      moves += chain.reversed().map { RepairPlan.step(.rename(from: $0.from), $0.target, $0.problem) }
    }
    return asides + moves
  }

  /// A file on its way to its own name.
  private struct Move {
    var from: BytePath
    let target: BytePath
    let problem: Problem
  }

  /// A name for a temporary file that no file has.
  private static func freeTemporary(for path: BytePath, _ known: inout Set<BytePath>) -> BytePath {
    var number: UInt32 = 1
    while true {
      let place = BytePath(PackageNames.temporary(for: path.description, number: number))
      if known.insert(place).inserted { return place }
      number += 1
    }
  }

  /// An identity that no page has or had here: the same for the same package.
  private static func freeIdentity(near path: BytePath, _ known: inout Set<NoteID>, _ view: PackageView) -> NoteID {
    let first = view.facts.pages.first { $0.file.path == path }?.id ?? NoteID(high: 0, low: 0)
    var number: UInt64 = 1
    while true {
      let id = NoteID(high: first.high, low: first.low ^ number)
      if !view.isAbsent(PackagePaths.page(id)), known.insert(id).inserted { return id }
      number += 1
    }
  }
}

extension PackageView {
  /// Every page that anything here names.
  fileprivate var knownPages: Set<NoteID> {
    var known = Set(facts.pages.flatMap { [$0.id, $0.contentID] })
    known.formUnion(entries.map(\.id))
    known.formUnion(facts.journals.map(\.id))
    known.formUnion((document?.deleted ?? []).map(\.id))
    for stray in facts.strays {
      switch stray.content {
      case .page(let id, _), .damagedPage(let id, _): known.insert(id)
      default: break
      }
    }
    return known
  }
}
