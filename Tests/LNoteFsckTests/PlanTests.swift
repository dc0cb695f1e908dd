import FaultDisk
import FileTracing
import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

extension Bench {
  func plan(_ mode: RepairMode = .all) -> PackageReport {
    Fsck(volume: volume, now: Bench.now).plan(Bench.package, mode: mode)
  }

  /// The plan as its file; nil where there is nothing to do.
  func savedPlan(_ mode: RepairMode = .all) throws -> SavedPlan? {
    guard let planned = plan(mode).planned else { return nil }
    let bytes = SavedPlan(mode: mode, made: Bench.now, documents: [planned]).encoded()
    return try SavedPlan.read(bytes)
  }

  /// Applies the plan an hour after it was made.
  func apply(_ plan: SavedPlan) -> PackageReport {
    Fsck(volume: volume, now: Timestamp(milliseconds: Bench.now.milliseconds + 3_600_000))
      .apply(plan.documents[0], of: plan, to: Bench.package)
  }
}

/// Plans: they change nothing, and are done to the letter or not at all.
@Suite struct PlanTests {
  /// A temporary file that nobody needs: it is set aside.
  static let leftover = Bench.temporary(DamageCase.page3)

  static func damaged() throws -> Bench {
    let bench = try Bench()
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    try bench.remove(DamageCase.page2)
    try bench.put(bench.snapshots[2].encoded(), at: leftover)
    return bench
  }

