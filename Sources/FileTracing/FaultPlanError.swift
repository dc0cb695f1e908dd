/// What is wrong with the JSON form of a fault plan, and where.
package struct FaultPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The way to the field: "rules[2].target.side"; empty for the whole.
  package let field: String
  /// What is wrong, a sentence without a full stop.
  package let message: String

  /// An error of this field.
  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }

  /// "rules[2].target.side: 'form' is none of either from to".
  package var description: String { field.isEmpty ? message : "\(field): \(message)" }
}
