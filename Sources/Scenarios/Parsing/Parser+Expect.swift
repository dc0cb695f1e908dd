extension Parser {
  mutating func expectation() throws(Failure) -> ExpectSyntax {
    advance()
    let start = current.place
    let kind = try expectationKind()
    return ExpectSyntax(place: place(from: start), kind: kind)
  }

  private mutating func expectationKind() throws(Failure) -> ExpectSyntax.Kind {
    guard !isAtEndOfStatement else {
      throw fail("what to expect is missing here: fsck clean, ok, error EIO, p1 equals latest, …")
    }
    switch current.word {
    case "fsck":
      advance()
      return try fsck()
    case "ok":
      advance()
      return .ok
    case "error":
      advance()
      guard let word = current.word, WordShape.isErrno(word) else {
        throw fail("the error is missing here: expect error ENOSPC")
      }
      defer { advance() }
      return .error(Word(word, current.place))
    case "document" where next.word == "loads":
      advance()
      advance()
      return .documentLoads
    case "document": throw fail("write 'expect document loads'")
    case "exit":
      advance()
      return .exit(try number("the exit status"))
    case "count":
      advance()
      let glob = try string("the files to count")
      let comparison = try comparison()
      return .count(glob, comparison, try number("the number of files"))
    case .some(let word) where Synonyms.expectations[word] != nil && !Parser.contentWords.contains(next.word ?? ""):
      throw fail("'\(word)' alone says too little - \(Synonyms.expectations[word] ?? "")")
    default:
      let reference = try reference("a page's or element's name")
      return .content(reference, try content(of: reference))
    }
  }

  private static let contentWords = ["equals", "between", "at-least", "has", "missing"]

  private mutating func comparison() throws(Failure) -> Expectation.Comparison {
    guard case .symbol(let symbol) = current.kind,
      let comparison = Expectation.Comparison(rawValue: symbol.rawValue)
    else { throw fail("a comparison is missing here: =, <=, <, >= or >, before \(current.spelling)") }
    advance()
    return comparison
  }

  private mutating func fsck() throws(Failure) -> ExpectSyntax.Kind {
    switch try word("what to expect of fsck", among: ["clean", "no-loss", "exactly", "never"]).value {
    case "clean": return .fsckClean
    case "no-loss": return .fsckNoLoss
    case "exactly": return .fsckExactly(try problems())
    default: return .fsckNever(try problems())
    }
  }

  private mutating func problems() throws(Failure) -> [ProblemSyntax] {
    var all = [try problem()]
    while accept(.comma) { all.append(try problem()) }
    return all
  }

  private mutating func problem() throws(Failure) -> ProblemSyntax {
    guard let word = current.word, WordShape.isName(word) || WordShape.isCode(word) else {
      throw fail("a problem's name or code is missing here: asset-missing, LN4001, before \(current.spelling)")
    }
    let place = current.place
    advance()
    var count: Int?
    if let multiple = current.word, let number = WordShape.number(in: multiple, behind: "x") {
      count = number
      advance()
    }
    return ProblemSyntax(word: Word(word, place), count: count)
  }

  private mutating func content(of reference: Reference) throws(Failure) -> ExpectSyntax.Content {
    guard let word = current.word else {
      if at(.equal) {
        let state = next.word == "saved" ? "last-durable" : next.word ?? "latest"
        throw fail("write 'equals' in place of '=' - did you mean 'equals \(state)'?")
      }
      throw fail(
        "what to expect of it is missing here: equals, between, at-least, has, missing, before \(current.spelling)")
    }
    switch word {
    case "equals":
      advance()
      return .equals(try state())
    case "between":
      advance()
      let first = try state()
      try require("and", "'and' is missing here: between saved and latest")
      return .between(first, try state())
    case "at-least":
      advance()
      return .atLeast(try state())
    case "has":
      advance()
      let count = try number("the number of elements")
      if at("strokes") || at("images") || at("stroke") || at("element") {
        throw fail("strokes and images are counted together - did you mean 'elements'?")
      }
      try require("elements", "'elements' is missing here: has 3 elements")
      return .hasElements(count)
    case "missing":
      advance()
      return .missing
    case "is": throw fail("write 'equals' in place of 'is'")
    default:
      throw fail(
        "unknown word '\(word)' for a page's content\(Spelling.suggestion(for: word, among: Parser.contentWords))")
    }
  }

  private mutating func state() throws(Failure) -> Word {
    try name("a remembered name, or latest, empty, last-durable,")
  }
}
