import FaultFS
import FileTracing
import Options
import Scenarios

/// The text of one fault, as it stands behind "fault" in a plan, or of a bound on space.
enum FaultText {
  /// Reads it; complaints have their place in the text as it was typed, with a caret below it.
  @Sendable static func read(_ text: String) -> FaultReading { read(text, option: "fault") }

  private static func read(_ text: String, option: String) -> FaultReading {
    guard !text.utf8.contains(UInt8(ascii: "\n")) else { return .wrong("a fault is one line\n") }
    let reading = FaultPlanReading.read(argument: text, option: option, name: nameOfUnnamed)
    if let bound = reading.plan?.freeSpace { return .freeSpace(bound) }
    guard let plan = reading.plan, let rule = plan.rules.first else { return .wrong(reading.text) }
    return .rule(rule, isNamed: rule.name != nameOfUnnamed)
  }

  /// What the reading is to call a fault without a name; with its blank, no text can give this name.
  private static let nameOfUnnamed = "no name"

  /// The plan of all `--fault`, in order; faults without a name become "fault-1", "fault-2".
  static func read(_ words: [Word]) throws(Refusal) -> FaultPlan {
    var plan = FaultPlan()
    for word in words {
      switch read(word.text, option: "--fault") {
      case .wrong(let lines): throw Refusal(ExitCode.usage, lines: lines)
      case .freeSpace(let bound):
        if plan.freeSpace != nil { throw Refusal(ExitCode.usage, "--fault: the free space is given twice.") }
        plan.freeSpace = bound
      case .rule(var rule, let isNamed):
        if !isNamed { rule.name = "fault-\(plan.rules.count + 1)" }
        plan.rules.append(rule)
      }
    }
    return plan
  }
}
