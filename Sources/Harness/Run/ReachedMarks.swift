import Scenarios

/// What the `sometimes` of a scenario wait for, and what of it has come about in any of its cases.
final class ReachedMarks {
  private(set) var texts: Set<String> = []

  /// It has come about.
  func note(_ text: String) { texts.insert(text) }

  /// Everything that a scenario waits for, in order.
  static func awaited(_ steps: [CheckedStep]) -> [String] {
    var all: [String] = []
    for step in steps {
      if case .sometimes(let text) = step.action, !all.contains(text) { all.append(text) }
      for text in awaited(step.action.inner) where !all.contains(text) { all.append(text) }
    }
    return all
  }
}
