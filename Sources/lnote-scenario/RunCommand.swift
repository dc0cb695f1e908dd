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
    var scenarios: [(file: Word, scenario: CheckedScenario)] = []
    for file in reading.operands {
      guard var scenario = ScenarioProgram.read(file, overrides: reading.values("define")) else { continue }
      if let seed = reading.number("seed") { scenario.settings.seed = UInt64(seed) }
      if explores {
        guard let explored = exploring(scenario, file) else { return 2 }
        scenario = explored
      }
      scenarios.append((file, scenario))
    }
    // A file that is wrong is a reason to run none: the tester is to see the message, not a page of results.
    guard scenarios.count == reading.operands.count else { return 2 }
    do throws(HarnessError) {
      return try run(scenarios, doors(), signals)
    } catch {
      ScenarioProgram.complain(error.description)
      return 4
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
    _ scenarios: [(file: Word, scenario: CheckedScenario)], _ doors: Doors, _ signals: SignalWatch?
  ) throws(HarnessError) -> Int32 {
    var status: Int32 = 0
    var reports: [JSONValue] = []
    for (file, scenario) in scenarios {
      for time in 1...(reading.number("times") ?? 1) where reports.isEmpty || signals?.hasArrival != true {
        let folder = try keepFolder(file, isOneOf: scenarios.count, time: time)
        let keeper = try folder.map { (folder) throws(HarnessError) in try Keeper.making(folder) }
        let report = run(scenario, keeper, doors, signals)
        status = graver(status, report.verdict.exitStatus)
        let again = "lnote-scenario \(explores ? "explore" : "run") \(printable(file.bytes))"
        if let path = reading.value("html") {
          status = graver(status, write(Array(report.page(again: again).html.utf8), to: path))
        }
        if reading.text("json") != "-" {
          ScenarioProgram.say(report.text(again: again, kept: folder?.description))
        }
        for trouble in keeper?.troubles ?? [] { ScenarioProgram.complain("not kept: \(trouble)") }
        reports.append(report.json(file: file.text))
      }
    }
    if let path = reading.value("json") { status = graver(status, write(reports, to: path)) }
    return status
  }

  private func run(
    _ scenario: CheckedScenario, _ keeper: Keeper?, _ doors: Doors, _ signals: SignalWatch?
  ) -> ScenarioReport {
    let stream = OutputStream.error
    var line = ProgressLine(
      scenario.title, total: 0, unit: .things("cases"), columns: stream.columns, isShown: stream.isTerminal,
      now: now)
    let runner = ScenarioRunner(
      keeper: keeper, isForeignStore: reading.has("driver"), statesMax: reading.number("budget"),
      stateName: reading.text("state"), tearsSectors: reading.has("sectors"),
      mustStop: { signals?.hasArrival == true },
      progress: { done, _, _ in show(line.update(done: done, now: now)) },
      makeDisk: { seed throws(HarnessError) in try doors.makeDisk(seed: seed) })
    let report = runner.run(scenario)
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
    guard path == "-" else { return write(bytes, to: path) }
    ScenarioProgram.say(String(decoding: bytes, as: UTF8.self))
    return 0
  }

  private func write(_ bytes: [UInt8], to path: Word) -> Int32 {
    do throws(FileCallError) {
      let absolute = try Host.absolutePath(of: BytePath(bytes: path.bytes))
      let folder = try HostVolume(root: absolute.folderOnHost)
      let file = try folder.open(absolute.name, for: .overwriting(permissions: 0o644))
      try folder.writeWhole(file, bytes)
      try folder.close(file)
      return 0
    } catch {
      ScenarioProgram.complain("the report could not be written: \(error)")
      return 4
    }
  }

  /// A conviction counts more than trouble with the environment, and that more than an open question.
  private func graver(_ left: Int32, _ right: Int32) -> Int32 {
    let order: [Int32] = [0, 3, 4, 2, 1]
    let places = [left, right].map { order.firstIndex(of: $0) ?? 0 }
    return order[max(places[0], places[1])]
  }
}
