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
    let found = (8..<40).lazy.map { work.record(PlannedCase(kind: .invented, name: "\($0)"), campaignSeed: 5) }
      .first { $0.finding != nil }
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
    #expect(record.sometimes == ["seen"])
    #expect(
      record.cells.map(\.text).sorted() == [
        "snapshot|ext4-ordered|EIO|write-of-page|clean", "snapshot|ext4-ordered|every crash|any step|clean",
        "snapshot|xfs|EIO|write-of-page|clean", "snapshot|xfs|every crash|any step|clean",
      ])
  }
}
