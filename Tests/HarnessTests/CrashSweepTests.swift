import CrashModel
import Files
import Harness
import Scenarios
import Synchronization
import TestSupport
import Testing

/// `for each crash` and `for each failure`: what passes, what convicts, and under which models.
@Suite struct CrashSweepTests {
  static func run(
    _ text: String, settings: String = "", statesMax: Int? = nil, remembers: Bool = true,
    mustStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> ScenarioReport {
    let reading = ScenarioReading.read(
      Array("scenario v1 \"t\"\n\(settings)\n\(text)\n".utf8), file: "test.scn", vocabulary: .own)
    let scenario = try #require(reading.scenario, "\(reading.text)")
    return ScenarioRunner(statesMax: statesMax, remembers: remembers, mustStop: mustStop) { seed throws(HarnessError) in
      try Doors(.inProcess).makeDisk(seed: seed)
    }.run(scenario)
  }

  private static let document = "document \"Trip\" { page p1 strokes 2 points 20 }\n"

  private static let flush = """
    \(document)for each crash in { stroke p1 points 30; background }
    check { reopen; expect document loads; expect p1 at-least last-durable; repair; expect fsck clean }
    """

  @Test func aStoreThatSyncsStandsEveryCrash() throws {
    let report = try Self.run(Self.flush, settings: "model strict, ext4-ordered, btrfs")
    let sweep = try #require(report.cases.first?.sweep)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(sweep.models.map(\.name) == ["strict", "ext4-ordered", "btrfs"])
    #expect(sweep.judged == sweep.count)
    #expect(sweep.models.allSatisfy { $0.states >= 7 && $0.failing == 0 })
    #expect(sweep.models.map(\.completeness) == [.complete, .complete, .complete])
    #expect(sweep.judgements >= sweep.judged)
    #expect(report.cases.count == 1)
    #expect(report.promised == report.kept)
    #expect(report.promised.strokes > 0)
  }

  /// What was found until a run must stop is told, and never that all holds.
  @Test func whatMustStopTellsWhatItFound() throws {
    for looksMax in [0, 3, 200] {
      let looks = Atomic<Int>(0)
      let report = try Self.run(Self.flush, settings: "model strict, btrfs") {
        looks.add(1, ordering: .relaxed).oldValue >= looksMax
      }
      let text = report.text(again: "", kept: nil)
      #expect(report.verdict == .inconclusive && text.contains("a signal ended it"), "\(looksMax): \(text)")
      let sweep = report.cases.first?.sweep
      #expect((sweep == nil) == (looksMax < 200), "\(looksMax): \(text)")
      if let sweep { #expect(sweep.judged < sweep.count && sweep.completeness == .sampled) }
    }
  }

  /// Zeros and empty files are what ext4 leaves of a page that was renamed into place unsynced.
  @Test func aStoreThatNeverSyncsIsConvictedWhereTheDiskReorders() throws {
    let report = try Self.run(Self.flush, settings: "durability none\nmodel strict, ext4-ordered", statesMax: 60)
    let sweep = try #require(report.cases.first?.sweep)
    #expect(report.verdict == .failed)
    #expect(sweep.models.map { $0.failing > 0 } == [false, true])
    #expect(sweep.classes.contains { $0.sentence.contains("expect p1 at-least last-durable: NO: ") })
    #expect(sweep.classes.allSatisfy { $0.models == ["ext4-ordered"] && !$0.example.lines.isEmpty })
    let text = report.text(again: "", kept: nil)
    #expect(text.contains("possible on: ext4-ordered; not on: strict\n"), "\(text)")
    #expect(text.contains("first: state "), "\(text)")
  }

  /// A state is judged by what had been acknowledged at each moment at which it is possible, and not only at the end.
  ///
  /// The page is saved, and then what was drawn is deleted: the page of the beginning is right at the end, and wrong
  /// just behind the first acknowledgement.
  @Test func whatIsRightAtTheEndMayHaveBeenWrongBefore() throws {
    let steps = """
      \(Self.document)for each crash in { stroke p1 points 30 as s; background; delete s; background }
      check { reopen }
      """
    #expect(try Self.run(steps, settings: "model ext4-journal").verdict == .passed)
    let report = try Self.run(steps, settings: "durability none\nmodel ext4-journal")
    let text = report.text(again: "", kept: nil)
    #expect(text.contains("lost 1 stroke that the store had called durable"), "\(text)")
  }

  /// The repair at the end is not kept from its work by the store that has the document open: what it can bring back is
  /// no finding, and what it cannot is told as a loss.
  @Test func theRepairAtTheEndFindsTheDocumentClosed() throws {
    let steps = """
      \(Self.document)for each crash at-most 120 in { stroke p1 points 9; background; stroke p1 points 9; background }
      check { reopen }
      """
    let report = try Self.run(steps, settings: "durability file\nmodel posix-weakest")
    let sentences = try #require(report.cases.first?.sweep?.classes.map(\.sentence))
    #expect(!sentences.isEmpty)
    #expect(
      sentences.allSatisfy { !$0.contains("found ") || $0.hasSuffix("found known-loss (LN9001) x1") }, "\(sentences)")
  }

  /// What comes before the sweep is not durable by that; what comes behind it runs as if there were no sweep.
  @Test func aSweepBeginsWhereItStands() throws {
    let steps = """
      \(Self.document)stroke p1 points 30
      for each crash in { background } check { reopen; expect p1 has 2 elements }
      background
      expect p1 has 3 elements
      """
    let report = try Self.run(steps, settings: "model strict")
    #expect(report.cases.map(\.name) == ["crash in line 5", nil])
    #expect(report.cases.map(\.verdict) == [.failed, .passed], "\(report.text(again: "", kept: nil))")
    #expect(
      report.cases[0].sweep?.classes.map(\.sentence) == ["line 5, expect p1 has 2 elements: NO: it has 3 elements"])
  }

