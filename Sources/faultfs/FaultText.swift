import FaultFS
import FileTracing
import Options
import Scenarios

/// The text of one fault, as it stands behind "fault" in a plan.
enum FaultText {
  /// Reads it; complaints have their place in the text as it was typed, with a caret below it.
  @Sendable static func read(_ text: String) -> FaultReading { read(text, option: "fault") }

  private static func read(_ text: String, option: String) -> FaultReading {
    guard !text.utf8.contains(UInt8(ascii: "\n")) else { return .wrong("a fault is one line\n") }
    let reading = FaultPlanReading.read(argument: text, option: option, name: nameOfUnnamed)
    guard let plan = reading.plan, let rule = plan.rules.first else { return .wrong(reading.text) }
    return .rule(rule, isNamed: rule.name != nameOfUnnamed)
  }

  /// What the reading is to call a fault without a name; with its blank, no text can give this name.
  private static let nameOfUnnamed = "no name"

  /// The rules of `--fault`, in order, and their texts; those without a name become "fault-1", "fault-2".
  static func read(_ words: [Word]) throws(Refusal) -> (rules: [FaultRule], texts: [String: String]) {
    var rules: [FaultRule] = []
    var texts: [String: String] = [:]
    for word in words {
      switch read(word.text, option: "--fault") {
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
