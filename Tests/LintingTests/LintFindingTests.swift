import Linting
import Testing

struct LintFindingTests {
  @Test func kindsAndCausesHaveAWordEach() {
    #expect(Set(LintFinding.Kind.allCases.map(\.rawValue)).count == LintFinding.Kind.allCases.count)
    #expect(Set(LintFinding.Cause.allCases.map(\.rawValue)).count == LintFinding.Cause.allCases.count)
    #expect(Set(LintFinding.Cause.allCases.map(\.kind)) == Set(LintFinding.Kind.allCases))
  }
}
