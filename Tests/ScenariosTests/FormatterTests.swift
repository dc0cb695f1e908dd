import TestSupport
import Testing

@testable import Scenarios

/// The formatter changes space only, and nothing the second time.
@Suite struct FormatterTests {
  static let texts: [(text: String, formatted: String)] = [
    ("scenario   v1  \"t\"", "scenario v1 \"t\"\n"),
    ("\n\nscenario v1 \"t\" # a  \n\n\n\nclose;;close ;\n\n", "scenario v1 \"t\"  # a\n\nclose; close\n"),
    ("scenario v1 \"t\"\nrepeat 3{close}\n", "scenario v1 \"t\"\nrepeat 3 { close }\n"),
    (
      "scenario v1 \"t\"\nrepeat 3 { close; reopen\n\n\nkill } # c\n# d",
      "scenario v1 \"t\"\nrepeat 3 {\n  close; reopen\n\n  kill\n}  # c\n# d\n"
    ),
    (
      "scenario v1 \"t\"\nrepeat 3 {\n\n# why\nclose\n# last\n\n}\n",
      "scenario v1 \"t\"\nrepeat 3 {\n  # why\n  close\n  # last\n}\n"
    ),
    (
      "scenario v1 \"t\"\nwith EIO on write\nand free-space 5B {\nclose\n}\n",
      "scenario v1 \"t\"\nwith EIO on write\n  and free-space 5B {\n  close\n}\n"
    ),
    (
      "scenario v1 \"t\"\nclose # a\nbackground # b\n\nkill # c\n",
      "scenario v1 \"t\"\nclose       # a\nbackground  # b\n\nkill  # c\n"
    ),
    (
      "scenario v1 \"t\"\nfor each crash in {\n close } check { reopen }\n",
      "scenario v1 \"t\"\nfor each crash in {\n  close\n} check { reopen }\n"
    ),
    (
      "scenario v1 \"t\"\nstroke p1 at - 1 , 2 width one  of(1 ,2) points 1 .. 5\nany of{1:do d (p1 , 2)}\n",
      "scenario v1 \"t\"\nstroke p1 at -1, 2 width one of (1, 2) points 1..5\nany of { 1: do d(p1, 2) }\n"
    ),
    ("scenario v1 \"t\"\nnote \"a  #  b\"   #c # d\n", "scenario v1 \"t\"\nnote \"a  #  b\"  #c # d\n"),
    (
      "scenario v1 \"t\"\nfor n = 1 ..  until success{close}",
      "scenario v1 \"t\"\nfor n = 1.. until success { close }\n"
    ),
    (
      "scenario v1 \"t\"\nexpect count \"a\"<= 3;delete $page . s",
      "scenario v1 \"t\"\nexpect count \"a\" <= 3; delete $page.s\n"
    ),
  ]

  @Test(arguments: texts) func formats(text: String, formatted: String) {
    #expect(ScenarioTexts.parsing(text) == "")
    #expect(ScenarioFormatter.formatted(text) == formatted)
    #expect(ScenarioFormatter.formatted(formatted) == formatted)
  }

  static let files =
    ScenarioTexts.examples.map { "Tests/Fixtures/scenarios/\($0)" } + ScenarioTexts.ours.map { "Scenarios/\($0)" }

  /// What a text says: its tokens, and its comments.
  static func meaning(_ text: String) -> (tokens: [Token.Kind], comments: [String]) {
    let tokens = Lexer.tokens(of: text).tokens.map(\.kind)
    // Separators at the edges of blocks and files mean nothing.
    let kinds = tokens.enumerated().filter { place, kind in
      guard kind == .separator else { return true }
      let next = place + 1 < tokens.count ? tokens[place + 1] : .end
      let before = place > 0 ? tokens[place - 1] : .end
      return ![.end, .symbol(.closeBrace), .word("and"), .word("check"), .word("then")].contains(next)
        && ![.end, .symbol(.openBrace)].contains(before)
    }.map(\.element)
    let comments = text.split(separator: "\n").compactMap { line -> String? in
      var isInString = false
      for (place, character) in zip(line.indices, line) {
        if character == "\"" { isInString.toggle() }
        if character == "#", !isInString { return line[place...].trimmed }
      }
      return nil
    }
    return (kinds, comments)
  }

  static func isKept(_ text: String) -> Bool {
    let formatted = ScenarioFormatter.formatted(text)
    let (before, after) = (meaning(text), meaning(formatted))
    return before.tokens == after.tokens && before.comments == after.comments
      && ScenarioFormatter.formatted(formatted) == formatted && ScenarioTexts.parsing(formatted) == ""
  }

  @Test(arguments: files) func keepsFiles(_ name: String) throws {
    #expect(Self.isKept(String(decoding: try ScenarioTexts.file(name), as: UTF8.self)))
  }

  @Test(arguments: GrammarTests.forms) func keepsForms(_ form: String) {
    #expect(Self.isKept("scenario v1 \"test\"\n\(form)\n"))
    #expect(Self.isKept("# first\n\nscenario v1 \"test\" ; \(form) # last"))
  }

  /// Space put in and taken away at random: what still parses is formatted to the same.
  @Test(arguments: files) func undoesSpaces(_ name: String) throws {
    let text = ScenarioFormatter.formatted(String(decoding: try ScenarioTexts.file(name), as: UTF8.self))
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    var kept = 0
    for _ in 0..<20 {
      var changed = ""
      for character in text {
        switch (character, Int.random(in: 0..<6, using: &random)) {
        case (" ", 0): changed += "  "
        case (" ", 1): changed += "\t "
        case ("\n", 0): changed += "  \n"
        case ("\n", 1): changed += "\n\n\n"
        case ("{", 0): changed += "  {"
        default: changed.append(character)
        }
      }
      guard ScenarioTexts.parsing(changed) == "" else { continue }
      kept += Self.isKept(changed) ? 1 : 0
      // Space in strings and comments is the writer's own.
      let words = { (text: String) in text.split { " \t\n".contains($0) } }
      #expect(words(ScenarioFormatter.formatted(changed)) == words(text))
    }
    #expect(kept == 20)
  }

  @Test func refusesWhatItCannotRead() {
    guard
      case .unreadable(let text) = FormattedScenario.format(Array("scenario v1 \"t\"\nstrok p1\n".utf8), file: "a.scn")
    else { return #expect(Bool(false)) }
    #expect(text.hasPrefix("a.scn:2:1: error: unknown step 'strok'"))
  }

  /// What the project keeps is formatted.
  @Test(arguments: ScenarioTexts.ours + ["torn-page.scn", "thumbnail-full-disk.scn"]) func oursAreFormatted(
    _ name: String
  ) throws {
    let text = String(decoding: try ScenarioTexts.file("Scenarios/\(name)"), as: UTF8.self)
    #expect(ScenarioFormatter.formatted(text) == text)
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
