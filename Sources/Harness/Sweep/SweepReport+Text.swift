import JSON
import Pages
import Terminal

extension SweepReport {
  /// What a terminal shows below the lines of the case: the models, and each reason with its first example.
  var text: String {
    var text = ""
    for model in models {
      let failing = model.failing == 0 ? "" : "; \(Figures.grouped(model.failing)) fail"
      let states = "\(Figures.counted(model.states, "state")), \(model.completeness.words)\(failing)"
      text += ReportLayout.row(" ", model.name, states)
    }
    for reason in classes { text += self.text(of: reason) }
    for example in looked { text += "  holds: \(example.name), \(example.moment)\n" + self.text(of: example) }
    if let fix { text += "  fix: \(fix.text)\n" }
    return text + (recovery?.text ?? "")
  }

  private func text(of reason: Class) -> String {
    let things = subject == .failures ? "failure" : "state"
    let place = subject == .recoveries ? " of recovery" : ""
    var text = "  \(Figures.counted(reason.count, things))\(place): \(reason.sentence)\n"
    text += "    first: \(reason.example.name), \(reason.example.moment)\n"
    return text + self.text(of: reason.example)
  }

  private func text(of example: Example) -> String {
    var text = ""
    if let name = example.stateName { text += "    name: \(name)\n" }
    for line in example.explanation { text += "    \(line)\n" }
    for line in example.lines {
      text += "    " + ReportLayout.row(line.line == 0 ? " " : "\(line.line)", line.step, line.resultText)
    }
    if let again = example.again {
      text += again.hasSuffix("{") ? "    again: \(again) … }\n" : "    again: \(again)\n"
    }
    return text
  }

  /// The report as an object.
  var json: JSONValue {
    .object([
      "subject": .string(subject.rawValue), "count": .integer(Int64(count)), "judged": .integer(Int64(judged)),
      "judgements": .integer(Int64(judgements)), "failing": .integer(Int64(failing)),
      "completeness": .string(completeness.words),
      "models": .array(
        models.map {
          .object([
            "name": .string($0.name), "states": .integer(Int64($0.states)), "failing": .integer(Int64($0.failing)),
            "completeness": .string($0.completeness.words),
          ])
        }),
      "reasons": .array(classes.map(json)), "recovery": recovery?.json ?? .null,
      "fix": fix.map { fix in
        .array(
          fix.syncs.map {
            .object([
              "fsync": .string($0.subject), "behind": .string($0.behind), "record": .integer(Int64($0.record)),
            ])
          })
      } ?? .null,
    ])
  }

  private func json(_ reason: Class) -> JSONValue {
    .object([
      "sentence": .string(reason.sentence), "count": .integer(Int64(reason.count)),
      "models": .array(reason.models.sorted().map { .string($0) }), "first": .string(reason.example.name),
      "moment": .string(reason.example.moment),
      "explanation": .array(reason.example.explanation.map { .string($0) }),
      "lines": .array(reason.example.lines.map(\.json)),
      "name": reason.example.stateName.map { .string($0) } ?? .null,
      "finding": finding(of: reason).json,
      "again": reason.example.again.map { .string($0) } ?? .null,
    ])
  }
}
