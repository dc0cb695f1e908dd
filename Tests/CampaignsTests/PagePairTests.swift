import Bytes
import JSON
import Rendering
import Testing

@testable import Campaigns

@Suite struct PagePairTests {
  static func pair(bytes: Int = 900) -> PagePair {
    PagePair(
      name: "p1", expected: .init(words: "2 strokes", jpeg: JPEGMaker.picture(sizeBytes: bytes, seed: 1)),
      found: .init(words: "1 stroke; 1 stroke missing", jpeg: JPEGMaker.picture(sizeBytes: bytes, seed: 2)))
  }

  private func html(_ findings: [CampaignFinding]) throws -> String {
    CampaignPage(try Samples.summary(findings.map { .failed($0) }), Samples.facts).html
  }

  private func finding(_ name: String, _ pair: PagePair) -> CampaignFinding {
    var finding = Samples.finding(name)
    finding.page = pair
    return finding
  }

  @Test func goesWithTheRecord() throws {
    var one = Self.pair()
    for pair in [
      one,
      {
        one.found.jpeg = nil
        return one
      }(),
    ] {
      let json = finding("a", pair).json
      #expect(try CampaignFinding(json: try JSONValue.parse(json.serialized())).page == pair)
    }
    // A record of an earlier version has none.
    var members = try #require(Samples.finding("a").json.object)
    members["page"] = nil
    #expect(try CampaignFinding(json: .object(members)).page == nil)
    let large = String(repeating: "AAAA", count: PagePair.jpegBytesMax / 3 + 1)
    for wrong in ["no base 64", large] {
      let side: JSONValue = .object(["words": "x", "jpeg": .string(wrong)])
      members["page"] = .object(["name": "p1", "expected": side, "found": side])
      #expect(throws: CampaignError("a side of a page: \"jpeg\": is no picture of this version")) {
        try CampaignFinding(json: .object(members))
      }
    }
  }

  @Test func standsInThePageWithWords() throws {
    let pair = Self.pair()
    let html = try html([finding("a", pair)])
    let text = Base64.text(of: pair.expected.jpeg ?? [])
    #expect(
      html.contains(
        "<img src=\"data:image/jpeg;base64,\(text)\" alt=\"page p1 as it should be: 2 strokes\"><figcaption>"
          + "<strong>as it should be</strong>: 2 strokes</figcaption>"))
    #expect(html.contains(" alt=\"page p1 as it is: 1 stroke; 1 stroke missing\">"))
    #expect(!html.contains("no picture") && !html.contains("-expected.jpg"))
  }

  @Test func aPageThatCannotBeReadHasASentence() throws {
    var pair = Self.pair()
    pair.found = .init(words: "no picture: the page cannot be <read>", jpeg: nil)
    let html = try html([finding("a", pair)])
    #expect(html.components(of: "<img ") == 1)
    #expect(
      html.contains(
        ">no picture: the page cannot be &lt;read&gt;</p><figcaption><strong>as it is</strong></figcaption>"))
    #expect(!(try self.html([Samples.finding("b")])).contains("as it should be"))
  }

  /// However many and however large the pictures are, the page has its limit; behind it stand the files' names.
  @Test func picturesHaveABudget() throws {
    let many = (0..<1_000).map { finding("many/\($0)", Self.pair(bytes: $0 == 3 ? 200 << 10 : 9_000)) }
    let html = try html(many)
    #expect(html.utf8.count < 5_000_000)
    let (shown, named) = (html.components(of: "<img "), html.components(of: "-expected.jpg</code>"))
    #expect(shown > 40 && named > 5 && shown / 2 + named == CampaignPage.toldMax)
    #expect(shown * 12_000 <= CampaignPage.picturesBytesMax + 400 << 10)
    let last = CampaignFinding.fileName(of: many[0].signature)
    #expect(!html.contains("repro/\(last)-expected.jpg"))
  }

  @Test func theSummaryNamesTheFiles() throws {
    let finding = finding("a", Self.pair())
    let json = try Samples.summary([.failed(finding)]).json(Samples.facts)
    let page = try #require(json["buckets"]?[0]?["finding"]?["page"])
    #expect(page["expected"] == ["words": "2 strokes", "picture": "repro/a-expected.jpg"])
    #expect(page["found"]?["picture"] == "repro/a-found.jpg")
    #expect(finding.page?.files.map(\.suffix) == ["-expected.jpg", "-found.jpg"])
  }
}
