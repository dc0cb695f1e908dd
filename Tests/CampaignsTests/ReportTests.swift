import JSON
import Pages
import Testing

@testable import Campaigns

@Suite struct ReportTests {
  private func summary() throws -> CampaignSummary {
    var known = Samples.known("b")
    known.buckets["c"] = Samples.known("c").buckets["c"]
    known.buckets["d"] = Samples.known("d").buckets["d"]
    return try Samples.summary(
      [
        .failed(Samples.finding("a/1", lines: 2)), .failed(Samples.finding("b")), .failed(Samples.finding("c")),
        .passed,
      ],
      known: known, triage: try Triage(text: "park c LNOTE-231 2026-12-31 anna soon", file: "t"), failing: ["d"])
  }

  @Test func theShortReport() throws {
    let mark = CampaignFinding.fileName(of: "a/1")
    #expect(
      try summary().text(Samples.facts) == """
        lnote nightly 2026-11-30 4c1f2ab: WORSE - 1 new, 0 back, 1 known, 1 fixed, 1 parked

        NEW    A photo of 0 bytes on page 1: a/1
               4 lines, fails 10 of 10, since 4c1f2ab (passed at 9d02e77)
               run     lnote-scenario run --fast run-20261130/repro/\(mark).scn
        known  1: b
        parked 1: c (LNOTE-231)
        fixed  1: d

        8 of 8 cases, 0 crash states, 0 faults
        canary found: yes; 4 of 4 shards, 30 min

        """)
  }

  @Test func theShortReportStaysShort() throws {
    let many = (0..<500).map { CampaignRecord.Outcome.failed(Samples.finding("many/\($0)")) }
    let text = try Samples.summary(many + [.unknown("x")]).text(Samples.facts)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 20)
    #expect(text.contains("and 497 more: run-20261130/merged/report.html"))
    #expect(text.contains("Nothing can be said of invented/500 (x)"))
  }

  @Test func hostileWordsStayWords() throws {
    var finding = Samples.finding("<script>/\u{1B}[2J")
    finding.sentence = "<b>bold</b> | \u{1B}[2J\nsecond"
    finding.scenario = "scenario v1 \"</pre><script>alert(1)</script>\"\n```\n# \u{202E}\n"
    finding.got = "]]> & \"quotes\""
    let summary = try Samples.summary([.failed(finding)])
    let html = CampaignPage(summary, Samples.facts).html
    #expect(!html.contains("<script>") && !html.contains("<b>bold"))
    #expect(!html.contains("\u{1B}") && !html.contains("\u{202E}"))
    #expect(html.contains("&lt;script&gt;"))
    let junit = summary.junit(Samples.facts)
    #expect(!junit.contains("\u{1B}") && !junit.contains("<script>"))
    let text = summary.text(Samples.facts)
    #expect(!text.contains("\u{1B}") && text.contains("\\nsecond"))
    let markdown = summary.markdown(Samples.facts)
    #expect(markdown.contains("\\<b\\>bold") && markdown.contains("\n ```\n"))
  }

  @Test func aPageOfAThousandFailuresIsBelow5Megabytes() throws {
    let long = String(repeating: "stroke p1 points 10\n", count: 300)
    let many = (0..<1_000).map { number in
      var finding = Samples.finding("many/\(number)/" + String(repeating: "x", count: 100))
      if number < 100 { finding.scenario += long }
      return CampaignRecord.Outcome.failed(finding)
    }
    let summary = try Samples.summary(many)
    let html = CampaignPage(summary, Samples.facts).html
    #expect(html.utf8.count < 5_000_000)
    // Each has a line, the first ones a section, and each link leads somewhere.
    #expect(html.components(of: "<td><span class=\"state new\">") == 1_000)
    let links = html.components(of: "href=\"#f-")
    #expect(links > 10 && links == html.components(of: "id=\"f-"))
  }

  /// Is it worse, and what do I do: the first failure's command stands above all else.
  @Test func theFirstScreenSaysWhatToDo() throws {
    let head = try #require(
      CampaignPage(try summary(), Samples.facts).html.components(between: "<header>", and: "</header>").first)
    let mark = CampaignFinding.fileName(of: "a/1")
    #expect(head.contains("<h1>Worse than before</h1>"))
    #expect(head.contains("<pre>lnote-scenario run --fast run-20261130/repro/\(mark).scn</pre>"))
    // A run that proves nothing sends nobody to its failures.
    let blind = CampaignPage(
      try Samples.summary([.failed(Samples.finding("a"))], canary: .passed), Samples.facts
    ).html.components(between: "<header>", and: "</header>").first
    #expect(blind?.contains("<pre>") == false && blind?.contains("find out why the canary passed") == true)
    let wrong = try Samples.summary([.unknown("the scenario is wrong: 1:2: error\n  for each\n  ^~~~")])
    #expect(wrong.warnings == ["Nothing can be said of invented/0 (the scenario is wrong: 1:2: error)"])
  }

  /// The line that fails is marked, the damaged file's blocks are seen at once, and the rest of the crash opens.
  @Test func aCrashIsToldInItsParts() throws {
    var finding = Samples.finding("a")
    finding.got = "NO: zero-length x1"
    var crash = CrashPage.Finding(sentence: "x", count: "12 states")
    crash.steps = [.init(number: 4, text: "write 0+4096 of p1", mark: .lost)]
    crash.files = [.init(path: "p1.content", bytes: 9000, blocks: [(.new, 1), (.zeros, 2)])]
    finding.crash = crash
    let html = CampaignPage(try Samples.summary([.failed(finding)]), Samples.facts).html
    #expect(html.contains("<li class=\"fails\">expect fsck clean   &lt;- fails: zero-length x1</li>"))
    let parts = html.components(between: "<section class=\"finding\" id=", and: "</section>")[0]
    let details = try #require(parts.components(between: "<details>", and: "</details>").first)
    #expect(parts.components(of: "<ol class=\"blocks\">") == 1 && !details.contains("class=\"blocks\""))
    #expect(parts.components(of: "<li class=\"zeros\"") == 2 && parts.contains("</span> zeros</li>"))
    #expect(details.contains(">lost</span>") && details.contains("write 0+4096 of p1"))
  }

  /// What does not matter in a step stands behind it, and apart from it; other comments are part of their lines.
  @Test func whatDoesNotMatterStandsApart() throws {
    var finding = Samples.finding("a", lines: 1)
    finding.scenario = finding.scenario.replacing("points 1", with: "points 1  # or any other page, any other size")
      .replacing("\n\n", with: "\n# or so\n")
    let html = CampaignPage(try Samples.summary([.failed(finding)]), Samples.facts).html
    #expect(
      html.contains(
        "<li>stroke p1 points 1<span class=\"count\">  # or any other page, any other size</span></li>"))
    #expect(html.contains("<li># or so</li>"))
    finding.line = 3
    let failing = CampaignPage(try Samples.summary([.failed(finding)]), Samples.facts).html
    #expect(failing.contains("any other size</span>   &lt;- fails: zero-length x1</li>"))
  }

  @Test func aPassedRunSaysSo() throws {
    let html = CampaignPage(try Samples.summary([.passed]), Samples.facts).html
    #expect(html.contains("<h1>Nothing fails</h1>"))
    #expect(html.contains("verdict good"))
    #expect(!html.contains("<h2>Failures</h2>"))
    #expect(html.contains("default-src 'none'"))
  }

  @Test func junitHasEachCaseOnce() throws {
    let summary = try summary()
    let text = summary.junit(Samples.facts)
    let names = text.components(between: "<testcase classname=\"", and: "\">")
    #expect(names.count == 8 && Set(names).count == 8)
    #expect(text.components(of: "<failure ") == 2)
    #expect(text.components(of: "<skipped ") == 1)
    #expect(text.contains("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\""))
    #expect(text.contains("parked until 2026-12-31: LNOTE-231, soon"))
    for refused in ["<error", " time=", " file=", "<properties></properties><properties>"] {
      #expect(!text.contains(refused))
    }
    let missed = try Samples.summary([.passed], canary: .passed).junit(Samples.facts)
    #expect(missed.contains("<failure type=\"canary\""))
    let plan = Samples.plan(invented: 3)
    let cut = try Samples.summary(plan, [Samples.file(plan, Shard(index: 0, count: 1)) { $0 < 4 }])
    #expect(cut.junit(Samples.facts).components(of: "<failure type=\"missing\"") == 2)
  }

  @Test func junitTellsManyPassesInALine() throws {
    let many = [CampaignRecord.Outcome](repeating: .passed, count: 5_001)
    let text = try Samples.summary(many).junit(Samples.facts)
    #expect(text.contains("name=\"5,001 cases that passed\""))
    #expect(text.components(of: "<testcase ") == 4)
  }

  @Test func sarifHasAFingerprintAndABaseline() throws {
    let results = try #require(try summary().sarif()["runs"]?[0]?["results"]?.array)
    #expect(results.map { $0["baselineState"]?.string } == ["new", "unchanged", "unchanged"])
    #expect(results.map { $0["ruleId"]?.string } == ["a/1", "b", "c"])
    #expect(results.map { $0["partialFingerprints"]?["lnoteSignature/v1"]?.string } == ["a/1", "b", "c"])
    #expect(results[0]["locations"]?[0]?["physicalLocation"]?["region"]?["startLine"] == 5)
    #expect(results[2]["suppressions"]?.array?.count == 1)
    let many = (0..<5_100).map { CampaignRecord.Outcome.failed(Samples.finding("many/\($0)")) }
    #expect(try Samples.summary(many).sarif()["runs"]?[0]?["results"]?.array?.count == 5_000)
  }
}

extension String {
  func components(of part: String) -> Int { ranges(of: part).count }

  func components(between start: String, and end: String) -> [String] {
    ranges(of: start).compactMap { range in
      self[range.upperBound...].firstRange(of: end).map { String(self[range.upperBound..<$0.lowerBound]) }
    }
  }
}
