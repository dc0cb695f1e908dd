import Files
import LNoteFormat
import Pages
import Terminal

/// The second half: what support needs, in codes and evidence.
extension HTMLReport {
  var support: Markup {
    .element(
      "details", .element("summary", Markup("For support: codes and evidence")), facts,
      Markup.joined(run.items.map { evidence($0) }))
  }

  private var facts: Markup {
    let verified = run.verified
    let found = run.items.flatMap(\.report.found)
    let counts = ProblemKind.all.compactMap { kind -> String? in
      let count = found.count { $0.kind == kind }
      return count == 0 ? nil : "\(kind.code) \(kind.name): \(Figures.grouped(count))"
    }
    return list([
      ("Exit status", "\(run.exit.rawValue)"), ("Documents", Figures.grouped(run.items.count)),
      ("Pages read", Sentences.grouped(verified.pages)), ("Images read", Sentences.grouped(verified.images)),
      ("Bytes read", Sentences.grouped(verified.bytes)),
      ("Without checksum", Sentences.grouped(verified.withoutChecksum)),
      ("Problems repaired", Figures.grouped(run.items.reduce(0) { $0 + $1.report.repaired.count })),
      ("Strokes and images lost", Sentences.grouped(run.elementsLost)),
      ("Found", counts.isEmpty ? "nothing" : counts.joined(separator: ", ")),
    ])
  }

  private func evidence(_ item: RunReport.Item) -> Markup {
    let report = item.report
    if report.found.isEmpty && report.actions.isEmpty && report.left.isEmpty { return .nothing }
    var parts = [Markup.element("h3", Markup(printable(item.shown)))]
    parts += report.found.map { problem($0) }
    if !report.actions.isEmpty {
      let steps = report.actions.map { record in
        Markup.element("li", Markup(printable("\(record.didSucceed ? "" : "failed: ")\(record.step)")))
      }
      parts += [.element("p", Markup("Steps of the repair")), .element("ol", Markup.joined(steps))]
      let left = report.codesLeft().sorted { $0.key < $1.key }.map { "\($0.key) (\(Figures.grouped($0.value)))" }
      parts.append(
        .element(
          "p", Markup("Left when it was checked again: \(left.isEmpty ? "nothing" : left.joined(separator: ", "))")))
    }
    return .element("section", Markup.joined(parts))
  }

  private func problem(_ problem: Problem) -> Markup {
    var rows = [
      ("Kind", "\(problem.kind.name), \(problem.severity.rawValue), repair: \(problem.repairClass.rawValue)"),
      ("Says", ([problem.message] + problem.details).joined(separator: " ")),
    ]
    if let page = problem.page { rows.append(("Page", "\(page.number.map { "\($0), " } ?? "")\(page.id)")) }
    if let path = problem.path { rows.append(("File", "\(path)")) }
    if let offset = problem.offset { rows.append(("Offset", Sentences.grouped(offset))) }
    if !problem.evidence.isEmpty { rows.append(("Evidence", problem.evidence)) }
    if let kept = problem.recovered {
      let partial = kept.partial.map { ", and \(Sentences.points($0.samples)) of one more" } ?? ""
      rows.append(
        ("Can be kept", Sentences.elements(kept.elements, strokesOnly: kept.strokes == kept.elements) + partial))
    }
    if !problem.loss.isNothing {
      let least = problem.loss.isAtLeast ? "at least " : ""
      rows.append(
        (
          "Loss",
          "\(least)\(Sentences.elements(problem.loss.elements, strokesOnly: false)), \(Sentences.points(problem.loss.samples))"
        ))
    }
    return .element(
      "div", ["class": "problem"], .element("h4", Markup(problem.kind.code)), list(rows))
  }

  private func list(_ rows: [(name: String, value: String)]) -> Markup {
    .element(
      "dl", ["class": "facts"],
      Markup.joined(
        rows.flatMap { [.element("dt", Markup($0.name)), .element("dd", Markup(printable($0.value)))] }))
  }
}
