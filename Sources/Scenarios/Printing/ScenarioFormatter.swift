/// A scenario's text in its usual shape: two spaces a block, one between words, at most one empty line, every comment.
///
/// Only the space between tokens changes, so the text means what it meant. A text that is formatted stays as it is.
struct ScenarioFormatter {
  /// Tokens that stand in one line, and the comment behind them.
  private struct Line {
    var tokens: [Token] = []
    var comment: String?
    /// True where an empty line stands before it.
    var isBehindGap = false
  }

  private let scalars: [[Unicode.Scalar]]
  private let tokens: [Token]
  /// The places of braces whose other half stands in another line.
  private var breaks: Set<SourcePlace> = []

  /// The text in its usual shape. The text has to be one that the parser finds nothing wrong with.
  static func formatted(_ text: String) -> String {
    let formatter = ScenarioFormatter(text)
    return formatter.printed(formatter.lines())
  }

  private init(_ text: String) {
    scalars = SourceText(text).lines.map { Array($0.unicodeScalars) }
    tokens = Lexer.tokens(of: text).tokens.filter { $0.kind != .end }
    var open: [SourcePlace] = []
    for token in tokens {
      if token.kind == .symbol(.openBrace) { open.append(token.place) }
      if token.kind == .symbol(.closeBrace), let first = open.popLast(), first.line != token.place.line {
        breaks.formUnion([first, token.place])
      }
    }
  }

  // MARK: Lines

  private func lines() -> [Line] {
    var byLine: [Int: [Token]] = [:]
    for token in tokens where token.kind != .separator || isSemicolon(token) {
      byLine[token.place.line, default: []].append(token)
    }
    var lines: [Line] = []
    var isBehindGap = false
    for number in scalars.indices {
      let found = byLine[number + 1] ?? []
      let comment = comment(behind: found.last { $0.kind != .separator }, in: scalars[number])
      if found.allSatisfy({ $0.kind == .separator }), comment == nil {
        isBehindGap = true
        continue
      }
      var pieces = broken(found)
      pieces[pieces.count - 1].comment = comment
      pieces[0].isBehindGap = isBehindGap
      isBehindGap = false
      lines += pieces
    }
    return lines
  }

  private func isSemicolon(_ token: Token) -> Bool {
    let line = scalars[token.place.line - 1]
    return token.place.column <= line.count && line[token.place.column - 1] == ";"
  }

  /// A comment begins with the first `#` behind the last token: what comes there is spaces and semicolons.
  private func comment(behind token: Token?, in line: [Unicode.Scalar]) -> String? {
    let from = token.map { $0.place.column - 1 + $0.place.length } ?? 0
    guard let begin = line[from...].firstIndex(of: "#") else { return nil }
    var end = line.endIndex
    while end > begin, line[end - 1].properties.isWhitespace { end -= 1 }
    return String(String.UnicodeScalarView(line[begin..<end]))
  }

  /// The tokens of a line, cut where a block goes over several lines, and without semicolons that part nothing.
  private func broken(_ tokens: [Token]) -> [Line] {
    var lines = [Line()]
    for token in tokens {
      let last = lines[lines.count - 1].tokens.last
      let isCutBefore = token.kind == .symbol(.closeBrace) && breaks.contains(token.place) && last != nil
      let isCutBehind = last?.kind == .symbol(.openBrace) && last.map { breaks.contains($0.place) } ?? false
      if isCutBefore || isCutBehind {
        if last?.kind == .separator { lines[lines.count - 1].tokens.removeLast() }
        if !lines[lines.count - 1].tokens.isEmpty { lines.append(Line()) }
      }
      let before = lines[lines.count - 1].tokens.last
      if token.kind == .separator, before == nil || before?.kind == .symbol(.openBrace) { continue }
      if token.kind == .symbol(.closeBrace), before?.kind == .separator { lines[lines.count - 1].tokens.removeLast() }
      lines[lines.count - 1].tokens.append(token)
    }
    if lines[lines.count - 1].tokens.last?.kind == .separator { lines[lines.count - 1].tokens.removeLast() }
    if lines.count > 1, lines[lines.count - 1].tokens.isEmpty { lines.removeLast() }
    return lines
  }

  // MARK: Printing

  private func printed(_ lines: [Line]) -> String {
    var rows: [(code: String, comment: String?, isBehindGap: Bool)] = []
    var depth = 0
    var isInside = true
    for line in lines {
      let closing = line.tokens.prefix { $0.kind == .symbol(.closeBrace) }.count
      let isContinued = line.tokens.first?.word == "and"
      let indent = String(repeating: "  ", count: max(depth - closing, 0) + (isContinued ? 1 : 0))
      let code = words(line.tokens)
      // No empty line behind `{`, nor before `}`, nor at the top.
      let isBehindGap = line.isBehindGap && !isInside && closing == 0
      let isComment = code.isEmpty
      rows.append(
        (isComment ? indent + (line.comment ?? "") : indent + code, isComment ? nil : line.comment, isBehindGap))
      depth += line.tokens.reduce(0) { $0 + $1.braceStep }
      if !isComment || depth == 0 { isInside = false }
      if line.tokens.last?.kind == .symbol(.openBrace) { isInside = true }
    }
    return ScenarioFormatter.aligned(rows)
  }

  /// Comments behind lines that follow each other stand below each other.
  private static func aligned(_ rows: [(code: String, comment: String?, isBehindGap: Bool)]) -> String {
    var text = ""
    var place = 0
    while place < rows.count {
      var end = place + 1
      if rows[place].comment != nil {
        while end < rows.count, rows[end].comment != nil, !rows[end].isBehindGap { end += 1 }
      }
      let width = rows[place..<end].map(\.code.unicodeScalars.count).max() ?? 0
      for row in rows[place..<end] {
        let space = String(repeating: " ", count: width - row.code.unicodeScalars.count + 2)
        text += (row.isBehindGap ? "\n" : "") + row.code + (row.comment.map { space + $0 } ?? "") + "\n"
      }
      place = end
    }
    return text
  }

  private func words(_ tokens: [Token]) -> String {
    var text = ""
    var before: Token?
    for token in tokens {
      if let before, ScenarioFormatter.isApart(before, token) { text += " " }
      text += spelling(token)
      before = token
    }
    return text
  }

  /// The token as it stands in the text: figures and strings keep their spelling.
  private func spelling(_ token: Token) -> String {
    if token.kind == .separator { return ";" }
    let begin = token.place.column - 1
    let line = scalars[token.place.line - 1]
    return String(String.UnicodeScalarView(line[begin..<(begin + token.place.length)]))
  }

  /// True where a space stands between two tokens.
  private static func isApart(_ left: Token, _ right: Token) -> Bool {
    switch (left.kind, right.kind) {
    case (_, .separator), (_, .symbol(.comma)), (_, .symbol(.colon)), (_, .symbol(.closeParenthesis)): false
    case (.symbol(.openParenthesis), _), (.symbol(.minus), _): false
    case (_, .symbol(.dot)), (.symbol(.dot), _), (_, .symbol(.range)): false
    case (.symbol(.range), .word): true
    case (.symbol(.range), _): false
    case (.word(let word), .symbol(.openParenthesis)): word == "of"
    default: true
    }
  }
}

extension Token {
  /// How much deeper blocks are behind it.
  fileprivate var braceStep: Int {
    switch kind {
    case .symbol(.openBrace): 1
    case .symbol(.closeBrace): -1
    default: 0
    }
  }
}
