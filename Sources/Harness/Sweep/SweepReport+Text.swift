import JSON
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
    return text + (recovery?.text ?? "")
  }

  private func text(of reason: Class) -> String {
    let things = subject == .failures ? "failure" : "state"
    let place = subject == .recoveries ? " of recovery" : ""
    var text = "  \(Figures.counted(reason.count, things))\(place): \(reason.sentence)\n"
    text += "    first: \(reason.example.name), \(reason.example.moment)\n"
    for line in reason.example.explanation { text += "    \(line)\n" }
    for line in reason.example.lines {
      text += "    " + ReportLayout.row(line.line == 0 ? " " : "\(line.line)", line.step, line.resultText)
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
      "reasons": .array(classes.map(SweepReport.json)), "recovery": recovery?.json ?? .null,
    ])
  }

  private static func json(_ reason: Class) -> JSONValue {
    .object([
      "sentence": .string(reason.sentence), "count": .integer(Int64(reason.count)),
      "models": .array(reason.models.sorted().map { .string($0) }), "first": .string(reason.example.name),
      "moment": .string(reason.example.moment),
      "explanation": .array(reason.example.explanation.map { .string($0) }),
      "lines": .array(reason.example.lines.map(\.json)),
    ])
  }
}
