import Testing

@testable import Scenarios

/// Steps that are about one of several documents.
@Suite struct SeveralDocumentsTests {
  /// What is about a document says which; a page that is added belongs to the one in front of its point.
  @Test func severalDocumentsAreToldApart() throws {
    let text = """
      scenario v1 "t"
      document "A" { page p1 }
      document "B" as other { page p1 }
      define again(which) { undo 2 in $which; redo in $which }
      do again(other)
      title "x" in a
      add page other.p2 at 0
      stroke other.p2
      add page a.p2
      """
    let scenario = try #require(ScenarioTexts.reading(text).scenario)
    let found = scenario.steps.map { step -> String in
      switch step.action {
      case .undo(let document, let count): "undo \(count) \(document.name)"
      case .redo(let document, let count): "redo \(count) \(document.name)"
      case .title(let document, let title): "title \(title) \(document.name)"
      case .addPage(let page, let place): "add \(page.reference.spelling) \(place ?? -1)"
      case .stroke(let stroke): "stroke \(stroke.stroke.page.spelling)"
      default: step.description
      }
    }
    #expect(
      found == [
        "undo 2 other", "redo 1 other", "title x a", "add other.p2 0", "stroke other.p2", "add a.p2 -1",
      ])
  }
}
