/// What is drawn in one try. SplitMix64 (Steele, Lea, Flood 2014).
struct Draws: Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The draws of one try of several.
  init(seed: UInt64, number: Int) {
    self.init(seed: seed)
    state ^= next() &+ UInt64(number) &* 0xD134_2543_DE82_EF95
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to below `bound`, which is above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
