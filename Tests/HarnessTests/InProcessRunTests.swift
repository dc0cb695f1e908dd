import Files
import Harness
import LNoteStore
import Scenarios
import TestSupport
import Testing

/// Scenarios through the in-process door: what passes, what convicts, what stays open.
@Suite struct InProcessRunTests {
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

  private static let cutBehindAFlush = """
    stroke p1 points 30
    stroke p1 points 30
    background
    power-cut
    reopen
    """

  @Test(arguments: [("", Verdict.passed), ("durability none", .failed), ("durability file", .failed)])
  func onlyAStoreThatSyncsKeepsItsWord(settings: String, verdict: Verdict) throws {
    let report = try run(InProcessRunTests.cutBehindAFlush, settings: settings)
    #expect(report.verdict == verdict)
    #expect(report.promised.strokes == 4)
    #expect(report.kept.strokes == (verdict == .passed ? 4 : 2))
  }

  /// The canary: a store that writes over the real file must be convicted.
  @Test func theCanaryIsConvicted() throws {
    let steps = """
      power-cut keep-all on write of page p1 nth 1 before {
        stroke p1 points 30
        background
      }
      reopen
      expect p1 at-least last-durable
      """
    #expect(try run(steps).verdict == .passed)
    let canary = try run(steps, settings: "mutant overwrite-in-place")
    #expect(canary.verdict == .failed)
    #expect(canary.kept.strokes == 0)
  }

  /// A picture is written at once; while that takes two seconds, the autosave of the stroke before it comes due.
  @Test(arguments: [("2s", 4), ("100ms", 2)]) func slowMovesTheClock(delay: String, elements: Int) throws {
    let report = try run(
      """
      stroke p1 points 3
      with slow \(delay) on write of \"assets/.*\" or \"assets/*\" nth 1 { insert-image p1 size 20KiB as a }
      kill
      reopen
      expect p1 has \(elements) elements
      """)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(report.cases[0].lines.contains { $0.result == "answered \(delay) late" })
  }

  /// What no disk does is called so, in the text and in JSON; what a disk does is not.
  @Test(arguments: [("old-target", true), ("target-empty", false)])
  func labelsWhatNoDiskShows(way: String, isLabelled: Bool) throws {
    let report = try run("with torn-rename \(way) on rename of page p1 nth 1 { stroke p1 points 3; background }")
    let label = "bridges and broken layers only"
    #expect(report.text(again: "", kept: nil).contains("(\(label))") == isLabelled)
    let lines = report.json(file: "f")["cases"]?.array?.first?["lines"]?.array ?? []
    let armed = try #require(lines.first { $0["step"]?.string?.contains("torn-rename") ?? false })
    #expect(armed["label"]?.string == (isLabelled ? label : nil))
  }

  @Test func aFaultThatNeverFiresProvesNothing() throws {
    let never = "with EIO on rename of document nth 9 { stroke p1 points 3; background }"
    #expect(try run(never).verdict == .inconclusive)
    #expect(try run("maybe fault EIO on rename of document nth 9\nstroke p1 points 3\nbackground").verdict == .passed)
  }

  static let expectations: [(steps: String, verdict: Verdict)] = [
    ("stroke p1 points 3\nexpect p1 has 3 elements", .passed),
    ("stroke p1 points 3\nexpect p1 has 2 elements", .failed),
    ("remember a\nstroke p1 points 3\nexpect p1 equals latest", .passed),
    ("remember a\nstroke p1 points 3\nexpect p1 equals a", .failed),
    ("remember a\nstroke p1 points 3\nexpect p1 at-least a", .passed),
    ("remember a\nstroke p1 points 3 as s\nremember b\ndelete s\nexpect p1 at-least b", .failed),
    ("stroke p1 points 3\nkill\nreopen\nexpect p1 equals last-durable", .passed),
    ("stroke p1 points 3\nkill\nreopen\nexpect p1 equals latest", .failed),
    ("with free-space 0B { stroke p1 points 3; background; expect error ENOSPC }", .passed),
    ("stroke p1 points 3\nbackground\nexpect error ENOSPC", .failed),
    ("stroke p1 points 3\nwait until saved\nexpect ok", .passed),
    ("with free-space 0B { stroke p1 points 3; background; expect ok }", .failed),
    ("insert-image p1 size 20KiB as a\nbackground\ndelete a\nbackground\nclose\nexpect fsck clean", .passed),
    ("stroke p1 points 9 as s\nerase s\nexpect p1 has 4 elements", .passed),
    ("add page p2\nstroke p2 points 3\nbackground\ndelete page p1\nbackground\nexpect p1 missing", .passed),
    ("expect p1 missing", .failed),
    ("insert-image p1 size 20KiB as a\ndelete a\nexpect a missing", .passed),
    ("stroke p1 points 9 as s\nreopen\nwith EIO on open of page p1 { expect s missing }", .failed),
    // What is remembered is what the store shows, not what a crash took.
    ("stroke p1 points 9\nkill\nreopen\nremember c\nexpect p1 equals c", .passed),
    // A document that cannot be saved is not closed.
    (
      "with free-space 0B { stroke p1 points 5; close; expect error ENOSPC }\nreopen\nexpect p1 has 3 elements", .passed
    ),
    (
      "with ENOSPC on create of manifest { stroke p1 points 5; close; expect error ENOSPC }\nreopen\nexpect p1 has 3 elements",
      .passed
    ),
    // A cut in a `reopen` is a cut as any other.
    ("power-cut on open of document nth 1 before { reopen }\nreopen\nexpect p1 has 2 elements", .passed),
    // A repair may finish a save that a cut interrupted long ago.
    (
      """
      add page p2\nstroke p2 points 3\nbackground\nstroke p1 points 3
      power-cut keep-all on rename of page p1 before { background }
      reopen\nstroke p2 points 3\nbackground\nrepair\nexpect p1 has 3 elements
      """, .passed
    ),
    // Pictures go only when the page that no longer shows them is durable.
    (
      """
      insert-image p1 size 20KiB as a\nbackground\ndelete a\nkill on rename of page p1 after { background }
      reopen\nclose\nreopen\ninsert-image p1 size 20KiB as b\npower-cut\nexpect fsck never asset-missing
      """, .passed
    ),
    ("expect count \"pages/*.content\" = 1", .passed),
    ("expect count \"pages/*.content\" > 1", .failed),
  ]

