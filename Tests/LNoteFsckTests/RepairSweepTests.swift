import Bytes
import CrashModel
import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

@testable import LNoteFsck

/// Every damage of the table is repaired with a crash, and with a failing call, anywhere in the repair: the next repair
/// comes to the same end, and nothing is lost on the way.
///
/// Each row has some of its places tried in `make test`, others than the row before. `LNOTE_EVERY_REPAIR=1`, as in
/// Tools/nightly.sh, tries all of them, `LNOTE_EVERY_REPAIR='lower case'` all those of the rows with this in their name.
///
/// To add a case, add a row to `DamageCase`: it is swept without a word here. A new kind of step or action does not compile
/// until it is named in `Work` or `Action` below, and then fails until a row needs it. What a repair is later taken back by
/// is swept by a test of its own beside these two: begin with `Damaged`, do it, and hold the end against
/// `expectTheSameEnd`.
@Suite struct RepairSweepTests {
  private static let wholeRows = Host.environment("LNOTE_EVERY_REPAIR")

  private static func isWhole(_ row: DamageCase) -> Bool {
    wholeRows.map { $0 == "1" || row.name.contains($0) } ?? false
  }

  private static func models(for row: DamageCase) -> [PersistenceModel] {
    isWhole(row) ? PersistenceModel.all.filter(\.fsyncEndures) : [.ext4Ordered, .btrfs, .posixWeakest]
  }

  /// The states of a crash: all of them, or a few at each moment.
  private static func limits(for row: DamageCase) -> ExplorationLimits {
    var limits = ExplorationLimits()
    if !isWhole(row) { limits.share = 4 }
    return limits
  }

  private static func number(of row: DamageCase) -> Int { DamageCase.all.firstIndex { $0.name == row.name } ?? 0 }

  /// All places, or some: others for each row, so that together they are everywhere.
  private static func places(_ count: Int, of row: DamageCase, atMost countMax: Int) -> [Int] {
    if isWhole(row) || count <= countMax { return Array(0..<count) }
    return (0..<countMax).map { (number(of: row) * 7 + $0 * count / countMax) % count }
  }

  /// A damaged package that is shown again and again.
  private struct Damaged {
    let bench: Bench
    let tree: DiskTree
    let before: Set<Digest128>
    let pages: [String]

    init(_ row: DamageCase) throws {
      bench = try Bench()
      try row.damage(bench)
      before = try RepairSweepTests.digests(bench.volume)
      bench.disk.beginRecording()
      tree = try #require(bench.disk.recording).tree
      bench.disk.keepForShowing()
      bench.disk.show(tree)
      _ = Bench.Again(bench).repair()
      pages = RepairSweepTests.pages(bench)
      bench.disk.show(tree)
    }

    /// Repairs what is there as often as it needs; it must end as without any trouble.
    func expectTheSameEnd(_ row: DamageCase, _ place: String) throws {
      let again = Bench.Again(bench)
      let next = again.repair()
      let codes = RepairSweepTests.proven(next.left)
      #expect(codes == RepairSweepTests.proven(row.left), "\(row.name), \(place)")
      #expect(again.repair().actions.isEmpty, "\(row.name), \(place)")
      #expect(RepairSweepTests.pages(bench) == pages, "\(row.name), \(place)")
      // Nothing is deleted: what was there is in the package or set aside.
      let lost = try before.subtracting(RepairSweepTests.digests(again.volume))
      #expect(lost.isEmpty, "\(row.name), \(place)")
    }
  }

  /// The pages that the document lists; a sentence where none can be read.
  private static func pages(_ bench: Bench) -> [String] {
    (try? Bench.Again(bench).document().pages.map { "\($0.id)" }) ?? ["no document"]
  }

  private static func digests(_ volume: FaultVolume) throws -> Set<Digest128> {
    Set(
      try volume.tree().compactMap { path in
        guard try volume.status(at: path).kind == .regular else { return nil }
        return XXH3.digest128(of: try volume.bytes(of: path))
      })
  }

  /// Codes without that of an image whose page has lost something: behind some crashes it stays, and is told.
  private static func proven(_ left: [Problem]) -> String { proven(codes(left)) }

  /// Without what depends on where the repair ended.
  private static func proven(_ codes: String) -> String {
    let passing = [ProblemKind.assetUnproven.code, ProblemKind.hardLinked.code]
    return codes.split(separator: " ").filter { !passing.contains(String($0)) }.joined(separator: " ")
  }

