/// Recursive descent over the tokens. Never fails: it says what is wrong, and goes on at the next line or `}`.
struct Parser {
  let tokens: [Token]
  var position = 0
  var nesting = 0
  var diagnostics: DiagnosticList

  /// What a production throws behind its diagnostic.
  struct Failure: Error {}

  /// The scenario in the text of this file, as far as it can be read.
  static func scenario(in text: String, file: Int = 0) -> (scenario: Scenario, diagnostics: DiagnosticList) {
    let (tokens, diagnostics) = Lexer.tokens(of: text, file: file)
    var parser = Parser(tokens: tokens, diagnostics: diagnostics)
    let scenario = parser.file()
    return (scenario, parser.diagnostics)
  }

  // MARK: Tokens

  /// The token to be read next; at the end of the file always `end`.
  var current: Token { tokens[position] }

  var next: Token { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  func at(_ word: String) -> Bool { current.word == word }

  func at(_ symbol: Token.Symbol) -> Bool { current.kind == .symbol(symbol) }

  /// Reads the word, where it stands here.
  mutating func accept(_ word: String) -> Bool {
    guard at(word) else { return false }
    advance()
    return true
  }

  mutating func accept(_ symbol: Token.Symbol) -> Bool {
    guard at(symbol) else { return false }
    advance()
    return true
  }

  mutating func skipSeparators() { while current.kind == .separator { advance() } }

  /// True at the end of a line, before `}` and at the end of the file.
  var isAtEndOfStatement: Bool {
    switch current.kind {
    case .separator, .end, .symbol(.closeBrace): true
    default: false
    }
  }

  /// From a place to the last token read.
  func place(from start: SourcePlace) -> SourcePlace {
    let last = tokens[max(position - 1, 0)].place
    guard last.line == start.line, last.column >= start.column else { return start }
    return SourcePlace(
      line: start.line, column: start.column, length: last.column + last.length - start.column, file: start.file)
  }

  // MARK: Failing and going on

  /// Says what is wrong here and gives the statement up. Where the lexer has complained already, it is silent.
  mutating func fail(_ message: String, at place: SourcePlace? = nil) -> Failure {
    if current.kind != .broken || place != nil { diagnostics.add(.error, place ?? current.place, message) }
    return Failure()
  }

  mutating func require(_ word: String, _ message: String) throws(Failure) {
    guard accept(word) else { throw fail(message) }
  }

  mutating func require(_ symbol: Token.Symbol, _ message: String) throws(Failure) {
    guard accept(symbol) else { throw fail(message) }
  }

  /// To the end of the line, or in front of a `}`; a block on the way is read, so that its braces stay in balance.
  mutating func recover() {
    while !isAtEndOfStatement {
      if at(.openBrace) {
        guard (try? block()) != nil else { continue }
        // `in { … }` and `check { … }` of a broken sweep.
        let here = position
        skipSeparators()
        if at("check"), next.kind == .symbol(.openBrace) { advance() } else { position = here }
      } else {
        advance()
      }
    }
  }

  /// Reads the end of a statement; anything else there is an error.
  mutating func endOfStatement(after statement: String) throws(Failure) {
    guard !isAtEndOfStatement else { return }
    throw fail(Parser.surplus(current, after: statement))
  }

  private static func surplus(_ token: Token, after statement: String) -> String {
    switch (token.word, statement) {
    case ("now", "power-cut"), ("now", "kill"), ("immediately", "power-cut"):
      return "'\(statement)' alone means now - leave \(token.spelling) out"
    case ("during", "power-cut"), ("at", "power-cut"), ("while", "power-cut"), ("during", "kill"), ("at", "kill"):
      return "write '\(statement) on rename of page p1 during { … }' around the steps it hits"
    default: break
    }
    if token.kind == .symbol(.openBrace) { return "'\(statement)' takes no block" }
    return "\(token.spelling) does not belong here, behind '\(statement)'"
  }
}
