import LNoteFsck
import Scenarios

extension CheckedScenario {
  /// The scenario as `lnote-scenario explore` runs it; nil where there is nothing to explore.
  ///
  /// Every crash in the course of its steps is gone through.
  ///
  /// - Parameters:
  ///   - depth: how deep crashes nest.
  ///   - goesOn: true where another session draws and saves behind a recovery, and is crashed with it.
  package func exploringCrashes(depth: Int = 1, goesOn: Bool = false) -> CheckedScenario? {
    let dangling = ProblemKind.all.filter { ["page-missing", "asset-missing"].contains($0.name) }
    return exploringCrashes(
      never: dangling.map { ExpectedProblem(code: $0.code, name: $0.name) }, depth: depth, goesOn: goesOn)
  }
}
