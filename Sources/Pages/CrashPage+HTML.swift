extension CrashPage {
  /// The page as one file.
  package var html: String {
    Markup.page(title: "\(title): crash states", style: CrashPage.style, body: body)
  }

  private var body: Markup {
    let head = Markup.element(
      "header", [:],
      .element("p", ["class": "kind"], Markup(subtitle)), .element("h1", [:], Markup(title)),
      .element(
        "p", ["class": "verdict \(verdict.rawValue)"], .element("strong", [:], Markup(verdictWord)), Markup(" "),
        Markup(summary)))
    var parts = [head]
    for (place, finding) in findings.enumerated() { parts.append(finding.section(number: place + 1)) }
    if let fix {
      parts.append(.element("section", ["class": "fix"], .element("h2", [:], Markup("Fix")), paragraph(fix)))
    }
    if !models.isEmpty { parts.append(totals) }
    if !notes.isEmpty {
      let items = notes.map { Markup.element("li", [:], Markup($0)) }
      parts.append(
        .element(
          "section", [:], .element("h2", [:], Markup("To know")), .element("ul", ["class": "notes"], .joined(items))))
    }
    if let again {
      parts.append(.element("section", [:], .element("h2", [:], Markup("Again")), .element("pre", [:], Markup(again))))
    }
    return .element("main", [:], .joined(parts))
  }

  private var verdictWord: String {
    switch verdict {
    case .good: "Good."
    case .failing: "Fails."
    case .unknown: "Unknown."
    }
  }

  private func paragraph(_ text: String) -> Markup { .element("p", [:], Markup(text)) }

  /// The models and their states.
  private var totals: Markup {
    let head = ["model", "states", "fail", "how many of all"].map { Markup.element("th", ["scope": "col"], Markup($0)) }
    let rows = models.map { model in
      let name = model.name + (model.isMeasured ? "" : " (not measured)")
      let failing = model.failing ?? 0
      return Markup.element(
        "tr", [:], .element("th", ["scope": "row"], Markup(name)),
        .element("td", ["class": "number"], Markup("\(model.states)")),
        .element(
          "td", ["class": failing > 0 ? "number bad" : "number"], Markup(model.failing.map { "\($0)" } ?? "")),
        .element("td", [:], Markup(model.completeness)))
    }
    return .element(
      "section", [:], .element("h2", [:], Markup("States by model")),
      .element(
        "div", ["class": "scrolls"],
        .element(
          "table", [:], .element("thead", [:], .element("tr", [:], .joined(head))),
          .element("tbody", [:], .joined(rows)))))
  }
}

extension CrashPage.Finding {
  /// The section of this kind of failure, for a page of its own or another page.
  package func section(number: Int) -> Markup {
    let head: [Markup] = [
      .element(
        "h2", [:], .element("span", ["class": "number"], Markup("\(number)")), Markup(" "), Markup(sentence)),
      .element("p", ["class": "count"], Markup(count)), timelineAndWhy,
    ]
    let disk = files.isEmpty ? [] : [heading("On the disk"), blocks]
    return .element("section", ["class": "finding"], .joined(head + disk + [rest]))
  }

  /// The files as rows of blocks, and what the marks mean.
  package var blocks: Markup { .joined(files.map(\.picture) + [CrashPage.Finding.legend(of: files)]) }

  /// All but the sentence and the blocks, for a page that has these: what happened, and what was said.
  package var story: Markup { .joined([timelineAndWhy, rest]) }

  private var timelineAndWhy: Markup {
    var parts: [Markup] = []
    if !steps.isEmpty { parts += [heading("What was kept, and what was lost"), timeline] }
    if let why { parts.append(.element("p", ["class": "why"], .element("strong", [:], Markup("Why ")), Markup(why))) }
    return .joined(parts)
  }

  private var rest: Markup {
    var parts: [Markup] = []
    if !possibilities.isEmpty { parts += [heading("Where this can happen"), marks] }
    if !said.isEmpty { parts += [heading("What the check said"), check] }
    if !facts.isEmpty { parts.append(list(of: facts)) }
    if !again.isEmpty {
      parts += [heading("Again"), .element("pre", [:], Markup(again.joined(separator: "\n")))]
    }
    return .joined(parts)
  }

  private func heading(_ words: String) -> Markup { .element("h3", [:], Markup(words)) }

  private var timeline: Markup {
    let rows = steps.map { step in
      Markup.element(
        "li", ["class": step.mark.rawValue],
        .element("span", ["class": "mark"], Markup(step.mark.sign)),
        .element("span", ["class": "place"], Markup(step.number.map { "#\($0)" } ?? "")),
        .element("span", ["class": "what"], Markup(step.text)),
        .element("span", ["class": "word"], Markup(step.mark.word)))
    }
    return .element("ol", ["class": "timeline"], .joined(rows))
  }

  private var marks: Markup {
    let items = possibilities.map { one in
      let name = one.model + (one.isMeasured ? "" : " (not measured)")
      return Markup.element(
        "li", ["class": one.isPossible ? "possible" : "impossible"],
        .element("span", ["class": "mark"], Markup(one.isPossible ? "\u{2713}" : "\u{2013}")), Markup(name),
        .element("span", ["class": "unseen"], Markup(one.isPossible ? ": possible" : ": not possible")))
    }
    return .element("ul", ["class": "models"], .joined(items))
  }

  private var check: Markup {
    let lines = said.map { line in
      Markup.element("li", ["class": line.isBad ? "bad" : "plain"], Markup(line.text))
    }
    return .element("ul", ["class": "said"], .joined(lines))
  }

  private func list(of facts: [(label: String, value: String)]) -> Markup {
    let rows = facts.map { fact in
      Markup.joined([.element("dt", [:], Markup(fact.label)), .element("dd", [:], Markup(fact.value))])
    }
    return .element("dl", ["class": "facts"], .joined(rows))
  }
}

extension CrashPage.Finding.Mark {
  fileprivate var sign: String {
    switch self {
    case .kept: "\u{2713}"
    case .partly: "\u{25D0}"
    case .lost: "\u{2717}"
    case .crash: "\u{26A1}\u{FE0E}"
    }
  }

  fileprivate var word: String {
    switch self {
    case .kept: "kept"
    case .partly: "in part"
    case .lost: "lost"
    case .crash: ""
    }
  }
}
