/// A new case of an old one: two spans of one kind become equal.
enum SpanMutation {
  /// Nil where no two spans have the same kind.
  static func values(of record: CaseRecord, _ random: inout RandomBits) -> [ChoiceValue]? {
    let spans = record.spans.filter { $0.count > 0 }
    guard spans.count >= 2 else { return nil }
    for _ in 0..<tries {
      let one = spans[random.below(spans.count)]
      let alike = spans.filter { $0.label == one.label && $0.range != one.range }
      guard !alike.isEmpty else { continue }
      let other = alike[random.below(alike.count)]
      let (first, second) = one.start <= other.start ? (one, other) : (other, one)
      let copied = random.below(2) == 0 ? first.range : second.range
      let end = record.choices.count
      if second.end <= first.end {
        // One lies in the other: the outer one once more in the place of the inner one.
        return record.values(in: [0..<second.start, first.range, second.end..<end])
      }
      return record.values(
        in: [0..<first.start, copied, first.end..<second.start, copied, second.end..<end])
    }
    return nil
  }

  private static let tries = 5
}
