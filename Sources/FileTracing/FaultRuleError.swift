/// A fault rule that is refused, because it could never do what it says.
package struct FaultRuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the rule.
  package let rule: String
  /// What is wrong and what to write instead, a sentence without a full stop.
  package let reason: String

  /// The refusal of `rule` for this reason.
  package init(rule: String, reason: String) {
    self.rule = rule
    self.reason = reason
  }

  /// "fault 'f1': torn-rename needs 'on rename'".
  package var description: String { "fault '\(rule)': \(reason)" }
}

/// A fault that happened.
package struct FaultFiring: Hashable, Sendable {
  /// The name of the rule.
  package let rule: String
  /// The number of the operation in the log.
  package let operation: UInt64
  /// The number among the counted operations; nil where the operation is not a counted one.
  package var countedNumber: UInt64?
  /// The number among the operations that the rule matches, from 1; nil where nobody counted.
  package let matched: UInt64?

  /// The firing of `rule` at this operation.
  package init(rule: String, operation: UInt64, countedNumber: UInt64?, matched: UInt64? = nil) {
    self.matched = matched
    self.rule = rule
    self.operation = operation
    self.countedNumber = countedNumber
  }
}
