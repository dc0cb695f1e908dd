/// Which parts of a failing case could be anything: each is replaced by others, and all of them fail in the same bucket.
struct Explanation {
  private let executor: CaseExecutor
  private let record: CaseRecord
  private let executionsMax: Int
  private let executionsBefore: Int
  /// True where there were not enough executions to say of each part whether it is free.
  private(set) var isCutShort = false

  /// A part is free where so many other values fail too, or all there are.
  private static let triesMax = 100
  private static let seed: UInt64 = 1

  init(_ executor: CaseExecutor, _ record: CaseRecord, executionsMax: Int = .max) {
    self.executor = executor
    self.record = record
    self.executionsMax = executionsMax
    executionsBefore = executor.counts.executions
  }

  /// The free parts, the first choice first.
  mutating func freeParts() -> [FreePart] {
    var random = RandomBits(seed: Explanation.seed)
    var free: [FreePart] = []
    for part in parts where !free.contains(where: { $0.range.overlaps(part.range) }) {
      if isFree(part, &random) { free.append(part) }
    }
    return free.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Innermost spans, the largest first, then single choices.
  private var parts: [FreePart] {
    let parents = Set(record.spans.compactMap(\.parent))
    let spans = record.spans.indices.filter { !parents.contains($0) && record.spans[$0].count > 0 }
      .map { record.spans[$0] }
      .sorted { ($0.count, $1.start) > ($1.count, $0.start) }
    return spans.map { FreePart(range: $0.range, label: $0.label) }
      + record.choices.indices.map { FreePart(range: $0..<($0 + 1), label: nil) }
  }

  private mutating func isFree(_ part: FreePart, _ random: inout RandomBits) -> Bool {
    let choices = record.choices[part.range]
    guard choices.contains(where: { !$0.isForced && $0.constraint.count != 1 }) else { return false }
    var tried = 0
    for values in others(choices, &random) {
      if executor.isOutOfTime || executor.counts.executions - executionsBefore >= executionsMax {
        isCutShort = true
        return false
      }
      guard fails(part, values) else { return false }
      tried += 1
    }
    return tried > 0
  }

  /// Other values for these choices: all there are of a single small one, otherwise many by chance.
  private func others(_ choices: ArraySlice<Choice>, _ random: inout RandomBits) -> [[ChoiceValue]] {
    let old = choices.map(\.value)
    if let only = choices.first, choices.count == 1, only.constraint.count ?? .max <= Explanation.triesMax {
      return only.constraint.values.map { [$0] }.filter { $0 != old }
    }
    return (0..<Explanation.triesMax).map { _ in
      choices.map { $0.isForced ? $0.value : $0.constraint.random(&random) }
    }.filter { $0 != old }
  }

  /// True where the case with these values there fails in the same bucket, and takes the same course.
  private func fails(_ part: FreePart, _ values: [ChoiceValue]) -> Bool {
    var all = record.values
    all.replaceSubrange(part.range, with: values)
    let tried = executor.execute(all)
    return tried.status == record.status && tried.choices.count == record.choices.count
      && tried.firstMisaligned == nil
  }
}
