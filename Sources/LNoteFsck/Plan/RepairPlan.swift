import Files
import LNoteFormat

/// What a repair of one package will do, step by step: a value, made from problems and facts alone.
///
/// Steps stand in an order of which every beginning is safe: what decides about the document first and alone, losses
/// recorded in `document.json` before a page is replaced, the manifest last.
package struct RepairPlan: Sendable {
  /// The steps, in order.
  package private(set) var steps: [RepairStep] = []
  /// The problems that they are about.
  package private(set) var problems: [Problem] = []

  /// True where nothing is to be done.
  package var isEmpty: Bool { steps.isEmpty }

  /// The plan for those problems whose repair the mode allows.
  package init(for found: [Problem], in facts: PackageFacts, mode: RepairMode, stamp: RepairStamp) {
    let chosen = found.filter { $0.action != nil && mode.allows($0.repairClass) }
    let view = PackageView(facts)
    if let deciding = RepairPlan.deciding(among: chosen) {
      problems = chosen.filter { $0.action == deciding.action || $0.action?.decidesDocument == true }
      steps = [RepairPlan.step(deciding, view, stamp)]
      return
    }
    guard let document = view.document, !view.isFaulty else {
      // Without a document nothing can be recorded, so only what needs no record is done. The same holds where fields of
      // it are of no use and shall stay so.
      problems = chosen.filter { $0.action?.needsNoDocument == true }
      steps = problems.compactMap { RepairPlan.plainStep(for: $0) }
      return
    }
    let misplaced = chosen.filter { $0.kind == .nameIdentityDiffers }
    if !misplaced.isEmpty {
      // What is missing and what is not listed is seen when each page has its name.
      problems = misplaced
      steps = Placement.steps(for: misplaced, view)
      return
    }
    problems = chosen
    var planner = PagePlanner(view: view, edit: DocumentEdit(document, stamp: stamp))
    for problem in chosen { planner.take(problem) }
    steps = planner.finished()
  }

  /// A copy of a document before anything else, since it needs no guess.
  private static func deciding(among problems: [Problem]) -> Problem? {
    let deciding = problems.filter { $0.action?.decidesDocument == true }
    return deciding.first { problem in
      switch problem.action {
      case .restore, .fetch: true
      default: false
      }
    } ?? deciding.first
  }

  private static func step(_ problem: Problem, _ view: PackageView, _ stamp: RepairStamp) -> RepairStep {
    let work: RepairStep.Work
    switch problem.action {
    case .restore(let from, _): work = .rename(from: from)
    case .fetch(let file, _): work = .fetch(file)
    case .mendDocument:
      work = .writeDocument(
        DocumentEdit(view.document ?? DocumentRebuild.known(view, at: stamp.at), stamp: stamp)
          .finished(above: view.highestDocumentGeneration))
    case .keepOlderDocument: work = .writeDocument(DocumentRebuild.keepingOlder(view, stamp: stamp))
    default: work = .writeDocument(DocumentRebuild.record(view, stamp: stamp, code: problem.kind.code))
    }
    return RepairStep(
      work: work, path: PackagePaths.document, code: problem.kind.code, why: problem.message)
  }

  /// The step of an action that leaves the document alone; nil for any other.
  static func plainStep(for problem: Problem) -> RepairStep? {
    switch problem.action {
    case .makeDirectory(let path): step(.makeDirectory, path, problem)
    case .setAside(let path): step(.setAside, path, problem)
    case .restore(let from, let target): step(.rename(from: from), target, problem)
    case .fetch(let file, let target): step(.fetch(file), target, problem)
    default: nil
    }
  }

  static func step(_ work: RepairStep.Work, _ path: BytePath, _ problem: Problem) -> RepairStep {
    RepairStep(work: work, path: path, code: problem.kind.code, why: problem.message)
  }

  /// What the steps write at the most, in bytes, and how many names they make.
  package func room(in facts: PackageFacts) -> (bytes: UInt64, names: UInt64) {
    var sizes: [BytePath: UInt64] = [:]
    for file in facts.pages.map(\.file) + facts.strays.map(\.file) { sizes[file.path] = file.size }
    let written = steps.reduce(UInt64(0)) { $0 + $1.bytesToWrite { sizes[$0] ?? 0 } }
    let count = UInt64(steps.count)
    return (written + count * RepairPlan.stepBytes + RepairPlan.slackBytes, count * 2 + 8)
  }

  /// Room for a step's line in the ledger and its names.
  static let stepBytes: UInt64 = 4096
  /// Room for folders, the second document and manifest of a repair in rounds, and rounding.
  static let slackBytes: UInt64 = 256 << 10
}

extension RepairAction {
  /// True where nothing has to be recorded in the document.
  var needsNoDocument: Bool {
    switch self {
    case .makeDirectory, .setAside, .fetch: true
    default: false
    }
  }
}
