/// Base 64 of RFC 4648, with padding: how bytes travel in a JSON line.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")
  // The value of each byte as a digit; 255 for a byte that is none.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { table[Int(digit)] = UInt8(value) }
    return table
  }()

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text.append(digits[Int(group >> 18)])
      text.append(digits[Int(group >> 12 & 63)])
      text.append(count > 1 ? digits[Int(group >> 6 & 63)] : padding)
      text.append(count > 2 ? digits[Int(group & 63)] : padding)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes; nil for anything that `text` does not print.
  static func bytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let paddingCount = characters.suffix(2).count { $0 == padding }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var group: UInt32 = 0
    for (place, character) in characters.enumerated() {
      let isPadding = place >= characters.count - paddingCount
      let value = isPadding ? 0 : values[Int(character)]
      guard value < 64, !isPadding || character == padding else { return nil }
      group = group << 6 | UInt32(value)
      if place % 4 == 3 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        bytes.append(UInt8(truncatingIfNeeded: group >> 8))
        bytes.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // Bits behind the last byte must be zero, so that every text has one spelling.
    let unused = bytes.suffix(paddingCount)
    guard unused.allSatisfy({ $0 == 0 }) else { return nil }
    bytes.removeLast(paddingCount)
    return Self.text(of: bytes) == text ? bytes : nil
  }
}
