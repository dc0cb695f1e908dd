import Pages
import Terminal

/// A failure's part of the page.
struct BucketSection {
  /// How many lines of a scenario are shown.
  static let linesMax = 200
  /// How many of the cases are named.
  static let casesMax = 20

  let bucket: CampaignSummary.Bucket
  let facts: RunFacts
  /// True where the pictures stand in the page; else their files are named.
  var showsPictures = true

  func markup(anchor: String) -> Markup {
    var parts: [Markup] = [
      .element(
        "h2", .element("span", ["class": "state \(bucket.state.rawValue)"], Markup(bucket.state.rawValue)), Markup(" "),
        Markup(bucket.known.sentence)),
      .element("p", ["class": "count"], Markup(bucket.standing)),
    ]
    if let parked = bucket.parked {
      parts.append(
        .element("p", Markup("\(parked.issue), parked until \(parked.until) by \(parked.who): \(parked.why)")))
    }
    if let finding = bucket.finding {
      if let page = finding.page {
        parts += [
          heading("Page \(page.name)"), page.markup(namedBy: showsPictures ? nil : "repro/" + finding.fileName),
        ]
      }
      parts += [heading("The scenario"), scenario(finding), commands]
      if let crash = finding.crash {
        if !crash.files.isEmpty { parts += [heading("The files on the disk"), crash.blocks] }
        parts.append(.element("details", .element("summary", Markup("The crash, operation by operation")), crash.story))
      }
      parts.append(small(finding))
    }
    return .element("section", ["class": "finding", "id": anchor], .joined(parts))
  }

  private func heading(_ words: String) -> Markup { .element("h3", Markup(words)) }

  private func scenario(_ finding: CampaignFinding) -> Markup {
    var lines = finding.scenario.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let items = lines.prefix(Self.linesMax).enumerated().map { place, line in
      let (step, explanation) = CampaignFinding.explained(line)
      let shown = Markup.joined([
        Markup(String(step)),
        explanation.isEmpty ? .nothing : .element("span", ["class": "count"], Markup(String(explanation))),
      ])
      return place + 1 == finding.line
        ? Markup.element("li", ["class": "fails"], shown, Markup("   <- fails: \(whatCame(in: finding))"))
        : Markup.element("li", shown)
    }
    let more = lines.count - Self.linesMax
    let note = more > 0 ? Markup.element("p", Markup("And \(Figures.counted(more, "line")) more.")) : .nothing
    let got =
      finding.line == nil ? Markup.element("p", ["class": "bad"], Markup("Fails: \(whatCame(in: finding))")) : .nothing
    return .joined([.element("ol", ["class": "lines"], .joined(items)), note, got])
  }

  /// What came instead, without the word that says that it is not what was to come.
  private func whatCame(in finding: CampaignFinding) -> String {
    finding.got.hasPrefix("NO: ") ? String(finding.got.dropFirst(4)) : finding.got
  }

  private var commands: Markup {
    let lines = [bucket.runCommand(facts)] + (bucket.bisectCommand(facts).map { [$0] } ?? [])
    return .joined([heading("Again"), .element("pre", Markup(lines.joined(separator: "\n")))])
  }

  private func small(_ finding: CampaignFinding) -> Markup {
    var rows: [(String, String)] = [("signature", finding.signature)]
    if !bucket.models.isEmpty { rows.append(("possible under", bucket.models.joined(separator: ", "))) }
    if let shrunk = finding.shrunk { rows.append(("shrunk", shrunk)) }
    rows.append(("cases", CampaignSummary.few(bucket.cases.map(\.identity), max: Self.casesMax)))
    let items = rows.map { Markup.joined([.element("dt", Markup($0.0)), .element("dd", Markup($0.1))]) }
    return .element("dl", ["class": "facts"], .joined(items))
  }
}
