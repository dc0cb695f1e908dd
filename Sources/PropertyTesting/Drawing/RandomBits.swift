/// Bits that look random and are the same for the same seed on every machine: SplitMix64 (Steele, Lea, Flood 2014).
struct RandomBits: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `bound` - 1; any number where the bound is 0.
  mutating func below(_ bound: UInt64) -> UInt64 {
    bound == 0 ? next() : next().multipliedFullWidth(by: bound).high
  }

  /// A number from 0 to `bound` - 1.
  mutating func below(_ bound: Int) -> Int { Int(below(UInt64(bound))) }

  /// A number from 0 up to, but never, 1.
  mutating func unit() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }

  /// A generator of its own for what comes below this one.
  mutating func branched() -> RandomBits { RandomBits(seed: next()) }
}
