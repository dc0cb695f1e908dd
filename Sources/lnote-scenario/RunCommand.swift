import Files
import Harness
import JSON
import Options
import Pages
import Processes
import Scenarios
import Terminal

/// `lnote-scenario run` and `explore`: runs scenarios and says what came of them.
struct RunCommand {
  private let reading: OptionReading
  /// True where every crash of the scenarios is gone through, in process.
  private var explores: Bool { reading.verb == "explore" }

  init(_ reading: OptionReading) { self.reading = reading }

  /// The gravest exit status of all runs; 128 and its number where a signal has ended them.
  func run() -> Int32 {
    guard explores else { return run(nil) }
    // Where signals cannot be watched, they end the program as any other.
    let signals = try? SignalWatch()
    let status = run(signals)
    let signal = (try? signals?.next(until: .after(milliseconds: 0))) ?? nil
    return signal.map { 128 + $0 } ?? status
  }

  private func run(_ signals: SignalWatch?) -> Int32 {
    if reading.has("fast") && (reading.has("live") || reading.has("driver")) {
      ScenarioProgram.complain("--fast runs our store in process: it goes with neither --live nor --driver")
      return 2
    }
    if reading.has("html") && (reading.operands.count > 1 || reading.number("times") ?? 1 > 1) {
      ScenarioProgram.complain("--html writes one page: give one FILE, and no --times")
      return 2
    }
    var jobs: [Job] = []
    var others: [ExternalCommand] = []
    for file in reading.operands {
      guard let read = ScenarioProgram.read(file, overrides: reading.values("define")) else { continue }
      if let external = read.external, !explores {
        others.append(ExternalCommand(scenario: external, keep: reading.value("keep")))
        continue
      }
      guard var job = job(file, read) else { continue }
      if explores {
        guard let explored = exploring(job.scenario, file) else { return 2 }
        job.scenario = explored
        job.random = nil
      }
      jobs.append(job)
    }
    // A file that is wrong is a reason to run none: the tester is to see the message, not a page of results.
    guard jobs.count + others.count == reading.operands.count else { return 2 }
    do throws(HarnessError) {
      var status: Int32 = 0
      for other in others { status = graver(status, try other.run()) }
      return jobs.isEmpty ? status : graver(status, try run(jobs, doors(), signals))
    } catch {
      ScenarioProgram.complain(error.description)
      return 4
    }
  }

  /// One file that is run.
  private struct Job {
    let file: Word
    var scenario: CheckedScenario
    /// The scenario with what it leaves to chance; nil where it leaves nothing to chance.
    var random: RandomScenario?
    /// The seed of the first case.
    var seed: UInt64
  }

  /// What is run of a file; nil, with a word of complaint, where its seed makes no case.
  private func job(_ file: Word, _ read: ScenarioReading) -> Job? {
    guard var scenario = read.scenario else {
      ScenarioProgram.complain("\(printable(file.bytes)): it is about another program: run it with 'run'")
      return nil
    }
    let wish = reading.number("seed").map { UInt64($0) }
    guard let random = read.random else {
      if let wish { scenario.settings.seed = wish }
      return Job(file: file, scenario: scenario, random: nil, seed: scenario.settings.seed)
    }
    // Where nobody names a seed, another one each time: the report says which.
    let seed = wish ?? random.seedOfFile ?? UInt64(monotonicNanoseconds() % 1_000_000_000)
    guard explores else { return Job(file: file, scenario: scenario, random: random, seed: seed) }
    switch random.drawn(seed: seed) {
    case .concrete(let concrete): return Job(file: file, scenario: concrete.scenario, random: random, seed: seed)
    case .refused(let text):
      ScenarioProgram.complain("seed \(seed) makes no case:\n" + text)
      return nil
    }
  }

  /// The scenario as a sweep over its crashes, under the models that were asked for.
  private func exploring(_ scenario: CheckedScenario, _ file: Word) -> CheckedScenario? {
    let goesOn = reading.has("go-on")
    let depth = reading.number("depth") ?? (goesOn ? 2 : 1)
    if goesOn && depth == 1 {
      ScenarioProgram.complain("--go-on is about crashes behind a recovery: it needs --depth 2")
      return nil
    }
    guard var explored = scenario.exploringCrashes(depth: depth, goesOn: goesOn) else {
      ScenarioProgram.complain("\(printable(file.bytes)): no step is left to explore before its first crash")
      return nil
    }
    if let text = reading.text("model") {
      let known = ScenarioVocabulary.modelTitles.map(\.name)
      let names = text.split(separator: ",").map(String.init)
      if let wrong = names.first(where: { !known.contains($0) }) {
        ScenarioProgram.complain("unknown model '\(wrong)'; models: \(known.joined(separator: ", "))")
        return nil
      }
      explored.settings.models = names
    }
    return explored
  }

