import FileTracing

/// A scenario as text, in its usual shape; read again, it is the same scenario.
struct ScenarioPrinter {
  private let printer = StepPrinter(environment: Environment(), saysPhases: true)

  func text(_ scenario: Scenario) -> String {
    var lines = ["scenario v\(Parser.version) \(quoted(scenario.title))"]
    var before: String?
    for item in scenario.items {
      let (kind, more) = self.lines(item)
      // What belongs together stands together.
      if kind != before { lines.append("") }
      before = kind
      lines += more
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ item: ScenarioItem) -> (kind: String, lines: [String]) {
    switch item {
    case .setting(let setting): return ("settings", [self.setting(setting.kind)])
    case .parameter(let parameter):
      return ("settings", ["param \(parameter.name.value) = \(printer.scalar(parameter.value))"])
    case .include(let file): return ("settings", ["include \(quoted(file.value))"])
    case .definition(let definition):
      let parameters = definition.parameters.map(\.value).joined(separator: ", ")
      let head = "define \(definition.name.value)(\(parameters))"
      return ("define \(definition.name.value)", block(head, definition.body.steps, 0))
    case .document(let document): return ("documents", self.document(document))
    case .step(let step): return ("steps", lines(step, 0))
    }
  }

  // MARK: Outside of blocks

  private func setting(_ kind: Setting.Kind) -> String {
    switch kind {
    case .store(let words): "store " + list(words)
    case .model(let words): "model " + list(words)
    case .autosave(let time): "autosave " + printer.duration(time)
    case .seed(let word): "seed " + word.value
    case .durability(let words): "durability " + list(words)
    case .budget(let cases, let time):
      (["budget"] + [cases.map { "\($0.value) cases" }, time.map { printer.duration($0) }].compactMap { $0 })
        .joined(separator: " ")
    case .tags(let words): "tags " + list(words)
    case .issue(let text): "issue " + quoted(text)
    case .knownFailing(let text): "known-failing " + quoted(text)
    case .command(let text): "command " + quoted(text)
    case .mutant(let word): "mutant " + word.value
    case .thumbnails(let word): "thumbnails " + word.value
    }
  }

  private func list(_ words: [Word]) -> String { words.map(\.value).joined(separator: ", ") }

  private func document(_ document: DocumentSyntax) -> [String] {
    let head = "document \(quoted(document.title.value))" + (document.alias.map { " as \($0.value)" } ?? "")
    let pages = document.pages.map { page in
      "page \(page.name.value)" + (page.canvas.map { " \($0.width)x\($0.height)" } ?? "")
        + [("strokes", page.strokes), ("points", page.points), ("images", page.images)].map { word, number in
          number.map { " \(word) \(printer.number($0))" } ?? ""
        }.joined()
    }
    if pages.count < 2 { return [head + " { " + pages.map { "\($0) " }.joined() + "}"] }
    return [head + " {"] + pages.map { "  \($0)" } + ["}"]
  }

  // MARK: Steps

  private func block(_ head: String, _ steps: [Step], _ depth: Int) -> [String] {
    if steps.isEmpty { return ["\(indent(depth))\(head) { }"] }
    return ["\(indent(depth))\(head) {"] + steps.flatMap { lines($0, depth + 1) } + ["\(indent(depth))}"]
  }

  private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

  private func lines(_ step: Step, _ depth: Int) -> [String] {
    let line = printer.line(step)
    switch step.action {
    case .repetition(_, let block), .with(_, let block), .whenStore(_, let block), .cutBlock(_, _, let block),
      .shuffle(let block):
      return self.block(line, block.steps, depth)
    case .loop(let loop): return block(line, loop.body.steps, depth)
    case .anyOf(let choices):
      let inner = choices.flatMap { choice -> [String] in
        // A step with a block needs braces of its own here.
        if choice.steps.count == 1, !choice.steps[0].hasBlock {
          return ["\(indent(depth + 1))\(choice.weight.value): \(printer.line(choice.steps[0]))"]
        }
        return block("\(choice.weight.value):", choice.steps, depth + 1)
      }
      return inner.isEmpty
        ? ["\(indent(depth))any of { }"] : ["\(indent(depth))any of {"] + inner + ["\(indent(depth))}"]
    case .sweep(let sweep):
      return block("\(line) in", sweep.body.steps, depth)
        + (sweep.next.map { block("then", $0.steps, depth) } ?? []) + block("check", sweep.check.steps, depth)
    default: return [indent(depth) + line]
    }
  }

  private func quoted(_ text: String) -> String { printer.quoted(text) }
}
