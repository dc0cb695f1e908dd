import FileTracing
import Harness
import Scenarios

/// What a failure is called: the same mistake has the same name in every scenario that shows it.
///
/// Four parts: what does not hold, what went wrong, with which file, and the store.
/// No number is in it, no name that a scenario gave, and no place in any code.
package struct FailureSignature: Hashable, Sendable {
  /// What does not hold: "known-loss", "lost-stroke-called-durable".
  package let what: String
  /// What went wrong: "crash", "EIO", "kill".
  package let hazard: String
  /// The first operation that was lost or failed, with the role of its file: "write-of-image".
  package let operation: String
  /// The store: "snapshot".
  package let store: String

  /// "known-loss/crash/write-of-image/snapshot".
  package var text: String { [what, hazard, operation, store].joined(separator: "/") }

  /// The signature of a run that failed; nil where it did not.
  package init?(_ report: ScenarioReport, of scenario: CheckedScenario) {
    guard let failure = Failure(report) else { return nil }
    what = Self.what(failure.line)
    store = scenario.settings.stores.first ?? "snapshot"
    if let example = failure.example, let name = example.stateName {
      hazard = "crash"
      operation = Self.role(inStateName: name)
      return
    }
    let rules = scenario.steps.flatMap(\.rules)
    if let rule = rules.first {
      hazard = Self.hazard(of: rule.effect)
      operation = Self.role(of: rule)
    } else {
      hazard = Self.plainHazard(scenario.steps)
      operation = "none"
    }
  }

  /// What a line says that convicts, without names and numbers, and the problems that were found by their names.
  private static func what(_ line: ReportLine) -> String {
    if let found = line.result.firstRange(of: "found ") {
      let names = line.result[found.upperBound...].split(separator: " ").filter { word in
        word.contains("-") && word.allSatisfy { $0 == "-" || $0.isLowercase }
      }
      if !names.isEmpty { return Set(names.map(String.init)).sorted().joined(separator: "+") }
    }
    let result = line.result.hasPrefix("NO: ") ? line.result.dropFirst(4) : line.result[...]
    var words: [String] = []
    var isCounted = false
    for word in result.split(whereSeparator: { $0 == " " || $0 == "," || $0 == ":" }) {
      let isNumber = word.contains(where: \.isNumber)
      if !isNumber, word.allSatisfy({ $0.isLetter || $0 == "-" }) {
        var plain = word.lowercased()
        if isCounted, plain.last == "s" { plain.removeLast() }
        if !["the", "a", "that", "and", "it", "is", "was"].contains(plain) { words.append(plain) }
      }
      isCounted = isNumber
    }
    let said =
      line.line == 0
      ? []
      : line.step.split(separator: " ").prefix(3).map(String.init).filter { word in
        word.allSatisfy { $0.isLetter || $0 == "-" }
      }
    let all = said + words
    let kept = all.indices.filter { $0 == 0 || all[$0] != all[$0 - 1] }.map { all[$0] }
    return kept.prefix(9).joined(separator: "-")
  }

  /// "at write of page p1, lost: blocks 2-3 of write of image photo" is about "write-of-image".
  private static func role(inStateName name: String) -> String {
    let lost = name.firstRange(of: "lost: ").map { name[$0.upperBound...] } ?? name[...]
    let words = lost.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    let operations = ["create", "write", "truncate", "fsync", "rename", "link", "unlink", "mkdir", "rmdir"]
    guard let place = words.firstIndex(where: operations.contains) else { return "nothing" }
    let role = words[place...].prefix(4).first(where: roles.contains) ?? "other"
    return "\(words[place])-of-\(role)"
  }

  /// "EIO", "short-write".
  static func hazard(of effect: FaultEffect) -> String {
    if case .errno(let errno) = effect { errno.name } else { effect.word.rawValue }
  }

  /// "rename-of-page": operations and the role of the files that a rule hits.
  static func role(of rule: FaultRule) -> String {
    let operations = rule.operations.map(\.rawValue).sorted().joined(separator: "+")
    let words = rule.target?.spelling.split(separator: " ").map(String.init) ?? []
    return "\(operations.isEmpty ? "any" : operations)-of-\(words.first(where: roles.contains) ?? "any")"
  }

  private static let roles = ["page", "image", "document", "manifest", "thumbnail", "journal"]

  /// What goes wrong in steps where no rule is armed.
  static func plainHazard(_ steps: [CheckedStep]) -> String {
    for step in steps {
      switch step.action {
      case .kill: return "kill"
      case .powerCut, .chosenCut: return "power-cut"
      case .freeSpace: return "full-disk"
      case .armed(let conditions, let inner):
        if conditions.contains(where: { $0.rule == nil }) { return "full-disk" }
        let found = plainHazard(inner)
        if found != "none" { return found }
      default: break
      }
    }
    return "none"
  }
}

/// The line of a report that convicts, and the crash that it is about.
struct Failure {
  let line: ReportLine
  let example: SweepReport.Example?
  let views: PageViews?

  /// The first failure of a report; nil where there is none.
  init?(_ report: ScenarioReport) {
    for one in report.cases where one.verdict == .failed {
      let classes = (one.sweep?.classes ?? []) + (one.sweep?.recovery?.classes ?? [])
      if let first = classes.first, let line = first.example.lines.first(where: { !$0.holds }) {
        (self.line, example, views) = (line, first.example, first.example.views)
        return
      }
      if let line = one.lines.first(where: { !$0.holds }) {
        (self.line, example, views) = (line, nil, one.views)
        return
      }
    }
    return nil
  }
}
