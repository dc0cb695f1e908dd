import Testing

@testable import PropertyTesting

/// What a search promises, whatever it looks for.
@Suite struct SearchTests {
  private func settings(_ change: (inout SearchSettings) -> Void = { _ in }) -> SearchSettings {
    var settings = SearchSettings()
    change(&settings)
    return settings
  }

  /// Two mistakes: a number of 500 or more, and two equal numbers other than 0 in a row.
  private static var twoMistakes: Property {
    Property("two mistakes") { source in
      var list = source.many(0...10)
      var numbers: [Int] = []
      while list.next() { numbers.append(source.int(in: 0...1000)) }
      source.tell("\(numbers)")
      if let large = numbers.first(where: { $0 >= 500 }) { return .fails(bucket: large >= 900 ? "huge" : "large") }
      let isDouble = zip(numbers, numbers.dropFirst()).contains { $0 == $1 && $0 > 0 }
      return isDouble ? .fails(bucket: "double") : .holds
    }
  }

  @Test func everyMistakeHasItsOwnSmallestCase() {
    var search = Search(SearchTests.twoMistakes, settings { $0.executionsMax = 3000 })
    let told = search.run().failures.map { "\($0.bucket) \($0.record.told)" }
    #expect(told.sorted() == ["double [\"[1, 1]\"]", "huge [\"[900]\"]", "large [\"[500]\"]"])
  }

  /// The first simplest case fails with another mistake than the ones below it: a slip goes to its own bucket.
  @Test func aSlipIsKeptAndNotTaken() {
    let property = Property("slip") { source in
      let value = source.int(in: 0...100_000, towards: 0)
      return value >= 70_000 ? .fails(bucket: "upper") : value >= 10 ? .fails(bucket: "lower") : .holds
    }
    var search = Search(property, settings())
    let result = search.run(stored: [[.int(90_000)]])
    #expect(result.ending == .stored)
    #expect(result.failures.map(\.bucket) == ["upper", "lower"])
    #expect(result.failures.map(\.record.values) == [[.int(70_000)], [.int(10)]])
  }

  @Test(arguments: 0..<10 as Range<UInt64>) func theSameSeedIsTheSameSearch(seed: UInt64) {
    func run() -> ([[ChoiceValue]], SearchResult.Counts) {
      var trace: [[ChoiceValue]] = []
      let property = Property("traced") { source in
        let verdict = SearchTests.twoMistakes.test(source)
        trace.append(source.choices.map(\.value))
        return verdict
      }
      var search = Search(property, settings { ($0.seed, $0.executionsMax, $0.explains) = (seed, 300, true) })
      return (trace, search.run().counts)
    }
    let (one, counts) = run()
    let (other, others) = run()
    #expect(one == other && counts == others)
  }

  /// Whatever is taken on the way fails in the same bucket and is strictly smaller than what was taken before.
  @Test(arguments: 0..<20 as Range<UInt64>) func whatIsTakenIsSmallerAndFails(seed: UInt64) {
    let settings = settings { $0.seed = seed }
    let executor = CaseExecutor(SearchTests.twoMistakes, settings, clock: { 0 })
    var number: UInt64 = 0
    var find = executor.execute([])
    while find.status.bucket == nil {
      find = executor.execute([], .random(seed: seed &* 1000 &+ number))
      number += 1
    }
    let shrinker = Shrinker(executor, find, seed: seed)
    var best = find
    shrinker.onTaken = { record in
      #expect(Shortlex.isSimpler(record.choices, than: best.choices))
      #expect(record.status == find.status)
      best = record
    }
    shrinker.run()
    #expect(shrinker.isFinished && best.choices == shrinker.best.choices)
  }

  @Test func aReplayIsOneExecutionAndTheSame() {
    var count = 0
    let property = Property("counted") { source in
      count += 1
      return SearchTests.twoMistakes.test(source)
    }
    var search = Search(property, settings())
    for failure in search.run().failures {
      for _ in 0..<10 {
        count = 0
        let again = Search.replay(failure.record.values, of: property)
        #expect(count == 1)
        #expect(again.choices == failure.record.choices && again.told == failure.record.told)
        #expect(again.status.bucket == failure.bucket && again.firstMisaligned == nil)
      }
    }
  }

