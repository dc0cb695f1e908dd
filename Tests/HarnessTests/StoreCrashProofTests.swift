import CrashModel
import Harness
import Scenarios
import TestSupport
import Testing

/// What the store promises, held against every state that a crash may leave in the course of its saves.
@Suite struct StoreCrashProofTests {
  static let check = """
    check {
      reopen
      expect document loads
      expect fsck never asset-missing, page-missing, manifest-missing, manifest-damaged
      expect p1 at-least last-durable
      expect fsck no-loss
      repair
      expect fsck clean
    }
    """

  static let document = "document \"Trip\" { page p1 strokes 2 points 9; page p2 strokes 1; page p3 }"

  /// The saves of the store: what is there before, what is recorded.
  static let saves: [(before: String, steps: String)] = [
    ("", "stroke p1 points 30; background"),
    ("", "insert-image p1 size 12KiB as photo; background"),
    ("", "stroke p1 points 9; stroke p2 points 9; stroke p3 points 9; background"),
    ("", "add page p4; stroke p4 points 9; background; delete page p2; background"),
    (
      "insert-image p1 size 12KiB as photo; background",
      "delete photo; background; close; reopen; stroke p1 points 9; background"
    ),
  ]

  private static func sweep(
    _ save: (before: String, steps: String), _ settings: String, atMost: Int? = nil
  ) throws -> (report: ScenarioReport, sweep: SweepReport) {
    let bound = atMost.map { "at-most \($0) " } ?? ""
    let text = "\(document)\n\(save.before)\nfor each crash \(bound)in { \(save.steps) }\n\(check)"
    let report = try CrashSweepTests.run(text, settings: settings)
    return (report, try #require(report.cases.first?.sweep, "\(report.text(again: "", kept: nil))"))
  }

  /// Every model whose fsync endures a power cut, measured or not.
  @Test(arguments: saves) func fullDurabilityStandsEveryCrash(before: String, steps: String) throws {
    let enduring = PersistenceModel.all.filter(\.fsyncEndures).map(\.name)
    let (report, sweep) = try Self.sweep((before, steps), "model " + enduring.joined(separator: ", "))
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(sweep.models.map(\.name) == enduring)
    #expect(sweep.judged == sweep.count && sweep.count >= 15)
    #expect(sweep.completeness < .sampled, "\(report.text(again: "", kept: nil))")
  }

  /// Which settings of the store break which promise, and on which disks only.
  static let convictions: [(save: Int, settings: String, atMost: Int, sentence: String, models: Set<String>)] = [
    // A name that is there before its data: full size, and zeros.
    (0, "durability none\nmodel strict, ext4-ordered, xfs", 60, "reopen: NO: ", ["ext4-ordered", "xfs"]),
    // The rename was called done, and no directory was synced.
    (
      0, "durability file\nmodel ext4-ordered, btrfs, posix-weakest", 60,
      "expect p1 at-least last-durable: NO: ", ["posix-weakest"]
    ),
  ]

  @Test(arguments: convictions) func lessIsConvicted(
    save: Int, settings: String, atMost: Int, sentence: String, models: Set<String>
  ) throws {
    let (report, sweep) = try Self.sweep(Self.saves[save], settings, atMost: atMost)
    #expect(report.verdict == .failed)
    let text = report.text(again: "", kept: nil)
    #expect(sweep.classes.contains { $0.sentence.contains(sentence) }, "\(text)")
    #expect(Set(sweep.models.filter { $0.failing > 0 }.map(\.name)) == models, "\(text)")
  }
}
