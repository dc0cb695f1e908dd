/// A scenario in plain words: its steps, and what each word means where it stands first.
package enum ScenarioExplanation: Sendable {
  case explained(String)
  /// The text cannot be read: the diagnostics as the user sees them.
  case unreadable(String)

  /// Explains the content of a file.
  package static func explain(_ bytes: [UInt8], file: String, files: ScenarioFiles) -> ScenarioExplanation {
    let text: String
    do throws(Diagnostic) {
      text = try SourceText.decoded(bytes)
    } catch {
      return .unreadable(SourceText("").shown(error, file: file))
    }
    var resolver = IncludeResolver(ScenarioSources(SourceText(text), name: file, files: files))
    let (own, parsing) = Parser.scenario(in: text)
    let scenario = resolver.resolve(own)
    var found = parsing
    found.add(resolver.diagnostics)
    if found.hasErrors { return .unreadable(found.reported.map { resolver.sources.shown($0) }.joined()) }
    var walk = Walk()
    walk.add(scenario)
    return .explained(walk.text)
  }

  /// Goes through the steps and remembers which words were explained.
  private struct Walk {
    var text = ""
    private var told: Set<[String]> = []
    private let printer = StepPrinter(environment: Environment(), saysPhases: true)

    mutating func add(_ scenario: Scenario) {
      text += "\(scenario.title)\n"
      for item in scenario.items {
        switch item {
        case .document(let document):
          let pages = document.pages.map { page in page.name.value }.joined(separator: ", ")
          text += "There is \"\(document.title.value)\" with page \(pages.isEmpty ? "none" : pages), safe on disk.\n"
        case .definition(let definition):
          line(definition.name.place, 0, "define \(definition.name.value)")
          add(definition.body.steps, depth: 1)
        case .step(let step): add([step], depth: 0)
        case .setting, .parameter, .include: break
        }
      }
      if RandomParts(scenario).isAnywhere {
        text += "Something is left to chance: each seed makes another case of it.\n"
      }
    }

    private mutating func add(_ steps: [Step], depth: Int) {
      for step in steps {
        let words = printer.line(step)
        line(step.place, depth, words)
        if let row = WordTable.row(forStep: words), told.insert(row.forms).inserted { meaning(row, depth) }
        switch step.action {
        case .repetition(_, let block), .shuffle(let block), .with(_, let block), .whenStore(_, let block),
          .cutBlock(_, _, let block):
          add(block.steps, depth: depth + 1)
        case .loop(let loop): add(loop.body.steps, depth: depth + 1)
        case .anyOf(let choices): for choice in choices { add(choice.steps, depth: depth + 1) }
        case .sweep(let sweep):
          add(sweep.body.steps, depth: depth + 1)
          if let next = sweep.next { add(next.steps, depth: depth + 1) }
          line(sweep.check.open, depth, "check")
          add(sweep.check.steps, depth: depth + 1)
        default: break
        }
      }
    }

    private mutating func line(_ place: SourcePlace, _ depth: Int, _ words: String) {
      let number = String(place.line)
      text += String(repeating: " ", count: max(4 - number.count, 0)) + number + "  "
      text += String(repeating: "  ", count: depth) + words + "\n"
    }

    private mutating func meaning(_ row: WordTable.Row, _ depth: Int) {
      guard !row.meaning.isEmpty else { return }
      text += String(repeating: " ", count: 10 + 2 * depth) + row.plainMeaning + "\n"
    }
  }
}
