import Bytes
import CrashModel
import Exploring
import FaultDisk
import Files
import Glibc
import Processes
import Terminal

/// Crashes nest: the check of each state that passes is crashed, too, where it writes, and what that leaves is checked.
struct ExploreRecovery {
  /// A state of a recovery that fails.
  struct Failing {
    /// The place of the first state in the table of the run.
    let place: Int
    /// The check that was crashed, and the place in its table; nil where another failure stands for this one.
    let crashed: (check: CrashedCheck, entry: Int)?
  }

  /// What became of a recording whose check did not say what it had said before.
  private enum Trouble: String {
    case otherwise = "the check ended otherwise when it was recorded"
    case tooLarge = "a check did more than can be kept to explore it; --memory allows more"
  }

  /// How many checks, of a state with an output, wrote.
  let checkCount: Int
  /// How many of them were recorded and crashed.
  private(set) var crashedCount = 0
  /// How many states that brought, each once, besides those that were checked already.
  private(set) var stateCount = 0
  /// How many of these were checked.
  private(set) var judgedCount = 0
  /// What fails, in the order in which it was found.
  private(set) var failing: [Failing] = []
  /// The same with what the check said; `entry` is the place in `failing`.
  private(set) var failures: [Failure] = []
  /// How many questions were left without an answer, and why the first was.
  private(set) var unknownCount = 0
  private(set) var firstUnknown: String?
  /// True where the time was over, or a signal came, before all was done.
  private(set) var isEndedEarly = false
  /// False where sync(2) could not be watched.
  private(set) var isWatched = true
  /// What was asked for by name and is good.
  private(set) var looked: [CrashExplanation] = []
  /// True where the states of a check ended before those of its own end were made.
  private(set) var wasCut = false
  /// How much of what is possible the states are, at the least.
  private(set) var isSampled = false
  private(set) var isThinned = false
  private(set) var isWholeOverBlocks = true

  /// A state that waits for its judgement.
  private struct Open {
    let crashed: CrashedCheck
    let entry: Int
  }

  /// The kinds of failure of which one is kept whole.
  private struct Kind: Hashable {
    let verdict: Verdict
    let firstLine: String
    let losses: Set<String>
  }

  /// So many checks are recorded one after the other before their states are checked.
  private static let batchCount = 16
  private static let nearMax = 8

  private let run: ExploredRun
  private let settings: ExploreSettings
  private let time: ExploreTime
  /// The name of the only states to look at; nil for all.
  private let name: String?
  private var known: [Digest128: Set<Int>]
  private var kinds: Set<Kind> = []
  private var near: [String] = []

  /// Crashes every check that wrote, until the time is over or a signal has come.
  init(
    _ judging: ExploreJudging, only name: String?, _ judge: ExploreJudge, _ run: ExploredRun,
    _ settings: ExploreSettings, _ workshop: ExploreWorkshop, _ time: ExploreTime
  ) throws(Refusal) {
    self.run = run
    self.settings = settings
    self.time = time
    self.name = name
    known = judging.known.mapValues { Set($0.keys) }
    let recoveries = judging.recoveries.sorted { ($0.place, $0.outputCount) < ($1.place, $1.outputCount) }
    checkCount = recoveries.count
    if let check = settings.check, let bench = judge.bench, checkCount > 0 {
      try crashAll(recoveries, judging.table, check, bench, judge, workshop)
    }
    isEndedEarly = time.isOver && (crashedCount < checkCount || judgedCount < stateCount)
    try expectName()
  }

  private mutating func crashAll(
    _ recoveries: [(place: Int, outputCount: Int)], _ table: StateTable, _ check: [UInt8], _ bench: ExploreBench,
    _ judge: ExploreJudge, _ workshop: ExploreWorkshop
  ) throws(Refusal) {
    let recorded = RecordedCheck(check, settings, run, workshop, time)
    run.disk.keepForShowing()
    var progress = ProgressLine(
      "crashing", total: checkCount, unit: .things("checks"), columns: OutputStream.error.columns,
      isShown: OutputStream.error.isTerminal, now: 0)
    let start = monotonicNanoseconds()
    defer { if let text = progress.erase() { try? OutputStream.error.write(text) } }
    var done = 0
    while done < recoveries.count, !time.isOver {
      let batch = recoveries[done..<min(recoveries.count, done + Self.batchCount)]
      try bench.clear()
      var crashed: [CrashedCheck] = []
      for recovery in batch where !time.isOver {
        if let one = try crash(recovery.place, recovery.outputCount, table, recorded) { crashed.append(one) }
      }
      let kindCount = kinds.count
      try judgeStates(of: crashed, casesToCome: checkCount - done, check, judge, workshop)
      // The bytes of the examples have to stay.
      if kinds.count == kindCount { for _ in crashed { run.disk.endShowing() } }
      done += batch.count
      let now = Int((monotonicNanoseconds() - start) / 1_000_000)
      if let text = progress.update(done: done, now: now) { try? OutputStream.error.write(text) }
    }
  }

