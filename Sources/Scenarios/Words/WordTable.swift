/// Words of the language and what they mean: help, explanations and pages are printed from these tables.
struct WordTable: Sendable {
  /// Some forms of a word, and what they mean.
  struct Row: Sendable {
    /// As they are written: "wait until saved".
    let forms: [String]
    /// What they mean, with words of the language between backquotes.
    let meaning: String
    /// What holds where it is not written; nil in tables that do not say.
    let without: String?

    init(_ forms: [String], _ meaning: String, without: String? = nil) {
      self.forms = forms
      self.meaning = meaning
      self.without = without
    }

    /// The meaning for a terminal: without the marks of the page.
    var plainMeaning: String {
      var text = ""
      var rest = meaning[...]
      while let open = rest.firstIndex(of: "["), let close = rest[open...].firstRange(of: "]("),
        let end = rest[close.upperBound...].firstIndex(of: ")")
      {
        text += rest[..<open] + rest[rest.index(after: open)..<close.lowerBound]
        rest = rest[rest.index(after: end)...]
      }
      return (text + rest).replacing("`", with: "'")
    }
  }

  let heads: [String]
  let rows: [Row]

  /// Every table, in the order of the page.
  static let all = [settings, steps, blocks, chance, effects, selectors, losses, expectations]

  /// The table as the page shows it.
  var page: String {
    let head = "| " + heads.joined(separator: " | ") + " |\n|" + String(repeating: "---|", count: heads.count) + "\n"
    return head
      + rows.map { row in
        let forms = row.forms.map { "`\($0)`" }.joined(separator: ", ")
        return WordTable.line([forms, row.meaning] + (heads.count > 2 ? [row.without ?? ""] : []))
      }.joined()
  }

  private static func line(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n"
  }

  // MARK: Looking up

  /// The rows that speak of a word: those that begin with it, else those that hold it.
  static func rows(for word: String) -> [Row] {
    let rows = all.flatMap(\.rows)
    let beginning = rows.filter { $0.forms.contains { words(in: $0).first == word } }
    return beginning.isEmpty ? rows.filter { $0.forms.contains { words(in: $0).contains(word) } } : beginning
  }

  /// The row of a step, by its text: the form that begins with most of its words.
  static func row(forStep text: String) -> Row? {
    let wanted = words(in: text)
    var best: (row: Row, count: Int)?
    for row in (steps.rows + blocks.rows + chance.rows) {
      for form in row.forms {
        let count = zip(words(in: form), wanted).prefix { $0 == $1 }.count
        if count > 0, count > best?.count ?? 0 { best = (row, count) }
      }
    }
    return best?.row
  }

  static func words(in text: String) -> [String] {
    text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
  }
}
