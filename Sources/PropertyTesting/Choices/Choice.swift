/// One decision of a test case: what could have been chosen there, and what was.
///
/// A test case is nothing but the sequence of its choices: the same choices make the same case again.
package struct Choice: Hashable, Sendable {
  /// What was chosen.
  package let value: ChoiceValue
  /// What could have been chosen.
  package let constraint: Constraint
  /// True where the test left nothing to choose; a replay takes this value whatever its prefix says.
  package let isForced: Bool

  /// A choice. Precondition: the constraint permits the value.
  package init(_ value: ChoiceValue, of constraint: Constraint, isForced: Bool = false) {
    precondition(constraint.permits(value), "\(value) is not among \(constraint)")
    self.value = value
    self.constraint = constraint
    self.isForced = isForced
  }

  /// The choice that `source` makes without asking again whether its value is permitted.
  init(unchecked value: ChoiceValue, of constraint: Constraint, isForced: Bool) {
    self.value = value
    self.constraint = constraint
    self.isForced = isForced
  }

  /// True where no simpler value could be chosen.
  package var isSimplest: Bool { isForced || value == constraint.simplest }
}

/// The value of a choice.
package enum ChoiceValue: Hashable, Sendable {
  /// Yes or no; no is simpler.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// A finite number, never minus zero.
  case float(Double)
  /// Some bytes; fewer are simpler.
  case bytes([UInt8])
}

/// What a choice can be.
package enum Constraint: Hashable, Sendable {
  /// Yes with this chance, 0 to 1. Only one answer is permitted where the chance is 0 or 1.
  case bool(chance: Double)
  /// From `low` to `high`; the nearer to `origin`, which lies in between, the simpler.
  case int(low: Int, high: Int, origin: Int)
  /// From `low` to `high`, both finite.
  case float(low: Double, high: Double)
  /// From `fewest` to `most` bytes.
  case bytes(fewest: Int, most: Int)
}

extension Constraint {
  /// True where the value is one of those that can be chosen.
  package func permits(_ value: ChoiceValue) -> Bool {
    switch (self, value) {
    case (.bool(let chance), .bool(let value)): value ? chance > 0 : chance < 1
    case (.int(let low, let high, _), .int(let value)): low <= value && value <= high
    case (.float(let low, let high), .float(let value)):
      low <= value && value <= high && !(value == 0 && value.sign == .minus)
    case (.bytes(let fewest, let most), .bytes(let value)): fewest <= value.count && value.count <= most
    default: false
    }
  }

  /// How many values can be chosen; nil where they are too many to be tried one by one.
  package var count: Int? {
    switch self {
    case .bool(let chance): return chance > 0 && chance < 1 ? 2 : 1
    case .int(let low, let high, _):
      let (distance, overflows) = high.subtractingReportingOverflow(low)
      return overflows || distance >= Constraint.countedMax ? nil : distance + 1
    case .float(let low, let high): return low == high ? 1 : nil
    case .bytes(_, let most): return most == 0 ? 1 : nil
    }
  }

  private static let countedMax = 1 << 16
}
