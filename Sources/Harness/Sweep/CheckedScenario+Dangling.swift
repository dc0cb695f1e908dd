import LNoteFsck
import Scenarios

extension CheckedScenario {
  /// The scenario as `lnote-scenario explore` runs it; nil where there is nothing to explore.
  ///
  /// Every crash in the course of its steps is gone through.
  package var exploringCrashes: CheckedScenario? {
    let dangling = ProblemKind.all.filter { ["page-missing", "asset-missing"].contains($0.name) }
    return exploringCrashes(never: dangling.map { ExpectedProblem(code: $0.code, name: $0.name) })
  }
}
