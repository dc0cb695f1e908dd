/// What came of formatting a scenario's text.
package enum FormattedScenario: Sendable {
  /// The text in its usual shape.
  case formatted(String)
  /// The text cannot be read: the diagnostics as the user sees them.
  case unreadable(String)

  /// Formats the content of a file.
  package static func format(_ bytes: [UInt8], file: String) -> FormattedScenario {
    let text: String
    do throws(Diagnostic) {
      text = try SourceText.decoded(bytes)
    } catch {
      return .unreadable(SourceText("").shown(error, file: file))
    }
    let found = Parser.scenario(in: text).diagnostics
    guard found.hasErrors else { return .formatted(ScenarioFormatter.formatted(text)) }
    let source = SourceText(text)
    return .unreadable(found.reported.map { source.shown($0, file: file) }.joined())
  }
}
