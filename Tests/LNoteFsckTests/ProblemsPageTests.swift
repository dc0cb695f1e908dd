import Files
import TestSupport
import Testing

@testable import LNoteFsck

@Suite struct ProblemsPageTests {
  @Test func thePageOfProblemsIsPrintedFromTheTable() throws {
    let docs = try HostVolume(root: repositoryRoot.appending("Docs/notes"))
    let page = String(decoding: try docs.bytes(of: "problems.md"), as: UTF8.self)
    if page != ProblemKind.page { Issue.record("Docs/notes/problems.md is not:\n\(ProblemKind.page)") }
  }

  @Test func anExplanationNamesEverything() throws {
    let text = ProblemKind.pageTruncated.explanation
    for part in ["LN3002 page-truncated", "What should be", "Usual cause", "Repair", "What may be lost", "by -y"] {
      #expect(text.contains(part))
    }
  }
}
