import Files
import LNoteStore
import Processes
import Scenarios

/// Runs a checked scenario: each durability, and for a sweep each outcome, on a fresh disk of its own.
package struct ScenarioRunner {
  /// Makes a fresh disk for one case.
  package let makeDisk: (_ seed: UInt64) throws(HarnessError) -> any TestDisk
  /// Where packages are kept to look at; nil for nowhere.
  package let keeper: Keeper?
  /// Told before each case: its place from 0, how many there are, and its name.
  package let progress: (_ done: Int, _ all: Int, _ name: String?) -> Void

  /// A runner on disks that `makeDisk` makes.
  package init(
    keeper: Keeper? = nil, progress: @escaping (_ done: Int, _ all: Int, _ name: String?) -> Void = { _, _, _ in },
    makeDisk: @escaping (_ seed: UInt64) throws(HarnessError) -> any TestDisk
  ) {
    self.keeper = keeper
    self.progress = progress
    self.makeDisk = makeDisk
  }

  /// Runs everything and reports it. Trouble of the environment makes a case inconclusive.
  package func run(_ scenario: CheckedScenario) -> ScenarioReport {
    let begin = monotonicNanoseconds()
    var door = ""
    var cases: [CaseReport] = []
    let plans = plans(for: scenario)
    for (place, plan) in plans.enumerated() {
      progress(place, plans.count, plan.name)
      do throws(HarnessError) {
        let disk = try makeDisk(scenario.settings.seed)
        defer { disk.finish() }
        door = disk.door
        let run = CaseRun(scenario, plan, disk: disk, keeper: keeper)
        cases.append(run.run())
      } catch {
        var report = CaseReport(name: plan.name)
        report.trouble = [error.description]
        report.verdict = .inconclusive
        cases.append(report)
      }
    }
    return ScenarioReport(
      title: scenario.title, setting: setting(of: scenario, door: door), cases: cases,
      milliseconds: Int((monotonicNanoseconds() - begin) / 1_000_000))
  }

  /// The cases: each outcome of each sweep, and the scenario without its sweeps where other steps follow them.
  private func plans(for scenario: CheckedScenario) -> [CaseRun.Plan] {
    let durabilities = scenario.settings.durabilities.compactMap { Durability(rawValue: $0.rawValue) }
    var choices: [CaseRun.SweepChoice?] = scenario.steps.flatMap { step -> [CaseRun.SweepChoice] in
      guard case .tornRenames(let sweep) = step.action else { return [] }
      return sweep.rules.map { CaseRun.SweepChoice(place: step.place, rule: $0) }
    }
    let endsInSweep = scenario.steps.last.map { step in
      if case .tornRenames = step.action { return true }
      return false
    }
    if endsInSweep != true { choices.append(nil) }
    return durabilities.flatMap { durability in
      choices.map { choice in
        var words: [String] = []
        if case .tornRename(let torn)? = choice?.rule.effect { words.append(torn.name) }
        if durabilities.count > 1 { words.append(durability.rawValue) }
        return CaseRun.Plan(
          name: words.isEmpty ? nil : words.joined(separator: ", "), durability: durability, choice: choice)
      }
    }
  }

  private func setting(of scenario: CheckedScenario, door: String) -> String {
    let settings = scenario.settings
    var words = settings.stores + settings.models
    if settings.durabilities != [.full] {
      words.append("durability " + settings.durabilities.map(\.rawValue).joined(separator: ", "))
    }
    if let mutant = settings.mutant { words.append("mutant \(mutant)") }
    words.append(door)
    return words.joined(separator: ", ")
  }
}
