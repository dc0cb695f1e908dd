/// Base 64 of RFC 4648, with padding: how bytes travel in a JSON line.
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  // The value of each byte as a digit; 255 for a byte that is none.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { table[Int(digit)] = UInt8(value) }
    return table
  }()

  // Loops over groups by hand: in debug builds, with which tests run, iterators are ten times slower.
  /// The bytes as digits, with padding.
  package static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var start = 0
    while start < bytes.count {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text.append(digits[Int(group >> 18)])
      text.append(digits[Int(group >> 12 & 63)])
      text.append(count > 1 ? digits[Int(group >> 6 & 63)] : padding)
      text.append(count > 2 ? digits[Int(group & 63)] : padding)
      start += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes; nil for anything that `text` does not print.
  package static func bytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let paddingCount = characters.last != padding ? 0 : characters[characters.count - 2] != padding ? 1 : 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var start = 0
    while start < characters.count {
      let isLast = start + 4 == characters.count
      var group: UInt32 = 0
      var place = 0
      while place < 4 {
        let isPadding = isLast && place >= 4 - paddingCount
        let value = isPadding ? 0 : values[Int(characters[start + place])]
        guard value < 64 else { return nil }
        group = group << 6 | UInt32(value)
        place += 1
      }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      start += 4
    }
    // Bits behind the last byte must be zero, so that every text has one spelling.
    guard bytes.suffix(paddingCount).allSatisfy({ $0 == 0 }) else { return nil }
    bytes.removeLast(paddingCount)
    return bytes
  }
}