  /// Records the check in a state, and makes the states that a crash leaves; nil where that could not be done.
  private mutating func crash(
    _ place: Int, _ outputCount: Int, _ table: StateTable, _ recorded: RecordedCheck
  ) throws(Refusal) -> CrashedCheck? {
    guard let course = try recorded.course(in: table.entries[place].tree, outputCount: outputCount) else { return nil }
    isWatched = isWatched && course.isWatched
    guard let recording = course.recording, course.outcome.isGood else {
      note(unknown: (course.recording == nil ? Trouble.tooLarge : .otherwise).rawValue)
      return nil
    }
    run.disk.keepForShowing()
    var limits = settings.limits
    limits.moments = 0...UInt64.max
    limits.memoryMax = max(1, limits.memoryMax / Self.batchCount)
    let crashed: CrashedCheck
    do throws(HistoryError) {
      crashed = try CrashedCheck(recording, at: place, outputCount, of: table, run, settings, limits, time)
    } catch {
      throw Refusal(ExitCode.unknown, "what the check did cannot be explored: \(error)")
    }
    if time.isOver, crashed.explorations.contains(where: \.wasCut) {
      // It was the time that ended it, and the report says so.
      run.disk.endShowing()
      return nil
    }
    crashedCount += 1
    for exploration in crashed.explorations {
      wasCut = wasCut || exploration.wasCut
      isThinned = isThinned || exploration.isThinned
      isSampled = isSampled || !exploration.isWholeOverFiles
      isWholeOverBlocks = isWholeOverBlocks && exploration.isWholeOverBlocks
    }
    return crashed
  }

  private mutating func note(unknown why: String) {
    unknownCount += 1
    firstUnknown = firstUnknown ?? why
  }

  /// The states that are to be checked; equal ones once, and none that was checked before.
  private mutating func open(_ crashed: [CrashedCheck]) throws(Refusal) -> [Open] {
    var open: [Open] = []
    for one in crashed {
      for entry in try places(in: one) {
        let isNew = known[one.table.entries[entry].digest, default: []].insert(one.outputCount).inserted
        if isNew || name != nil { open.append(Open(crashed: one, entry: entry)) }
      }
    }
    return open
  }

  private mutating func places(in crashed: CrashedCheck) throws(Refusal) -> [Int] {
    guard let name else { return Array(crashed.table.entries.indices) }
    do throws(HistoryError) {
      let places = try crashed.places(of: name)
      if places.isEmpty && near.isEmpty { near = try crashed.near(name, countMax: Self.nearMax) }
      return places
    } catch {
      throw Refusal(ExitCode.unknown, "the states have no names: \(error)")
    }
  }

  /// Judges what is new among the states of some checks, on as many benches as were asked for.
  private mutating func judgeStates(
    of crashed: [CrashedCheck], casesToCome: Int, _ check: [UInt8], _ judge: ExploreJudge, _ workshop: ExploreWorkshop
  ) throws(Refusal) {
    let open = try open(crashed)
    stateCount += open.count
    // What the budget allows is spread over all checks.
    let left = max(0, settings.limits.statesMax * settings.models.count - judgedCount)
    let share = max(1, left * crashed.count / max(1, casesToCome))
    let questions = spreadPlaces(of: open.count, atMost: share).sorted().map { place in
      let state = open[place].crashed.table.entries[open[place].entry].states[0].state
      return ExploreQueue.Question(place: place, state: state, outputCounts: [open[place].crashed.outputCount])
    }
    let queue = ExploreQueue(questions, until: time.deadline, showsProgress: false)
    if settings.benchCount > 1 {
      try queue.answer(onBenches: settings.benchCount, check, settings, run, workshop, time)
    } else {
      try queue.answer { (tree, count) throws(Refusal) in try judge.judge(tree, outputCount: count) }
    }
    for (question, outcomes) in queue.answers {
      judgedCount += 1
      if let outcome = outcomes.first { note(outcome, of: open[question.place]) }
    }
  }

  private mutating func note(_ outcome: Outcome, of open: Open) {
    switch outcome.verdict {
    case .unknown(let why): return note(unknown: "the check came to no end: \(why)")
    case .good:
      if name != nil, let explanation = try? open.crashed.explanation(of: open.entry) { looked.append(explanation) }
      return
    case .failing: break
    }
    let losses = open.crashed.losses(of: [open.entry], time).first ?? []
    let kind = Kind(verdict: outcome.verdict, firstLine: outcome.firstLine, losses: losses)
    let isFirst = kinds.insert(kind).inserted
    failures.append(
      Failure(
        entry: failing.count, models: open.crashed.models(of: open.entry), moment: open.crashed.moment(of: open.entry),
        outputCount: open.crashed.outputCount, outcome: outcome, losses: losses))
    failing.append(
      Failing(place: open.crashed.place, crashed: isFirst ? (check: open.crashed, entry: open.entry) : nil))
  }

  private func expectName() throws(Refusal) {
    guard let name, stateCount == 0, !time.isOver else { return }
    if checkCount == 0 { throw Refusal(ExitCode.usage, "the check writes nothing in this state, or it fails already") }
    let list = near.map { "  \(printable($0))\n" }.joined()
    throw Refusal(
      ExitCode.usage,
      lines: "faultfs: no state of this recovery is called '\(printable(name))'. Some that begin alike:\n\(list)")
  }
}
