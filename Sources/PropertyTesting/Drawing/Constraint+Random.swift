extension Constraint {
  /// A value by chance: small ranges evenly, wide ones with a liking for their edges and for what is near the origin.
  func random(_ bits: inout RandomBits) -> ChoiceValue {
    switch self {
    case .bool(let chance): .bool(bits.unit() < chance)
    case .int(let low, let high, let origin): .int(Constraint.random(&bits, from: low, to: high, around: origin))
    case .float(let low, let high): .float(Constraint.random(&bits, from: low, to: high))
    case .bytes(let fewest, let most): .bytes(Constraint.random(&bits, fewest: fewest, most: most))
    }
  }

  private static let evenCount: UInt64 = 256
  /// So many bytes more than the fewest are common.
  private static let bytesCommon = 32

  private static func random(_ bits: inout RandomBits, from low: Int, to high: Int, around origin: Int) -> Int {
    let width = distance(low, high)
    let way = width < evenCount ? 15 : bits.below(16)
    if way >= 8 { return low &+ Int(truncatingIfNeeded: bits.below(width &+ 1)) }
    if way == 0 { return [low, high, origin, min(origin, high - 1) + 1, max(origin, low + 1) - 1][bits.below(5)] }
    let up = distance(origin, high)
    let down = distance(low, origin)
    let isUp = down == 0 || up > 0 && bits.below(2) == 0
    let reach = isUp ? up : down
    // Each number of binary places is as likely as another one, so that small distances are common.
    let places = UInt64(1 + bits.below(64 - reach.leadingZeroBitCount))
    let away = min(reach, bits.next() >> (64 - places))
    return isUp ? origin &+ Int(truncatingIfNeeded: away) : origin &- Int(truncatingIfNeeded: away)
  }

  private static func random(_ bits: inout RandomBits, from low: Double, to high: Double) -> Double {
    func inside(_ value: Double) -> Double { min(max(value, low), high) + 0 }
    switch bits.below(8) {
    case 0: return [low + 0, high + 0, FloatRank.simplest(from: low, to: high)][bits.below(3)]
    case 1, 2: return inside((low + (high - low) * bits.unit()).rounded())
    case 3: return inside(Double(1 + bits.below(16)) / Double(1 + bits.below(16)) * (bits.below(2) == 0 ? 1 : -1))
    default:
      let part = bits.unit()
      return inside(low * (1 - part) + high * part)
    }
  }

  private static func random(_ bits: inout RandomBits, fewest: Int, most: Int) -> [UInt8] {
    let span = most - fewest
    let count = fewest + bits.below(1 + (bits.below(8) == 0 ? span : min(span, bytesCommon)))
    let isPlain = bits.below(4) == 0
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: isPlain ? UInt64(bits.below(3)) : bits.next() >> 8) }
  }
}
