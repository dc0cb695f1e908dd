/// Comments: one on each declaration that other rooms use, and no loose ends.
enum CommentRules {
  static let firstSentenceCharactersMax = 100

  private static let declaration = Pattern(
    #"^\s*(@\w+(\([^)]*\))?\s+)*(nonisolated\s+|final\s+|static\s+|indirect\s+)*(package|public)\s"#)
  private static let notDeclared = Pattern(#"^\s*(@\w+\s+)*(package|public)\s+(import|extension)\s"#)

  /// `package` and `public` declarations without a comment, or with a first sentence that is too long.
  static func documentationFindings(_ source: SourceText) -> [Finding] {
    source.code.indices.compactMap { index in
      let line = source.code[index]
      guard declaration.fits(line), !notDeclared.fits(line) else { return nil }
      let comment = documentation(above: index, in: source.lines)
      guard !comment.isEmpty else { return source.finding(index, "no /// comment: say shape, unit, errors") }
      let sentence = firstSentence(of: comment)
      guard sentence.count > firstSentenceCharactersMax else { return nil }
      return source.finding(
        index, "the comment's first sentence has \(sentence.count) characters; at most \(firstSentenceCharactersMax)")
    }
  }

  private static func trimmed(_ line: String) -> Substring { line.drop { $0 == " " || $0 == "\t" } }

  /// The lines of the comment, without its slashes.
  private static func documentation(above index: Int, in lines: [String]) -> [Substring] {
    var comment: [Substring] = []
    var next = index - 1
    while next >= 0 {
      let line = trimmed(lines[next])
      if line.hasPrefix("///") {
        comment.insert(line.dropFirst(3).drop { $0 == " " }, at: 0)
      } else if !line.hasPrefix("@") || !comment.isEmpty {
        break
      }
      next -= 1
    }
    return comment
  }

  static func firstSentence(of comment: [Substring]) -> String {
    let paragraph = comment.prefix { !$0.isEmpty }.joined(separator: " ")
    guard let end = paragraph.firstRange(of: ". ") else { return paragraph }
    return String(paragraph[..<end.upperBound].dropLast())
  }

  private static let looseEnd = Pattern(#"\b(TODO|FIXME|XXX|HACK)\b"#)
  private static let withIssue = Pattern(#"\b(TODO|FIXME|XXX|HACK)\b.*#[0-9]+"#)

  /// Loose ends without the number of an issue.
  static func looseEndFindings(path: String, text: String) -> [Finding] {
    guard looseEnd.fits(text) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard looseEnd.fits(lines[index]), !withIssue.fits(lines[index]) else { return nil }
      return Finding(path: path, line: index + 1, message: "say which issue it belongs to: #12")
    }
  }

  /// Words that say on which machine, or how, this was written; in pieces, so that this file passes.
  static let workplaceWords =
    ["/wo|rk/", "/tmp/|wt", "../sha|red", "sub|agent", "AI ag|ent", "language mo|del", "/ro|ot/", "/Us|ers/"]
    .map { $0.split(separator: "|").joined() }

  private static let anyWorkplaceWord = Pattern(
    workplaceWords.map { $0.map { $0 == "." ? "[.]" : String($0) }.joined() }.joined(separator: "|"))

  /// Words about the workplace.
  static func workplaceFindings(path: String, text: String) -> [Finding] {
    guard anyWorkplaceWord.fits(text) else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index in
      workplaceWords.filter { lines[index].contains($0) }.map {
        Finding(path: path, line: index + 1, message: "\"\($0)\" is about the workplace: leave it out")
      }
    }
  }
}
