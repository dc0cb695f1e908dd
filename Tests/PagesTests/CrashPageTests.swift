import JSON
import Testing

@testable import Pages

@Suite struct CrashPageTests {
  private static var page: CrashPage {
    var finding = CrashPage.Finding(sentence: "a<b & \"c\" is empty", count: "2 states, on xfs")
    finding.steps = [
      .init(number: 4, text: "create t", mark: .kept), .init(number: 5, text: "write t", mark: .lost),
      .init(number: nil, text: "crash at operation 6", mark: .crash),
    ]
    let blocks: [(CrashPage.Finding.Block, Int)] = [(.zeros, 1), (.new, 1), (.missing, 1)]
    finding.files = [.init(path: "<script>alert(1)</script>", bytes: 8192, blocks: blocks)]
    finding.possibilities = [
      .init(model: "xfs", isPossible: true, isMeasured: true),
      .init(model: "f2fs", isPossible: false, isMeasured: false),
    ]
    finding.again = ["power-cut losing write of page p1 {"]
    var page = CrashPage(title: "save.py", subtitle: "a program", verdict: .failing, summary: "2 of 9 fail")
    page.findings = [finding]
    page.models = [.init(name: "xfs", states: 9, failing: 2, completeness: "complete", isMeasured: true)]
    page.fix = "fsync t behind #5"
    return page
  }

  /// What a program calls its files never becomes a part of the page.
  @Test func whatComesFromOutsideIsEscaped() {
    let html = Self.page.html
    #expect(html.contains("a&lt;b &amp; &quot;c&quot; is empty"))
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!html.contains("<script"))
    #expect(Markup("a\u{1b}[31m\u{202e}b").description == "a\u{FFFD}[31m\u{FFFD}b")
  }

  /// It loads nothing and asks for nothing.
  @Test func standsForItself() {
    let html = Self.page.html
    for word in ["http:", "https:", "src=", "url(", "@import", "<link", "onclick"] { #expect(!html.contains(word)) }
    #expect(html.contains("default-src 'none'"))
    #expect(html.contains("prefers-color-scheme:dark"))
  }

  @Test func tellsEachPartInWordsAndNotInColoursOnly() {
    let html = Self.page.html
    #expect(html.contains(">kept</span>") && html.contains(">lost</span>"))
    #expect(html.contains(": possible</span>") && html.contains(": not possible</span>"))
    #expect(html.contains("f2fs (not measured)"))
    #expect(html.contains("</span> zeros</li>") && html.contains("missing: behind the end of the file"))
    #expect(!html.contains("as it was before the run"))
    #expect(html.contains("Fails.") && html.contains("fsync t behind #5"))
  }

  /// A large file is a few cells, a small one a cell for each block.
  @Test func blocksBecomeCells() {
    let small = CrashPage.Finding.File(path: "f", bytes: 0, blocks: [(.new, 2), (.zeros, 1)])
    #expect(small.runs().map(\.count) == [1, 1, 1])
    let large = CrashPage.Finding.File(
      path: "f", bytes: 0, blocks: [(.new, 200), (.new, 300), (.zeros, 1), (.old, 0), (.missing, 2)])
    #expect(large.runs().map(\.count) == [500, 1, 2])
    #expect(large.runs().map(\.first) == [0, 500, 501])
  }

  @Test func jsonHasWhatThePageHas() {
    let json = Self.page.findings[0].json
    #expect(json["steps"]?.array?.compactMap { $0["mark"]?.string } == ["kept", "lost", "crash"])
    #expect(
      json["files"]?.array?[0]["blocks"]?.array?.compactMap { $0["block"]?.string } == ["zeros", "new", "missing"])
    #expect(json["models"]?.array?.compactMap { $0["isPossible"]?.bool } == [true, false])
    #expect(json["again"]?.array?.compactMap(\.string) == ["power-cut losing write of page p1 {"])
  }
}
