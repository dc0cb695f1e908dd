/// Passes that change two numbers at once.
extension Shrinker {
  private static let neighbours = 4

  /// Moves an amount from a number to one a little later.
  func shiftAmounts() {
    forEachPair { first, second in
      let base = best
      guard let one = base.choices[first].distance, let other = base.choices[second].distance else { return }
      Adaptive.largest { step in
        guard UInt64(step) <= one.length,
          let lower = base.choices[first].at(one.length - UInt64(step), one.isAbove),
          let higher = base.choices[second].at(other.length + UInt64(step), other.isAbove)
        else { return false }
        return attempt(base.values, first, lower, second, higher)
      }
    }
  }

  /// Lowers two numbers that are near each other by the same amount: their difference stays.
  func lowerTogether() {
    forEachPair { first, second in
      let base = best
      guard let one = base.choices[first].distance, let other = base.choices[second].distance, other.length > 0 else {
        return
      }
      Adaptive.largest { step in
        guard UInt64(step) <= min(one.length, other.length),
          let lower = base.choices[first].at(one.length - UInt64(step), one.isAbove),
          let lowest = base.choices[second].at(other.length - UInt64(step), other.isAbove)
        else { return false }
        return attempt(base.values, first, lower, second, lowest)
      }
    }
  }

  private func attempt(
    _ values: [ChoiceValue], _ first: Int, _ one: ChoiceValue, _ second: Int, _ other: ChoiceValue
  ) -> Bool {
    var values = values
    values[first] = one
    values[second] = other
    return attempt(values)
  }

  /// Pairs of numbers near each other, of which the first can be simpler.
  private func forEachPair(_ body: (_ first: Int, _ second: Int) -> Void) {
    var first = 0
    while first < best.choices.count, !isSpent {
      if let distance = best.choices[first].distance, distance.length > 0 {
        let later = best.choices.indices.dropFirst(first + 1).filter { best.choices[$0].distance != nil }
        for second in later.prefix(Shrinker.neighbours)
        where second < best.choices.count && best.choices[first].distance.map({ $0.length > 0 }) ?? false {
          body(first, second)
        }
      }
      first += 1
    }
  }
}

extension Choice {
  /// How far a free number is from its origin, and on which side; nil for what is forced or no int with a choice.
  var distance: (length: UInt64, isAbove: Bool)? {
    guard case .int(_, _, let origin) = constraint, case .int(let value) = value, !isForced, constraint.count != 1
    else { return nil }
    return value >= origin
      ? (Constraint.distance(origin, value), true) : (Constraint.distance(value, origin), false)
  }

  /// The number so far from the origin on that side; nil where it is not permitted.
  func at(_ length: UInt64, _ isAbove: Bool) -> ChoiceValue? {
    guard case .int(let low, let high, let origin) = constraint else { return nil }
    let reach = isAbove ? Constraint.distance(origin, high) : Constraint.distance(low, origin)
    guard length <= reach else { return nil }
    let signed = Int(truncatingIfNeeded: length)
    return .int(isAbove ? origin &+ signed : origin &- signed)
  }

  /// The number that is farthest from the origin; nil for what is no number.
  var farthest: ChoiceValue? {
    guard case .int(let low, let high, let origin) = constraint, !isForced else { return nil }
    return .int(Constraint.distance(origin, high) >= Constraint.distance(low, origin) ? high : low)
  }
}
