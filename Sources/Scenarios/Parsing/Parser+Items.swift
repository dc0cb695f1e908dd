extension Parser {
  /// The versions of the language that this tool reads.
  static let version = 1

  mutating func file() -> Scenario {
    skipSeparators()
    var scenario = Scenario(title: "", items: [])
    do throws(Failure) {
      scenario.title = try header()
    } catch {
      // Where the whole line is missing, its first line may be a step: read on there.
      if current.place.line == 1 || tokens[0].word == "scenario" { recover() }
    }
    while current.kind != .end {
      skipSeparators()
      guard current.kind != .end else { break }
      if at(.closeBrace) {
        diagnostics.add(.error, current.place, "this '}' closes nothing")
        advance()
        continue
      }
      let start = position
      do throws(Failure) {
        scenario.items.append(try item())
        if !isAtEndOfStatement { throw fail("a new line is missing here, before \(current.spelling)") }
      } catch {
        recover()
      }
      precondition(position > start || current.kind == .end || at(.closeBrace), "the parser stands still")
    }
    return scenario
  }

  /// `scenario v1 "title"`.
  private mutating func header() throws(Failure) -> String {
    let wanted = "the first line must be: scenario v1 \"title\""
    guard at("scenario") else {
      throw fail(wanted, at: SourcePlace(line: 1, column: 1, length: headLength, file: current.place.file))
    }
    advance()
    guard let word = current.word, let version = WordShape.number(in: word, behind: "v") else { throw fail(wanted) }
    guard version == Parser.version else {
      throw fail("made for v\(version); this tool knows v\(Parser.version)")
    }
    advance()
    guard case .string(let title) = current.kind else { throw fail(wanted) }
    advance()
    try endOfStatement(after: "scenario")
    return title
  }

  /// The length of the first word, where it stands at the very beginning.
  private var headLength: Int {
    current.place.line == 1 && current.place.column == 1 ? current.place.length : 0
  }

  private mutating func item() throws(Failure) -> ScenarioItem {
    switch current.word {
    case "param": return .parameter(try parameter())
    case "include":
      advance()
      let file = try string("the file")
      try endOfStatement(after: "include")
      return .include(file)
    case "define": return .definition(try definition())
    case "document": return .document(try document())
    case "scenario":
      throw fail("'scenario' stands in the first line only")
    case .some(let word) where Synonyms.items.contains(word): return .setting(try setting(word))
    default: return .step(try step())
    }
  }

  private mutating func parameter() throws(Failure) -> Parameter {
    advance()
    let name = try name("the parameter's name")
    try require(.equal, "'=' is missing here: param \(name.value) = 16KiB")
    let value = try scalar()
    try endOfStatement(after: "param")
    return Parameter(name: name, value: value)
  }

  private mutating func definition() throws(Failure) -> Definition {
    advance()
    let name = try name("the definition's name")
    try require(.openParenthesis, "'(' is missing here: define \(name.value)(page) { … }")
    var parameters: [Word] = []
    if !at(.closeParenthesis) { parameters = try names("a parameter's name") }
    try require(.closeParenthesis, "')' is missing here, before \(current.spelling)")
    return Definition(name: name, parameters: parameters, body: try block())
  }

  // MARK: Settings

  private mutating func setting(_ word: String) throws(Failure) -> Setting {
    let start = current.place
    advance()
    let kind = try settingKind(word)
    let end = place(from: start)
    try endOfStatement(after: word)
    return Setting(place: end, kind: kind)
  }

  private mutating func settingKind(_ word: String) throws(Failure) -> Setting.Kind {
    switch word {
    case "store": return .store(try words("a store", among: Parser.stores))
    case "model": return .model(try names("a model"))
    case "autosave": return .autosave(try duration("the autosave's delay"))
    case "seed": return .seed(try integer("the seed"))
    case "durability": return .durability(try words("a durability", among: Parser.durabilities))
    case "budget": return try budget()
    case "tags": return .tags(try names("a tag"))
    case "issue": return .issue(try string("the issue").value)
    case "known-failing": return .knownFailing(try string("the issue").value)
    case "command": return .command(try string("the command").value)
    case "thumbnails": return .thumbnails(try self.word("'on' or 'off'", among: Parser.switches))
    default: return .mutant(try name("the mutant's name"))
    }
  }

  static let stores = ["snapshot", "journal", "sqlite", "external"]
  static let switches = ["on", "off"]
  static let durabilities = ScenarioSettings.Durability.allCases.map(\.rawValue)

  private mutating func words(_ what: String, among known: [String]) throws(Failure) -> [Word] {
    var all = [try word(what, among: known)]
    while accept(.comma) { all.append(try word(what, among: known)) }
    return all
  }

  /// One of a few words; says which ones there are.
  mutating func word(_ what: String, among known: [String]) throws(Failure) -> Word {
    let token = current
    guard let text = token.word, known.contains(text) else {
      let near = token.word.map { Spelling.suggestion(for: $0, among: known) } ?? ""
      let list = near.isEmpty ? " - there are: \(known.joined(separator: ", "))" : near
      throw fail(
        token.word == nil
          ? "\(what) is missing here, before \(token.spelling)\(list)" : "unknown word \(token.spelling)\(list)")
    }
    advance()
    return Word(text, token.place)
  }

  private mutating func budget() throws(Failure) -> Setting.Kind {
    var cases: Word?
    if case .number(_, let suffix) = current.kind, suffix.isEmpty {
      guard next.word == "cases" else { throw fail("a budget is a number of cases, a time, or both: 400 cases 20min") }
      cases = try integer("the number of cases")
      advance()
    }
    var time: DurationSyntax?
    if !isAtEndOfStatement { time = try duration("the budget's time") }
    return .budget(cases: cases, time: time)
  }

  // MARK: Documents

  private mutating func document() throws(Failure) -> DocumentSyntax {
    let start = current.place
    advance()
    let title = try string("the document's title")
    let alias = accept("as") ? try name("the document's name") : nil
    let head = place(from: start)
    let open = current.place
    try require(.openBrace, "'{' is missing here: document \"Trip\" { page p1 }")
    var pages: [PageSyntax] = []
    skipSeparators()
    while !at(.closeBrace) {
      guard current.kind != .end else { throw fail("this '{' is never closed", at: open) }
      do throws(Failure) {
        pages.append(try page())
        if !isAtEndOfStatement { throw fail("\(current.spelling) does not belong here, behind 'page'") }
      } catch {
        recover()
      }
      skipSeparators()
    }
    advance()
    return DocumentSyntax(place: head, title: title, alias: alias, pages: pages)
  }

  private mutating func page() throws(Failure) -> PageSyntax {
    guard accept("page") else {
      throw fail("a document holds pages: page p1 768x1024 strokes 40 points 80")
    }
    var page = PageSyntax(name: try name("the page's name"))
    page.canvas = try canvas()
    while let word = current.word {
      let value: NumberSyntax
      switch word {
      case "strokes", "points", "images":
        advance()
        value = try number("the number of \(word)")
      default:
        let known = ["strokes", "points", "images"]
        throw fail("unknown word '\(word)' for a page\(Spelling.suggestion(for: word, among: known))")
      }
      switch word {
      case "strokes": page.strokes = value
      case "points": page.points = value
      default: page.images = value
      }
    }
    return page
  }
}
