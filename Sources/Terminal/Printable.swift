/// Text from files and users, made safe to show on a terminal.
///
/// Control characters (C0, DEL, C1), line and paragraph separators, and the characters that turn the direction of
/// writing or hide themselves become visible: `\n`, `\t`, `\x1B`, `\u{202E}`. So a title can neither clear the screen nor forge a line. The two joiners that some scripts need stay.
package func printable(_ text: some StringProtocol) -> String {
  var result = ""
  for scalar in text.unicodeScalars { append(scalar, to: &result) }
  return result
}

/// The same for bytes; what is no valid UTF-8 becomes `\xFF`, byte by byte.
package func printable(_ bytes: [UInt8]) -> String {
  var result = ""
  var rest = bytes[...]
  while !rest.isEmpty {
    guard let (scalar, length) = firstScalar(of: rest) else {
      result += hexadecimal(UInt32(rest.removeFirst()))
      continue
    }
    append(scalar, to: &result)
    rest = rest.dropFirst(length)
  }
  return result
}

private func append(_ scalar: Unicode.Scalar, to result: inout String) {
  switch scalar.value {
  case 0x0A: result += "\\n"
  case 0x09: result += "\\t"
  case 0x0D: result += "\\r"
  case 0x00...0x1F, 0x7F...0x9F: result += hexadecimal(scalar.value)
  case 0x061C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
    result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
  default: result.unicodeScalars.append(scalar)
  }
}

/// `\x1B` for a value below 256.
private func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return "\\x" + (digits.count < 2 ? "0" : "") + digits
}

/// The first character and its length in bytes, where the bytes begin with valid UTF-8.
private func firstScalar(of bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
  guard let first = bytes.first else { return nil }
  let length =
    switch first {
    case 0x00...0x7F: 1
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  guard length > 0, let text = String(validating: bytes.prefix(length), as: UTF8.self) else { return nil }
  guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return nil }
  return (scalar, length)
}
