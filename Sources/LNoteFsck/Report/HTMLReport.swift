import LNoteFormat
import Pages
import Terminal

/// A run as one file for a browser.
///
/// First for whoever owns the notes, in sentences and pictures; then, folded, for whoever helps them.
package struct HTMLReport {
  let run: RunReport
  private let text: TextReport
  private let time: Timestamp
  private let version: String
  private let isPrivate: Bool

  /// The report of a run that ended at `time`.
  ///
  /// - Parameter isPrivate: leaves out titles, pictures and what the user called folders.
  package init(_ run: RunReport, time: Timestamp, version: String, isPrivate: Bool) {
    self.run = isPrivate ? run.withoutTitles : run
    text = TextReport(self.run, paint: Paint(isOn: false))
    self.time = time
    self.version = version
    self.isPrivate = isPrivate
  }

  /// The whole file.
  package var bytes: [UInt8] {
    let body = Markup.element("main", head, Markup.joined(run.items.map { document($0) }), whatNow, support, foot)
    return Array(
      Markup.page(title: "Notes, checked", style: HTMLReport.style, body: body).utf8)
  }

  // MARK: For the owner

  private var head: Markup {
    .element(
      "header",
      .element("p", ["class": "kind"], Markup("lnote-fsck, \(day)")),
      .element("h1", Markup(headline)),
      .element(
        "div", ["class": "verdict \(mood)"],
        Markup.joined((run.errors + paragraphs(text.summary)).map { .element("p", Markup(printable($0))) })))
  }

  private var day: String { "\(time.text.prefix(10)) \(time.text.dropFirst(11).prefix(5)) UTC" }

  private var headline: String {
    let exit = run.exit
    if exit.contains(.operational) || exit.contains(.usage) { return "Not everything could be checked" }
    if exit.contains(.repaired) && exit.contains(.errorsLeft) { return "Repaired, and something is missing" }
    if exit.contains(.repaired) { return "Your notes are repaired" }
    if exit.contains(.errorsLeft) && !run.isStrictAlone { return "Some notes are damaged" }
    return run.items.allSatisfy { $0.report.isClean } ? "Your notes are sound" : "Something to look at"
  }

  private var mood: String {
    let exit = run.exit
    if exit.contains(.operational) || exit.contains(.usage) { return "unknown" }
    return exit.contains(.errorsLeft) && !run.isStrictAlone ? "failing" : "good"
  }

  private func document(_ item: RunReport.Item) -> Markup {
    let report = item.report
    let sentences = sentences(report)
    if sentences.isEmpty { return .nothing }
    let title = report.title.map { printable($0) } ?? "(no title)"
    return .element(
      "section", ["class": "finding"],
      .element("h2", Markup(title)), .element("p", ["class": "kind"], Markup(text.verdict(report))),
      .element("ul", Markup.joined(sentences.map { .element("li", $0) })),
      pictures(run.pictures[item.shown] ?? [], didChange: report.didChange))
  }

  private func sentences(_ report: PackageReport) -> [Markup] {
    var sentences = report.repaired.map { marked("fixed", Sentences.done($0)) }
    if !report.asides.isEmpty {
      sentences.append(marked("set aside", report.asidesTold))
    }
    for problem in report.shown where !text.isOwnLoss(problem, report) {
      let words = ([problem.message] + problem.details).joined(separator: " ")
      sentences.append(marked(HTMLReport.word(problem), words))
    }
    if !report.actions.isEmpty && report.refusal == nil { sentences.append(Markup(text.checkedAgain(report))) }
    return sentences
  }

  private func marked(_ word: String, _ sentence: String) -> Markup {
    let kind = word == "fixed" ? "good" : word == "error" ? "bad" : "part"
    return .joined([.element("b", ["class": kind], Markup(word)), Markup(" \(printable(sentence))")])
  }

  static func word(_ problem: Problem) -> String {
    if problem.repairClass == .operational { return "not read" }
    switch problem.severity {
    case .fatal, .error: return "error"
    case .warning: return "to look at"
    case .info: return "note"
    }
  }

  private func pictures(_ pictures: [PagePictures], didChange: Bool) -> Markup {
    .joined(
      pictures.map { picture in
        let page = picture.page.number.map { "Page \(Figures.grouped($0))" } ?? "A page that is not listed"
        var figures = [
          figure(
            picture.before, "\(page): what can be read", didChange ? "Before" : "What can be read",
            otherwise: "Nothing of it can be read")
        ]
        if didChange {
          figures.append(
            figure(picture.after, "\(page): after the repair", "After the repair", otherwise: "An empty page"))
        }
        if let thumbnail = picture.thumbnail {
          figures.append(
            figure(thumbnail, "\(page): the app's last small picture", "The app's last small picture of it"))
        }
        return .joined([
          .element("h3", Markup(page)), .element("div", ["class": "pictures"], Markup.joined(figures)),
        ])
      })
  }

  private func figure(
    _ jpeg: [UInt8]?, _ alternative: String, _ caption: String, otherwise empty: String = ""
  ) -> Markup {
    let picture =
      jpeg.map { Markup.picture("data:image/jpeg;base64,\(base64($0))", alternative: alternative) }
      ?? .element("p", ["class": "empty"], Markup(empty))
    return .element("figure", picture, .element("figcaption", Markup(caption)))
  }

  private var whatNow: Markup {
    let lines = Advice.lines(for: run)
    if lines.isEmpty && text.asideFolders.isEmpty { return .nothing }
    return .element(
      "section", .element("h2", Markup("What now")),
      Markup.joined(blocks(text.asideFolders)), Markup.joined(blocks(lines)))
  }

  /// Lines of a terminal as paragraphs, and what is to be copied as it is.
  private func blocks(_ lines: [String]) -> [Markup] {
    var blocks: [Markup] = []
    var words = ""
    for line in lines + [""] {
      let isCopied = line.hasPrefix("    ")
      let isSentenceEnd = words.hasSuffix(".") || words.hasSuffix(":")
      if !words.isEmpty && (isCopied || line.isEmpty || isSentenceEnd) {
        blocks.append(.element("p", Markup(words)))
        words = ""
      }
      let text = String(line.drop { $0 == " " })
      if isCopied {
        blocks.append(.element("pre", Markup(text)))
      } else if !text.isEmpty {
        words += (words.isEmpty ? "" : " ") + text
      }
    }
    return blocks
  }

  /// Lines of a terminal as whole paragraphs.
  private func paragraphs(_ lines: [String]) -> [String] {
    lines.split(separator: "", omittingEmptySubsequences: true).map { $0.joined(separator: " ") }
  }

  private var foot: Markup {
    let words =
      isPrivate
      ? "Titles, pictures and the names of folders were left out of this report."
      : "This file holds everything it shows. Pages on which something is damaged are pictured in it."
    return .element("p", ["class": "kind"], Markup("\(words) Made by lnote-fsck \(version)."))
  }
}
