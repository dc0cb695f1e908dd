import Files
import JSON

extension [String: JSONValue] {
  /// A path as text, and in base64 under `key_b64` too where its bytes are no valid UTF-8.
  mutating func add(_ key: String, _ path: BytePath) {
    self[key] = .string(path.description)
    if path.exactText == nil { self[key + "_b64"] = .string(base64(path.bytes)) }
  }
}

/// Base64 of RFC 4648 with padding.
func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? alphabet[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes of a base64 text with padding; nil where it is none.
func bytes(base64 text: String) -> [UInt8]? {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var count = 0
  for digit in text.utf8 where digit != UInt8(ascii: "=") {
    guard let value = alphabet.firstIndex(of: digit) else { return nil }
    bits = bits << 6 | UInt32(value)
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return base64(bytes) == text ? bytes : nil
}
