import FileTracing

/// What the tool says of the language: help on a word, a first scenario to change.
package enum ScenarioGuide {
  /// What a word means, with the forms that it is written in.
  ///
  /// Nil for a word that the language does not have.
  package static func help(_ word: String) -> String? {
    if word == "expect" { return WordTable.expectations.rows.map { text($0, before: "expect ") }.joined() }
    let rows = WordTable.rows(for: word)
    if !rows.isEmpty { return rows.map { text($0) }.joined() }
    if let advice = Synonyms.firstWords[word.lowercased()] ?? Synonyms.expectations[word] {
      return "'\(word)' is not a word of the language - \(advice)\n"
    }
    if let effect = Synonyms.effects[word.lowercased()] {
      return "'\(word)' is not a word of the language - write 'fault \(effect) on …'\n"
    }
    if let kind = OperationWord(word) { return operation(kind) }
    return nil
  }

  /// " - did you mean 'rename'?", or nothing.
  package static func suggestion(for word: String) -> String { Spelling.suggestion(for: word, among: keywords) }

  private static func text(_ row: WordTable.Row, before: String = "") -> String {
    let meaning = row.plainMeaning + (row.without.map { $0.isEmpty ? "" : "; without it: \($0)" } ?? "")
    return row.forms.map { "\(before)\($0)\n" }.joined() + (meaning.isEmpty ? "" : "    \(meaning)\n")
  }

  private static func operation(_ word: OperationWord) -> String {
    guard case .kind(let kind) = word else {
      return "any\n    every operation that is counted: fault EIO on any nth 3\n"
    }
    let counted =
      OperationKind.counted.contains(kind)
      ? "counted alike in process and on a mount" : "not counted: it depends on the kernel"
    return "\(kind.rawValue)\n    an operation that a fault hits: fault EIO on \(kind.rawValue) nth 1; \(counted)\n"
  }

  /// Every word of the language, for completion and for editors; sorted.
  package static let keywords: [String] = {
    var all = Set(Synonyms.steps + Synonyms.items + EffectSyntax.words + OperationWord.words)
    all.formUnion(["scenario", "and", "as", "at", "at-most", "bytes", "by", "cases", "check", "count", "depth"])
    all.formUnion(["each", "elements", "in", "last", "of", "one", "or", "page", "size", "success", "then", "to"])
    all.formUnion(["until", "unlimited", "saved", "pen", "width", "points", "strokes", "images", "file", "faults"])
    all.formUnion(["crash", "failure", "torn-rename", "from", "losing", "keeping", "keep-all", "keep-none"])
    all.formUnion(["drop-dirty", "keep-dirty", "bits", "nth", "every", "after-bytes", "probability", "times"])
    all.formUnion(["before", "during", "after", "clean", "no-loss", "exactly", "never", "error", "ok", "loads"])
    all.formUnion(["exit", "equals", "between", "at-least", "has", "missing"])
    all.formUnion(Checker.reservedStates + TornRename.all.map(\.name) + TargetSyntax.Role.allCases.map(\.rawValue))
    return all.sorted()
  }()

  /// The lists that `list` prints from here: a name and what it is.
  package static let lists: [(name: String, rows: [(name: String, sentence: String)])] = [
    ("words", WordTable.all.flatMap(\.rows).flatMap { row in row.forms.map { ($0, row.plainMeaning) } }),
    ("effects", WordTable.effects.rows.flatMap { row in row.forms.map { ($0, row.plainMeaning) } }),
    (
      "operations",
      OperationWord.words.map { word in
        guard case .kind(let kind)? = OperationWord(word) else { return (word, "every counted one") }
        return (
          word, OperationKind.counted.contains(kind) ? "counted" : "depends on the kernel, or on options of the mount"
        )
      }
    ),
    ("tears", TornRename.all.map { ($0.name, "a way in which a rename is torn") }),
  ]

  /// A scenario to begin with; it runs as it stands.
  package static func first(title: String) -> String {
    """
    scenario v1 \(FaultTarget.quoted(title))

    # What is there, and safe on disk, before anything else happens.
    document "Trip" { page p1 strokes 3 }

    stroke p1 points 50
    wait until saved
    remember saved

    # The power goes just before page p1 gets its new content.
    power-cut on rename of page p1 before {
      insert-image p1 size 200KiB as photo
      background
    }
    reopen

    expect p1 at-least saved
    expect fsck never asset-missing
    expect fsck no-loss
    repair
    expect fsck clean

    """
  }
}
