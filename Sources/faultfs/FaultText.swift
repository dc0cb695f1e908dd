import FaultFS
import FileTracing
import Options
import Scenarios

/// The text of one fault, as it stands behind "fault" in a plan.
enum FaultText {
  /// Reads it; complaints have their place, with a caret below the text.
  @Sendable static func read(_ text: String) -> FaultReading {
    guard !text.utf8.contains(UInt8(ascii: "\n")) else { return .wrong("a fault is one line\n") }
    let reading = FaultPlanReading.read(Array("fault \(text)".utf8), file: "fault")
    guard let plan = reading.plan, let rule = plan.rules.first else { return .wrong(reading.text) }
    return .rule(rule, isNamed: rule.name != nameOfUnnamed)
  }

  /// What the reading calls a fault on its first line that has no name.
  private static let nameOfUnnamed = "line 1"

  /// The rules of `--fault`, in order, and their texts; those without a name become "fault-1", "fault-2".
  static func read(_ words: [Word]) throws(Refusal) -> (rules: [FaultRule], texts: [String: String]) {
    var rules: [FaultRule] = []
    var texts: [String: String] = [:]
    for word in words {
      switch read(word.text) {
      case .wrong(let lines): throw Refusal(ExitCode.usage, lines: lines)
      case .rule(var rule, let isNamed):
        if !isNamed { rule.name = "fault-\(rules.count + 1)" }
        rules.append(rule)
        texts[rule.name] = word.text
      }
    }
    return (rules, texts)
  }
}