  @Test func aSmallSpaceIsExhausted() {
    let property = Property("small") { source in
      _ = source.bool()
      _ = source.int(in: 0...4)
      return .holds
    }
    var search = Search(property, settings())
    let result = search.run()
    #expect(result.ending == .exhausted)
    #expect(result.counts.executions == 10 && result.counts.valid == 10)
  }

  @Test func timeEndsEverything() {
    var now: Int64 = 0
    let property = Property("slow") { source in
      now += 10
      return source.int(in: 0...1_000_000) > 900_000 ? .fails(bucket: "x") : .holds
    }
    let limited = settings { ($0.deadlineMilliseconds, $0.executionsMax) = (200, 10_000) }
    var search = Search(property, limited, clock: { now })
    let result = search.run()
    #expect(result.ending == .time && result.counts.executions == 20)
  }

  @Test func targetsAreClimbed() {
    let property = Property("climb") { source in
      let high = source.int(in: 0...1_000_000)
      let low = source.int(in: 0...1_000_000)
      source.target("difference", Double(high - low))
      return high - low >= 999_990 ? .fails(bucket: "far") : .holds
    }
    var search = Search(property, settings { ($0.executionsMax, $0.seed) = (400, 3) })
    #expect(search.run().failures.map(\.record.values) == [[.int(999_990), .int(0)]])
  }

  @Test func whatDoesNotMatterIsNamed() {
    let property = Property("free") { source in
      let decisive = source.int(in: 0...1000)
      _ = source.int(in: 0...1000)
      source.span("name") {
        _ = source.bool()
        _ = source.int(in: 0...3)
      }
      return decisive >= 10 ? .fails(bucket: "ten") : .holds
    }
    var search = Search(property, settings { $0.explains = true })
    #expect(
      search.run().failures.map(\.free) == [
        [FreePart(range: 1..<2, label: nil), FreePart(range: 2..<4, label: "name")]
      ])
  }

  /// What there was no execution left for is not called free, and it is said.
  @Test func anExplanationHasABudget() {
    let property = Property("free") { source in
      let decisive = source.int(in: 0...5)
      _ = source.int(in: 0...7)
      return decisive >= 3 ? .fails(bucket: "three") : .holds
    }
    func explained(_ values: [Int], _ executionsMax: Int) -> SearchResult.Explained {
      Search.explained(values.map { .int($0) }, of: property, executionsMax: executionsMax)
    }
    // The first value that passes decides of the one, and all seven of the other.
    let free = [FreePart(range: 1..<2, label: nil)]
    #expect(explained([4, 0], 100) == .init(free: free, executions: 8, isWhole: true))
    #expect(explained([4, 0], 8) == .init(free: free, executions: 8, isWhole: true))
    #expect(explained([4, 0], 7) == .init(free: [], executions: 7, isWhole: false))
    #expect(explained([2, 0], 100) == .init(free: [], executions: 0, isWhole: true))
  }

  @Test func loopsAreCut() {
    // Nothing else can: every step must be there in its order, only the whole loop can go.
    let property = Property("loop") { source in
      var place = 0
      var isMarked = false
      for _ in 0..<12 {
        source.mark(state: UInt64(place))
        let way = source.int(in: 0...6)
        if place == 5, way == 6 { isMarked = true }
        if isMarked { return .fails(bucket: "loop") }
        place = way == place + 1 ? way : place == 5 && way == 0 ? 0 : -1
        if place < 0 { return .invalid }
      }
      return .holds
    }
    var search = Search(property, settings())
    let round = [1, 2, 3, 4, 5]
    let result = search.run(stored: [(round + [0] + round + [6]).map { .int($0) }])
    #expect(result.failures.map(\.record.values) == [(round + [6]).map { .int($0) }])
    #expect(result.failures.map(\.shrinkExecutions)[0][0] < 200)
  }

  /// One step less and the others as large as can be, where nothing shorter fails otherwise.
  @Test func aStepIsMadeUpForByTheOthers() {
    let executor = CaseExecutor(Sum.machine("sum").property, settings(), clock: { 0 })
    let strokes = [1300, 1300, 1300, 1300]
    let find = executor.execute(
      [.int(0)] + strokes.flatMap { [ChoiceValue.bool(true), .int(1), .int($0)] })
    let shrinker = Shrinker(executor, find, seed: 1)
    shrinker.deleteAndCompensate()
    #expect(shrinker.best.stepCount == 3)
  }
}
