/// Passes that make values simpler, alone or together.
extension Shrinker {
  /// Each value as simple as it can be, from the left.
  func simplifyValues() {
    var index = 0
    while index < best.choices.count, !isSpent {
      simplify([index])
      index += 1
    }
  }

  /// Values that are equal, as often in a pair that has to match, together.
  func simplifyEqualValues() {
    var seen: Set<Choice> = []
    var index = 0
    while index < best.choices.count, !isSpent {
      let choice = best.choices[index]
      if !choice.isSimplest, seen.insert(choice).inserted {
        let equal = best.choices.indices.filter { best.choices[$0] == choice }
        if equal.count > 1 { simplify(equal) }
      }
      index += 1
    }
  }

  /// Makes these choices, which are equal, simpler as one.
  private func simplify(_ indices: [Int]) {
    let choice = best.choices[indices[0]]
    guard !choice.isSimplest else { return }
    func works(_ value: ChoiceValue) -> Bool {
      choice.constraint.permits(value) && attempt(setting: indices, value)
    }
    if works(choice.constraint.simplest) { return }
    switch (choice.constraint, choice.value) {
    case (.int(_, _, let origin), .int(let value)):
      simplify(value, towards: origin) { works(.int($0)) }
    case (.float, .float(let value)):
      simplify(value) { works(.float($0)) }
    case (.bytes(let fewest, _), .bytes(let value)):
      simplify(value, fewest: fewest) { works(.bytes($0)) }
    default: break
    }
  }

  func attempt(setting indices: [Int], _ value: ChoiceValue) -> Bool {
    var values = best.values
    for index in indices where index < values.count { values[index] = value }
    return attempt(values)
  }

  private func simplify(_ value: Int, towards origin: Int, _ works: (Int) -> Bool) {
    func place(_ distance: UInt64, _ isAbove: Bool) -> Int {
      let signed = Int(truncatingIfNeeded: distance)
      return isAbove ? origin &+ signed : origin &- signed
    }
    var isUp = value >= origin
    var distance = isUp ? Constraint.distance(origin, value) : Constraint.distance(value, origin)
    if !isUp, works(place(distance, true)) { isUp = true }
    // The smallest ones first, on both sides, then by halves, then step by step.
    for small in 1...2 as ClosedRange<UInt64> {
      if small < distance, works(place(small, true)) { return }
      if small < distance, works(place(small, false)) { return }
    }
    guard distance > 3 else { return }
    for shift in stride(from: 63 - distance.leadingZeroBitCount - 1, to: 0, by: -1)
    where distance >> UInt64(shift) > 2 && works(place(distance >> UInt64(shift), isUp)) {
      distance >>= UInt64(shift)
      break
    }
    let less = Adaptive.largest { step in
      UInt64(step) < distance && works(place(distance - UInt64(step), isUp))
    }
    _ = isUp && works(place(distance - UInt64(less) - 1, false))
  }

  private func simplify(_ value: Double, _ works: (Double) -> Bool) {
    var value = value
    if value < 0, works(-value) { value = -value }
    var scale = 1.0
    for _ in 0..<10 {
      let rounded = (value * scale).rounded(.towardZero) / scale
      if rounded == value || !rounded.isFinite { break }
      if works(rounded) {
        value = rounded
        break
      }
      scale *= 2
    }
    guard value == value.rounded(), value.magnitude < Double(1 << 52) else { return }
    simplify(Int(value), towards: 0) { works(Double($0) + 0) }
  }

  private func simplify(_ value: [UInt8], fewest: Int, _ works: ([UInt8]) -> Bool) {
    var bytes = value
    func take(_ new: [UInt8]) -> Bool {
      guard new != bytes, works(new) else { return false }
      bytes = new
      return true
    }
    var end = bytes.count
    while end > 0, bytes.count > fewest {
      let base = bytes
      let count = Adaptive.largest { count in
        count <= end && take(Array(base[..<(end - count)] + base[end...]))
      }
      end -= max(count, 1)
    }
    _ = take([UInt8](repeating: 0, count: bytes.count))
    for index in bytes.indices where bytes[index] != 0 {
      let base = bytes
      func with(_ byte: UInt8) -> [UInt8] {
        var new = base
        new[index] = byte
        return new
      }
      if take(with(0)) { continue }
      Adaptive.largest { step in step < base[index] && take(with(base[index] - UInt8(step))) }
    }
    _ = take(bytes.sorted())
  }
}
