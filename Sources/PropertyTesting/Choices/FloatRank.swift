/// The order of finite numbers by how simple they look: whole ones first, then those with few binary places.
///
/// The rank is twice a key, one more for negative numbers. A whole number below 2^52 is its own key; behind them come all
/// others, by their exponent (0, 1, 2 …, then -1, -2 …), then by their fraction with its bits turned around.
enum FloatRank {
  private static let wholeEnd: UInt64 = 1 << 52

  static func rank(of value: Double) -> UInt64 {
    key(of: value.magnitude) << 1 | (value < 0 ? 1 : 0)
  }

  private static func key(of magnitude: Double) -> UInt64 {
    if magnitude < Double(wholeEnd), magnitude == magnitude.rounded(.down) { return UInt64(magnitude) }
    let exponent = UInt64(magnitude.exponentBitPattern)
    let place = exponent >= 1023 ? exponent - 1023 : 2046 - exponent
    return wholeEnd + (place << 52 | reversed(magnitude.significandBitPattern))
  }

  private static func reversed(_ fraction: UInt64) -> UInt64 {
    var left = fraction
    var turned: UInt64 = 0
    for _ in 0..<52 {
      turned = turned << 1 | left & 1
      left >>= 1
    }
    return turned
  }

  /// The value nearest to zero among those with the fewest binary places.
  static func simplest(from low: Double, to high: Double) -> Double {
    if low <= 0 && high >= 0 { return 0 }
    var scale = 1.0
    for _ in 0..<1100 {
      let value = low > 0 ? (low * scale).rounded(.up) / scale : (high * scale).rounded(.down) / scale
      if value >= low && value <= high { return value }
      scale *= 2
      if !scale.isFinite { break }
    }
    return low > 0 ? low : high
  }
}
