import Campaigns
import Files
import Inventing
import JSON
import Processes
import Synchronization
import Terminal

/// Runs the cases of a shard in processes of their own. The death or silence of one is a failure, and told as such.
final class Supervisor: Sendable {
  private let folder: RunFolder
  private let plan: CampaignPlan
  private let settings: NightlySettings
  private let file: ShardFile
  private let shard: Shard
  private let start = monotonicNanoseconds()
  private let state: Mutex<State>
  /// How many cases were done by processes before.
  let resumed: Int

  private struct State {
    /// The places of cases that are still to be run, the next one first.
    var places: ArraySlice<Int>
    /// Where made-up cases go on, in steps of the number of shards.
    var nextInvented: Int
    let done: Set<Int>
    var finished = 0
    var failed = 0
    var running = 0
    var isStopping = false
    var isOutOfTime = false
    var failure: Refusal?
    var workers: [Int: ChildProcess] = [:]
  }

  /// Work on a shard, from where the last process has left it.
  init(_ folder: RunFolder, _ plan: CampaignPlan, _ shard: Shard, _ settings: NightlySettings) throws(Refusal) {
    self.folder = folder
    self.plan = plan
    self.shard = shard
    self.settings = settings
    var done: Set<Int> = []
    var wholeBytes = 0
    if let bytes = try folder.read(shard.fileName), bytes.contains(UInt8(ascii: "\n")) {
      do throws(CampaignError) {
        let log = try ShardLog(bytes, plan: plan)
        done = Set(log.records.compactMap { plan.place(of: $0.planned) })
        wholeBytes = log.wholeBytes
      } catch {
        throw Refusal(2, "\(folder.name)/\(shard.fileName): \(error)")
      }
    }
    resumed = done.count
    file = try ShardFile(folder, shard, wholeBytes: wholeBytes)
    try file.append(.start(plan: plan.digest, shard: shard, build: plan.build))
    let files = plan.places(of: shard).prefix { $0 < plan.files.count }.filter { !done.contains($0) }
    let first = plan.places(of: shard).first { $0 >= plan.files.count } ?? plan.count
    state = Mutex(State(places: files[...], nextInvented: first, done: done))
  }

  /// How long it has worked, in milliseconds.
  var milliseconds: Int { Int((monotonicNanoseconds() - start) / 1_000_000) }

  /// Runs everything; why it ended.
  func run(_ signals: SignalWatch) throws(Refusal) -> ShardLog.End {
    let jobs = settings.jobs
    state.withLock { $0.running = jobs }
    for number in 0..<jobs {
      do throws(ProcessCallError) {
        try startThread { [self] in
          work(number)
          state.withLock { $0.running -= 1 }
        }
      } catch {
        throw Refusal(4, "\(error)")
      }
    }
    var progress = ProgressLine(
      "running", total: 0, unit: .things("cases"), columns: OutputStream.error.columns,
      isShown: OutputStream.error.isTerminal, now: milliseconds)
    var killAt: Deadline?
    while state.withLock({ $0.running }) > 0 {
      if let signal = try? signals.next(until: .after(milliseconds: 100)), signal != 0 {
        state.withLock { $0.isStopping = true }
        // A case that is nearly done may end; who asks twice wants no more of it.
        killAt = killAt == nil ? .after(milliseconds: Self.graceMilliseconds) : .after(milliseconds: 0)
      }
      if killAt?.hasPassed == true { state.withLock { for one in $0.workers.values { one.send(signal: 9) } } }
      show(progress.update(saying: sentence, now: milliseconds))
    }
    show(progress.erase())
    return try finish()
  }

  /// How long a case may go on behind a signal.
  private static let graceMilliseconds = 3000

  private func finish() throws(Refusal) -> ShardLog.End {
    let (failure, isStopping, isOutOfTime) = state.withLock { ($0.failure, $0.isStopping, $0.isOutOfTime) }
    if let failure { throw failure }
    let end: ShardLog.End = isStopping ? .stopped : isOutOfTime ? .budget : .done
    try file.append(.end(end))
    try file.finish()
    return end
  }

  /// "812 cases, 3 failed, 2 min of 10 min".
  private var sentence: String {
    let (finished, failed) = state.withLock { ($0.finished, $0.failed) }
    let time = Figures.time(milliseconds: milliseconds)
    let budget = plan.budgetMilliseconds.map { " of \(Figures.time(milliseconds: $0))" } ?? ""
    return "running: \(Figures.counted(finished, "case")), \(failed) failed, \(time)\(budget)"
  }

  private func show(_ text: String?) {
    guard let text else { return }
    do throws(OutputError) { try OutputStream.error.write(text) } catch {}
  }

  // MARK: A worker's thread

  private func nextCase() -> PlannedCase? {
    state.withLock { state in
      if state.isStopping || state.failure != nil { return nil }
      if let place = state.places.popFirst() { return plan[place] }
      if let budget = plan.budgetMilliseconds, milliseconds >= budget {
        state.isOutOfTime = true
        return nil
      }
      while state.nextInvented < plan.count {
        let place = state.nextInvented
        state.nextInvented += shard.count
        if !state.done.contains(place) { return plan[place] }
      }
      return nil
    }
  }

  private func work(_ number: Int) {
    do throws(Refusal) {
      var worker: Worker?
      while let planned = nextCase() {
        let current: Worker
        if let worker { current = worker } else { current = try Worker(folder, plan) }
        worker = current
        state.withLock { $0.workers[number] = current.process }
        try file.append(.begun(planned))
        let answer = current.ask(planned, seed: plan.seed, milliseconds: settings.caseMilliseconds)
        guard case .record(let record) = answer else {
          worker = nil
          // Ended by us: the case is run again by whoever goes on.
          if state.withLock({ $0.isStopping }) { break }
          try write(CampaignRecord(planned, .failed(finding(answer, planned))))
          continue
        }
        try write(record)
      }
      worker?.end()
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
    state.withLock { $0.workers[number] = nil }
  }

  private func write(_ record: CampaignRecord) throws(Refusal) {
    try file.append(.record(record))
    state.withLock { state in
      state.finished += 1
      if record.finding != nil, record.planned.kind != .canary { state.failed += 1 }
    }
  }

  /// A worker that ended or fell silent, as a failure with the scenario that it was about.
  private func finding(_ answer: Worker.Answer, _ planned: PlannedCase) -> CampaignFinding {
    let text: String
    if planned.kind == .invented {
      text = InventedCase.firstScenario(planned, campaignSeed: plan.seed, ScenarioInventor(plan.invention))
    } else {
      text =
        (try? folder.read(RunFolder.file(of: planned))).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    switch answer {
    case .ended(let how): return .worker("ended by \(how)", in: planned, scenario: text)
    default:
      var finding = CampaignFinding.worker("said nothing in time", in: planned, scenario: text)
      finding.got += ": nothing in \(Figures.time(milliseconds: settings.caseMilliseconds)) of this machine's clock"
      return finding
    }
  }
}
