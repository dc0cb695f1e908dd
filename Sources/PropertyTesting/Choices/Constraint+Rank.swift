/// How complex a value is among those that its constraint permits: 0 is the simplest.
///
/// - bool: no, then yes.
/// - int: the origin, one above, one below, two above …, and where one side is used up, on along the other.
/// - float: by `FloatRank`.
/// - bytes have no number: fewer first, then in the order of a dictionary.
extension Constraint {
  /// The complexity of a permitted value that is not bytes.
  package func rank(of value: ChoiceValue) -> UInt64 {
    switch (self, value) {
    case (.bool, .bool(let value)): value ? 1 : 0
    case (.int(let low, let high, let origin), .int(let value)):
      Constraint.rank(of: value, from: low, to: high, around: origin)
    case (.float, .float(let value)): FloatRank.rank(of: value)
    case (.bytes, .bytes(let value)): UInt64(value.count)
    default: .max
    }
  }

  /// The simplest value that can be chosen.
  package var simplest: ChoiceValue {
    switch self {
    case .bool(let chance): .bool(chance >= 1)
    case .int(_, _, let origin): .int(origin)
    case .float(let low, let high): .float(FloatRank.simplest(from: low, to: high))
    case .bytes(let fewest, _): .bytes([UInt8](repeating: 0, count: fewest))
    }
  }

  private static func rank(of value: Int, from low: Int, to high: Int, around origin: Int) -> UInt64 {
    let near = min(distance(origin, high), distance(low, origin))
    if value >= origin {
      let above = distance(origin, value)
      return above > near ? near + above : above == 0 ? 0 : 2 * above - 1
    }
    let below = distance(value, origin)
    return below > near ? near + below : 2 * below
  }

  /// How far it is from a number up to another one; never overflows.
  static func distance(_ low: Int, _ high: Int) -> UInt64 { UInt64(bitPattern: Int64(high &- low)) }
}

/// The order of test cases: fewer choices first, then simpler ones, left to right.
package enum Shortlex {
  /// True where the first case is simpler than the second.
  package static func isSimpler(_ first: [Choice], than second: [Choice]) -> Bool {
    if first.count != second.count { return first.count < second.count }
    for (one, other) in zip(first, second) where one.value != other.value {
      return isSimpler(one, than: other)
    }
    return false
  }

  private static func isSimpler(_ one: Choice, than other: Choice) -> Bool {
    if case .bytes(let bytes) = one.value, case .bytes(let others) = other.value, bytes.count == others.count {
      return bytes.lexicographicallyPrecedes(others)
    }
    return one.constraint.rank(of: one.value) < other.constraint.rank(of: other.value)
  }
}
