import CrashModel
import Exploring
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
    let json = try reading.value("json").map { (word) throws(Refusal) in
      try refusing { () throws(FileCallError) in try LintResultFile(BytePath(bytes: word.bytes)) }
    }
    let workshop = try ExploreWorkshop()
    defer { workshop.remove() }
    let run = try ExploredRun(reading, settings, at: workshop.place, signals)
    let differences = try compareWithAnother(run, settings, workshop, signals)
    var report = try judge(run, settings, workshop, signals)
    report.differences = differences
    if let json {
      try refusing { () throws(FileCallError) in try json.write(report.json.fileBytes()) }
    }
    do throws(OutputError) {
      try OutputStream.output.write(report.text)
    } catch {
      throw Refusal(ExitCode.environment, error.description)
    }
    return report.status
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
    let (first, second) = (run.changes, another.changes)
    for place in 0..<max(first.count, second.count) {
      comparison.compare(
        place < first.count ? first[place] : nil, place < second.count ? second[place] : nil)
    }
    return comparison.isSame ? [] : comparison.lines
  }

  private func judge(
    _ run: ExploredRun, _ settings: ExploreSettings, _ workshop: ExploreWorkshop, _ signals: SignalWatch
  ) throws(Refusal) -> ExploreReport {
    var explorations: [CrashExploration] = []
    let strict: CrashExploration
    do throws(HistoryError) {
      strict = try CrashExploration(run.recording, on: run.disk, .strict, settings.limits)
      for model in settings.models {
        explorations.append(try exploration(of: run, model, settings.limits))
      }
    } catch {
      throw Refusal(ExitCode.unknown, "the recording cannot be explored: \(error)")
    }
    let quiet = strict.quietTrees
    let judge = try ExploreJudge(settings, run, quiet: quiet, workshop, signals)
    if settings.check != nil, let old = quiet.first, let new = quiet.last {
      try expectGood(judge.judge(old, outputCount: 0), "on the disk as it was before the program")
      try expectGood(
        judge.judge(new, outputCount: run.output.bytes.count), "on the disk as the program left it")
    }
    var judging = ExploreJudging(StateTable(explorations), run, settings)
    try judging.judgeAll(judge, workshop, signals)
    let confirming = ExploreConfirming(run, settings, signals)
    let examples = try judging.classes.enumerated().map { (number, found) throws(Refusal) in
      try example(of: found, number + 1, judging, run, settings, judge, confirming)
    }
    let relations = judge.relations
    let fix = ExploreFix(judging, explorations, run, settings, judge)
    return ExploreReport(
      program: BytePath(bytes: reading.operands[0].bytes).name.description, settings: settings, run: run,
      explorations: explorations, judging: judging, examples: examples, relations: relations, fix: fix,
      isOracleCut: settings.check == nil && strict.wasCut)
  }

  /// An exploration that comes to the end of the recording.
  ///
  /// Where the budget would end it before, fewer combinations of files are made at each moment: late moments, at which the
  /// program has promised the most, must not be left out.
  private func exploration(
    of run: ExploredRun, _ model: PersistenceModel, _ wish: ExplorationLimits
  ) throws(HistoryError) -> CrashExploration {
    var limits = wish
    var found = try CrashExploration(run.recording, on: run.disk, model, limits)
    while found.wasCut && limits.combinationsMax > 1 {
      limits.combinationsMax /= Self.combinationsDivisor
      found = try CrashExploration(run.recording, on: run.disk, model, limits)
    }
    return found
  }

  private static let combinationsDivisor = 8

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

  private func example(
    of found: FailureClass, _ number: Int, _ judging: ExploreJudging, _ run: ExploredRun, _ settings: ExploreSettings,
    _ judge: ExploreJudge, _ confirming: ExploreConfirming?
  ) throws(Refusal) -> ExploreExample {
    let entry = judging.table.entries[found.example.entry]
    var kept: BytePath?
    if let directory = settings.keep {
      let place = directory.appending("\(number)")
      try judge.keep(entry.tree, at: place, run.disk)
      kept = place
    }
    let lines: [String]
    do throws(HistoryError) {
      lines = try ExploreExample.explanation(of: entry, found.example, run, settings)
    } catch {
      lines = []
    }
    let answers = try confirming?.answers(about: entry, on: found.models) ?? []
    return ExploreExample(found: found, kept: kept, explanation: lines, answers: answers)
  }
}
