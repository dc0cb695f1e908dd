/// What a program has said on standard output, and before which operation.
package struct OutputTimeline: Sendable {
  /// All of it.
  package private(set) var bytes: [UInt8] = []
  /// From which record on how many bytes were there, in order.
  private var steps: [(record: UInt64, count: Int)] = []

  /// Nothing said.
  package init() {}

  /// Adds what was written before the operation of this record began; records come in order.
  package mutating func add(_ piece: some Collection<UInt8>, before record: UInt64) {
    if piece.isEmpty { return }
    bytes += piece
    if steps.last?.record == record { steps.removeLast() }
    steps.append((record, bytes.count))
  }

  /// How many bytes were there for sure when the record was under way.
  package func count(at moment: UInt64) -> Int { steps.last { $0.record <= moment }?.count ?? 0 }

  /// The outputs, as counts of bytes, that may be there at a crash during these moments, in order.
  ///
  /// Where there are more than `countMax`, those in between are thinned out evenly, and `isWhole` is false.
  package func counts(
    during moments: [ClosedRange<UInt64>], countMax: Int
  ) -> (counts: [Int], isWhole: Bool) {
    var found: Set<Int> = []
    for range in moments {
      found.insert(count(at: range.lowerBound))
      for step in steps where range.contains(step.record) { found.insert(step.count) }
    }
    let all = found.sorted()
    if all.count <= countMax { return (all, true) }
    return ((0..<countMax).map { all[$0 * (all.count - 1) / max(1, countMax - 1)] }, false)
  }

  /// The first of these moments at which exactly so many bytes were there; nil where there is none.
  package func firstMoment(withCount count: Int, during moments: [ClosedRange<UInt64>]) -> UInt64? {
    for range in moments {
      let starts = [range.lowerBound] + steps.map(\.record).filter { range.contains($0) }
      if let start = starts.first(where: { self.count(at: $0) == count }) { return start }
    }
    return nil
  }
}
