import Harness
import Options
import Processes
import Scenarios
import Terminal

/// Runs a scenario about another program: `faultfs` records it and goes through its crashes.
struct ExternalCommand {
  let scenario: ExternalScenario
  let keep: Word?

  /// The exit status of `faultfs`, which means what ours means.
  func run() throws(HarnessError) -> Int32 {
    ScenarioProgram.say("\(printable(scenario.title))\n")
    let launch = Launch(program: Array(try Programs.faultfsBeside().utf8), arguments: words.map { Array($0.utf8) })
    let ending: ProcessEnding?
    do throws(ProcessCallError) {
      ending = try ChildProcess(launch).wait(until: .never)
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
    switch ending {
    case .exited(let status): return Int32(status)
    case .killed(let signal): return 128 + Int32(signal)
    case nil: return 4
    }
  }

  /// The words for `faultfs`.
  private var words: [String] {
    guard let sweep = scenario.sweep else {
      return ["run", "--", "sh", "-c", ExternalScenario.script(scenario.setup)]
    }
    var words = ["explore", "--check", ExternalScenario.script(sweep.check)]
    if !scenario.setup.isEmpty { words += ["--setup", ExternalScenario.script(scenario.setup)] }
    if !scenario.models.isEmpty { words += ["--model", scenario.models.joined(separator: ",")] }
    if let atMost = sweep.atMost { words += ["--budget", String(atMost)] }
    if let seed = scenario.seed { words += ["--seed", String(seed)] }
    if let keep { words += ["--keep", keep.text] }
    return words + ["--", "sh", "-c", ExternalScenario.script(sweep.steps)]
  }
}
