import Files
import Harness
import LNoteStore
import Scenarios
import TestSupport
import Testing

/// What the language has beside steps and faults: undo, loops until success, known failures, what happens sometimes.
@Suite struct WholeLanguageTests {
  private func run(_ steps: String, settings: String = "") throws -> ScenarioReport {
    let text = """
      scenario v1 "test"
      \(settings)
      document "Trip" { page p1 strokes 2 points 20 }
      \(steps)
      """
    let reading = ScenarioReading.read(Array(text.utf8), file: "test.scn", vocabulary: .own)
    let scenario = try #require(reading.scenario, "\(reading.text)")
    return ScenarioRunner { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }.run(scenario)
  }

  static let undos: [(steps: String, verdict: Verdict)] = [
    ("remember a\nstroke p1 points 9\nundo\nexpect p1 equals a", .passed),
    ("remember a\nstroke p1 points 9\nexpect p1 equals a", .failed),
    ("stroke p1 points 9\nremember a\nundo\nredo\nexpect p1 equals a", .passed),
    ("stroke p1 points 9\nremember a\nundo\nexpect p1 equals a", .failed),
    ("stroke p1 points 9 as s\nremember a\nerase s\nundo\nexpect p1 equals a", .passed),
    ("stroke p1 points 9 as s\nremember a\nmove s by 1, 2\nundo\nexpect p1 equals a", .passed),
    ("stroke p1 points 9 as s\nstroke p1 points 4\nremember a\ndelete s\nundo\nexpect p1 equals a", .passed),
    ("remember a\ninsert-image p1 size 20KiB as i\nundo\nexpect p1 equals a\nredo\nexpect p1 has 3 elements", .passed),
    ("remember a\nstroke p1 points 9\nstroke p1 points 4\nundo 2\nexpect p1 equals a\nexpect ok", .passed),
    // There is nothing to take back, and nothing to make again behind another change.
    ("undo\nexpect ok", .failed), ("stroke p1 points 9\nundo\nstroke p1 points 4\nredo\nexpect ok", .failed),
    ("stroke p1 points 9\nundo\nredo\nredo\nexpect ok", .failed),
    // What is closed is settled.
    ("stroke p1 points 9\nreopen\nundo\nexpect ok", .failed),
    // What was taken back is saved as any other change, and a picture that is no longer shown is cleaned.
    ("stroke p1 points 9\nbackground\nundo\nbackground\npower-cut\nreopen\nexpect p1 has 2 elements", .passed),
    ("insert-image p1 size 20KiB\nbackground\nundo\nbackground\nclose\nexpect fsck clean", .passed),
    (
      "insert-image p1 size 20KiB as i\nbackground\nundo\nbackground\nredo\nbackground\npower-cut\nreopen\nexpect fsck never asset-missing",
      .passed
    ),
    (
      "add page p2\nstroke p2 points 9\nstroke p1 points 5\ndelete page p2\nundo\nexpect p1 has 2 elements\nexpect ok",
      .passed
    ),
    ("add page p2\nstroke p2 points 9\ndelete page p2\nundo\nexpect ok", .failed),
  ]

  @Test(arguments: undos) func takesBack(steps: String, verdict: Verdict) throws {
    let report = try run(steps)
    #expect(report.verdict == verdict, "\(report.text(again: "", kept: nil))")
    #expect(report.cases.flatMap(\.trouble) == [])
  }

  /// Every crash while changes are taken back and made again.
  @Test func crashesWhileTakingBack() throws {
    let report = try run(
      """
      stroke p1 points 9
      background
      for each crash in { undo; background; redo; background } check { reopen; expect fsck no-loss; expect p1 at-least last-durable }
      """, settings: "model ext4-ordered")
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
  }

  @Test func raisesTheNumberUntilNothingFails() throws {
    let report = try run(
      "for n = 1.. until success {\n  with EIO on write or create nth $n { stroke p1 points 3; background }\n}\nexpect ok"
    )
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    let told = report.cases[0].lines.filter { $0.step.hasPrefix("for n = 1.. until success") }
    #expect(told.count == 1)
    let rounds = report.cases[0].lines.filter { $0.step.hasPrefix("with EIO") }.count
    #expect(told[0].result == "success in round \(rounds)")
    #expect(rounds > 1)
  }

  @Test func aLoopThatNeverSucceedsFails() throws {
    let report = try run(
      "for n = 1..3 until success {\n  with EIO on create { stroke p1 points 3; background }\n}\n")
    #expect(report.verdict == .failed)
    #expect(report.cases[0].lines.last?.result == "NO: none of 3 rounds went without a failure")
  }

  static let known: [(steps: String, settings: String, verdict: Verdict, words: String)] = [
    ("expect p1 has 2 elements", "", .passed, "passed in"),
    ("expect p1 has 3 elements", "", .failed, "FAILED in"),
    ("expect p1 has 2 elements", "known-failing \"#12\"", .failed, "and is known to fail (#12)"),
    ("expect p1 has 3 elements", "known-failing \"#12\"", .passed, "as known (#12): this passes"),
    ("with EIO on rename nth 99 { close }", "known-failing \"#12\"", .inconclusive, "inconclusive after"),
  ]

  @Test(arguments: known) func aKnownFailurePasses(
    steps: String, settings: String, verdict: Verdict, words: String
  ) throws {
    let report = try run(steps, settings: settings)
    #expect(report.verdict == verdict)
    #expect(report.text(again: "", kept: nil).contains(words))
    #expect(report.json(file: "f")["knownFailing"]?.string == (settings.isEmpty ? nil : "#12"))
  }

  @Test func saysWhatIsReached() throws {
    let report = try run(
      """
      sometimes "at once"
      for each torn-rename of document at-most 2 in { stroke p1 points 3; background } check {
        repair
        sometimes "in a check"
      }
      for each crash at-most 3 in { stroke p1 points 3; background } check { reopen; sometimes "on a state" }
      for n = 1..2 until success { stroke p1 points 3; for m = 1..2 until success { note "x" } }
      for each failure EIO on link in { background } check { sometimes "never" }
      """)
    #expect(report.sometimes.map(\.text) == ["at once", "in a check", "on a state", "never"])
    #expect(report.sometimes.map(\.isReached) == [true, true, true, false])
    #expect(report.text(again: "", kept: nil).contains("sometimes \"never\": not reached\n"))
    #expect(report.json(file: "f")["sometimes"]?.array?.count == 4)
  }

  @Test func saysWhichStoresAreLeftOut() throws {
    let report = try run(
      "when store journal { expect p1 has 9 elements }", settings: "store snapshot, journal\ndurability file, full")
    #expect(report.verdict == .passed)
    #expect(report.cases.map(\.name) == ["file", "full"])
    #expect(report.text(again: "", kept: nil).contains("store journal: not run, it comes with a later version\n"))
    #expect(try !run("note \"x\"").text(again: "", kept: nil).contains("not run"))
  }
}
