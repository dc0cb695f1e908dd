import Harness
import Scenarios
import TestSupport
import Testing

/// Scenarios that leave something to chance: which cases are run, and which is shown.
@Suite struct RandomRunTests {
  private func run(_ steps: String, seed: UInt64 = 1, cases: Int? = nil) throws -> ScenarioReport {
    let text = "scenario v1 \"test\"\ndocument \"Trip\" { page p1 strokes 2 points 20 }\n\(steps)\n"
    let reading = ScenarioReading.read(Array(text.utf8), file: "test.scn", vocabulary: .own)
    let random = try #require(reading.random, "\(reading.text)")
    let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
    return RandomRun(random, seed: seed, casesMax: cases, runner: runner).run()
  }

  @Test(arguments: [("", nil, 1), ("budget 4 cases", nil, 4), ("budget 4 cases", 2, 2)] as [(String, Int?, Int)])
  func runsAsManyCasesAsAsked(budget: String, cases: Int?, count: Int) throws {
    let report = try run("\(budget)\nstroke p1 points 1..9\nbackground\npower-cut\nreopen", cases: cases)
    #expect(report.verdict == .passed)
    #expect(report.drawn?.count == count)
    #expect(report.text(again: "", kept: nil).contains("seed "))
  }

  /// A case that fails ends the run; its seed alone, and its text alone, fail again.
  @Test func showsTheFirstThatFails() throws {
    let steps = "budget 50 cases\nrepeat 0..4 { stroke p1 points 3 }\nwait 1ms..2ms\nexpect p1 has 2 elements"
    let report = try run(steps)
    let drawn = try #require(report.drawn)
    #expect(report.verdict == .failed)
    #expect(drawn.count < 50)
    let again = try run(steps, seed: drawn.shownSeed)
    #expect(again.verdict == .failed)
    #expect(again.drawn?.count == 1)
    #expect(again.drawn?.shownText == drawn.shownText)
    #expect(report.again("lnote-scenario run", file: "a.scn") == "lnote-scenario run --seed \(drawn.shownSeed) a.scn")
    let reading = ScenarioReading.read(Array(drawn.shownText.utf8), file: "case.scn", vocabulary: .own)
    #expect(reading.random == nil)
    let runner = ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }
    let concrete = runner.run(try #require(reading.scenario))
    #expect(concrete.cases[0].lines == report.cases[0].lines)
  }

  @Test func aProbabilityIsDrawnAgainWithTheSeed() throws {
    let steps =
      "maybe fault f = EIO on write probability 0.5\nrepeat 4 { stroke p1 points 3; background }\nclear f\nwait 1ms..9ms"
    let results = try (UInt64(1)...8).map { seed in try run(steps, seed: seed).cases[0].lines.map(\.result) }
    let again = try (UInt64(1)...8).map { seed in try run(steps, seed: seed).cases[0].lines.map(\.result) }
    #expect(results == again)
    #expect(Set(results).count > 1)
  }

  @Test func countsWhatMakesNoSense() throws {
    let report = try run(
      "budget 20 cases\nadd page p2\nrepeat 2 { any of { 1: delete page p2; 3: stroke p1 points 3 } }\nsometimes \"all\""
    )
    let drawn = try #require(report.drawn)
    #expect(report.verdict == .passed)
    #expect(drawn.count == 20)
    #expect(drawn.refused > 0)
    #expect(report.sometimes.map(\.isReached) == [true])
    #expect(report.json(file: "f")["drawn"]?["leftOut"]?.integer == Int64(drawn.refused))
  }

  @Test func aRandomSessionIsCrashed() throws {
    let report = try run(
      """
      model ext4-ordered
      budget 2 cases
      repeat 1..4 { any of { 3: stroke p1 points 1..20; 1: { background; foreground }; 1: undo } }
      for each crash at-most 10 in { stroke p1 points 1..9; background } check { reopen; expect fsck no-loss }
      """)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(report.drawn?.count == 2)
  }
}
