import CrashModel
import Exploring
import FaultDisk
import FaultFS
import FileTracing
import Files
import Glibc
import Options
import Processes
import Terminal

/// `faultfs explore`: records a program, makes every state that a crash may leave, and judges each.
///
/// This process serves the mount itself, on threads of its own, and has no descriptor or working directory on it.
struct ExploreCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; returns the exit status.
  func run() -> CInt {
    do throws(Refusal) {
      return try explore()
    } catch {
      error.show()
      return error.status
    }
  }

  private func explore() throws(Refusal) -> CInt {
    let settings = try ExploreSettings(reading)
    let signals = try ProgramRun.watchSignals(orRefusing: ExitCode.environment)
    _ = clearStaleMounts()
    let json = try newFile("json")
    let html = try newFile("html")
    let workshop = try ExploreWorkshop()
    defer { workshop.remove() }
    let log = reading.value("log").map { BytePath(bytes: $0.bytes) }
    let run: ExploredRun
    if let log {
      run = try ExploredRun(log: log, settings)
    } else {
      run = try ExploredRun(reading, settings, at: workshop.place, signals)
    }
    let differences = log == nil ? try compareWithAnother(run, settings, workshop, signals) : []
    var report = try judge(run, settings, workshop, signals)
    report.differences = differences
    try refusing { () throws(FileCallError) in
      try json?.write(report.json.fileBytes())
      try html?.write(Array(report.page.html.utf8))
    }
    do throws(OutputError) {
      try OutputStream.output.write(report.text)
    } catch {
      throw Refusal(ExitCode.environment, error.description)
    }
    return report.status
  }

  private func newFile(_ option: String) throws(Refusal) -> LintResultFile? {
    try reading.value(option).map { (word) throws(Refusal) in
      try refusing { () throws(FileCallError) in try LintResultFile(BytePath(bytes: word.bytes)) }
    }
  }

  /// Runs the program a second time; how the two recordings differ, no line where they do not.
  private func compareWithAnother(
    _ run: ExploredRun, _ settings: ExploreSettings, _ workshop: ExploreWorkshop, _ signals: SignalWatch
  ) throws(Refusal) -> [String] {
    let another: ExploredRun
    do throws(Refusal) {
      another = try ExploredRun(reading, settings, at: workshop.place, signals)
    } catch  where error.status == ExitCode.environment {
      return ["the second run failed"]
    }
    var comparison = TraceComparison(ignoresNames: true)
    var (first, second) = (run.changes, another.changes)
    while true {
      let (one, other) = (first.next(), second.next())
      if one == nil && other == nil { break }
      comparison.compare(one, other)
    }
    return comparison.isSame ? [] : comparison.lines
  }

  private func judge(
    _ run: ExploredRun, _ settings: ExploreSettings, _ workshop: ExploreWorkshop, _ signals: SignalWatch
  ) throws(Refusal) -> ExploreReport {
    let judge = try ExploreJudge(settings, run, workshop, ExploreTime(settings, signals))
    if settings.check != nil { try expectGoodEnds(run, judge) }
    // How long a check takes says nothing of how long states may be made.
    let time = settings.check == nil ? judge.time : ExploreTime(settings, signals)
    var explorations: [CrashExploration] = []
    do throws(HistoryError) {
      for (place, model) in settings.models.enumerated() {
        explorations.append(
          try CrashExploration.toTheEnd(run.recording, on: run.disk, model, settings.limits) {
            time.used(byModel: place, of: settings.models.count)
          })
      }
    } catch {
      throw Self.unexplored(error)
    }
    let whole = StateTable(explorations)
    let names = whole.names(
      in: run.recording, mustStop: { time.isOverdue },
      judgedAt: { ranges in
        guard judge.looksAtOutput else { return [ranges.first?.lowerBound ?? 0] }
        let counts = run.output.counts(during: ranges, countMax: ExploreJudging.outputsMax).counts
        return counts.compactMap { run.output.firstMoment(withCount: $0, during: ranges) }
      })
    let (table, second) = try chosen(settings, of: whole, names)
    var judging = ExploreJudging(table, run, settings, names)
    try judging.judgeAll(judge, workshop, time)
    let recovery =
      settings.depth > 1
      ? try ExploreRecovery(judging, only: second, judge, run, settings, workshop, time) : nil
    let confirming = ExploreConfirming(run, settings, time)
    var examples = try judging.classes.enumerated().map { (number, found) throws(Refusal) in
      try example(of: found, number + 1, judging, run, settings, judge, confirming, time)
    }
    if let recovery {
      examples += try FailureClass.all(of: recovery.failures).enumerated().map { (number, found) throws(Refusal) in
        try example(of: found, judging.classes.count + number + 1, recovery, judging, run, settings, judge, time)
      }
    }
    let relations = judge.relations
    let fix = settings.state == nil ? ExploreFix(judging, explorations, run, settings, judge, time) : nil
    return ExploreReport(
      program: run.name, again: commandAgain, settings: settings, run: run,
      explorations: explorations, judging: judging, examples: examples,
      looked: try looked(judging, recovery, second, run, settings), recovery: recovery, relations: relations, fix: fix,
      isOracleCut: judge.lacksHistory, signal: time.signal())
  }

  /// What is told of states that were asked for by name.
  private func looked(
    _ judging: ExploreJudging, _ recovery: ExploreRecovery?, _ second: String?, _ run: ExploredRun,
    _ settings: ExploreSettings
  ) throws(Refusal) -> [ExploreLook] {
    if settings.state == nil { return [] }
    if second != nil { return recovery?.looked.map(ExploreLook.init(good:)) ?? [] }
    return try judging.table.entries.map { (entry) throws(Refusal) in try ExploreLook(entry, judging, run, settings) }
  }

  /// The states that were asked for, and the name of those of their recovery; nil for all of it.
  private func chosen(
    _ settings: ExploreSettings, of table: StateTable, _ names: StateNames
  ) throws(Refusal) -> (table: StateTable, second: String?) {
    guard let name = settings.state else { return (table, nil) }
    var near: [String] = []
    do throws(HistoryError) {
      for (first, second) in RecoveryName.readings(of: name, depth: settings.depth) {
        let places = try names.places(of: first)
        if !places.isEmpty { return (table.only(places), second) }
      }
      near = try names.near(name, countMax: Self.nearMax)
    } catch {
      throw Refusal(ExitCode.unknown, "the states have no names: \(error)")
    }
    let list = near.map { "  \(printable($0))\n" }.joined()
    throw Refusal(ExitCode.usage, lines: "faultfs: no state is called so. Some names that begin alike:\n\(list)")
  }

  private static let nearMax = 8

  /// The command line, for a report that says how to look again.
  private var commandAgain: String {
    let words = Word.commandLine().map(\.text)
    return (["faultfs"] + words).map(Self.quoted).joined(separator: " ")
  }

  /// A word as sh(1) reads it.
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_./=,:+@%".contains($0) }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  private static func unexplored(_ error: HistoryError) -> Refusal {
    Refusal(ExitCode.unknown, "the recording cannot be explored: \(error)")
  }

  /// The check has to accept the disk as it was before the program, and as the program left it.
  private func expectGoodEnds(_ run: ExploredRun, _ judge: ExploreJudge) throws(Refusal) {
    let end: DiskTree
    do throws(HistoryError) { end = try run.recording.treeAtEnd() } catch { throw Self.unexplored(error) }
    let ends = [
      (run.recording.tree, 0, "on the disk as it was before the program"),
      (end, run.output.bytes.count, "on the disk as the program left it"),
    ]
    for (tree, count, place) in ends {
      guard let outcome = try judge.judge(tree, outputCount: count) else {
        throw Refusal(128 + (judge.time.signal() ?? SIGINT), "a signal ended it before any state was looked at")
      }
      try expectGood(outcome, place)
    }
  }

  private func expectGood(_ outcome: Outcome, _ place: String) throws(Refusal) {
    let said = outcome.firstLine.isEmpty ? "" : ": \(outcome.firstLine)"
    switch outcome.verdict {
    case .good: return
    case .failing(let how):
      throw Refusal(
        ExitCode.environment,
        "the check fails (\(how)) \(place), without any crash\(said). It has to accept that, or --setup and --from have "
          + "to prepare it.")
    case .unknown(let why): throw Refusal(ExitCode.unknown, "the check came to no end (\(why)) \(place)\(said)")
    }
  }
}
