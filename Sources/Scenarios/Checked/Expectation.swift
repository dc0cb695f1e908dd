import FileTracing
import Files

/// What must hold where an `expect` stands.
package enum Expectation: Hashable, Sendable {
  case fsckClean
  case fsckNoLoss
  case fsckExactly([ExpectedProblem])
  case fsckNever([ExpectedProblem])
  /// A step since the last expectation or block start failed with this error.
  case error(Errno)
  /// No step since the last expectation or block start failed.
  case ok
  /// Every document opens.
  case documentLoads
  /// The number of files of the packages that match the pattern compares so.
  case fileCount(NamePatterns, Comparison, Int)
  case page(PageReference, PageExpectation)
  /// The element is on no page.
  case elementMissing(ElementReference)

  /// The patterns of a glob, one a document, and how it is spelt.
  package struct NamePatterns: Hashable, Sendable {
    /// The patterns, relative to the root of the volume.
    package let patterns: [NamePattern]
    /// The glob as the scenario writes it, relative to a package.
    package let spelling: String
  }

  /// How two numbers compare.
  package enum Comparison: String, CaseIterable, Sendable {
    case equal = "="
    case atMost = "<="
    case less = "<"
    case atLeast = ">="
    case more = ">"

    /// True where `left` and `right` compare so.
    package func holds(_ left: Int, _ right: Int) -> Bool {
      switch self {
      case .equal: left == right
      case .atMost: left <= right
      case .less: left < right
      case .atLeast: left >= right
      case .more: left > right
      }
    }
  }
}

/// A kind of problem, and how often it is meant.
package struct ExpectedProblem: Hashable, Sendable {
  /// The code, "LN4001".
  package var code: String
  /// The name, "asset-missing".
  package var name: String
  /// How often; nil where the scenario does not say.
  package var count: Int?

  /// A kind of problem, so often where that matters.
  package init(code: String, name: String, count: Int? = nil) {
    self.code = code
    self.name = name
    self.count = count
  }
}

/// What must hold of a page's content.
package enum PageExpectation: Hashable, Sendable {
  case equals(ContentState)
  /// The page equals a state that it passed through from the first to the second.
  case between(ContentState, ContentState)
  /// Nothing of that state is missing.
  case atLeast(ContentState)
  case hasElements(Int)
  /// The document does not list the page.
  case missing
}

/// A content that an expectation compares with.
package enum ContentState: Hashable, Sendable {
  case remembered(String)
  /// The newest content the user had drawn, saved or not.
  case latest
  case empty
  /// The newest that the store acknowledged as durable.
  case lastDurable
}