  @Test func atMostLeavesOutAndSaysSo() throws {
    let text = Self.flush.replacing("each crash in", with: "each crash at-most 4 in")
    let report = try Self.run(text, settings: "model ext4-ordered")
    #expect(report.cases.first?.sweep?.judged == 4)
    #expect(report.cases.first?.sweep?.completeness == .sampled)
    #expect(report.cases.first?.lines.last?.result.contains(", 4 of them judged, a sample: all hold") == true)
  }

  @Test func theSameSweepTwiceIsTheSame() throws {
    let reports = try (0..<2).map { _ in
      try Self.run(Self.flush, settings: "durability none\nmodel xfs", statesMax: 30).cases.map(\.lines)
    }
    #expect(reports[0] == reports[1])
  }

  // MARK: Failures

  @Test func eachFailureInTurn() throws {
    let steps = """
      \(Self.document)for each failure ENOSPC on write or create in { stroke p1 points 30; background }
      check { background; kill; reopen; expect p1 has 3 elements }
      """
    let report = try Self.run(steps)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    let sweep = try #require(report.cases.first?.sweep)
    // The page, document.json and the manifest: a temporary file each, made and written.
    #expect(sweep.count == 6)
    #expect(report.faultsFired == 6)
    #expect(report.cases.first?.lines.map(\.result) == ["6 failures: all hold"])
    let bounded = try Self.run(steps.replacing("create in", with: "create at-most 2 in"))
    #expect(bounded.cases.first?.lines.map(\.result) == ["2 failures, not all: all hold"])
  }

  @Test func aFailureThatIsNotRepairedConvicts() throws {
    let steps = """
      \(Self.document)for each failure EIO on fsync in { stroke p1 points 30; background }
      check { kill; reopen; expect p1 has 3 elements }
      """
    let report = try Self.run(steps)
    #expect(report.verdict == .failed)
    let sweep = try #require(report.cases.first?.sweep)
    #expect(sweep.failing > 0 && sweep.failing < sweep.count)
    #expect(sweep.classes.first?.example.name == "failure 1 of \(sweep.count)")
    let none = "\(Self.document)for each failure EIO on link in { background } check { }"
    #expect(try Self.run(none).verdict == .inconclusive)
  }

  @Test func anExplorationHasChecksOfItsOwn() throws {
    let text = "scenario v1 \"t\"\nmodel ext4-ordered\n\(Self.document)stroke p1 points 9\nbackground\n"
    let scenario = try #require(
      ScenarioReading.read(Array(text.utf8), file: "t", vocabulary: .own).scenario?.exploringCrashes())
    let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
    #expect(runner.run(scenario).verdict == .passed)
    var careless = scenario
    careless.settings.durabilities = [.none]
    #expect(ScenarioRunner(statesMax: 40, makeDisk: runner.makeDisk).run(careless).verdict == .failed)
  }

  @Test func theFirstOfEachKindIsKept() throws {
    let folder = try TemporaryDirectory()
    let text = "scenario v1 \"t\"\ndurability none\nmodel ext4-ordered\n\(Self.flush)\n"
    let scenario = try #require(ScenarioReading.read(Array(text.utf8), file: "t", vocabulary: .own).scenario)
    let keeper = try Keeper(root: folder.path)
    let report = ScenarioRunner(keeper: keeper, statesMax: 30) { seed throws(HarnessError) in
      try Doors(.inProcess).makeDisk(seed: seed)
    }.run(scenario)
    let names = try folder.volume().entries(of: .root, countMax: 99).map(\.name)
    #expect(names.count == report.cases.first?.sweep?.classes.count)
    #expect(names.allSatisfy { $0.description.hasPrefix("state-") })
  }
}