  private func doors() throws(HarnessError) -> Doors {
    let wish: DoorWish =
      explores || reading.has("fast")
      ? .inProcess : reading.has("live") || reading.has("driver") ? .live : .whatIsPossible
    let driver = reading.text("driver")?.split(separator: " ").map(String.init)
    let limit = reading.number("step-limit") ?? Programs.stepSecondsMaxUsual
    let doors = try Doors(wish, driver: driver, stepSecondsMax: limit)
    if let obstacle = doors.obstacle { ScenarioProgram.complain("in process, without a mount: \(printable(obstacle))") }
    return doors
  }

  private func run(
    _ jobs: [Job], _ doors: Doors, _ signals: SignalWatch?
  ) throws(HarnessError) -> Int32 {
    var status: Int32 = 0
    var reports: [JSONValue] = []
    for job in jobs {
      for time in 1...(reading.number("times") ?? 1) where reports.isEmpty || signals?.hasArrival != true {
        let folder = try keepFolder(job.file, isOneOf: jobs.count, time: time)
        let keeper = try folder.map { (folder) throws(HarnessError) in try Keeper.making(folder) }
        let report = run(job, keeper, doors, signals)
        status = graver(status, report.verdict.exitStatus)
        let given = reading.values("define").map { " -D \(printable($0.bytes))" }.joined()
        let again = report.again(
          "lnote-scenario \(explores ? "explore" : "run")\(given)", file: printable(job.file.bytes))
        if let folder, let drawn = report.drawn, report.verdict != .passed {
          let path = Word(bytes: folder.appending("case.scn").bytes)
          status = graver(status, ScenarioProgram.writeReport(Array(drawn.shownText.utf8), to: path))
        }
        if let path = reading.value("html") {
          status = graver(status, ScenarioProgram.writeReport(Array(report.page(again: again).html.utf8), to: path))
        }
        if reading.text("json") != "-" {
          ScenarioProgram.say(report.text(again: again, kept: folder?.description))
        }
        for trouble in keeper?.troubles ?? [] { ScenarioProgram.complain("not kept: \(trouble)") }
        reports.append(report.json(file: job.file.text))
      }
    }
    if let path = reading.value("json") { status = graver(status, write(reports, to: path)) }
    return status
  }

  private func run(
    _ job: Job, _ keeper: Keeper?, _ doors: Doors, _ signals: SignalWatch?
  ) -> ScenarioReport {
    let stream = OutputStream.error
    var line = ProgressLine(
      job.scenario.title, total: 0, unit: .things("cases"), columns: stream.columns, isShown: stream.isTerminal,
      now: now)
    let runner = ScenarioRunner(
      keeper: keeper, isForeignStore: reading.has("driver"), statesMax: reading.number("budget"),
      stateName: reading.text("state"), tearsSectors: reading.has("sectors"),
      mustStop: { signals?.hasArrival == true },
      progress: { done, _, _ in show(line.update(done: done, now: now)) },
      makeDisk: { seed throws(HarnessError) in try doors.makeDisk(seed: seed) })
    let report =
      job.random.map { RandomRun($0, seed: job.seed, casesMax: reading.number("cases"), runner: runner).run() }
      ?? runner.run(job.scenario)
    show(line.erase())
    return report
  }

  private var now: Int { Int(monotonicNanoseconds() / 1_000_000) }

  private func show(_ text: String?) {
    guard let text else { return }
    do throws(OutputError) { try OutputStream.error.write(text) } catch {}
  }

  /// Where this run keeps its packages: DIR itself for a single run, else a folder in it for each.
  private func keepFolder(_ file: Word, isOneOf count: Int, time: Int) throws(HarnessError) -> BytePath? {
    guard let keep = reading.value("keep") else { return nil }
    do throws(FileCallError) {
      var folder = try Host.absolutePath(of: BytePath(bytes: keep.bytes))
      if count > 1 { folder = folder.appending(BytePath(bytes: BytePath(bytes: file.bytes).name.bytes.dropLast(4))) }
      return time > 1 ? folder.appending("time-\(time)") : folder
    } catch {
      throw .disk("\(error)")
    }
  }

  private func write(_ reports: [JSONValue], to path: Word) -> Int32 {
    let bytes = JSONValue.array(reports).serialized(indent: 2) + [UInt8(ascii: "\n")]
    guard path == "-" else { return ScenarioProgram.writeReport(bytes, to: path) }
    ScenarioProgram.say(String(decoding: bytes, as: UTF8.self))
    return 0
  }

  /// A conviction counts more than trouble with the environment, and that more than an open question.
  private func graver(_ left: Int32, _ right: Int32) -> Int32 {
    let order: [Int32] = [0, 3, 4, 2, 1]
    let places = [left, right].map { order.firstIndex(of: $0) ?? 0 }
    return order[max(places[0], places[1])]
  }
}
