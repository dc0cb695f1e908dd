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

  /// The states, with the outputs, that are good, and in which the check has written.
  private(set) var recoveries: [(place: Int, outputCount: Int)] = []

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

  /// Judges the states, on as many benches as were asked for, until the time is over or a signal has come.
  ///
  /// What is found does not depend on how many there are: answers are noted in the order of the states.
  mutating func judgeAll(_ judge: ExploreJudge, _ workshop: ExploreWorkshop, _ time: ExploreTime) throws(Refusal) {
    if judge.lacksHistory { return }
    let questions = places.map { place in
      let counts = outputCounts(at: place, judge)
      return ExploreQueue.Question(place: place, state: table.entries[place].states[0].state, outputCounts: counts)
    }
    let queue = ExploreQueue(questions, until: time.deadlineOfStates)
    defer { queue.endProgress() }
    if let check = settings.check, settings.benchCount > 1 {
      try queue.answer(onBenches: settings.benchCount, check, settings, run, workshop, time)
    } else {
      try queue.answer { (tree, count) throws(Refusal) in try judge.judge(tree, outputCount: count) }
    }
    var found: [Found] = []
    for (question, outcomes) in queue.answers {
      judgedCount += 1
      for (count, outcome) in zip(question.outputCounts, outcomes) {
        if let one = note(question.place, count, outcome, judge) { found.append(one) }
      }
    }
    noteFailures(found, time)
  }

  /// A failure whose losses are not known yet.
  private struct Found {
    let place: Int
    let models: [Int]
    let state: CrashState
    let moment: UInt64
    let outputCount: Int
    let outcome: Outcome
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

  /// Notes what was said of a state with an output; what was found where it fails.
  private mutating func note(_ place: Int, _ count: Int, _ outcome: Outcome, _ judge: ExploreJudge) -> Found? {
    let entry = table.entries[place]
    known[entry.digest, default: [:]][count] = outcome.isGood
    switch outcome.verdict {
    case .good:
      if outcome.hasWritten { recoveries.append((place, count)) }
      return nil
    case .unknown(let why):
      unknownCount += 1
      firstUnknown = firstUnknown ?? why
      return nil
    case .failing: break
    }
    // A model may allow the state only when less, or more, had been printed.
    let found = entry.states.compactMap { pair -> (model: Int, state: CrashState, moment: UInt64)? in
      let ranges = pair.state.moments.ranges
      guard judge.looksAtOutput else { return (pair.model, pair.state, pair.state.moments.first) }
      return run.output.firstMoment(withCount: count, during: ranges).map { (pair.model, pair.state, $0) }
    }
    guard let first = found.first else { return nil }
    return Found(
      place: place, models: found.map(\.model), state: first.state, moment: first.moment, outputCount: count,
      outcome: outcome)
  }

  /// What failed, with what it lost; the recording is walked along once for each model.
  private mutating func noteFailures(_ found: [Found], _ time: ExploreTime) {
    var losses = [Set<String>](repeating: [], count: found.count)
    for model in table.models.indices {
      let places = found.indices.filter { found[$0].models.first == model }
      if places.isEmpty { continue }
      let states = places.map { (state: found[$0].state, moment: found[$0].moment) }
      let accounts = try? CrashAccount.all(of: states, in: run.recording, table.models[model]) { time.isOverdue }
      for (place, account) in zip(places, accounts ?? []) { losses[place] = account?.losses ?? [] }
    }
    for (one, lost) in zip(found, losses) {
      failing.insert(one.place)
      failures.append(
        Failure(
          entry: one.place, models: one.models, moment: one.moment, outputCount: one.outputCount,
          outcome: one.outcome, losses: lost))
    }
  }
}
