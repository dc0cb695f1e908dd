import CJansson

extension JSONError {
  /// Jansson's error. Its position is where reading stopped; ours is where the token begins that it stopped at.
  init(_ failure: json_error_t, in bytes: [UInt8]) {
    var failure = failure
    let kind = JSONError.kind(of: UInt32(cjansson_error_code(&failure)))
    let text = String(cString: cjansson_error_text(&failure))
    let stop = min(max(Int(failure.position), 0), bytes.count)
    let start = JSONError.tokenStart(kind, text, bytes[..<stop])
    let token = String(decoding: bytes[start..<min(stop, start + JSONError.tokenBytesMax)], as: UTF8.self)
    let message =
      switch kind {
      case .duplicateKey: "one key twice: \(token)"
      case .numberOutOfRange: "a number that 64 bits cannot hold: \(token)"
      case .zeroCharacter: "a string with the character \\u0000"
      default: text
      }
    self.init(kind, at: start, of: bytes, message)
  }

  /// How much of a token a message shows.
  private static let tokenBytesMax = 60

  private static func kind(of code: UInt32) -> Kind {
    switch code {
    case json_error_premature_end_of_input.rawValue: .endsEarly
    case json_error_end_of_input_expected.rawValue: .trailing
    case json_error_invalid_utf8.rawValue: .notUTF8
    case json_error_duplicate_key.rawValue: .duplicateKey
    case json_error_numeric_overflow.rawValue: .numberOutOfRange
    case json_error_null_character.rawValue, json_error_null_byte_in_key.rawValue: .zeroCharacter
    case json_error_stack_overflow.rawValue: .tooDeep
    default: .syntax
    }
  }

  private static func tokenStart(_ kind: Kind, _ text: String, _ read: ArraySlice<UInt8>) -> Int {
    // These stop exactly at the byte that is wrong, or at the end.
    if kind == .endsEarly || kind == .notUTF8 { return read.endIndex }
    if text.hasPrefix("unexpected newline") || text.hasPrefix("control character") { return read.endIndex }
    // This one stops behind the character that is wrong.
    if text.hasPrefix("invalid escape") { return (read.lastIndex { $0 & 0xC0 != 0x80 }) ?? read.endIndex }
    if let token = shortToken(in: text), read.suffix(token.count).elementsEqual(token) {
      return read.endIndex - token.count
    }
    return longTokenStart(read)
  }

  /// The token that jansson shows behind "near"; it leaves out those of more than 20 bytes.
  private static func shortToken(in text: String) -> ArraySlice<UInt8>? {
    let text = Array(text.utf8)
    let near = Array(" near '".utf8)
    guard text.last == UInt8(ascii: "'"),
      let place = text.indices.first(where: { text[$0...].starts(with: near) && $0 + near.count < text.count })
    else { return nil }
    return text[(place + near.count)..<(text.count - 1)]
  }

  /// Where a string, number or word begins that ends with the last of these bytes.
  private static func longTokenStart(_ read: ArraySlice<UInt8>) -> Int {
    guard read.last == UInt8(ascii: "\"") else {
      let wordStart = read.lastIndex { byte in
        !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && !"+-.".utf8.contains(byte)
      }
      return min((wordStart ?? read.startIndex - 1) + 1, read.endIndex)
    }
    var place = read.endIndex - 1
    while let quote = read[..<place].lastIndex(of: UInt8(ascii: "\"")) {
      // A quote behind an odd number of backslashes belongs to the string.
      let backslashes = read[..<quote].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if backslashes % 2 == 0 { return quote }
      place = quote
    }
    return place
  }
}
