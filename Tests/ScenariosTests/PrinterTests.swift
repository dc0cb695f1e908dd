import Testing

@testable import Scenarios

/// A scenario that is printed and read again is the same.
@Suite struct PrinterTests {
  private func isKept(_ text: String) -> Bool {
    let (scenario, found) = Parser.scenario(in: text)
    guard !found.hasErrors else { return false }
    let printed = ScenarioPrinter().text(scenario)
    let (again, foundAgain) = Parser.scenario(in: printed)
    // Nothing is lost on the way, and the print is in its usual shape.
    return !foundAgain.hasErrors && ScenarioPrinter().text(again) == printed
      && ScenarioFormatter.formatted(printed) == printed && again.items.count == scenario.items.count
      && words(printed) == words(text)
  }

  /// The tokens without separators, figures by their value: `0.6s` and `600ms` are the same.
  private func words(_ text: String) -> [String] {
    // `fault` need not stand behind `with` and `and`.
    let text = text.replacing("with maybe fault", with: "with maybe").replacing("and fault", with: "and")
    return Lexer.tokens(of: text).tokens.filter { $0.kind != .separator }.map { token in
      guard case .number(let digits, let suffix) = token.kind,
        case .success(let scalar) = Measure.scalar(digits: digits, suffix: suffix)
      else { return token.spelling }
      return "\(scalar)"
    }
  }

  @Test(arguments: GrammarTests.forms)
  func keepsForms(_ form: String) {
    #expect(isKept("scenario v1 \"a \\\"b\\\" \\\\\"\n\(form)\n"), Comment(rawValue: form))
  }

  @Test(arguments: FormatterTests.files) func keepsFiles(_ name: String) throws {
    #expect(isKept(String(decoding: try ScenarioTexts.file(name), as: UTF8.self)))
  }
}
