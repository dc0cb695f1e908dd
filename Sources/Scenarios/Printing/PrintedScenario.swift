/// A scenario in the shape of counterexamples: a step a line, no comments.
package enum PrintedScenario {
  /// The text of a scenario in this shape; the text itself where it cannot be read.
  package static func text(of text: String) -> String {
    let (scenario, diagnostics) = Parser.scenario(in: text)
    return diagnostics.hasErrors ? text : ScenarioPrinter().text(scenario)
  }
}
