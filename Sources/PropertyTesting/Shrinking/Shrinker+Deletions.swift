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

  /// Leaves out a step and takes other numbers of its shape as far as they go: length outranks values.
  ///
  /// All of them at once, or those of one neighbour.
  func deleteAndCompensate() {
    for family in families(ofAtLeast: 2) {
      var index = members(of: family).count - 1
      while index >= 0, !isSpent {
        let members = members(of: family)
        if index < members.count { compensate(members, index) }
        index -= 1
      }
    }
  }

  private func compensate(_ members: [Span], _ index: Int) {
    let neighbours = [index - 1, index + 1].filter(members.indices.contains).map { members[$0].range }
    for constraint in numberConstraints(in: members[index]) {
      for raised in [best.choices.indices] + neighbours {
        var values = best.values
        for place in raised where best.choices[place].constraint == constraint {
          if let farthest = best.choices[place].farthest { values[place] = farthest }
        }
        values.removeSubrange(members[index].range)
        if attempt(values) { return }
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
