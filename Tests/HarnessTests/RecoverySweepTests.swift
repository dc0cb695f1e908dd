import CrashModel
import Harness
import Scenarios
import TestSupport
import Testing

/// Crashes in the course of a recovery, and in the session behind it.
@Suite struct RecoverySweepTests {
  private static let document = "document \"Trip\" { page p1 strokes 2 points 20 }\n"

  /// A first session that saves a page, a check that repairs, and what comes behind.
  private static func text(
    _ first: String = "stroke p1 points 30; background", depth: Int = 2, then next: String = "",
    repair: String = "repair"
  ) -> String {
    """
    \(document)for each crash depth \(depth) in { \(first) } \(next.isEmpty ? "" : "then { \(next) }")
    check { reopen; expect document loads; expect fsck no-loss; \(repair); expect fsck clean }
    """
  }

  private static func sweep(
    _ text: String, settings: String, statesMax: Int? = nil
  ) throws -> (report: ScenarioReport, first: SweepReport, recovery: SweepReport) {
    let report = try CrashSweepTests.run(text, settings: settings, statesMax: statesMax)
    let first = try #require(report.cases.first?.sweep, "\(report.text(again: "", kept: nil))")
    return (report, first, try #require(first.recovery, "\(report.text(again: "", kept: nil))"))
  }

  @Test func theRepairOfACarefulStoreStandsEveryCrash() throws {
    let (report, first, recovery) = try Self.sweep(Self.text(), settings: "model btrfs")
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(first.judged == first.count && recovery.judged == recovery.count)
    #expect(recovery.count >= 10 && recovery.completeness < .sampled)
    #expect(report.cases[0].lines.last?.result == first.summary)
    #expect(first.summary.contains(": all hold; then \(recovery.count) crash states of recovery, complete"))
  }

  /// The same, where nothing is lost at the first depth: a disk that lies while the repair syncs.
  @Test func aRepairWhoseSyncsAreLiesIsConvicted() throws {
    let lying = Self.text(repair: "with maybe fsync-lie on fsync { repair }")
    let (report, first, recovery) = try Self.sweep(lying, settings: "model ext4-ordered", statesMax: 24)
    let text = report.text(again: "", kept: nil)
    #expect(report.verdict == .failed)
    #expect(first.failing == 0 && recovery.failing > 0, "\(text)")
    #expect(recovery.classes.allSatisfy { $0.example.name.contains(" of its recovery") })
    #expect(text.contains(" of recovery: line "), "\(text)")
    #expect(text.contains("possible on: ext4-ordered; not on: none\n"), "\(text)")
  }

  static let sessions: [(durability: String, model: String, holds: Bool)] = [
    ("full", "ext4-ordered", true), ("full", "posix-weakest", true), ("file", "ext4-ordered", true),
    ("file", "posix-weakest", false), ("none", "strict", true), ("none", "ext4-ordered", false),
  ]

  /// Nothing happens in the first session; what the second one saves is as safe as the store's syncs make it.
  @Test(arguments: sessions) func theNextSessionIsCrashedToo(durability: String, model: String, holds: Bool) throws {
    let text = Self.text("background", then: "stroke p1 points 30; background")
    let (report, first, recovery) = try Self.sweep(
      text, settings: "durability \(durability)\nmodel \(model)", statesMax: 16)
    #expect(first.failing == 0 && recovery.judged > 3)
    #expect((recovery.failing == 0) == holds, "\(report.text(again: "", kept: nil))")
    #expect(report.verdict == (holds ? .passed : .failed))
  }

  @Test func aBudgetCountsAtEachDepth() throws {
    let (_, first, recovery) = try Self.sweep(
      Self.text(then: "stroke p1 points 9; background"), settings: "model btrfs", statesMax: 5)
    #expect(first.judged == 5)
    #expect(recovery.judged <= 5 && recovery.judged >= 3)
    #expect(recovery.count > recovery.judged && recovery.completeness == .sampled)
  }

  @Test func anExplorationGoesOn() throws {
    let text = "scenario v1 \"t\"\nmodel ext4-ordered\n\(Self.document)stroke p1 points 9\nbackground\n"
    let reading = ScenarioReading.read(Array(text.utf8), file: "t", vocabulary: .own)
    var explored = try #require(reading.scenario?.exploringCrashes(depth: 2, goesOn: true))
    let runner = ScenarioRunner(statesMax: 12) { seed throws(HarnessError) in
      try Doors(.inProcess).makeDisk(seed: seed)
    }
    let report = runner.run(explored)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(report.cases[0].sweep?.recovery?.judged == 12)
    explored.settings.durabilities = [.none]
    #expect(runner.run(explored).verdict == .failed)
  }
}