  @Test(arguments: expectations) func expects(steps: String, verdict: Verdict) throws {
    let report = try run(steps)
    #expect(report.verdict == verdict, "\(report.text(again: "", kept: nil))")
  }

  /// A store that never syncs loses what it called durable; that it goes on afterwards is no excuse.
  static let losses: [String] = [
    "title \"New\"\nbackground\npower-cut",
    "add page p2\nbackground\nmove page p2 to 0\nbackground\npower-cut\nreopen",
    "stroke p1 points 9\nbackground\npower-cut\nreopen\nstroke p1 points 9\nbackground",
    "stroke p1 points 9\nbackground\npower-cut\nreopen\nstroke p1 points 9\nbackground\npower-cut keep-all",
  ]

  @Test(arguments: losses) func aLossConvictsWhateverFollows(steps: String) throws {
    #expect(try run(steps, settings: "durability none").verdict == .failed)
    #expect(try run(steps).verdict == .passed)
  }

  /// Faults are for the store: what only the judge reads fires none.
  static let looks: [(steps: String, verdict: Verdict)] = [
    ("with EIO on read of page p1 nth 1 { reopen }", .inconclusive),
    ("with EIO on open of page p1 { expect fsck clean; expect count \"pages/*\" = 1 }", .inconclusive),
    ("with EIO on open of page p1 nth 1 { reopen; stroke p1 points 5; expect error EIO }", .passed),
    ("fault EIO on open of page p1\nreopen\nstroke p1 points 3\nexpect error EIO", .passed),
  ]

  @Test(arguments: looks) func theJudgeIsHitByNoFault(steps: String, verdict: Verdict) throws {
    let report = try run(steps)
    #expect(report.verdict == verdict, "\(report.text(again: "", kept: nil))")
  }

  @Test func everyWayOfTearingTheDocumentIsRepaired() throws {
    let report = try run(
      """
      stroke p1 points 30
      for each torn-rename of document in { background } check {
        repair
        reopen
        expect fsck clean
        expect p1 at-least last-durable
      }
      """)
    #expect(report.cases.map(\.name) == TornNames.all)
    #expect(report.verdict == .passed, "\(report.text(again: "", kept: nil))")
    #expect(report.promised == report.kept)
  }

  private enum TornNames {
    static let all: [String?] = [
      "both-names", "neither-name", "target-empty", "target-zeros", "target-prefix", "target-holes", "old-target",
      "source-only", "not-done", "done-but-error",
    ]
  }

  @Test func theSameRunTwiceIsTheSame() throws {
    let reports = try (0..<2).map { _ in try run(InProcessRunTests.cutBehindAFlush + "\nrepair\nexpect fsck clean") }
    #expect(reports[0].cases.map(\.lines) == reports[1].cases.map(\.lines))
  }

  @Test func packagesAreKeptToLookAt() throws {
    let folder = try TemporaryDirectory()
    let text = "scenario v1 \"test\"\ndocument \"Trip\" { page p1 }\nstroke p1 points 3\npower-cut\nreopen\nrepair\n"
    let scenario = try #require(
      ScenarioReading.read(Array(text.utf8), file: "test.scn", vocabulary: .own).scenario)
    let keeper = try Keeper(root: folder.path)
    _ = ScenarioRunner(keeper: keeper) { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }.run(
      scenario)
    #expect(keeper.troubles == [])
    let package = scenario.documents[0].id.description + ".lnote"
    for state in ["crashed", "repaired"] {
      let names = try folder.volume().entries(of: BytePath("\(state)/\(package)"), countMax: 99).map(\.name)
      #expect(names.contains("document.json"))
    }
    let second = try Keeper(root: folder.path)
    _ = ScenarioRunner(keeper: second) { seed throws(HarnessError) in try Doors(.inProcess).makeDisk(seed: seed) }.run(
      scenario)
    #expect(
      second.troubles == [
        "crashed is there from an earlier run; name another folder",
        "repaired is there from an earlier run; name another folder",
      ])
  }
}
