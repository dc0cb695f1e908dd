/// Runs the CRC-32C over zero bytes, forwards and backwards, without touching bytes.
///
/// A CRC is the remainder of a polynomial. One byte more multiplies it by x^8, so n bytes by x^8n; the inverse of x
/// exists, so the way back does too. Checksums are linear: for two runs over the same n bytes that begin with the
/// values p and q, the results r and s obey `r ^ s = (p ^ q) * x^8n`. So a frame's checksum tells what value stood
/// before its first byte, whatever came before: see `valueBefore`.
enum CRCAlgebra {
  /// The polynomial 1EDC6F41 with the lowest power in the highest bit.
  private static let polynomial: UInt32 = 0x82F6_3B78
  /// x to the power 0.
  private static let one: UInt32 = 0x8000_0000

  /// The product of two polynomials, reduced.
  static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var sum: UInt32 = 0
    var factor = right
    // Masks instead of branches, which would be guessed wrong half of the time.
    var rest = left
    for _ in 0..<32 {
      sum ^= factor & (0 &- (rest >> 31))
      factor = (factor >> 1) ^ (polynomial & (0 &- (factor & 1)))
      rest <<= 1
    }
    return sum
  }

  /// The value times x^8n: what n zero bytes make of a difference.
  static func advanced(_ value: UInt32, byBytes count: Int) -> UInt32 { scaled(value, powers, count) }

  /// The value divided by x^8n.
  static func unwound(_ value: UInt32, byBytes count: Int) -> UInt32 { scaled(value, inversePowers, count) }

  /// The CRC value that stood before `count` bytes.
  ///
  /// `after` is the CRC value behind them, `alone` the CRC-32C of those bytes alone (which begins with the value 0).
  static func valueBefore(count: Int, after: UInt32, alone: UInt32) -> UInt32 { unwound(after ^ alone, byBytes: count) }

  private static func scaled(_ value: UInt32, _ powers: [UInt32], _ count: Int) -> UInt32 {
    var value = value
    var rest = count
    var index = 0
    while rest > 0 {
      if rest & 1 != 0 { value = product(value, powers[index]) }
      rest >>= 1
      index += 1
    }
    return value
  }

  /// x^8, x^16, x^32, … : the factor of 2^i bytes.
  private static let powers = squares(of: one >> 8)

  /// The same for x^-8.
  private static let inversePowers: [UInt32] = {
    // x^-1: the value whose product with x (one step to the right) is 1.
    let inverse = (one ^ polynomial) << 1 | 1
    let squared = product(inverse, inverse)
    let fourth = product(squared, squared)
    return squares(of: product(fourth, fourth))
  }()

  private static func squares(of factor: UInt32) -> [UInt32] {
    var factors = [factor]
    while factors.count < Int.bitWidth {
      factors.append(product(factors[factors.count - 1], factors[factors.count - 1]))
    }
    return factors
  }
}
