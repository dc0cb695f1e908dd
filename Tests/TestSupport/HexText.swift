import Bytes

/// The bytes written as pairs of hex digits, spaces and newlines between them as you like. Traps on anything else.
package func hex(_ text: String) -> [UInt8] {
  guard let bytes = Hex.bytes(of: text) else { preconditionFailure("no hex digits: \(text)") }
  return bytes
}

/// The bytes as pairs of hex digits, sixteen a line, for messages of failing tests.
package func hexLines(_ bytes: [UInt8]) -> String {
  stride(from: 0, to: bytes.count, by: 16).map { Hex.text(of: bytes[$0..<min($0 + 16, bytes.count)]) }
    .joined(separator: "\n")
}
