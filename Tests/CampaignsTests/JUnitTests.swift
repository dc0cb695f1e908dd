import Files
import Processes
import TestSupport
import Testing

@testable import Campaigns

/// junit.xml against a schema of what Jenkins and GitLab read, with libxml2 as the judge.
@Suite struct JUnitTests {
  /// What the schema has against a text; empty where it takes it.
  private func objections(to text: String) throws -> String {
    let schema = repositoryRoot.appending("Tests/Fixtures/junit/jenkins.xsd").description
    let result = try Launch("xmllint", ["--noout", "--huge", "--schema", schema, "-"])
      .run(input: Array(text.utf8), limitMilliseconds: 60_000)
    return result.ending == .exited(0) ? "" : result.errorText
  }

  /// Passes, failures, one that is flaky, one that is parked, unknowns, and cases that were not run.
  private func summary() throws -> CampaignSummary {
    let plan = Samples.plan(invented: 12, failing: ["gone"])
    let outcomes: [CampaignRecord.Outcome] = [
      .failed(Samples.finding("a/1")), .failed(Samples.finding("flaky", failed: 3)), .failed(Samples.finding("parked")),
      .failed(Samples.finding("a/1", lines: 9)), .unknown("<a fault> never \"fired\" & \u{1B}[2J"),
    ]
    func record(_ planned: PlannedCase, _ place: Int) -> CampaignRecord {
      if planned.kind == .canary { return CampaignRecord(planned, .passed) }
      let number = place - plan.files.count
      return CampaignRecord(planned, outcomes.indices.contains(number) ? outcomes[number] : .passed)
    }
    let file = Samples.file(
      plan, Shard(index: 0, count: 1), only: { $0 != 3 && $0 < plan.files.count + 10 }, record: record)
    return try Samples.summary(
      plan, [file], triage: try Triage(text: "park parked LNOTE-231 2026-12-31 anna soon", file: "t"))
  }

  @Test func everyKindOfCaseIsTaken() throws {
    let text = try summary().junit(Samples.facts)
    #expect(try objections(to: text) == "")
    for part in ["type=\"a/1\"", "type=\"flaky\"", "type=\"missing\"", "type=\"canary\"", "<skipped message=\"A photo"]
    {
      #expect(text.contains(part), "\(part)")
    }
    #expect(text.contains("<skipped message=\"&lt;a fault"))
    // The second case of a failure names the first, and does not repeat its scenario.
    #expect(text.components(of: "the scenario is at invented/0") == 1)
    #expect(try objections(to: Samples.summary([]).junit(Samples.facts)) == "")
  }

  typealias Row = (name: String, from: String, to: String)
  /// What Jenkins or GitLab would not read, made of a file that they do.
  static let wrong: [Row] = [
    ("a file of a case", "<testcase classname", "<testcase file=\"x\" classname"),
    ("an error", "<failure type=\"missing\"", "<error/><failure type=\"missing\""),
    ("properties of a case", "<failure type=\"missing\"", "<properties></properties><failure type=\"missing\""),
    ("four decimals", "<testcase classname", "<testcase time=\"1.0001\" classname"),
    ("a suite that skips", "<testsuites>", "<testsuites skipped=\"1\">"),
    ("a case twice", "name=\"invented/1\"", "name=\"invented/0\""),
    ("no number", "errors=\"0\"", "errors=\"none\""), ("no end", "</testsuites>", ""),
  ]

  @Test(arguments: wrong.indices) func whatTheyRefuseIsRefused(_ index: Int) throws {
    let row = Self.wrong[index]
    let text = try summary().junit(Samples.facts)
    #expect(text.contains(row.from), "\(row.name)")
    #expect(try objections(to: text.replacing(row.from, with: row.to, maxReplacements: 1)) != "", "\(row.name)")
  }

  @Test func whatTheyTakeIsTaken() throws {
    let text = try summary().junit(Samples.facts)
    let more = text.replacing(
      "<testcase classname", with: "<testcase time=\"1.001\" classname", maxReplacements: 1
    ).replacing("<failure type=\"missing\"", with: "<flakyFailure type=\"x\"/><system-out>x</system-out><failure")
    #expect(try objections(to: more) == "")
  }

  /// 100,000 cases, of which each fails in a way of its own, stay below what GitLab takes: here with a 250th of both.
  @Test func theFileHasALimit() throws {
    let outcomes = (0..<400).map { number -> CampaignRecord.Outcome in
      var finding = Samples.finding("many/\(number)")
      finding.scenario += String(repeating: "stroke p1 points 10\n", count: 20)
      return number % 4 == 3 ? .unknown("nothing is proved") : .failed(finding)
    }
    let summary = try Samples.summary(outcomes)
    let limit = CampaignSummary.junitBytesMax / 250
    let text = summary.junit(Samples.facts, bytesMax: limit)
    #expect(text.utf8.count < 30_000_000 / 250)
    #expect(try objections(to: text) == "")
    let told = text.components(of: "<testcase ") - 3
    #expect(told > 100 && told < 400)
    #expect(text.contains(" more cases failed; summary.json has all\"><failure type=\"more\""))
    #expect(text.contains(" more cases skipped; summary.json has all\"><skipped"))
    // Nothing is left out where there is room for all.
    let whole = summary.junit(Samples.facts)
    #expect(whole.components(of: "<testcase ") == 403 && !whole.contains(" more case"))
    // One failure in many cases has its scenario once.
    let same = try Samples.summary([CampaignRecord.Outcome](repeating: outcomes[0], count: 400)).junit(Samples.facts)
    #expect(same.utf8.count < 400 * 350)
  }
}
