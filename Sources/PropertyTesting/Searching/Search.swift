/// Looks for cases in which a property does not hold, and makes them small.
///
/// In turn: stored failures; the simplest case of all; small cases; cases by chance, and what comes of copying one span
/// over another of its kind; climbing towards what the test wants large. The same property, settings and stored cases
/// come to the same result, on every machine.
package struct Search {
  private let settings: SearchSettings
  private let executor: CaseExecutor
  private var random: RandomBits
  private var climber = Climber()

  /// A search. The clock counts milliseconds from any beginning; it is asked only where there is a deadline.
  package init(
    _ property: Property, _ settings: SearchSettings = SearchSettings(), clock: @escaping () -> Int64 = { 0 }
  ) {
    self.settings = settings
    executor = CaseExecutor(property, settings, clock: clock)
    random = RandomBits(seed: settings.seed)
  }

  /// Searches, and makes small what was found. `stored` are cases that failed once, the smallest first.
  package mutating func run(stored: [[ChoiceValue]] = []) -> SearchResult {
    let storedStatuses = stored.map { values in
      let record = executor.execute(values)
      executor.keep(record)
      return record.status
    }
    let ending = executor.buckets.isEmpty ? draw() : .stored
    return SearchResult(
      failures: failures(), counts: executor.counts, ending: ending, stored: storedStatuses,
      targets: climber.best.map(\.target))
  }

  /// Executes one case again and says what came of it, with what it tells of itself.
  package static func replay(
    _ values: [ChoiceValue], of property: Property, limits: ChoiceLimits = ChoiceLimits()
  ) -> CaseRecord {
    let source = ChoiceSource(prefix: values, limits: limits, isTelling: true)
    return source.record(property.test(source))
  }

  /// Which parts of a failing case could be anything.
  ///
  /// It is executed once, and then no more often than is allowed.
  ///
  /// What passes has no such parts.
  package static func explained(
    _ values: [ChoiceValue], of property: Property, executionsMax: Int
  ) -> SearchResult.Explained {
    let executor = CaseExecutor(property, SearchSettings(), clock: { 0 })
    let record = executor.execute(values)
    guard record.status.bucket != nil else { return SearchResult.Explained(free: [], executions: 0, isWhole: true) }
    var explanation = Explanation(executor, record, executionsMax: executionsMax)
    let free = explanation.freeParts()
    return SearchResult.Explained(
      free: free, executions: executor.counts.executions - 1, isWhole: !explanation.isCutShort)
  }

  // MARK: Drawing

  private static let smallCasesMax = 50
  private static let mutationsMax = 5

  private mutating func draw() -> SearchResult.Ending {
    let simplest = executor.execute([])
    see(simplest)
    let smallCount = min(settings.executionsMax / 10, Search.smallCasesMax)
    for number in 0..<smallCount where ending == nil {
      let choices = simplest.choices.count * (1 + number % 5) + number % 7 + 1
      see(byChance(.randomThenSimplest(seed: random.next(), choices: choices)))
    }
    var isClimbed = false
    while ending == nil {
      let record = byChance(.random(seed: random.next()))
      see(record)
      guard record.status == .valid else { continue }
      mutate(record)
      if !isClimbed && executor.counts.executions >= settings.executionsMax / 2 {
        isClimbed = true
        climb()
      }
    }
    return ending ?? .budget
  }

  private func byChance(_ beyond: ChoiceSource.Beyond) -> CaseRecord { executor.execute([], beyond, isNovel: true) }

  /// Nil while another case is to be drawn.
  private var ending: SearchResult.Ending? {
    let executed = executor.counts.executions
    if executor.tree.isExhausted { return .exhausted }
    if executed >= settings.executionsMax { return .budget }
    if executor.isOutOfTime { return .time }
    guard let first = executor.buckets.first?.executionsToFind else { return nil }
    let isEnough = executor.buckets.allSatisfy { $0.finds.count >= settings.findsWanted }
    return isEnough && executed >= first + max(first, settings.furtherExecutions) ? .budget : nil
  }

  private mutating func see(_ record: CaseRecord) {
    executor.keep(record)
    climber.see(record)
  }

  /// Copies spans over others of their kind: equal parts are rare by chance.
  private mutating func mutate(_ record: CaseRecord) {
    for _ in 0..<Search.mutationsMax where ending == nil {
      guard let values = SpanMutation.values(of: record, &random) else { return }
      guard executor.tree.simulate(values, choicesMax: settings.limits.choicesMax) == nil else { continue }
      see(executor.execute(values))
    }
  }

  private mutating func climb() {
    var budget = settings.executionsMax / 4
    for number in climber.best.indices {
      climber.climb(number) { [executor] values in
        guard budget > 0, !executor.isOutOfTime else { return nil }
        budget -= 1
        let record = executor.execute(values)
        executor.keep(record)
        return record
      }
    }
  }

  // MARK: Making small

  private func failures() -> [SearchResult.Failure] {
    var failures: [SearchResult.Failure] = []
    // What turns up on the way has a bucket of its own, behind the others.
    while failures.count < executor.buckets.count {
      let bucket = executor.buckets[failures.count]
      var shrunk: [Shrinker] = []
      for (number, find) in bucket.finds.enumerated() {
        let shrinker = Shrinker(executor, find, seed: settings.seed &+ UInt64(number))
        shrinker.run()
        shrunk.append(shrinker)
      }
      var smallest = shrunk[0]
      for other in shrunk.dropFirst() where Shortlex.isSimpler(other.best.choices, than: smallest.best.choices) {
        smallest = other
      }
      var explanation = Explanation(executor, smallest.best)
      let free = settings.explains && smallest.isFinished ? explanation.freeParts() : []
      failures.append(
        SearchResult.Failure(
          bucket: bucket.signature,
          record: Search.replay(smallest.best.values, of: executor.property, limits: settings.limits),
          executionsToFind: bucket.executionsToFind, shrinkExecutions: shrunk.map(\.executions), free: free))
    }
    return failures
  }
}