  @Test(arguments: DamageCase.all) func aPlanChangesNothingAndIsWhatARepairBeginsWith(row: DamageCase) throws {
    // The safe mode for every other row.
    let isEven = (DamageCase.all.firstIndex { $0.name == row.name } ?? 0).isMultiple(of: 2)
    let mode = isEven ? RepairMode.all : .automatic
    let bench = try Bench()
    try row.damage(bench)
    let before = try bench.picture()
    let report = bench.plan(mode)
    #expect(try bench.picture() == before)
    #expect(!report.didChange && codes(report.found) == row.found)
    let planned = report.planned?.steps.map(\.action) ?? []
    #expect(bench.repair(mode).actions.prefix(planned.count).map(\.step.description) == planned)
    if planned.isEmpty { #expect(try bench.picture() == before, "\(row.name)") }
  }

  @Test(arguments: DamageCase.all) func aPlanIsApplied(row: DamageCase) throws {
    let bench = try Bench()
    try row.damage(bench)
    guard let plan = try bench.savedPlan() else { return }
    let before = try UndoTests.picture(bench.volume)
    let report = bench.apply(plan)
    #expect(report.refusal == nil, "\(row.name) \(report.left.map(\.message))")
    #expect(report.actions.map(\.step.description) == plan.documents[0].steps.map(\.action))
    #expect(report.didChange && report.repaired.isEmpty == false)
    // What it leaves is what a repair goes on with, and comes to the same end.
    let later = Timestamp(milliseconds: Bench.now.milliseconds + 7_200_000)
    let end = Fsck(volume: bench.volume, now: later).repair(Bench.package, mode: .all)
    #expect(codes(end.left) == row.left, "\(row.name)")
    while bench.undo().undo?.didChange == true {}
    #expect(try UndoTests.picture(bench.volume) == before, "\(row.name)")
  }

  @Test func theSamePlanAgainFindsNothingToDo() throws {
    let bench = try Self.damaged()
    let plan = try #require(try bench.savedPlan())
    #expect(bench.apply(plan).exit.rawValue == 5)
    let before = try bench.picture()
    let again = bench.apply(plan)
    #expect(again.isPlanDone && again.exit.rawValue == 4 && again.actions.isEmpty)
    #expect(RefusalTests.text(again, .applyPlan).contains("Nothing is left to be done"))
    #expect(try bench.picture() == before)
    // Taken back, it is what the plan was made of.
    #expect(bench.undo().undo?.isUnfinished == false)
    #expect(bench.apply(plan).exit.rawValue == 5)
  }

  static let changes: [(name: String, place: String, change: @Sendable (Bench) throws -> Void)] = [
    ("a page of the plan", "\(DamageCase.page1)", { try $0.damage(DamageCase.page1) { $0[201] ^= 1 } }),
    ("a page of the plan is whole", "\(DamageCase.page1)", { try $0.write(page: 0) { _ in } }),
    ("a page of the plan is back", "\(DamageCase.page2)", { try $0.write(page: 1) { _ in } }),
    ("a leftover of the plan", "\(leftover)", { try $0.damage(leftover) { $0.append(0) } }),
    ("the document", "document.json", { try $0.edit { $0.title = "Physics 4" } }),
    ("the manifest", "manifest.json", { try $0.remove(DamageCase.manifest) }),
    (
      "another page", "The document does not have the same problems",
      { try $0.damage(DamageCase.page3) { $0 = Array($0.prefix(50)) } }
    ),
    (
      "another leftover", "The document does not have the same problems",
      { try $0.put($0.snapshots[2].encoded(), at: Bench.temporary(DamageCase.page3, 2)) }
    ),
    (
      "a FIFO in the place of a page", "\(DamageCase.page1)",
      { bench in
        try bench.remove(DamageCase.page1)
        try bench.makeNode(DamageCase.page1, kind: .fifo)
      }
    ),
  ]

  @Test(arguments: changes.indices) func aPlanIsRefusedWholeWhereAnythingChanged(_ row: Int) throws {
    let (name, place, change) = Self.changes[row]
    let bench = try Self.damaged()
    let plan = try #require(try bench.savedPlan())
    try change(bench)
    let before = try bench.picture()
    let report = bench.apply(plan)
    #expect(report.exit.contains(.operational) && !report.exit.contains(.repaired), "\(name)")
    #expect(report.actions.isEmpty && report.lostAndFound == nil, "\(name)")
    #expect(try bench.picture() == before, "\(name)")
    let text = RefusalTests.text(report, .applyPlan)
    #expect(text.contains("not repaired: it has changed"), "\(text)")
    #expect(text.contains(place) && text.contains("Make a new plan"), "\(name): \(text)")
  }

  @Test func whatNoStepTouchesMayChange() throws {
    let bench = try Self.damaged()
    let plan = try #require(try bench.savedPlan())
    try bench.put([0xFF, 0xD8, 0xFF, 0xFE, 0, 2, 0xFF, 0xD9], at: PackagePaths.thumbnail(Bench.pages[2]))
    #expect(bench.apply(plan).exit.rawValue == 5)
  }

  @Test func whatChangesDuringTheRunEndsItBeforeThatStep() throws {
    let bench = try Self.damaged()
    let plan = try #require(try bench.savedPlan())
    let restless = RestlessStep { try? bench.damage(Self.leftover) { $0.append(0) } }
    let report = Fsck(volume: bench.volume, now: Bench.now, isStopped: { restless.asked() })
      .apply(plan.documents[0], of: plan, to: Bench.package)
    #expect(report.exit.contains(.operational) && report.exit.contains(.repaired))
    guard case .failed(let step, .changed(let place)) = report.refusal else {
      Issue.record("\(String(describing: report.refusal))")
      return
    }
    #expect(place == Self.leftover && step.path == Self.leftover)
    #expect(try bench.volume.status(at: Bench.package.appending(Self.leftover)).kind == .regular)
    #expect(bench.undo().undo?.isUnfinished == false)
  }

  @Test func aDocumentThatIsOpenIsNotRepaired() throws {
    let bench = try Self.damaged()
    let plan = try #require(try bench.savedPlan())
    let (_, folder) = try PackageLock.take(Bench.package, in: bench.disk.volume())
    #expect(folder != nil)
    let report = bench.apply(plan)
    #expect(report.exit.contains(.operational) && report.actions.isEmpty)
  }

  @Test func theSafePlanHasOnlySafeSteps() throws {
    let bench = try Self.damaged()
    try bench.remove(DamageCase.manifest)
    let plan = try #require(try bench.savedPlan(.automatic))
    #expect(plan.mode == .automatic && plan.documents[0].steps.map(\.code) == ["LN1501", "LN5001"])
    #expect(codes(bench.apply(plan).repaired) == "LN1501 LN5001")
  }

  @Test func theCostIsTold() throws {
    let text = RefusalTests.text(try Self.damaged().plan(), .plan(.all))
    #expect(text.contains("cannot bring back: 4 strokes or images"), "\(text)")
    let safe = try Bench()
    try safe.remove(DamageCase.manifest)
    #expect(RefusalTests.text(safe.plan(), .plan(.all)).contains("Nothing is lost by it."))
    try safe.remove(DamageCase.document)
    #expect(RefusalTests.text(safe.plan(), .plan(.all)).contains("looked at again"))
  }
}

/// Asked before each step, it changes something before the second.
private final class RestlessStep: @unchecked Sendable {
  private var count = 0
  private let change: () -> Void

  init(_ change: @escaping () -> Void) { self.change = change }

  func asked() -> Bool {
    count += 1
    if count == 2 { change() }
    return false
  }
}
