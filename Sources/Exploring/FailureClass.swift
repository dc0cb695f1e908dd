import Files

/// A state that failed, with what the program had said until then.
package struct Failure: Sendable {
  /// Its place in the table of states.
  package let entry: Int
  /// The places of the models under which it fails.
  package let models: [Int]
  /// The record during which the crash came, under the first of them.
  package let moment: UInt64
  /// How many bytes of output there were.
  package let outputCount: Int
  /// What the check said.
  package let outcome: Outcome
  /// What is lost of what the program had done, a phrase each.
  package let losses: Set<String>

  /// A failure.
  package init(
    entry: Int, models: [Int], moment: UInt64, outputCount: Int, outcome: Outcome, losses: Set<String>
  ) {
    self.entry = entry
    self.models = models
    self.moment = moment
    self.outputCount = outputCount
    self.outcome = outcome
    self.losses = losses
  }
}

/// Failures that are alike: the check ends alike and says the same first line, and the same is lost.
///
/// What loses the same and more is no class of its own: the smallest loss is what has to be understood.
package struct FailureClass: Sendable {
  /// The failure to show: of the smallest loss, the earliest.
  package let example: Failure
  /// The states in it, by their places, those that lose more included.
  package private(set) var entries: Set<Int>
  /// The places of the models under which a state of it fails.
  package private(set) var models: Set<Int>
  /// How many sets of losses it stands for.
  package private(set) var lossSetCount = 1

  private init(_ example: Failure) {
    self.example = example
    entries = [example.entry]
    models = Set(example.models)
  }

  private struct Key: Hashable {
    let verdict: Verdict
    let firstLine: String
  }

  /// The classes of some failures, in the order of their examples.
  package static func all(of failures: [Failure]) -> [FailureClass] {
    var classes: [FailureClass] = []
    let groups = Dictionary(grouping: failures) { Key(verdict: $0.outcome.verdict, firstLine: $0.outcome.firstLine) }
    for group in groups.values {
      var found: [FailureClass] = []
      var seen: [Set<String>: Int] = [:]
      for failure in group.sorted(by: isSmaller) {
        let known = seen[failure.losses]
        if let index = known ?? found.firstIndex(where: { $0.example.losses.isSubset(of: failure.losses) }) {
          found[index].add(failure, isNewLossSet: known == nil)
          seen[failure.losses] = index
        } else {
          seen[failure.losses] = found.count
          found.append(FailureClass(failure))
        }
      }
      classes += found
    }
    return classes.sorted { isEarlier($0.example, $1.example) }
  }

  private mutating func add(_ failure: Failure, isNewLossSet: Bool) {
    entries.insert(failure.entry)
    models.formUnion(failure.models)
    if isNewLossSet { lossSetCount += 1 }
  }

  private static func isSmaller(_ left: Failure, _ right: Failure) -> Bool {
    (left.losses.count, left.entry, left.outputCount) < (right.losses.count, right.entry, right.outputCount)
  }

  private static func isEarlier(_ left: Failure, _ right: Failure) -> Bool {
    (left.entry, left.outputCount, left.outcome.firstLine) < (right.entry, right.outputCount, right.outcome.firstLine)
  }
}
