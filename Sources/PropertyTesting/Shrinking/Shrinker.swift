/// Makes a failing case as small as it can, by executing smaller ones and keeping those that fail in the same bucket.
///
/// Smaller is `Shortlex`: fewer choices first, then simpler ones from the left. What fails in another bucket is kept
/// there and never taken for this one. Each pass tries one kind of change everywhere; they take turns until none helps.
final class Shrinker {
  private let executor: CaseExecutor
  let bucket: String
  /// The smallest case so far.
  private(set) var best: CaseRecord
  /// How many cases were executed.
  private(set) var executions = 0
  /// What the last execution came to, also where it was not taken.
  private(set) var last: CaseRecord?
  private var executionsInVain = 0
  private var stall: Int
  /// Chance for the passes that need it, the same in each run.
  var random: RandomBits

  /// Precondition: the case fails.
  init(_ executor: CaseExecutor, _ find: CaseRecord, seed: UInt64) {
    guard let bucket = find.status.bucket else { preconditionFailure("the case is \(find.status)") }
    self.executor = executor
    self.bucket = bucket
    best = find
    stall = executor.settings.shrinkStall
    random = RandomBits(seed: seed)
  }

  /// Hears of each case that is taken.
  var onTaken: (CaseRecord) -> Void = { _ in }
  /// True where every pass was in vain at the end: nothing was cut short.
  private(set) var isFinished = false

  /// Makes it small.
  func run() {
    let passes: [() -> Void] = [
      cutLoops, deleteRunsOfSpans, simplifySpans, deleteAndCompensate, tryAlternatives, liftDescendants, deleteChunks,
      simplifyEqualValues, simplifyValues, lowerAndDelete, sortSpans, shiftAmounts, lowerTogether,
    ]
    while !isSpent {
      let before = best.choices
      for pass in passes where !isSpent {
        pass()
        deleteDiscarded()
      }
      if best.choices != before { continue }
      // Only where nothing else helps: it is by chance, and costs the most.
      resampleWindows()
      if best.choices == before {
        isFinished = !isSpent
        return
      }
    }
  }

  /// True where nothing more is executed.
  var isSpent: Bool {
    executionsInVain >= stall || executions >= executor.settings.shrinkExecutionsMax || executor.isOutOfTime
  }

  /// Executes a case where that can help; true where it was taken as the best.
  @discardableResult
  func attempt(_ values: [ChoiceValue]) -> Bool {
    last = nil
    guard !isSpent, values != best.values else { return false }
    let countMax = best.choices.count
    if let known = executor.tree.simulate(values, choicesMax: countMax), known.bucket != bucket { return false }
    let record = executor.execute(values, choicesMax: countMax)
    last = record
    executions += 1
    executionsInVain += 1
    guard record.status.bucket == bucket, Shortlex.isSimpler(record.choices, than: best.choices) else {
      if record.status.bucket != bucket { executor.keep(record) }
      return false
    }
    best = record
    onTaken(record)
    stall = max(stall, 2 * executionsInVain)
    executionsInVain = 0
    return true
  }

  /// Executes the best case without these choices.
  @discardableResult
  func attempt(without range: Range<Int>) -> Bool {
    let values = best.values
    return attempt(Array(values[..<range.lowerBound] + values[range.upperBound...]))
  }
}
