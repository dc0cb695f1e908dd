/// The identity of a document, page, element or asset: a UUID as a value, never as text.
package struct NoteID: Hashable, Sendable {
  /// The 16 bytes in the order of RFC 9562, as two big-endian halves.
  package let high: UInt64
  /// The lower half.
  package let low: UInt64

  /// The identity of these two big-endian halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identity of the first 16 bytes; nil where there are fewer.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count >= 16 else { return nil }
    let all = Array(bytes.prefix(16))
    high = all[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = all[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The 16 bytes in the order of RFC 9562.
  package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
  }

  /// The identity written as 8-4-4-4-12 hexadecimal digits in either case; nil for anything else.
  package init?(_ text: some StringProtocol) {
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    var place = 0
    for byte in text.utf8 {
      switch place {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
      case 36...: return nil
      default:
        guard let digit = NoteID.digit(byte) else { return nil }
        if place < 18 { halves.high = halves.high << 4 | digit } else { halves.low = halves.low << 4 | digit }
      }
      place += 1
    }
    guard place == 36 else { return nil }
    (high, low) = halves
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}

extension NoteID: CustomStringConvertible {
  /// Upper case, as Foundation prints a UUID: the spelling of every name in a package.
  package var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 15
        text[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
        place += 1
      }
      return place
    }
  }
}

extension NoteID: Comparable {
  /// Order by the bytes.
  package static func < (left: NoteID, right: NoteID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
