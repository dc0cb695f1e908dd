/// What came of one test case.
package enum CaseStatus: Hashable, Sendable {
  /// More was drawn than the limits allow.
  case overrun
  /// The test could not begin with what was drawn.
  case invalid
  /// Everything held.
  case valid
  /// Something did not hold; failures of one bucket are taken for the same mistake.
  case interesting(bucket: String)

  /// The bucket of a failure.
  package var bucket: String? {
    if case .interesting(let bucket) = self { bucket } else { nil }
  }
}

/// What a test says of its case.
package enum Verdict: Hashable, Sendable {
  /// Everything held.
  case holds
  /// What was drawn makes no case.
  case invalid
  /// Something did not hold: a signature of the mistake, the same for each case that shows it.
  case fails(bucket: String)
}

/// One executed case: its choices, how they belong together, and what came of it.
package struct CaseRecord: Sendable {
  /// What was chosen, in order.
  package let choices: [Choice]
  /// The spans, in the order of opening.
  package let spans: [Span]
  /// What came of it.
  package let status: CaseStatus
  /// Names of the states that the test passed through, each with the number of choices before it.
  package let states: [StateMark]
  /// What the test wants to be large, by name; in the order of first mention.
  package let targets: [Target]
  /// What the test told of itself, where it was asked to.
  package let told: [String]
  /// The first choice where the prefix said what was not permitted; nil where it was followed.
  package let firstMisaligned: Int?

  /// The values alone: what a replay needs.
  package var values: [ChoiceValue] { choices.map(\.value) }

  /// The values of these parts, one part behind the other.
  func values(in parts: [Range<Int>]) -> [ChoiceValue] { parts.flatMap { choices[$0].lazy.map(\.value) } }

  /// A state of the test between two choices.
  package struct StateMark: Hashable, Sendable {
    /// How many choices were made before.
    package let position: Int
    /// The state's name: equal states have equal ones.
    package let state: UInt64
  }

  /// A figure that the search tries to raise.
  package struct Target: Hashable, Sendable {
    /// What it is of.
    package let name: String
    /// The largest that was seen in this case.
    package internal(set) var value: Double
  }
}
