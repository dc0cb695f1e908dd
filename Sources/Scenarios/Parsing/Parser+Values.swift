extension Parser {
  // MARK: Names and strings

  /// A name: lower-case letters, digits, hyphens.
  mutating func name(_ what: String) throws(Failure) -> Word {
    let token = current
    if case .string(let text) = token.kind { throw fail("\(what) stands without quotes: \(Parser.nameLike(text))") }
    guard let text = token.word else { throw fail("\(what) is missing here, before \(token.spelling)") }
    guard WordShape.isName(text) else {
      throw fail("'\(text)' is not a name - write lower-case letters, digits and '-': \(Parser.nameLike(text))")
    }
    advance()
    return Word(text, token.place)
  }

  /// The text as a name: "Field notes" becomes "field-notes".
  static func nameLike(_ text: String) -> String {
    var name = ""
    for character in text.lowercased().unicodeScalars.prefix(40) {
      let isDigit = ("0"..."9").contains(character)
      if ("a"..."z").contains(character) || (isDigit && !name.isEmpty) {
        name.unicodeScalars.append(character)
      } else if !name.isEmpty, name.last != "-" {
        name.append("-")
      }
    }
    while name.last == "-" { name.removeLast() }
    return name.isEmpty ? "a-name" : name
  }

  mutating func names(_ what: String) throws(Failure) -> [Word] {
    var all = [try name(what)]
    while accept(.comma) { all.append(try name(what)) }
    return all
  }

  mutating func string(_ what: String) throws(Failure) -> Word {
    guard case .string(let text) = current.kind else {
      throw fail("\(what) is missing here: text in \"quotes\", before \(current.spelling)")
    }
    defer { advance() }
    return Word(text, current.place)
  }

  mutating func reference(_ what: String) throws(Failure) -> Reference {
    let start = current.place
    let first: Operand<Word>
    if case .variable(let variable) = current.kind {
      first = .variable(Word(variable, current.place))
      advance()
    } else {
      first = .literal(try name(what))
    }
    let second = accept(.dot) ? try name("the name behind the point") : nil
    return Reference(place: place(from: start), first: first, second: second)
  }

  // MARK: Numbers

  /// `3`, `2.5`, `1..9`, `one of (1, 2)`, `$n`.
  mutating func number(_ what: String) throws(Failure) -> NumberSyntax {
    let start = current.place
    if at("one") {
      advance()
      try require("of", "write 'one of (1, 2, 3)'")
      try require(.openParenthesis, "write 'one of (1, 2, 3)'")
      var all = [try operand(what)]
      while accept(.comma) { all.append(try operand(what)) }
      try require(.closeParenthesis, "')' is missing here, before \(current.spelling)")
      return NumberSyntax(place: place(from: start), form: .oneOf(all))
    }
    let low = try operand(what)
    guard accept(.range) else { return NumberSyntax(place: place(from: start), form: .exactly(low)) }
    let high = try operand("the end of the range")
    return NumberSyntax(place: place(from: start), form: .range(low, high))
  }

  private mutating func operand(_ what: String) throws(Failure) -> Operand<Numeral> {
    if case .variable(let variable) = current.kind {
      defer { advance() }
      return .variable(Word(variable, current.place))
    }
    let isNegative = accept(.minus)
    let numeral = try numeral(what)
    return .literal(Numeral(millionths: isNegative ? -numeral.millionths : numeral.millionths))
  }

  /// Digits without a unit.
  mutating func numeral(_ what: String) throws(Failure) -> Numeral {
    guard case .number(let digits, let suffix) = current.kind else {
      throw fail("\(what) is missing here: a number, before \(current.spelling)")
    }
    guard suffix.isEmpty else {
      throw fail("\(current.spelling) has a unit - \(what) is a number without one: \(digits)")
    }
    guard let numeral = Parser.numeral(digits) else { throw fail(Parser.tooLarge(digits)) }
    advance()
    return numeral
  }

  /// An integer without a sign.
  mutating func integer(_ what: String) throws(Failure) -> Word {
    let place = current.place
    guard case .number(let digits, _) = current.kind else {
      throw fail("\(what) is missing here: a whole number, before \(current.spelling)")
    }
    let numeral = try numeral(what)
    guard numeral.whole != nil, !digits.contains(".") else {
      throw fail("\(what) is a whole number", at: place)
    }
    return Word(digits.filter { $0 != "_" }, place)
  }

  static func numeral(_ digits: String) -> Numeral? {
    let parts = digits.filter { $0 != "_" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = Int64(parts[0]), whole <= Numeral.wholeMax else { return nil }
    guard parts.count > 1 else { return Numeral(millionths: whole * 1_000_000) }
    let fraction = parts[1].prefix(6)
    guard let millionths = Int64(fraction + String(repeating: "0", count: 6 - fraction.count)),
      parts[1].dropFirst(6).allSatisfy({ $0 == "0" })
    else { return nil }
    return Numeral(millionths: whole * 1_000_000 + millionths)
  }

  static func tooLarge(_ digits: String) -> String {
    digits.contains(".")
      ? "'\(digits)' has too many digits - six behind the point are kept" : "'\(digits)' is too large"
  }

  // MARK: Sizes and durations

  mutating func size(_ what: String) throws(Failure) -> SizeSyntax {
    let start = current.place
    return SizeSyntax(place: start, form: try measured(Measure.size, what)).placed(place(from: start))
  }

  mutating func duration(_ what: String) throws(Failure) -> DurationSyntax {
    let start = current.place
    let form = try measured(Measure.duration, what)
    return DurationSyntax(place: place(from: start), form: form)
  }

  private mutating func measured(_ measure: Measure, _ what: String) throws(Failure) -> SizeSyntax.Form {
    if case .variable(let variable) = current.kind {
      defer { advance() }
      return .exactly(.variable(Word(variable, current.place)))
    }
    let low = try literal(measure, what)
    guard accept(.range) else { return .exactly(.literal(low)) }
    return .range(low, try literal(measure, "the end of the range"))
  }

  private mutating func literal(_ measure: Measure, _ what: String) throws(Failure) -> UInt64 {
    guard case .number(let digits, let suffix) = current.kind else {
      throw fail("\(what) is missing here: \(measure.article), such as \(measure.example), before \(current.spelling)")
    }
    switch measure.read(digits: digits, suffix: suffix) {
    case .success(let value):
      advance()
      return value
    case .failure(let complaint):
      throw fail(complaint.text)
    }
  }

  /// A value of a parameter or argument.
  mutating func scalar() throws(Failure) -> ScalarSyntax {
    let start = current.place
    let value: ScalarSyntax.Value
    switch current.kind {
    case .string(let text): value = .string(text)
    case .word(let text) where WordShape.isName(text): value = .name(text)
    case .variable(let name): value = .variable(name)
    case .number(let digits, let suffix):
      switch Measure.scalar(digits: digits, suffix: suffix) {
      case .success(let scalar): value = scalar
      case .failure(let complaint): throw fail(complaint.text)
      }
    default:
      throw fail("a value is missing here: a number, size, duration, name or \"text\", before \(current.spelling)")
    }
    advance()
    return ScalarSyntax(place: start, value: value)
  }

  /// The value in a text that holds nothing else, as `-D` gives it; nil for anything else.
  static func scalar(in text: String) -> ScalarSyntax.Value? {
    let (tokens, diagnostics) = Lexer.tokens(of: text)
    var parser = Parser(tokens: tokens, diagnostics: diagnostics)
    guard !diagnostics.hasErrors, let scalar = try? parser.scalar(), parser.current.kind == .end else { return nil }
    if case .variable = scalar.value { return nil }
    return scalar.value
  }

  /// `768x1024`, in points.
  mutating func canvas() throws(Failure) -> CanvasSyntax? {
    guard case .number(let digits, let suffix) = current.kind else { return nil }
    guard let height = WordShape.number(in: suffix, behind: "x"), let width = Int(digits) else {
      throw fail("a page's size is written as width and height in points: 768x1024")
    }
    guard CanvasSyntax.sidePoints.contains(width), CanvasSyntax.sidePoints.contains(height) else {
      let sides = CanvasSyntax.sidePoints
      throw fail("a page is \(sides.lowerBound) to \(sides.upperBound) points wide and high")
    }
    defer { advance() }
    return CanvasSyntax(width: width, height: height, place: current.place)
  }
}

extension CanvasSyntax {
  /// How long a page's sides may be, in points.
  static let sidePoints = 1...100_000
}

extension SizeSyntax {
  fileprivate func placed(_ place: SourcePlace) -> SizeSyntax { SizeSyntax(place: place, form: form) }
}
