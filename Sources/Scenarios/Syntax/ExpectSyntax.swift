/// `expect …`.
struct ExpectSyntax: Sendable {
  /// The place of what is expected, behind the word `expect`.
  var place: SourcePlace
  var kind: Kind

  enum Kind: Sendable {
    case fsckClean
    case fsckNoLoss
    case fsckExactly([ProblemSyntax])
    case fsckNever([ProblemSyntax])
    case error(Word)
    case ok
    case documentLoads
    case exit(NumberSyntax)
    case count(Word, Expectation.Comparison, NumberSyntax)
    case content(Reference, Content)
  }

  /// What is expected of a page or element.
  enum Content: Sendable {
    case equals(Word)
    case between(Word, Word)
    case atLeast(Word)
    case hasElements(NumberSyntax)
    case missing
  }
}

/// `asset-missing x2`, `LN4001`.
struct ProblemSyntax: Sendable {
  var word: Word
  var count: Int?
}
