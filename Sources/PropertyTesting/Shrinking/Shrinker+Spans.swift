/// Passes that leave out, simplify, lift and sort whole spans.
extension Shrinker {
  /// Spans of one kind side by side.
  struct Siblings: Hashable {
    let parent: Int?
    let label: String
  }

  /// Kinds of siblings of which there are at least so many, the outermost first.
  func families(ofAtLeast countMin: Int) -> [Siblings] {
    var order: [Siblings] = []
    var counts: [Siblings: Int] = [:]
    for span in best.spans where span.count > 0 {
      let family = Siblings(parent: span.parent, label: span.label)
      if counts.updateValue((counts[family] ?? 0) + 1, forKey: family) == nil { order.append(family) }
    }
    return order.filter { counts[$0]! >= countMin }
  }

  /// The spans of a family in the best case.
  func members(of family: Siblings) -> [Span] {
    best.spans.filter { $0.parent == family.parent && $0.label == family.label && $0.count > 0 }
  }

  /// What the test drew and made no use of.
  func deleteDiscarded() {
    while let span = best.spans.first(where: { $0.isDiscarded && $0.count > 0 }) {
      guard attempt(without: span.range) else { return }
    }
  }

  /// Runs of whole steps or elements, from the back.
  func deleteRunsOfSpans() {
    for family in families(ofAtLeast: 1) {
      var end = members(of: family).count
      while end > 0, !isSpent {
        let members = members(of: family)
        end = min(end, members.count)
        guard end > 0 else { break }
        let values = best.values
        let count = Adaptive.largest { count in
          count <= end
            && attempt(Array(values[..<members[end - count].start] + values[members[end - 1].end...]))
        }
        end -= max(count, 1)
      }
    }
  }

  /// Each span as simple as it can be, the outer ones first.
  func simplifySpans() {
    var number = 0
    while number < best.spans.count, !isSpent {
      let span = best.spans[number]
      let choices = best.choices[span.range]
      if choices.contains(where: { !$0.isSimplest }) {
        var values = best.values
        values.replaceSubrange(span.range, with: choices.map { $0.isForced ? $0.value : $0.constraint.simplest })
        attempt(reshaping: values, number)
      }
      number += 1
    }
  }

  /// Executes a case, and where that span came out in another shape, what it has become with the old rest behind it.
  @discardableResult
  func attempt(reshaping values: [ChoiceValue], _ number: Int) -> Bool {
    let before = best
    if attempt(values) { return true }
    guard let tried = last, number < tried.spans.count else { return false }
    let old = before.spans[number]
    let new = tried.spans[number]
    guard new.label == old.label, new.count != old.count else { return false }
    return attempt(
      Array(tried.values[..<new.end] + before.values[old.end...]))
  }

  /// A span of the same kind inside takes its place.
  func liftDescendants() {
    var number = 0
    while number < best.spans.count, !isSpent {
      let outer = best.spans[number]
      let inner = best.spans.dropFirst(number + 1).filter {
        $0.label == outer.label && $0.start >= outer.start && $0.end <= outer.end && $0.count < outer.count
          && $0.count > 0
      }
      let values = best.values
      let isLifted = inner.contains { span in
        attempt(Array(values[..<outer.start] + values[span.range] + values[outer.end...]))
      }
      if !isLifted { number += 1 }
    }
  }

  /// Siblings in the order of their simplicity: all at once, or each as far to the left as it goes.
  func sortSpans() {
    for family in families(ofAtLeast: 2) {
      let members = members(of: family)
      let sorted = members.indices.sorted { isSimpler(members[$0], members[$1]) || sameRank(members, $0, $1) }
      if sorted == Array(members.indices) { continue }
      if attempt(rearranging: members, sorted) { continue }
      for index in members.indices.dropFirst() where !isSpent {
        let now = self.members(of: family)
        guard index < now.count else { break }
        Adaptive.largest { distance in
          guard distance <= index, isSimpler(now[index], now[index - distance]) else { return false }
          var order = Array(now.indices)
          order.insert(order.remove(at: index), at: index - distance)
          return attempt(rearranging: now, order)
        }
      }
    }
  }

  private func isSimpler(_ one: Span, _ other: Span) -> Bool {
    Shortlex.isSimpler(Array(best.choices[one.range]), than: Array(best.choices[other.range]))
  }

  /// Equal ones stay as they are.
  private func sameRank(_ members: [Span], _ one: Int, _ other: Int) -> Bool {
    one < other && !isSimpler(members[other], members[one])
  }

  private func attempt(rearranging members: [Span], _ order: [Int]) -> Bool {
    let old = best.values
    var values: [ChoiceValue] = []
    var end = 0
    for (place, index) in zip(members, order) {
      values += old[end..<place.start]
      values += old[members[index].range]
      end = place.end
    }
    return attempt(values + old[end...])
  }
}
