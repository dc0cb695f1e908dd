import TestSupport

/// What can be done to a field, whatever it holds.
package enum DamageVerb: String, CaseIterable, Sendable {
  case zero, ones
  case firstBit = "first-bit"
  case middleBit = "middle-bit"
  case lastBit = "last-bit"
  case random, add, subtract

  /// Changes a field of a binary file; numbers are little-endian.
  package func apply(to field: inout [UInt8], using random: inout SeededGenerator) {
    guard !field.isEmpty else { return }
    switch self {
    case .zero: field = [UInt8](repeating: 0, count: field.count)
    case .ones: field = [UInt8](repeating: 0xFF, count: field.count)
    case .firstBit: field[field.count - 1] ^= 0x80
    case .middleBit: field[field.count / 2] ^= 0x10
    case .lastBit: field[0] ^= 1
    case .random: field = field.map { _ in UInt8.random(in: 0...255, using: &random) }
    case .add: DamageVerb.carry(1, in: &field)
    case .subtract: DamageVerb.carry(-1, in: &field)
    }
  }

  private static func carry(_ step: Int, in field: inout [UInt8]) {
    var carry = step
    for place in field.indices where carry != 0 {
      let sum = Int(field[place]) + carry
      field[place] = UInt8(truncatingIfNeeded: sum)
      carry = sum > 255 ? 1 : sum < 0 ? -1 : 0
    }
  }
}
