import Pages
import Terminal

/// report.html: one file for a browser, that needs no script and no server.
///
/// The first screen says whether it is worse than before, and what to do. Then each failure has a section.
package struct CampaignPage {
  /// So many failures are told in full. Of more there is a line each, so that the page stays below its limit.
  static let toldMax = 60
  /// The most bytes that the sections of failures have together.
  static let sectionsBytesMax = 3 << 20
  /// The most bytes that pictures have of that; behind them, pictures are named by their files.
  static let picturesBytesMax = 1 << 20
  /// The most failures that have a line.
  static let listedMax = 2_000

  let summary: CampaignSummary
  let facts: RunFacts

  /// The page of a summary.
  package init(_ summary: CampaignSummary, _ facts: RunFacts) {
    self.summary = summary
    self.facts = facts
  }

  /// The page as one file.
  package var html: String {
    Markup.page(
      title: "lnote nightly \(facts.day): \(summary.headline)", style: CrashPage.style + Self.style, body: body)
  }

  private var body: Markup {
    let sections = sections
    var parts = [head]
    if !summary.buckets.isEmpty { parts.append(list(told: sections.count)) }
    parts += sections
    parts += [CoverageGrid(coverage: summary.coverage).markup, footer]
    return .element("main", .joined(parts))
  }

  private var head: Markup {
    let tone: CrashPage.Verdict =
      switch summary.verdict {
      case .clean, .better: .good
      case .worse, .blind: .failing
      case .incomplete, .same: .unknown
      }
    var parts: [Markup] = [
      .element("p", ["class": "kind"], Markup("lnote nightly \(facts.day), build \(summary.plan.build)")),
      .element("h1", Markup(question)),
      .element("p", ["class": "verdict \(tone.rawValue)"], .element("strong", Markup(summary.headline))),
      .element("p", ["class": "next"], .element("strong", Markup("What to do: ")), Markup(nextStep)),
    ]
    if summary.canary != .missed, let first = summary.urgent.first {
      parts.append(.element("pre", Markup(first.runCommand(facts))))
    }
    let canary = summary.canary == .none ? "not run" : summary.canary.rawValue
    parts.append(.element("p", Markup("\(summary.totals); canary \(canary)")))
    if !summary.warnings.isEmpty {
      let items = summary.warnings.map { Markup.element("li", Markup($0)) }
      parts.append(.element("ul", ["class": "warnings"], .joined(items)))
    }
    return .element("header", .joined(parts))
  }

  private var question: String {
    switch summary.verdict {
    case .blind: "This run proves nothing"
    case .worse: "Worse than before"
    case .incomplete: "Not all of it was run"
    case .same: "No worse than before, no better"
    case .better: "Better than before"
    case .clean: "Nothing fails"
    }
  }

  private var nextStep: String {
    if summary.canary == .missed {
      return "find out why the canary passed; until then every pass here is worth nothing."
    }
    if let first = summary.urgent.first {
      return "run the first failure, and see: \(first.known.sentence)."
    }
    if !summary.missing.isEmpty { return "run the shards again that ended early; what was run is kept." }
    if !summary.neverReached.isEmpty { return "see why what should happen sometimes never did." }
    return summary.count(.known) > 0 ? "mend or park what is known." : "nothing."
  }

  /// The failures in a table, the most urgent first; the first `told` have a section.
  private func list(told: Int) -> Markup {
    let rows = summary.buckets.prefix(Self.listedMax).enumerated().map { place, bucket in
      let words = Markup(bucket.known.sentence)
      let link =
        place < told ? Markup.element("a", ["href": "#\(Self.anchor(of: bucket))"], words) : words
      return Markup.element(
        "tr",
        .element("td", .element("span", ["class": "state \(bucket.state.rawValue)"], Markup(bucket.state.rawValue))),
        .element("td", link), .element("td", ["class": "number"], Markup(Figures.grouped(bucket.cases.count))),
        .element("td", Markup(bucket.known.since)))
    }
    let names = ["", "failure", "cases", "since"].map { Markup.element("th", ["scope": "col"], Markup($0)) }
    let more = summary.buckets.count - Self.listedMax
    let note = more > 0 ? Markup.element("p", Markup("And \(Figures.grouped(more)) more in summary.json.")) : .nothing
    return .element(
      "section", .element("h2", Markup("Failures")),
      .element(
        "div", ["class": "scrolls"],
        .element(
          "table", ["class": "failures"], .element("thead", .element("tr", .joined(names))),
          .element("tbody", .joined(rows)))), note)
  }

  private static func anchor(of bucket: CampaignSummary.Bucket) -> String {
    "f-" + CampaignFinding.fileName(of: bucket.known.signature)
  }

  /// The most urgent ones first, until the page has its limit.
  private var sections: [Markup] {
    var sections: [Markup] = []
    var (bytes, picturesLeft) = (0, Self.picturesBytesMax)
    for bucket in summary.buckets.prefix(Self.toldMax) {
      let pictures = bucket.finding?.page?.embeddedBytes ?? 0
      let shows = pictures <= picturesLeft
      if shows { picturesLeft -= pictures }
      let section = BucketSection(bucket: bucket, facts: facts, showsPictures: shows)
        .markup(anchor: Self.anchor(of: bucket))
      bytes += section.description.utf8.count
      if bytes > Self.sectionsBytesMax { break }
      sections.append(section)
    }
    return sections
  }

  private var footer: Markup {
    .element(
      "footer",
      .element(
        "p", ["class": "meta"],
        Markup("Plan \(summary.plan.digest), seed \(summary.plan.seed). \(facts.sentence), in \(facts.folder).")))
  }

  /// What this page has beside the pages of crash states.
  private static let style = """

    .warnings li{padding:.4rem .9rem;margin:.3rem 0;border-left:.3rem solid var(--part);background:var(--partground)}
    .next{margin-top:.6rem}a{color:var(--new)}
    .state{display:inline-block;min-width:3.6rem;padding:0 .5rem;border-radius:1rem;text-align:center;font-size:.85rem;
    border:1px solid var(--line);color:var(--soft)}
    .state.new,.state.back,.state.flaky{background:var(--badground);border-color:var(--bad);color:var(--bad);font-weight:600}
    .state.fixed{background:var(--goodground);border-color:var(--good);color:var(--good)}
    .state.known,.state.parked{background:none}
    .lines{counter-reset:line;margin:.3rem 0;padding:.7rem 0;border:1px solid var(--line);border-radius:.3rem;
    background:var(--ground);font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.875rem}
    .lines li{counter-increment:line;white-space:pre-wrap;padding:.05rem .9rem .05rem 3.2rem;text-indent:-2.6rem}
    .lines li::before{content:counter(line);display:inline-block;width:2rem;margin-right:.6rem;text-indent:0;
    text-align:right;color:var(--soft)}
    .lines li.fails{background:var(--badground);color:var(--bad);font-weight:600}
    .failures thead th{white-space:nowrap}.failures thead th:nth-child(2){text-align:left}.failures td:nth-child(n+3),.grid th,.grid td{white-space:nowrap}
    .grid td{text-align:right;padding-right:1rem}.grid td.none{color:var(--bad)}
    @media (max-width:30rem){.failures th:nth-child(n+3),.failures td:nth-child(n+3){display:none}}
    details{margin-top:.8rem}summary{cursor:pointer;color:var(--soft)}
    .pages{display:flex;flex-wrap:wrap;gap:1rem}.pages figure{flex:1 1 9rem;max-width:14rem;margin:.2rem 0}
    .pages img{display:block;max-width:100%;border:1px solid var(--line);background:#fff}
    .pages figcaption{margin:.3rem 0 0;font-size:.9rem}
    .unshown{margin:0;padding:1.2rem .8rem;border:1px dashed var(--line);color:var(--soft);font-size:.9rem}
    .meta{color:var(--soft);font-size:.85rem;margin-top:2rem}

    """
}
