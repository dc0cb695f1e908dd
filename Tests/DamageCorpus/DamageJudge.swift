import Files
import LNoteFormat
import LNoteFsck

/// Repairs a damaged library twice, and says which promises were broken.
package struct DamageJudge {
  /// The promises that were broken, each with its evidence.
  package private(set) var violations: [String] = []
  /// The first run.
  package private(set) var first = DamageRun(reports: [])
  /// The second run.
  package private(set) var second = DamageRun(reports: [])
  /// Elements of the sound document that stand in no page file at the end, but for what is set aside.
  package private(set) var gone = 0

  /// Repairs twice.
  ///
  /// - Parameter takesBack: true to take the repairs back at the end, and to look whether all is as it was.
  package init(_ stage: DamageStage, takesBack: Bool) throws {
    let library = try DamagedLibrary(stage)
    let before = try library.look()
    first = library.run()
    let after = try library.look(known: before)
    let shown = after.shown
    gone = stage.package.pages.reduce(0) { $0 + $1.elements.count { !shown.contains($0) } }

    // What could be read is alive or set aside.
    let lost = before.readable.subtracting(after.readable)
    if !lost.isEmpty { violations.append("\(lost.count) elements are neither alive nor set aside") }
    let pictures = before.images.subtracting(after.images)
    if !pictures.isEmpty { violations.append("\(pictures.count) images are neither alive nor set aside") }
    // Somebody else changes what keeps changing.
    let isQuiet = !stage.surroundings.contains(.restless)
    if isQuiet { judgeUntouched(before.inPlace, after.inPlace) }
    judgeJournals(before, after)
    judgeRefusals(stage)
    judgeLosses()

    // A second run has nothing to do.
    second = library.run()
    if !second.actions.isEmpty { violations.append("a second run repairs: \(second.actions.map { "\($0.step)" })") }
    // What keeps a repair from being begun is only found by beginning it.
    let told = stage.surroundings.isEmpty ? second.found : second.left
    let (left, again) = (first.left.map { DamageRun.line($0, stage) }, told.map { DamageRun.line($0, stage) })
    if left.sorted() != again.sorted() { violations.append("the first run leaves \(left), the second finds \(again)") }
    if second.exit.rawValue != first.exit.rawValue & ~1 {
      violations.append("the exits are \(first.exit.rawValue) and \(second.exit.rawValue)")
    }
    if isQuiet, try library.look(known: after).things != after.things { violations.append("a second run writes") }
    if takesBack && isQuiet { try judgeUndo(library, before) }
  }

  /// No file changes that no step is about.
  private mutating func judgeUntouched(_ before: [BytePath: DiskLook.Thing], _ after: [BytePath: DiskLook.Thing]) {
    var touched: Set<BytePath> = []
    for report in first.reports {
      for action in report.actions {
        touched.insert(report.package.appending(action.step.path))
        if case .rename(let from) = action.step.work { touched.insert(report.package.appending(from)) }
      }
    }
    for (path, thing) in before
    where after[path]?.content != thing.content && !touched.contains(where: { path.isWithin($0) }) {
      violations.append("\(path) changed without a step")
    }
    // A folder is made where a step puts something into it.
    let made = touched.union(touched.map(\.parent))
    for path in after.keys where before[path] == nil && !made.contains(path) {
      violations.append("\(path) is new without a step")
    }
  }

  /// No page gets a version above the one that its journal belongs to, unless it had it before: the changes would count
  /// as merged. And no journal with changes goes that may not have been merged.
  private mutating func judgeJournals(_ before: DiskLook, _ after: DiskLook) {
    let deletions = Set(first.actions.filter { $0.step.code == "LN2017" }.map(\.step.path.name))
    for path in before.inPlace.keys.sorted() where path.hasSuffix(".journal") && !deletions.contains(path.name) {
      guard let journal = before.version(at: path), journal.changes > 0 else { continue }
      let page = path.parent.appending(BytePath("\(journal.page).content"))
      if let was = before.version(at: page), was.page == journal.page, was.generation > journal.generation { continue }
      if let now = after.version(at: page), now.page == journal.page, now.generation > journal.generation {
        violations.append("\(page) got version \(now.generation) over its journal of \(journal.generation)")
      }
      if after.version(at: path).map({ $0.changes < journal.changes }) ?? true {
        violations.append("\(path) lost changes that may not be in the page")
      }
    }
  }

  /// A repair is refused only where something around it does not let it.
  private mutating func judgeRefusals(_ stage: DamageStage) {
    guard stage.surroundings.isEmpty else { return }
    for report in first.reports {
      guard let refusal = report.refusal else { continue }
      if case .operational = refusal, report.found.contains(where: { $0.repairClass == .operational }) { continue }
      violations.append("the repair was refused: \(refusal)")
    }
  }

  /// What the check said would be lost is what is recorded then; a document that must be made anew cannot know it.
  private mutating func judgeLosses() {
    for report in first.reports where report.refusal == nil {
      if report.found.contains(where: { $0.kind.severity == .fatal || "\($0.path ?? .root)" == "document.json" }) {
        continue
      }
      let foretold = report.found.filter { $0.action != nil && $0.kind.code != "LN9001" }
      let told = foretold.reduce(UInt64(0)) { $0 + $1.loss.elements }
      // What is back is on record no more.
      let recounted = report.repaired.filter { $0.kind.code == "LN9002" }
      let before = report.found.filter { problem in
        !recounted.contains { $0.asset == problem.asset && ($0.asset != nil || $0.page?.id == problem.page?.id) }
      }
      let recorded = DamageJudge.recorded(report.left) - DamageJudge.recorded(before)
      let isAtLeast = foretold.contains { $0.loss.isAtLeast }
      if isAtLeast ? recorded < Int(told) : recorded != Int(told) {
        violations.append("the check foretold \(told) elements lost, the repair recorded \(recorded)")
      }
    }
  }

  /// What stays reported as lost: on record, or missing with most of its document.
  private static func recorded(_ problems: [Problem]) -> Int {
    problems.reduce(0) { ["LN9001", "LN2013"].contains($1.kind.code) ? $0 + Int($1.loss.elements) : $0 }
  }

  private mutating func judgeUndo(_ library: DamagedLibrary, _ look: DiskLook) throws {
    for report in first.reports where report.didChange {
      let undo = library.undo(report.package)
      for refused in undo.undo?.refused ?? [] { violations.append("not taken back: \(refused)") }
    }
    let before = look.inPlace
    let after = try library.look(known: look).inPlace
    for path in Set(before.keys).union(after.keys) {
      let (was, now) = (before[path], after[path])
      // A folder has another time when something in it was put back.
      let isBack = was?.content == now?.content && (was?.digest == nil || was?.modified == now?.modified)
      if !isBack { violations.append("taken back, \(path) is \(now.map { "\($0)" } ?? "gone")") }
    }
  }
}
