import Files

/// A piece of a scenario's text.
struct Token: Sendable {
  var kind: Kind
  var place: SourcePlace

  enum Kind: Hashable, Sendable {
    /// Letters, digits and hyphens that begin with a letter.
    case word(String)
    /// `$name`, without the dollar sign.
    case variable(String)
    /// Digits, and what is glued to them: `600`, `0.6` `s`, `768` `x1024`.
    case number(digits: String, suffix: String)
    /// The text between quotes, escapes resolved.
    case string(String)
    case symbol(Symbol)
    /// One or more line ends or semicolons, with the comments between them.
    case separator
    case end
    /// Something that is no token; the lexer has said so.
    case broken
  }

  enum Symbol: String, Sendable {
    case openBrace = "{"
    case closeBrace = "}"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case comma = ","
    case colon = ":"
    case equal = "="
    case atMost = "<="
    case less = "<"
    case atLeast = ">="
    case more = ">"
    case range = ".."
    case dot = "."
    case minus = "-"
  }

  /// How diagnostics call it.
  var spelling: String {
    switch kind {
    case .word(let text): "'\(text)'"
    case .variable(let name): "'$\(name)'"
    case .number(let digits, let suffix): "'\(digits)\(suffix)'"
    case .string(let text): "\"\(text)\""
    case .symbol(let symbol): "'\(symbol.rawValue)'"
    case .separator: "the end of the line"
    case .end: "the end of the file"
    case .broken: "this"
    }
  }

  /// The word, where it is one.
  var word: String? { if case .word(let text) = kind { text } else { nil } }
}

/// The shapes of names, decided by bytes.
enum WordShape {
  /// Lower-case letters and digits, begun by a letter, joined by single hyphens: `asset-missing`, `p1`.
  static func isName(_ text: String) -> Bool {
    var previous = UInt8(ascii: "-")
    for (place, byte) in text.utf8.enumerated() {
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard isLetter || (place > 0 && isDigit) || (byte == UInt8(ascii: "-") && previous != byte) else { return false }
      previous = byte
    }
    return previous != UInt8(ascii: "-")
  }

  /// `E` and at least two capital letters: `EIO`.
  static func isErrno(_ text: String) -> Bool {
    // Of those with a digit, E2BIG and EL3RST, only real ones.
    text.utf8.count >= 3 && text.utf8.first == UInt8(ascii: "E")
      && (text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } || Errno(name: text) != nil)
  }

  /// `LN` and four digits.
  static func isCode(_ text: String) -> Bool {
    text.utf8.count == 6 && text.hasPrefix("LN")
      && text.utf8.dropFirst(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The number behind a letter: 3 in `x3` and `v3`.
  static func number(in text: String, behind letter: Character) -> Int? {
    guard text.first == letter, text.utf8.count > 1,
      text.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text.dropFirst())
  }
}
