import Harness
import Testing

/// The demonstration's last screen, as a golden text.
@Suite struct DemoScreenTests {
  private static func report(
    cases: Int = 1, strokes: Int, kept: Int? = nil, photos: Int = 0, repairs: [[String]] = [], fired: Int = 0,
    refused: Int = 0, verdict: Verdict = .passed
  ) -> ScenarioReport {
    let all = (0..<cases).map { place -> CaseReport in
      var one = CaseReport(name: cases > 1 ? "case-\(place)" : nil)
      one.promised.strokes = strokes
      one.promised.photos = photos
      one.promised.pages = 1
      one.kept = one.promised
      one.kept.strokes = kept ?? strokes
      if cases > 1, place < repairs.count {
        one.found = [CaseReport.Found(code: "LN2002", name: "document-damaged", isDamage: true, count: 1)]
      }
      one.repairs = place < repairs.count ? repairs[place] : []
      one.faultsFired = fired
      one.refused = refused
      one.verdict = verdict
      if verdict == .failed {
        one.lines = [ReportLine(line: 0, step: "at the end", result: "NO: page p1 lost 12 strokes", holds: false)]
      }
      return one
    }
    return ScenarioReport(title: "title", setting: "setting", cases: all, milliseconds: 100)
  }

  private static let reports = [
    report(strokes: 1200),
    report(strokes: 1, photos: 1, repairs: [["1 photo that no page uses: set aside"]], fired: 1),
    report(cases: 10, strokes: 2, repairs: Array(repeating: ["rebuilt document.json"], count: 5), fired: 1),
    report(strokes: 3, refused: 3),
  ]
  private static let control = report(strokes: 12, kept: 0, fired: 1, verdict: .failed)

  @Test func everythingKept() {
    let screen = DemoScreen(
      reports: DemoScreenTests.reports, control: DemoScreenTests.control, milliseconds: 41_000, obstacle: nil)
    #expect(screen.isGood)
    #expect(screen.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(
      screen.text == """
        --------------------------------------------------------------------------------
        A notes app wrote to a disk that failed on purpose: 4 scenarios, 14 faults, 41 s

          what you did                 what the disk did          what the check found
        1 drew, then left the app      nothing                    nothing
        2 inserted a photo             lost power before the page 1 photo that no page
                                       that shows it was written  uses: set aside
        3 left the app with a change   lost power while renaming  5 times no damage,
                                       document.json, in 10 ways  5 times repaired it
        4 drew on a full disk          refused 3 writes, later    nothing
                                       had room again

        Promised   the app said "saved" for 1,224 strokes, 1 photo, 13 pages
        Kept       after every fault: 1,224 strokes, 1 photo, 13 pages
        Control    the photo scenario with a store that never syncs: 12 strokes lost,
                   and the run said so. (A test that cannot fail proves nothing.)

        Look       ls demo-kept/                     what crash and repair left
                   bin/lnote-fsck demo-kept/3-torn-rename/target-empty/crashed
        Change     edit Scenarios/photo-power-cut.scn, then
                   bin/lnote-scenario run Scenarios/photo-power-cut.scn
        Your app   bin/faultfs lint -- python3 save.py     what did it leave unsynced?
        Your notes bin/lnote-fsck FOLDER             looks only, changes nothing
        Read on    Docs/README.md
        --------------------------------------------------------------------------------

        """)
  }

  @Test func aLossIsTheFirstBlock() {
    var reports = DemoScreenTests.reports
    reports[3] = DemoScreenTests.report(strokes: 12, kept: 0, verdict: .failed)
    let screen = DemoScreen(
      reports: reports, control: DemoScreenTests.control, milliseconds: 41_000, obstacle: nil)
    #expect(!screen.isGood)
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[1...4].joined(separator: "\n") == """
        LOST: the app said "saved" for 1,233 strokes, 1 photo, 13 pages; only 1,221
        strokes, 1 photo, 13 pages are there.
        Scenarios/disk-full.scn FAILED: at the end: NO: page p1 lost 12 strokes

        """)
  }

  @Test func aControlThatPassesMakesEverythingVoid() {
    let screen = DemoScreen(
      reports: DemoScreenTests.reports, control: DemoScreenTests.report(strokes: 12), milliseconds: 41_000,
      obstacle: nil)
    #expect(!screen.isGood)
    #expect(screen.text.contains("The control was not convicted: a store that never syncs passed."))
    #expect(!screen.text.contains("and the run"))
  }

  @Test func withoutAMountTheScreenSaysWhatIsMissing() {
    let screen = DemoScreen(
      reports: DemoScreenTests.reports, control: DemoScreenTests.control, milliseconds: 1_000,
      obstacle: "/dev/fuse is missing. Load the module.")
    #expect(screen.isGood)
    #expect(screen.text.contains("(in process, without a mount: /dev/fuse is missing. Load the module.)"))
  }
}
