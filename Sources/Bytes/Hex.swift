/// Bytes as pairs of hex digits and back.
package enum Hex {
  /// Two lower-case hex digits for each byte.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(digit(of: byte >> 4))
      digits.append(digit(of: byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Exactly eight lower-case hex digits, the highest first.
  package static func text(of number: UInt32) -> String {
    text(of: stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
  }

  /// The bytes of pairs of hex digits of either case, spaces and newlines left out. Nil for anything else.
  package static func bytes(of text: String) -> [UInt8]? {
    var nibbles: [UInt8] = []
    for character in text.utf8 where character != UInt8(ascii: " ") && character != UInt8(ascii: "\n") {
      guard let nibble = value(of: character) else { return nil }
      nibbles.append(nibble)
    }
    guard nibbles.count % 2 == 0 else { return nil }
    return stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
  }

  /// The number of exactly eight lower-case hex digits; nil for anything else.
  package static func number(of digits: some Collection<UInt8>) -> UInt32? {
    guard digits.count == 8 else { return nil }
    var number: UInt32 = 0
    for character in digits {
      if (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(character) { return nil }
      guard let nibble = value(of: character) else { return nil }
      number = number << 4 | UInt32(nibble)
    }
    return number
  }

  private static func digit(of nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
