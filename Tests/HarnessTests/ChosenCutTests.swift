import CrashModel
import Files
import Harness
import Scenarios
import Testing

/// `power-cut losing …` and `keeping …`, and the line that a sweep prints for a state that fails.
@Suite struct ChosenCutTests {
  private static let document = "document \"Trip\" { page p1 strokes 2 points 20 }\n"

  private func line(_ report: ScenarioReport, _ number: Int) -> String {
    report.cases[0].lines.first { $0.line == number }?.result ?? "\(report.text(again: "", kept: nil))"
  }

  /// The page's new name is there and its bytes are not: what ext4 may leave, and btrfs may not.
  @Test func losesTheDataOfAFileAndKeepsItsName() throws {
    let steps = """
      \(Self.document)stroke p1 points 200
      power-cut losing write of page p1 bytes 0B..64KiB on rename of page p1 after { background }
      reopen
      expect fsck exactly page-damaged
      """
    let model = "durability none\nmodel ext4-ordered, xfs, btrfs"
    let report = try CrashSweepTests.run(steps, settings: model)
    #expect(line(report, 6).contains("fired once") && line(report, 6).hasSuffix("; possible on ext4-ordered"))
    let refused = try CrashSweepTests.run(steps, settings: "durability none\nmodel btrfs")
    #expect(refused.verdict == .inconclusive)
    let trouble = refused.cases[0].trouble
    #expect(trouble.count == 1 && trouble[0].contains("no model allows it: data is not kept or lost so"), "\(trouble)")
  }

  /// A lost rename leaves the old page, whole; a kept one the new.
  @Test func losesARenameOrKeepsIt() throws {
    for (words, elements) in [("losing rename of page p1", 2), ("keeping rename of page p1", 3), ("keep-all", 3)] {
      let steps = """
        \(Self.document)stroke p1 points 9
        background
        power-cut \(words)
        reopen
        expect p1 has \(elements) elements
        """
      let settings = "durability file\nmodel posix-weakest, ext4-ordered"
      let report = try CrashSweepTests.run(steps, settings: settings)
      #expect(!report.cases[0].lines.contains { $0.line == 9 && !$0.holds }, "\(report.text(again: "", kept: nil))")
    }
  }

  @Test func whatIsDurableCannotBeLost() throws {
    let steps = """
      \(Self.document)stroke p1 points 9
      background
      power-cut losing rename of page p1
      reopen
      """
    let report = try CrashSweepTests.run(steps)
    #expect(report.verdict == .inconclusive)
    let trouble = report.cases[0].trouble.joined()
    #expect(trouble.contains("line 6: 'power-cut losing rename of page p1': no model allows it"), "\(trouble)")
    #expect(trouble.contains("'rename of page p1' is durable already"), "\(trouble)")
    let none = try CrashSweepTests.run(steps.replacing("losing rename", with: "losing unlink"))
    #expect(none.cases[0].trouble.joined().contains("there was no 'unlink of page p1' before the cut"))
  }

  /// A sweep's failing states are written as lines that fail alike when they are run.
  @Test(arguments: ["ext4-ordered", "xfs", "btrfs", "posix-weakest", "ext4-writeback"])
  func aFailingStateBecomesALine(_ model: String) throws {
    let steps = "{ stroke p1 points 300; background }"
    let check = "reopen; expect document loads; expect p1 at-least last-durable; repair; expect fsck clean"
    let settings = "durability none\nmodel \(model)"
    let swept = try CrashSweepTests.run(
      "\(Self.document)for each crash in \(steps) check { \(check) }", settings: settings, statesMax: 80)
    let classes = try #require(swept.cases[0].sweep?.classes)
    #expect(!classes.isEmpty)
    for found in classes {
      let again = try #require(found.example.again, "\(found.sentence): \(found.example.explanation)")
      #expect(again.hasPrefix("power-cut losing "))
      let isBlock = again.hasSuffix("{")
      let text = isBlock ? "\(again) \(steps.dropFirst(2))" : "\(steps.dropFirst(2).dropLast(2))\n\(again)"
      let concrete = try CrashSweepTests.run("\(Self.document)\(text)\n\(check)", settings: settings)
      #expect(concrete.verdict == .failed, "\(again): \(concrete.text(again: "", kept: nil))")
      let sentence = concrete.cases[0].lines.first { !$0.holds }.map { "\($0.step): \($0.result)" } ?? ""
      #expect(found.sentence.hasSuffix(sentence), "\(again): \(sentence) in the place of \(found.sentence)")
    }
  }

  /// What comes before the cut is durable behind it; the sweep begins with what was left.
  @Test func aSweepBehindAPowerCut() throws {
    let steps = """
      \(Self.document)stroke p1 points 9
      power-cut on rename of page p1 before { background }
      reopen
      for each crash in { stroke p1 points 30; background }
      check { reopen; expect document loads; expect p1 at-least last-durable; repair; expect fsck clean }
      """
    let report = try CrashSweepTests.run(steps, settings: "model ext4-ordered, btrfs, posix-weakest")
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    let sweep = try #require(report.cases.first?.sweep)
    #expect(sweep.models.allSatisfy { $0.states >= 7 && $0.failing == 0 })
    #expect(line(report, 5).hasPrefix("fired once, at operation "))
    let careless = try CrashSweepTests.run(steps, settings: "durability none\nmodel ext4-ordered", statesMax: 60)
    #expect(careless.verdict == .failed)
  }
}
