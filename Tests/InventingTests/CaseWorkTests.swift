import Campaigns
import Harness
import JSON
import Scenarios
import Testing

@testable import Inventing

@Suite struct CaseWorkTests {
  private func work(mutant: String? = nil, texts: [String: String] = [:], shrinkRunsMax: Int = 20) throws -> CaseWork {
    CaseWork(
      doors: try Doors(.inProcess), inventor: ScenarioInventor(mutant: mutant, models: ["ext4-ordered"]),
      shrinkRunsMax: shrinkRunsMax
    ) { planned throws(CampaignError) in
      guard let text = texts[planned.name] else { throw CampaignError("there is no \(planned.name)") }
      return CaseWork.CaseText(file: planned.name, text: text)
    }
  }

  /// A bug is found, made small, told with the line that fails, and fails again each time.
  @Test func aBugIsFoundAndMadeSmall() throws {
    let work = try work(mutant: "overwrite-in-place")
    let inventor = ScenarioInventor(mutant: "overwrite-in-place", models: ["ext4-ordered"])
    // Sweeps take longer, and are made small in the same way.
    let cases = (0..<100).lazy.map { PlannedCase(kind: .invented, name: "\($0)") }
      .filter { !InventedCase.firstScenario($0, campaignSeed: 5, inventor).contains("for each") }
    let found = cases.map { work.record($0, campaignSeed: 5) }.first { $0.finding?.line != nil }
    let record = try #require(found)
    let finding = try #require(record.finding)
    #expect(finding.again == .init(failed: 10, of: 10))
    #expect(finding.shrunk?.contains("steps -> ") == true)
    #expect(finding.signature.hasSuffix("/snapshot"))
    // The text is a scenario that fails on its own, in the line that is told.
    let trial = ScenarioTrial(text: finding.scenario, file: "x", doors: try Doors(.inProcess))
    #expect(trial.report?.verdict == .failed)
    let lines = finding.scenario.split(separator: "\n", omittingEmptySubsequences: false)
    // Nothing stands behind the line that fails but the end of the text.
    #expect(finding.line == lines.count - 1)
    #expect(lines.count < 30)
    #expect(finding.page?.expected.jpeg != nil)
    // The same case comes to the same record, and through its file.
    #expect(work.record(record.planned, campaignSeed: 5).json == record.json)
    #expect(try CampaignRecord(json: record.json).json == record.json)
  }

  /// What a probability has done is written down, and fails each time, wherever it stands.
  @Test func aFaultOfChanceIsFrozen() throws {
    let text = """
      scenario v1 "x"
      seed 4
      durability full
      document "Trip" { page p1 strokes 2 }
      repeat 6 {
        with maybe EIO on write of page p1 probability 0.3 { stroke p1 points 5; background; expect ok }
      }
      """
    let record = try work(texts: ["a.scn": text]).record(PlannedCase(kind: .scenario, name: "a.scn"), campaignSeed: 1)
    let finding = try #require(record.finding)
    #expect(!finding.scenario.contains("probability"))
    #expect(finding.scenario.contains("with maybe EIO on write of page p1 nth 1"), "\(finding.scenario)")
    #expect(finding.scenario.contains("# drawn from a.scn with seed 4"))
    #expect(finding.again == .init(failed: 10, of: 10))
    // The lines can be moved: what is hit stays.
    let moved = finding.scenario.replacing("\"\n#", with: "\"\n\n\n#")
    #expect(ScenarioTrial(text: moved, file: "x", doors: try Doors(.inProcess)).report?.verdict == .failed)
  }

  /// Each draw is a case of its own; the first has the seed of the file.
  @Test func drawsAreCases() throws {
    let text = """
      scenario v1 "x"
      seed 7
      document "Trip" { page p1 strokes 1..9 }
      expect p1 has 100 elements
      """
    let texts = try (1...8).map { draw in
      let planned = PlannedCase(kind: .scenario, file: "a.scn", draw: draw)
      let record = try CaseWork(doors: Doors(.inProcess), inventor: ScenarioInventor()) { planned in
        CaseWork.CaseText(file: planned.file, text: text)
      }.record(planned, campaignSeed: 3)
      return try #require(record.finding).scenario
    }
    #expect(texts[0].contains("# drawn from a.scn with seed 7\n") && texts[0].contains("\nseed 7\n"))
    let drawn = Set(texts.compactMap { $0.split(separator: "\n").first { $0.hasPrefix("document") } })
    #expect(drawn.count > 2)
    #expect(Set(texts).count == 8)
  }

  typealias Row = (name: String, text: String, signature: String, line: Int?, sentence: String, page: [String])
  static let failures: [Row] = [
    (
      "a store that never syncs",
      """
      scenario v1 "x"
      durability none
      document "Trip" { page p1 }
      stroke p1 points 80
      background
      power-cut
      reopen
      """, "page-lost-stroke-store-had-called-durable/power-cut/none/snapshot", nil,
      "Page p1 lost 1 stroke that the store had called durable, after a power cut",
      ["1 stroke", "an empty page; 1 stroke missing"]
    ),
    (
      "an expectation",
      """
      scenario v1 "x"
      document "Trip" { page p1 strokes 3 }
      expect p1 has 4 elements
      """, "expect-has-element/none/none/snapshot", 3, "Expect p1 has 4 elements: it has 3 elements",
      ["3 strokes", "the same: what is wrong does not show on a page"]
    ),
    (
      "every crash",
      """
      scenario v1 "x"
      durability none
      model ext4-ordered
      document "Trip" { page p1 strokes 2 points 20 }
      for each crash in {
        stroke p1 points 30
        background
      }
      check {
        reopen
        expect p1 at-least last-durable
      }
      """, "expect-at-least-element-missing/crash/create-of-page/snapshot", 11,
      "Expect p1 at-least last-durable: 1 element missing, after a crash between operations, which lost create of page p1,",
      ["3 strokes", "2 strokes; 1 stroke missing"]
    ),
  ]

