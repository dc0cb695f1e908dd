import Bytes
import CrashModel
import Exploring
import Files
import Processes

/// The judging of all states: which failed, and how far it came.
struct ExploreJudging {
  /// A state is judged with at most so many different outputs.
  static let outputsMax = 8

  /// The states.
  let table: StateTable
  /// How many states were judged.
  private(set) var judgedCount = 0
  /// The places of the states that failed.
  private(set) var failing: Set<Int> = []
  /// What failed.
  private(set) var failures: [Failure] = []
  /// How many judgements came to no end, and why the first did not.
  private(set) var unknownCount = 0
  private(set) var firstUnknown: String?
  /// False where a state was possible with more outputs than it was judged with.
  private(set) var isWholeOverOutputs = true

  /// Whether a state was good, by the output that went with it.
  private(set) var known: [Digest128: [Int: Bool]] = [:]

  /// The names of all states, of those besides the table too.
  let names: StateNames
  private let run: ExploredRun
  private let settings: ExploreSettings

  init(_ table: StateTable, _ run: ExploredRun, _ settings: ExploreSettings, _ names: StateNames) {
    self.table = table
    self.names = names
    self.run = run
    self.settings = settings
  }

  /// True where every state was judged with every output, and none was left open.
  var isWhole: Bool { judgedCount == table.entries.count && unknownCount == 0 && isWholeOverOutputs }

  /// The kinds of failure.
  var classes: [FailureClass] { FailureClass.all(of: failures) }

  /// Judges the states, on as many benches as were asked for, until the time is over.
  ///
  /// What is found does not depend on how many there are: answers are noted in the order of the states.
  mutating func judgeAll(_ judge: ExploreJudge, _ workshop: ExploreWorkshop, _ signals: SignalWatch) throws(Refusal) {
    let questions = places.map { place in
      let counts = outputCounts(at: place, judge)
      return ExploreQueue.Question(place: place, tree: table.entries[place].tree, outputCounts: counts)
    }
    let deadline = settings.budgetMilliseconds.map { Deadline.after(milliseconds: $0) } ?? .never
    let queue = ExploreQueue(questions, until: deadline)
    defer { queue.endProgress() }
    if let check = settings.check, settings.benchCount > 1 {
      try queue.answer(onBenches: settings.benchCount, check, settings, run, workshop, signals)
    } else {
      try queue.answer { (tree, count) throws(Refusal) in try judge.judge(tree, outputCount: count) }
    }
    for (question, outcomes) in queue.answers {
      judgedCount += 1
      for (count, outcome) in zip(question.outputCounts, outcomes) {
        note(question.place, count, outcome, judge)
      }
    }
  }

  private mutating func outputCounts(at place: Int, _ judge: ExploreJudge) -> [Int] {
    guard judge.looksAtOutput else { return [0] }
    let moments = table.entries[place].moments
    let (counts, isWhole) = run.output.counts(during: moments, countMax: Self.outputsMax)
    if !isWhole { isWholeOverOutputs = false }
    return counts
  }

  /// Neighbours are alike and cheap to show one after the other; where time may end it, those of all moments come first.
  private var places: [Int] {
    let count = table.entries.count
    guard settings.budgetMilliseconds != nil else { return Array(0..<count) }
    var stride = 1
    while stride < count { stride *= 2 }
    var places: [Int] = count > 0 ? [0] : []
    while stride > 1 {
      places += Swift.stride(from: stride / 2, to: count, by: stride)
      stride /= 2
    }
    return places
  }

  private mutating func note(_ place: Int, _ count: Int, _ outcome: Outcome, _ judge: ExploreJudge) {
    let entry = table.entries[place]
    known[entry.digest, default: [:]][count] = outcome.isGood
    switch outcome.verdict {
    case .good: break
    case .unknown(let why):
      unknownCount += 1
      firstUnknown = firstUnknown ?? why
    case .failing: noteFailure(place, entry, count, outcome, judge)
    }
  }

  private mutating func noteFailure(
    _ place: Int, _ entry: StateTable.Entry, _ count: Int, _ outcome: Outcome, _ judge: ExploreJudge
  ) {
    // A model may allow the state only when less, or more, had been printed.
    let found = entry.states.compactMap { pair -> (model: Int, moment: UInt64)? in
      let ranges = pair.state.moments.ranges
      guard judge.looksAtOutput else { return (pair.model, pair.state.moments.first) }
      return run.output.firstMoment(withCount: count, during: ranges).map { (pair.model, $0) }
    }
    guard let first = found.first else { return }
    failing.insert(place)
    let account = try? CrashAccount(
      of: entry.tree, at: first.moment, in: run.recording, table.models[first.model])
    failures.append(
      Failure(
        entry: place, models: found.map(\.model), moment: first.moment, outputCount: count, outcome: outcome,
        losses: account?.losses ?? []))
  }
}