  // MARK: Crashes

  @Test(arguments: DamageCase.all) func aCrashInAnyRepairIsTakenUp(row: DamageCase) throws {
    let damaged = try Damaged(row)
    let disk = damaged.bench.disk
    _ = Bench.Again(damaged.bench).repair()
    let recording = try #require(disk.recording)
    disk.keepForShowing()
    var seen: Set<Digest128> = []
    for model in Self.models(for: row) {
      let states = try CrashExploration(recording, on: disk, model, Self.limits(for: row)).states
      for place in Self.places(states.count, of: row, atMost: 1) where seen.insert(states[place].digest).inserted {
        disk.show(states[place].tree)
        try damaged.expectTheSameEnd(row, "\(model.name), state \(place + 1) of \(states.count)")
      }
    }
  }

  /// The damages of the shortest repairs: a file moved, one written anew, one set aside.
  private static let shortest = [
    "a page in the folder of the document", "bytes behind a page", "an image that no page uses",
  ]

  /// A crash anywhere in the repair of whatever a crash left. Only in the nightly sweep.
  @Test(arguments: DamageCase.all.filter { isWhole($0) && shortest.contains($0.name) })
  func aCrashInTheNextRepairIsTakenUpToo(row: DamageCase) throws {
    let damaged = try Damaged(row)
    let disk = damaged.bench.disk
    _ = Bench.Again(damaged.bench).repair()
    let first = try #require(disk.recording)
    disk.keepForShowing()
    var cut: Set<Digest128> = []
    var cutAgain: Set<Digest128> = []
    for model in Self.models(for: row) {
      for state in try CrashExploration(first, on: disk, model, Self.limits(for: row)).states
      where cut.insert(state.digest).inserted {
        disk.show(state.tree)
        _ = Bench.Again(damaged.bench).repair()
        let second = try #require(disk.recording)
        disk.keepForShowing()
        defer { disk.endShowing() }
        for model in Self.models(for: row) {
          for state in try CrashExploration(second, on: disk, model, Self.limits(for: row)).states
          where cutAgain.insert(state.digest).inserted {
            disk.show(state.tree)
            try damaged.expectTheSameEnd(row, "cut \(cut.count), then cut \(cutAgain.count) in \(model.name)")
          }
        }
      }
    }
    // As many as there are, so that none was passed over: a repair has a state behind its end at least.
    #expect(cut.count > 1 && cutAgain.count > cut.count, "\(row.name)")
  }

  // MARK: Failures

  /// What calls fail with: the one in this row, the other in the next.
  private static func failures(for row: DamageCase) -> [Errno] {
    isWhole(row) ? [.eio, .enospc] : [number(of: row).isMultiple(of: 2) ? .eio : .enospc]
  }

  @Test(arguments: DamageCase.all) func aFailureInAnyRepairIsTakenUp(row: DamageCase) throws {
    let damaged = try Damaged(row)
    let disk = damaged.bench.disk
    _ = Bench.Again(damaged.bench).repair()
    // What changes something and was not refused for a reason of its own: these a rule counts.
    let count = disk.log.records.count { $0.countedNumber != nil }
    for errno in Self.failures(for: row) {
      for place in Self.places(count, of: row, atMost: 1) {
        disk.show(damaged.tree)
        try disk.arm(
          FaultRule(
            name: "trouble", effect: .errno(errno), operations: OperationKind.counted,
            occurrence: FaultOccurrence(nth: UInt64(place + 1))))
        _ = Bench.Again(damaged.bench).repair()
        let what = "\(errno.name) on call \(place + 1) of \(count)"
        #expect(disk.firings.count == 1, "\(row.name), \(what)")
        disk.clearAll()
        try damaged.expectTheSameEnd(row, what)
      }
    }
  }

  // MARK: Ends by the user