  @Test(arguments: failures.indices) func failuresAreTold(_ index: Int) throws {
    let row = Self.failures[index]
    let record = try work(texts: ["a": row.text]).record(PlannedCase(kind: .scenario, name: "a"), campaignSeed: 1)
    let finding = try #require(record.finding, "\(row.name)")
    #expect(finding.signature == row.signature)
    #expect(finding.line == row.line)
    #expect(finding.sentence.hasPrefix(row.sentence), "\(finding.sentence)")
    #expect(finding.again == .init(failed: 10, of: 10))
    #expect(finding.scenario == row.text)
    let page = try #require(finding.page)
    #expect([page.expected.words, page.found.words] == row.page)
    #expect(page.expected.jpeg?.starts(with: [0xFF, 0xD8]) == true)
  }

  /// Names and numbers are no part of a signature.
  @Test func theSameMistakeHasTheSameName() throws {
    let first = Self.failures[0].text
    let other = first.replacing("p1", with: "q7").replacing("points 80", with: "points 8\nstroke q7 points 9")
    let records = try [first, other].map { text in
      try work(texts: ["a": text]).record(PlannedCase(kind: .scenario, name: "a"), campaignSeed: 1)
    }
    #expect(records[0].finding?.signature == records[1].finding?.signature)
    #expect(records[0].finding?.sentence != records[1].finding?.sentence)
  }

  @Test func whatCannotBeSaidIsUnknown() throws {
    let texts = [
      "wrong": "scenario v1 \"x\"\nrenam\n",
      "unfired": "scenario v1 \"x\"\ndocument \"T\" { page p1 }\nwith EIO on unlink of page p1 { background }\n",
    ]
    for (name, words) in [("wrong", "the scenario is wrong"), ("unfired", "never fired"), ("none", "there is no none")]
    {
      let record = try work(texts: texts).record(PlannedCase(kind: .scenario, name: name), campaignSeed: 1)
      guard case .unknown(let why) = record.outcome else {
        Issue.record("\(name): \(record.outcome)")
        continue
      }
      #expect(why.contains(words), "\(why)")
    }
  }

  /// What decides is how many steps were taken, those on crash states too, and never the time.
  @Test func aCaseOfManyStepsIsLeftOpen() throws {
    let long = "scenario v1 \"x\"\ndocument \"T\" { page p1 }\nrepeat 30 { stroke p1 points 2 }\n"
    let sweep =
      "scenario v1 \"x\"\nmodel ext4-ordered\ndocument \"T\" { page p1 }\n"
      + "for each crash in { stroke p1 points 2; background } check { reopen }\n"
    let failing = long + "expect p1 has 3 elements\n"
    func outcome(_ text: String, _ stepsMax: Int) throws -> String {
      let work = CaseWork(doors: try Doors(.inProcess), inventor: ScenarioInventor(), stepsMax: stepsMax) { planned in
        CaseWork.CaseText(file: planned.name, text: text)
      }
      switch work.record(PlannedCase(kind: .scenario, name: "a"), campaignSeed: 1).outcome {
      case .passed: return "passed"
      case .failed(let finding): return "failed \(finding.again.failed)/\(finding.again.of)"
      case .unknown(let why): return why
      }
    }
    let open = "it takes more than 10 steps, so that the rest is open"
    for text in [long, sweep] {
      #expect(try outcome(text, 10).hasSuffix(open))
      #expect(try outcome(text, 1000) == "passed")
    }
    #expect(try outcome(failing, 30).contains("it takes more than 30 steps"))
    // A failure is run again as often as there are steps for it.
    #expect(try outcome(failing, 31) == "failed 2/2")
    #expect(try outcome(failing, 31 * 7) == "failed 7/7")
    #expect(try outcome(failing, 31 * 70) == "failed 10/10")
  }

  @Test func aPassCountsWhatItDid() throws {
    let text = """
      scenario v1 "x"
      model ext4-ordered, xfs
      document "Trip" { page p1 strokes 2 points 20 }
      sometimes "seen"
      with maybe EIO on write of page p1 nth 9 { stroke p1 points 3 }
      for each crash in { stroke p1 points 30; background } check { reopen }
      """
    let record = try work(texts: ["a": text]).record(PlannedCase(kind: .scenario, name: "a"), campaignSeed: 1)
    guard case .passed = record.outcome else {
      Issue.record("\(record.outcome)")
      return
    }
    #expect(record.states > 10)
    #expect(record.sometimes == ["seen"] && record.reached == ["seen"])
    #expect(
      record.cells.map(\.text).sorted() == [
        "snapshot|ext4-ordered|EIO|write-of-page|clean", "snapshot|ext4-ordered|every crash|any step|clean",
        "snapshot|xfs|EIO|write-of-page|clean", "snapshot|xfs|every crash|any step|clean",
      ])
  }
}
