/// Passes that take other ways: a simpler branch, or fewer steps that are like others of the same case.
extension Shrinker {
  private static let branchesMax = 24

  /// Takes a simpler branch: one run shows what the test draws behind it, then that is put in front of the old rest.
  func tryAlternatives() {
    var index = 0
    while index < best.choices.count, !isSpent {
      let choice = best.choices[index]
      if !choice.isSimplest, let count = choice.constraint.count, count <= Shrinker.branchesMax {
        let rank = choice.constraint.rank(of: choice.value)
        let around = best.spans.indices.last { best.spans[$0].range.contains(index) }
        _ = choice.constraint.values.filter { choice.constraint.rank(of: $0) < rank }.contains { value in
          var values = best.values
          values[index] = value
          guard let around else { return attempt(values) }
          return attempt(branching: values, index, around)
        }
      }
      index += 1
    }
  }

  /// The case with another value there, the rest of the span around it as simple as it can be, and the old rest.
  private func attempt(branching values: [ChoiceValue], _ index: Int, _ around: Int) -> Bool {
    let old = best.spans[around]
    if attempt(values) { return true }
    let count = best.choices.count
    guard let tried = last, around < tried.spans.count else { return false }
    let new = tried.spans[around]
    guard new.start == old.start, new.end > index else { return false }
    let simplest = tried.choices[(index + 1)..<new.end].map { $0.isForced ? $0.value : $0.constraint.simplest }
    guard index + 1 + simplest.count + values.count - old.end <= count else { return false }
    return attempt(Array(values[...index] + simplest + values[old.end...]))
  }

  private static let windowSteps = 2...5
  private static let windowTries = 6
  private static let resamplesMax = 400

  /// Replaces a few steps by one or two less, taken from anywhere in the case and perhaps changed a little.
  ///
  /// By chance, and under a budget of its own; it finds ways around that no single change leads to.
  func resampleWindows() {
    let end = executions + Shrinker.resamplesMax
    for family in families(ofAtLeast: 2) {
      for size in Shrinker.windowSteps {
        var first = members(of: family).count - size
        while first >= 0, !isSpent, executions < end {
          if resample(family, first, size) { return }
          first -= 1
        }
      }
    }
  }

  private func resample(_ family: Siblings, _ first: Int, _ size: Int) -> Bool {
    let members = members(of: family)
    let values = best.values
    for count in [size - 2, size - 1] where count >= 0 {
      for _ in 0..<(count == 0 ? 1 : Shrinker.windowTries) {
        var window: [ChoiceValue] = []
        for _ in 0..<count { window += changed(best.choices[members[random.below(members.count)].range]) }
        if attempt(Array(values[..<members[first].start] + window + values[members[first + size - 1].end...])) {
          return true
        }
      }
    }
    return false
  }

  /// The values of a step, in half of the cases with one of them drawn anew.
  private func changed(_ choices: ArraySlice<Choice>) -> [ChoiceValue] {
    var values = choices.map(\.value)
    let free = choices.indices.filter { !choices[$0].isForced && choices[$0].constraint.count != 1 }
    if !free.isEmpty, random.below(2) == 0 {
      let index = free[random.below(free.count)]
      values[index - choices.startIndex] = choices[index].constraint.random(&random)
    }
    return values
  }
}

extension Constraint {
  /// All values of a small constraint, the simplest first; empty for a large one.
  var values: [ChoiceValue] {
    switch self {
    case .bool: [.bool(false), .bool(true)].filter(permits)
    case .int(let low, let high, _) where count != nil:
      (low...high).map { .int($0) }.sorted { rank(of: $0) < rank(of: $1) }
    default: []
    }
  }
}
