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
    var halves: [UInt64] = [0, 0]
    var digits = 0
    for (place, character) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(place) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue, digits < 32 else { return nil }
      halves[digits / 16] = halves[digits / 16] << 4 | UInt64(digit)
      digits += 1
    }
    guard digits == 32, text.utf8.count == 36 else { return nil }
    high = halves[0]
    low = halves[1]
  }
}

extension NoteID: CustomStringConvertible {
  /// Upper case, as Foundation prints a UUID: the spelling of every name in a package.
  package var description: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension NoteID: Comparable {
  /// Order by the bytes.
  package static func < (left: NoteID, right: NoteID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
