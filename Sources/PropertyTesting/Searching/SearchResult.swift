/// What a search came to.
package struct SearchResult: Sendable {
  /// The smallest case of each mistake that was found, in the order of their first finds.
  package let failures: [Failure]
  /// How many cases were executed, by what came of them.
  package let counts: Counts
  /// Why no further case was drawn.
  package let ending: Ending
  /// What each stored case comes to now, in the order in which they were handed in.
  package let stored: [CaseStatus]
  /// The best value of each target.
  package let targets: [CaseRecord.Target]

  /// One mistake.
  package struct Failure: Sendable {
    /// Its signature.
    package let bucket: String
    /// The smallest case that shows it, with what it told of itself.
    package let record: CaseRecord
    /// How many executions came before the first find.
    package let executionsToFind: Int
    /// How many executions each find took to become small.
    package let shrinkExecutions: [Int]
    /// What could be any other value and fail all the same; empty where that was not tried.
    package let free: [FreePart]
  }

  /// What is known of the parts of one failing case.
  package struct Explained: Hashable, Sendable {
    /// What could be any other value and fail all the same, the first choice first.
    package let free: [FreePart]
    /// How many executions it took to see.
    package let executions: Int
    /// True where each part was looked at; false where more executions were needed than allowed.
    package let isWhole: Bool
  }

  /// How many cases were executed.
  package struct Counts: Hashable, Sendable {
    /// All of them, those that made a find smaller too.
    package internal(set) var executions = 0
    /// Those in which everything held.
    package internal(set) var valid = 0
    /// Those that made no case.
    package internal(set) var invalid = 0
    /// Those that were too large.
    package internal(set) var overrun = 0
    /// Those that failed.
    package internal(set) var failing = 0
  }

  /// Why a search ended.
  package enum Ending: Hashable, Sendable {
    /// As many cases were executed as were allowed, or enough behind a failure.
    case budget
    /// Every case there is was executed.
    case exhausted
    /// The time was over.
    case time
    /// A stored case still fails; no other was drawn.
    case stored
  }
}

/// A part of a failing case whose values do not matter.
package struct FreePart: Hashable, Sendable {
  /// Its choices.
  package let range: Range<Int>
  /// The kind of its span; nil for a choice of its own.
  package let label: String?
}
