import Linting
import Testing

struct LintFindingTests {
  @Test func kindsHaveAWordEach() {
    #expect(Set(LintFinding.Kind.allCases.map(\.rawValue)).count == LintFinding.Kind.allCases.count)
  }
}
