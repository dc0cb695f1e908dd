import Files
import JSON
import LNoteFsck

/// What one run over a library came to.
package struct DamageRun {
  /// A report on each package, and on what is around them.
  package let reports: [PackageReport]

  /// Everything that was found first.
  package var found: [Problem] { reports.flatMap(\.found) }
  /// Everything that is left.
  package var left: [Problem] { reports.flatMap(\.left) }
  /// Everything that was done.
  package var actions: [RepairRecord] { reports.flatMap(\.actions) }
  /// How the run ends.
  package var exit: FsckExit { reports.reduce([]) { $0.union($1.exit) } }

  /// "LN3001 E Y pages/<page1>.content", and what is lost where something is.
  package static func line(_ problem: Problem, _ stage: DamageStage) -> String {
    var line = "\(problem.kind.code) \(problem.severity.letter) \(problem.repairClass.letter)"
    if let path = problem.path { line += " \(path)" }
    if !problem.loss.isNothing {
      line += " loses \(problem.loss.isAtLeast ? ">=" : "")\(problem.loss.elements) elements"
      if problem.loss.samples > 0 { line += " \(problem.loss.samples) points" }
    }
    return stage.named(line)
  }

  /// The run as the pinned expectations have it.
  package func json(_ stage: DamageStage) -> JSONValue {
    var fields: [String: JSONValue] = [
      "exit": .integer(Int64(exit.rawValue)), "found": .array(found.map { .string(DamageRun.line($0, stage)) }),
    ]
    if !actions.isEmpty { fields["actions"] = .array(actions.map { .string(stage.named("\($0.step)")) }) }
    let leftLines = left.map { DamageRun.line($0, stage) }
    if !actions.isEmpty || leftLines != found.map({ DamageRun.line($0, stage) }) {
      fields["left"] = .array(leftLines.map { .string($0) })
    }
    return .object(fields)
  }
}
