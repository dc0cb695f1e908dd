/// Cuts a scenario's text into tokens. Never fails: what is no token becomes `broken`, with a diagnostic.
struct Lexer {
  private let bytes: [UInt8]
  private let file: Int
  private var offset = 0
  private var line = 1
  private var column = 1
  private(set) var tokens: [Token] = []
  private(set) var diagnostics = DiagnosticList()

  private init(_ text: String, _ file: Int) {
    bytes = Array(text.utf8)
    self.file = file
  }

  /// The tokens of the text of this file; the last one is `end`.
  static func tokens(of text: String, file: Int = 0) -> (tokens: [Token], diagnostics: DiagnosticList) {
    var lexer = Lexer(text, file)
    lexer.run()
    return (lexer.tokens, lexer.diagnostics)
  }

  private mutating func run() {
    while let byte = current {
      switch byte {
      case Ascii.space, Ascii.tab, Ascii.carriageReturn: advance()
      case Ascii.newline, Ascii.semicolon: separator()
      case Ascii.hash: comment()
      case Ascii.quote: string()
      case Ascii.dollar: variable()
      case _ where Ascii.isLetter(byte): word()
      case _ where Ascii.isDigit(byte): number()
      default: symbol()
      }
    }
    tokens.append(Token(kind: .end, place: place(from: column)))
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }
  private var following: UInt8? { offset + 1 < bytes.count ? bytes[offset + 1] : nil }
  private func place(from start: Int) -> SourcePlace {
    SourcePlace(line: line, column: start, length: column - start, file: file)
  }
  private func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// One byte further; continuation bytes of UTF-8 are no columns.
  private mutating func advance() {
    let byte = bytes[offset]
    offset += 1
    if byte == Ascii.newline {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  private mutating func advance(while holds: (UInt8) -> Bool) {
    while let byte = current, holds(byte) { advance() }
  }

  /// Over letters, digits, and hyphens with one of them behind.
  private mutating func advanceOverWord() {
    while let byte = current {
      let joins = byte == Ascii.minus && following.map(Ascii.isWordPart) == true
      guard Ascii.isWordPart(byte) || joins else { break }
      advance()
    }
  }

  private mutating func add(_ kind: Token.Kind, from start: Int) {
    tokens.append(Token(kind: kind, place: place(from: start)))
  }

  /// A line end or semicolon, unless one is there already.
  private mutating func separator() {
    if tokens.last?.kind != .separator { tokens.append(Token(kind: .separator, place: place(from: column))) }
    advance()
  }

  private mutating func comment() {
    advance { $0 != Ascii.newline }
  }

  private mutating func word() {
    let start = (offset: offset, column: column)
    advanceOverWord()
    add(.word(text(from: start.offset)), from: start.column)
  }

  private mutating func variable() {
    let start = (offset: offset, column: column)
    advance()
    advanceOverWord()
    let name = String(text(from: start.offset).dropFirst())
    if WordShape.isName(name) {
      add(.variable(name), from: start.column)
    } else {
      add(.broken, from: start.column)
      diagnostics.add(
        .error, place(from: start.column), "a variable is '$' and a name of lower-case letters, digits and '-'")
    }
  }

  /// Digits, perhaps a point and more digits, and the letters glued to them.
  private mutating func number() {
    let start = (offset: offset, column: column)
    digits()
    if current == Ascii.dot, let next = following, Ascii.isDigit(next) {
      advance()
      digits()
    }
    let figures = text(from: start.offset)
    let suffix = offset
    advance(while: Ascii.isWordPart)
    add(.number(digits: figures, suffix: text(from: suffix)), from: start.column)
  }

  private mutating func digits() {
    advance { Ascii.isDigit($0) || $0 == Ascii.underscore }
  }

  private mutating func string() {
    let start = column
    var content: [UInt8] = []
    advance()
    while let byte = current, byte != Ascii.quote, byte != Ascii.newline {
      advance()
      guard byte == Ascii.backslash else {
        content.append(byte)
        continue
      }
      guard let escaped = current, escaped != Ascii.newline else { break }
      content.append(Ascii.unescaped(escaped))
      advance()
    }
    guard current == Ascii.quote else {
      add(.broken, from: start)
      diagnostics.add(.error, place(from: start), "this string is never closed - write \" at its end")
      return
    }
    advance()
    add(.string(String(decoding: content, as: UTF8.self)), from: start)
  }

  private mutating func symbol() {
    let start = column
    let first = offset
    if let long = following.flatMap({ Token.Symbol(rawValue: Lexer.ascii([bytes[first], $0])) }) {
      advance()
      advance()
      return add(.symbol(long), from: start)
    }
    if let short = Token.Symbol(rawValue: Lexer.ascii([bytes[first]])) {
      advance()
      return add(.symbol(short), from: start)
    }
    advance()
    advance { $0 & 0xC0 == 0x80 }
    if tokens.last?.kind != .broken { add(.broken, from: start) }
    diagnostics.add(.error, place(from: start), Lexer.complaint(about: text(from: first)))
  }

  private static func ascii(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func complaint(about character: String) -> String {
    switch character {
    case "'", "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}": "strings stand between two \"straight\" quotes"
    case "/": "'/' means nothing here - comments begin with #, paths stand in quotes"
    case "\u{2013}", "\u{2014}": "'\(character)' means nothing here - a hyphen is '-'"
    case "\u{2026}": "'\u{2026}' means nothing here - a range is two points: 1..9"
    case "[", "]": "'\(character)' means nothing here - blocks stand in { }"
    default: "'\(character)' means nothing here"
    }
  }
}

/// The characters that the language is made of.
private enum Ascii {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let semicolon = UInt8(ascii: ";")
  static let hash = UInt8(ascii: "#")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let dollar = UInt8(ascii: "$")
  static let minus = UInt8(ascii: "-")
  static let dot = UInt8(ascii: ".")
  static let underscore = UInt8(ascii: "_")

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || byte == underscore
  }

  static func isWordPart(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): newline
    case UInt8(ascii: "t"): tab
    default: byte
    }
  }
}
