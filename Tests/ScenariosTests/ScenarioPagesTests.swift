import FileTracing
import Files
import Testing

@testable import Scenarios

/// The pages for writers of scenarios say every word, and their examples run.
@Suite struct ScenarioPagesTests {
  static func page(_ name: String) throws -> String {
    String(decoding: try ScenarioTexts.file("Docs/scenarios/\(name)"), as: UTF8.self)
  }

  static let words: [String] =
    Synonyms.steps + Synonyms.items.filter { $0 != "command" } + EffectSyntax.words + OperationWord.words
    + TornRename.all.map(\.name) + TargetSyntax.Role.allCases.map(\.rawValue)
    + ["nth", "every", "after-bytes", "probability", "times", "before", "during", "after", "keep-all", "keep-none"]
    + ["losing", "keeping"]
    + ["fsck clean", "no-loss", "exactly", "never", "equals", "between", "at-least", "has 3 elements", "missing"]
    + Checker.reservedStates + StrokeStep.Pen.allCases.map(\.rawValue)

  @Test(arguments: Set(words).sorted()) func saysTheWord(_ word: String) throws {
    let page = try Self.page("words.md")
    let letters = { (character: Character?) in character.map { $0.isLetter || $0.isNumber || $0 == "-" } ?? false }
    let isThere = page.ranges(of: word).contains { range in
      let before = range.lowerBound == page.startIndex ? nil : page[page.index(before: range.lowerBound)]
      let after = range.upperBound == page.endIndex ? nil : page[range.upperBound]
      return !letters(before) && !letters(after)
    }
    #expect(isThere)
  }

  @Test func examplesRun() throws {
    var count = 0
    for name in ["README.md", "words.md"] {
      for piece in try Self.page(name).components("```scn\n").dropFirst() {
        let text = piece.components("```")[0]
        #expect(ScenarioTexts.reading(text).text == "")
        #expect(ScenarioTexts.reading(text).scenario != nil)
        count += 1
      }
    }
    #expect(count == 1)
  }

  @Test func thePlanIsOne() throws {
    let text = try Self.page("words.md").components("## Plans").last?.components("```")[1] ?? ""
    #expect(FaultPlanReading.read(Array(text.utf8), file: "plan").plan?.rules.count == 2)
  }

  @Test func theDiagnosticIsAsShown() throws {
    let shown = ScenarioTexts.parsing("scenario v1 \"t\"\nwith EIO on renam of page p1 nth 1 { background }\n")
    let indented = shown.split(separator: "\n").map { "   \($0)\n" }.joined()
    #expect(try Self.page("README.md").contains(indented))
  }

  /// Every step of the table, and every block, parses.
  @Test func everyStepOfTheTablesParses() throws {
    let page = try Self.page("words.md")
    let tables = page.components("## Steps\n")[1].components("## Faults")[0]
    for row in tables.split(separator: "\n") where row.hasPrefix("| `") {
      for (place, piece) in row.components("|")[1].components("`").enumerated() where place % 2 == 1 {
        let step = piece.replacing("…", with: piece.contains("on …") ? "write" : "").replacing("EFFECT", with: "EIO")
          .replacing("NAME", with: "a")
        let text =
          piece.contains("fault …")
          ? "maybe fault EIO on write" : step.replacing("on write { write }", with: "on write { }")
        #expect(ScenarioTexts.parsing("scenario v1 \"t\"\n\(text)\n") == "")
      }
    }
  }
}

extension String {
  /// The pieces between the separators.
  fileprivate func components(_ separator: String) -> [String] {
    var pieces: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      pieces.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return pieces + [String(rest)]
  }
}

extension Substring {
  fileprivate func components(_ separator: String) -> [String] { String(self).components(separator) }
}
