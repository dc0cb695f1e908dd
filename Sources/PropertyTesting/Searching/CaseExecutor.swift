/// Executes cases, one at a time, and keeps what was learnt: the tree, the counts, and the finds of each mistake.
final class CaseExecutor {
  let property: Property
  let settings: SearchSettings
  let tree = ChoiceTree()
  private let clock: () -> Int64
  private(set) var counts = SearchResult.Counts()
  private(set) var buckets: [Bucket] = []

  /// The finds of one mistake.
  struct Bucket {
    let signature: String
    var finds: [CaseRecord]
    let executionsToFind: Int
  }

  init(_ property: Property, _ settings: SearchSettings, clock: @escaping () -> Int64) {
    self.property = property
    self.settings = settings
    self.clock = clock
  }

  var isOutOfTime: Bool { settings.deadlineMilliseconds.map { clock() >= $0 } ?? false }

  /// Executes one case. `isNovel`: chance draws only what is not known yet.
  func execute(
    _ prefix: [ChoiceValue], _ beyond: ChoiceSource.Beyond = .simplest, choicesMax: Int? = nil,
    isNovel: Bool = false, isTelling: Bool = false
  ) -> CaseRecord {
    var limits = settings.limits
    if let choicesMax { limits.choicesMax = min(limits.choicesMax, choicesMax) }
    let source = ChoiceSource(
      prefix: prefix, beyond: beyond, limits: limits, isTelling: isTelling, tree: isNovel ? tree : nil)
    let record = source.record(property.test(source))
    count(record.status)
    tree.insert(record)
    return record
  }

  private func count(_ status: CaseStatus) {
    counts.executions += 1
    switch status {
    case .overrun: counts.overrun += 1
    case .invalid: counts.invalid += 1
    case .valid: counts.valid += 1
    case .interesting: counts.failing += 1
    }
  }

  /// Keeps a failing case where there are not enough finds of its mistake yet; true where it was kept.
  @discardableResult
  func keep(_ record: CaseRecord) -> Bool {
    guard let signature = record.status.bucket else { return false }
    guard let known = buckets.firstIndex(where: { $0.signature == signature }) else {
      buckets.append(Bucket(signature: signature, finds: [record], executionsToFind: counts.executions))
      return true
    }
    guard buckets[known].finds.count < settings.findsWanted,
      !buckets[known].finds.contains(where: { $0.choices == record.choices })
    else { return false }
    buckets[known].finds.append(record)
    return true
  }
}
