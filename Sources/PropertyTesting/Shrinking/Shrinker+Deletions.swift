/// Passes that leave out choices that are no whole spans, or need something else to change with them.
extension Shrinker {
  /// What lies between two equal states of the test, the longest first.
  func cutLoops() {
    let countMax = best.states.count
    for length in stride(from: countMax - 1, to: 0, by: -1) {
      var first = 0
      while first + length < best.states.count, !isSpent {
        let (from, to) = (best.states[first], best.states[first + length])
        let isCut =
          from.state == to.state && from.position < to.position && attempt(without: from.position..<to.position)
        if !isCut { first += 1 }
      }
    }
  }

  private static let chunkMax = 4

  /// A few choices side by side, from the back.
  func deleteChunks() {
    for size in stride(from: Shrinker.chunkMax, to: 0, by: -1) {
      var end = best.choices.count
      while end >= size, !isSpent {
        if attempt(without: (end - size)..<end) {
          end = min(end, best.choices.count)
        } else {
          end -= 1
        }
      }
    }
  }

  /// Leaves out a step and takes every other number of the same shape as far as it goes: length outranks values.
  func deleteAndCompensate() {
    for family in families(ofAtLeast: 2) {
      var index = members(of: family).count - 1
      while index >= 0, !isSpent {
        let members = members(of: family)
        guard index < members.count else {
          index = members.count - 1
          continue
        }
        let span = members[index]
        for constraint in numberConstraints(in: span) {
          var values = best.values
          for (place, choice) in best.choices.enumerated() where choice.constraint == constraint {
            if let farthest = choice.farthest { values[place] = farthest }
          }
          values.removeSubrange(span.range)
          if attempt(values) { break }
        }
        index -= 1
      }
    }
  }

  private static let wideCount = 16

  /// The shapes of the wide numbers in a span, each once.
  private func numberConstraints(in span: Span) -> [Constraint] {
    var constraints: [Constraint] = []
    for choice in best.choices[span.range] where choice.farthest != nil {
      guard choice.constraint.count ?? .max > Shrinker.wideCount, !constraints.contains(choice.constraint) else {
        continue
      }
      constraints.append(choice.constraint)
    }
    return constraints
  }

  /// One number lower and one later span less, where lowering alone changes what is drawn behind it.
  func lowerAndDelete() {
    var index = 0
    while index < best.choices.count, !isSpent {
      if let lower = best.choices[index].oneLower {
        let base = best
        var values = base.values
        values[index] = lower
        if !attempt(values), let tried = last, tried.choices.count != base.choices.count || tried.status == .overrun {
          let later = base.spans.filter { $0.start > index && $0.count > 0 }
          _ = later.contains { span in
            attempt(Array(values[..<span.start] + values[span.end...]))
          }
        }
      }
      index += 1
    }
  }
}

extension Choice {
  /// The next simpler value of a number or a yes; nil where there is none.
  var oneLower: ChoiceValue? {
    if isSimplest { return nil }
    if case .bool(true) = value { return constraint.permits(.bool(false)) ? .bool(false) : nil }
    guard let distance, distance.length > 0 else { return nil }
    return at(distance.length - 1, distance.isAbove)
  }
}
