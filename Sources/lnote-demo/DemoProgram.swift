import Files
import Glibc
import Harness
import Options
import Processes
import Scenarios
import Terminal

/// The demonstration: plays the main job's scenarios and its control, and ends in one screen.
enum DemoProgram {
  private static let table = OptionTable(
    program: "lnote-demo", sentence: "play four scenarios on a failing disk, and a control that must be convicted",
    version: "0.1",
    options: [
      Option("scenarios", value: .directory("DIR"), "where the scenarios are (Scenarios)"),
      Option("keep", value: .directory("DIR"), "where packages are kept to look at (demo-kept)"),
      Option("fast", "in process, without a mount"),
    ],
    exitStatuses: [
      ExitStatus(0, "everything promised was kept, and the control was convicted"),
      ExitStatus(1, "something was lost, or the control passed"),
      ExitStatus(2, "usage, or a scenario that is not right"), ExitStatus(4, "the environment lacks something"),
    ])

  /// Plays everything; the result is the exit status.
  static func run(_ words: [Word]) -> Int32 {
    do throws(OptionError) {
      switch try table.read(words) {
      case .show(let text):
        say(text)
        return 0
      case .run(let reading): return play(reading)
      }
    } catch {
      complain(printable(error.description))
      return 2
    }
  }

  /// Ends the program.
  static func end(with status: Int32) -> Never { exit(status) }

  private static func play(_ reading: OptionReading) -> Int32 {
    let begin = monotonicNanoseconds()
    do throws(HarnessError) {
      let scenarios = try path(reading.value("scenarios") ?? "Scenarios")
      let keep = try path(reading.value("keep") ?? "demo-kept")
      let doors = try Doors(reading.has("fast") ? .inProcess : .whatIsPossible)
      var reports: [ScenarioReport] = []
      for plan in DemoPlan.all + [.control] {
        guard let scenario = read(plan.file, in: scenarios) else { return 2 }
        say("playing \(plan.file): \(scenario.title)\n")
        let keeper = try Keeper.making(keep.appending(plan.folder))
        let runner = ScenarioRunner(keeper: keeper) { seed throws(HarnessError) in try doors.makeDisk(seed: seed) }
        reports.append(runner.run(scenario))
        for trouble in keeper.troubles { complain("not kept: \(trouble)") }
      }
      guard let control = reports.popLast() else { return 4 }
      let screen = DemoScreen(
        reports: reports, control: control, milliseconds: Int((monotonicNanoseconds() - begin) / 1_000_000),
        obstacle: doors.obstacle)
      say(screen.text)
      return screen.isGood ? 0 : 1
    } catch {
      complain(error.description)
      return 4
    }
  }

  private static func path(_ word: Word) throws(HarnessError) -> BytePath {
    do throws(FileCallError) {
      return try Host.absolutePath(of: BytePath(bytes: word.bytes))
    } catch {
      throw .disk("\(error)")
    }
  }

  private static func read(_ file: String, in folder: BytePath) -> CheckedScenario? {
    do throws(FileCallError) {
      let bytes = try HostVolume(root: folder).readWhole(BytePath(file), sizeMax: 1 << 20)
      let reading = ScenarioReading.read(bytes, file: "Scenarios/\(file)", vocabulary: .own)
      if reading.scenario == nil { complain("Scenarios/\(file) cannot run\n\(reading.text)") }
      return reading.scenario
    } catch {
      complain("\(error)")
      return nil
    }
  }

  private static func say(_ text: String) {
    do throws(OutputError) { try OutputStream.output.write(text) } catch { end(with: 4) }
  }

  private static func complain(_ text: String) {
    do throws(OutputError) { try OutputStream.error.write("lnote-demo: \(text)\n") } catch {}
  }
}