  /// A repair that is ended is gone on with by one that is ended too; safe fixes in between change nothing about it.
  ///
  /// In `make test` every third row; `PlacementTests` has the steps of pages in each other's places.
  @Test(arguments: DamageCase.all.filter { isWhole($0) || number(of: $0).isMultiple(of: 3) })
  func aRepairEndedTwiceIsTakenUp(row: DamageCase) throws {
    let damaged = try Damaged(row)
    let disk = damaged.bench.disk
    let steps = Bench.Again(damaged.bench).repair().actions.count
    // Pairs of a number of steps for each of both, without and with safe fixes in between.
    let count = (steps + 1) * (steps + 1) * 2
    for place in Self.places(count, of: row, atMost: 1) {
      let (first, second, isSafe) = (place / 2 / (steps + 1), place / 2 % (steps + 1), place % 2 == 1)
      disk.show(damaged.tree)
      _ = Bench.Again(damaged.bench).repair(endingBehind: first)
      if isSafe { _ = Bench.Again(damaged.bench).repair(.automatic, endingBehind: .max) }
      _ = Bench.Again(damaged.bench).repair(endingBehind: second)
      try damaged.expectTheSameEnd(row, "ended behind \(first) and \(second), safe fixes \(isSafe)")
    }
  }

  // MARK: Whether all are there

  /// A kind of step has to be added here, and then to have a damage that needs it.
  private enum Work: CaseIterable {
    case makeDirectory, setAside, rename, writeDocument, writeManifest, writeEmptyPage, salvagePage, trimPage, renewPage
    case drawThumbnail, amendPage, cutJournal, adoptPage

    init(_ work: RepairStep.Work) {
      self =
        switch work {
        case .makeDirectory: .makeDirectory
        case .setAside: .setAside
        case .rename: .rename
        // Of a folder that the user names, which no row of damage has: swept by its own tests.
        case .fetch: .rename
        case .writeDocument: .writeDocument
        case .writeManifest: .writeManifest
        case .writeEmptyPage: .writeEmptyPage
        case .salvagePage: .salvagePage
        case .trimPage: .trimPage
        case .cutJournal: .cutJournal
        case .adoptPage: .adoptPage
        case .renewPage: .renewPage
        case .drawThumbnail: .drawThumbnail
        case .amendPage: .amendPage
        }
    }
  }

  /// The same for what a repair is to do about a problem.
  private enum Action: CaseIterable {
    case makeDirectory, setAside, restore, rebuildDocument, keepOlderDocument, salvagePage, emptyPage, trimPage
    case keepOlderPage, dropDoubles, listPage, correctEntry, recordAssetLoss, healPage, healAsset, writeManifest
    case place, adoptIdentity, drawThumbnails, setAsideThumbnails, amendPage, cutJournal, correctCanvas
    case mendDocument, mendCanvas, cleanTitle, listPages, adoptCopy

    init(_ action: RepairAction) {
      self =
        switch action {
        case .makeDirectory: .makeDirectory
        case .setAside: .setAside
        case .restore: .restore
        case .fetch: .restore
        case .place: .place
        case .adoptIdentity: .adoptIdentity
        case .rebuildDocument: .rebuildDocument
        case .keepOlderDocument: .keepOlderDocument
        case .salvagePage: .salvagePage
        case .emptyPage: .emptyPage
        case .trimPage: .trimPage
        case .cutJournal: .cutJournal
        case .keepOlderPage: .keepOlderPage
        case .amendPage: .amendPage
        case .mendDocument: .mendDocument
        case .mendCanvas: .mendCanvas
        case .cleanTitle: .cleanTitle
        case .listPages: .listPages
        case .dropDoubles: .dropDoubles
        case .listPage: .listPage
        case .adoptCopy: .adoptCopy
        case .correctEntry: .correctEntry
        case .correctCanvas: .correctCanvas
        case .recordAssetLoss: .recordAssetLoss
        case .healPage: .healPage
        case .healAsset: .healAsset
        case .writeManifest: .writeManifest
        case .drawThumbnails: .drawThumbnails
        case .setAsideThumbnails: .setAsideThumbnails
        }
    }
  }

  @Test func everyKindOfRepairIsSwept() throws {
    var works: Set<Work> = []
    var actions: Set<Action> = []
    var kinds: Set<String> = []
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      let report = bench.repair()
      for done in report.actions { works.insert(Work(done.step.work)) }
      for problem in report.found where problem.action != nil && problem.repairClass != .report {
        if let action = problem.action { actions.insert(Action(action)) }
        kinds.insert(problem.kind.code)
      }
    }
    #expect(Set(Work.allCases).subtracting(works) == [])
    #expect(Set(Action.allCases).subtracting(actions) == [])
    let repaired = ProblemKind.all.filter { [.automatic, .consent].contains($0.repairClass) }
    // This disk tells of no holes; `SurroundingsTests` repairs them.
    #expect(Set(repaired.map(\.code)).subtracting(kinds) == [ProblemKind.sparseHole.code])
  }
}
