import CrashModel
import FileTracing
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
  /// True where the store on these disks is not ours.
  ///
  /// No disk in this process can then stand in for them.
  package let isForeignStore: Bool
  /// How many states of a sweep over crashes are judged at the most.
  ///
  /// Nil is as many as the scenario says.
  package let statesMax: Int?
  /// Where one step of the store in a sweep over crashes is altered; nil where none is.
  package let seam: Seam?
  /// The name of the only state of a sweep over crashes that is judged; nil for all.
  package let stateName: String?
  /// True where sweeps over crashes read equal bytes once.
  package let remembers: Bool
  /// True where sweeps over crashes tear blocks between their sectors, too.
  package let tearsSectors: Bool
  /// True where the page that a failure is about is drawn.
  package let drawsPages: Bool

  /// How many steps a run may take, those of every crash state included.
  ///
  /// Nil is any number. A run that would take more is inconclusive, unless it has failed before.
  package let stepsMax: Int?

  /// Where it says so, a sweep over crashes ends with what was found until then.
  package let mustStop: @Sendable () -> Bool

  /// A runner on disks that `makeDisk` makes.
  package init(
    keeper: Keeper? = nil, isForeignStore: Bool = false, statesMax: Int? = nil, stateName: String? = nil,
    seam: Seam? = nil, remembers: Bool = true, tearsSectors: Bool = false, drawsPages: Bool = false,
    stepsMax: Int? = nil,
    mustStop: @escaping @Sendable () -> Bool = { false },
    progress: @escaping (_ done: Int, _ all: Int, _ name: String?) -> Void = { _, _, _ in },
    makeDisk: @escaping (_ seed: UInt64) throws(HarnessError) -> any TestDisk
  ) {
    self.keeper = keeper
    self.isForeignStore = isForeignStore
    self.statesMax = statesMax
    self.seam = seam
    self.stateName = stateName
    self.remembers = remembers
    self.tearsSectors = tearsSectors
    self.drawsPages = drawsPages
    self.mustStop = mustStop
    self.stepsMax = stepsMax
    self.progress = progress
    self.makeDisk = makeDisk
  }

  /// Runs everything and reports it. Trouble of the environment makes a case inconclusive.
  package func run(_ scenario: CheckedScenario) -> ScenarioReport {
    let begin = monotonicNanoseconds()
    var doors: [String] = []
    var cases: [CaseReport] = []
    let reached = ReachedMarks()
    var plans = plans(for: scenario)
    let work = WorkMeter(most: stepsMax)
    for place in plans.indices {
      (plans[place].reached, plans[place].drawsPages, plans[place].work) = (reached, drawsPages, work)
    }
    for (place, plan) in plans.enumerated() {
      progress(place, plans.count, plan.name)
      do throws(HarnessError) {
        cases.append(try run(scenario, plan) { door in if !doors.contains(door) { doors.append(door) } })
      } catch {
        var report = CaseReport(name: plan.name)
        report.trouble = [error.description]
        report.verdict = .inconclusive
        cases.append(report)
      }
    }
    var report = ScenarioReport(
      title: scenario.title, setting: setting(of: scenario, doors: doors), cases: cases,
      milliseconds: Int((monotonicNanoseconds() - begin) / 1_000_000))
    report.stepsTaken = work.done
    report.knownFailing = scenario.settings.knownFailing
    report.storesLeftOut = scenario.settings.storesLeftOut
    report.sometimes = ReachedMarks.awaited(scenario.steps).map { ($0, reached.texts.contains($0)) }
    return report
  }

  private func run(
    _ scenario: CheckedScenario, _ plan: CaseRun.Plan, through: (String) -> Void
  ) throws(HarnessError) -> CaseReport {
    if case .failing(let rule)? = plan.choice?.way {
      return try FailureRun(scenario: scenario, plan: plan, rule: rule).run { (plan, keeps) throws(HarnessError) in
        try runOnce(scenario, plan, keeps, through: through)
      }
    }
    return try runOnce(scenario, plan, true, through: through).report
  }

  /// Runs one case on a fresh disk; also whether the rule of a sweep over failures fired.
  private func runOnce(
    _ scenario: CheckedScenario, _ plan: CaseRun.Plan, _ keeps: Bool, through: (String) -> Void
  ) throws(HarnessError) -> FailureRun.Outcome {
    let disk = try disk(for: plan, scenario)
    defer { disk.finish() }
    through(disk.door)
    let run = CaseRun(scenario, plan, disk: disk, keeper: keeps ? keeper : nil)
    return FailureRun.Outcome(report: run.run(), hasFailed: run.hasFailed)
  }

  /// Crash states are shown on the disk in this process, whatever the door of the other cases.
  private func disk(for plan: CaseRun.Plan, _ scenario: CheckedScenario) throws(HarnessError) -> any TestDisk {
    guard case .crashes? = plan.choice?.way else { return try makeDisk(scenario.settings.seed) }
    if isForeignStore {
      throw .disk(
        "'for each crash' runs with our store and in process; for another store there is faultfs explore")
    }
    return InProcessDisk(seed: scenario.settings.seed, seam: seam)
  }

  /// The cases: each outcome of each sweep, and the scenario without its sweeps where other steps follow them.
  private func plans(for scenario: CheckedScenario) -> [CaseRun.Plan] {
    let durabilities = scenario.settings.durabilities.compactMap { Durability(rawValue: $0.rawValue) }
    var choices: [CaseRun.SweepChoice?] = scenario.steps.flatMap { self.choices(at: $0, scenario.settings) }
    if scenario.steps.last?.action.isSweep != true { choices.append(nil) }
    return durabilities.flatMap { durability in
      choices.map { choice in
        var words: [String] = []
        if let choice, choices.count > 1 || choice.isOneOfSeveral { words.append(choice.name) }
        if durabilities.count > 1 { words.append(durability.rawValue) }
        return CaseRun.Plan(
          name: words.isEmpty ? nil : words.joined(separator: ", "), durability: durability, choice: choice)
      }
    }
  }

  private func choices(at step: CheckedStep, _ settings: ScenarioSettings) -> [CaseRun.SweepChoice] {
    let ways: [CaseRun.SweepChoice.Way]
    switch step.action {
    case .tornRenames(let sweep): ways = sweep.rules.map { .torn($0) }
    case .crashes(let sweep):
      let judgedMax = [sweep.atMost, statesMax].compactMap { $0 }.min()
      let models = CrashPlan.models(settings.models).map { $0.tearing(tearsSectors) }
      var plan = CrashPlan(models: models, judgedMax: judgedMax, depth: sweep.depth)
      plan.remembers = remembers
      plan.stateName = stateName
      plan.mustStop = mustStop
      ways = [.crashes(plan)]
    case .failures(let sweep): ways = [.failing(sweep.rule)]
    default: ways = []
    }
    return ways.map { CaseRun.SweepChoice(place: step.place, way: $0) }
  }

  private func setting(of scenario: CheckedScenario, doors: [String]) -> String {
    let settings = scenario.settings
    let isOnlyCrashes = scenario.steps.last.map { $0.action.isCrashes } ?? false
    var words = settings.stores + (isOnlyCrashes ? [] : ["posix-weakest"])
    if settings.durabilities != [.full] {
      words.append("durability " + settings.durabilities.map(\.rawValue).joined(separator: ", "))
    }
    if let mutant = settings.mutant { words.append("mutant \(mutant)") }
    if settings.drawsThumbnails { words.append("thumbnails") }
    return (words + doors).joined(separator: ", ")
  }
}

extension CaseRun.SweepChoice {
  /// True where the sweep has more cases than this.
  var isOneOfSeveral: Bool { if case .torn = way { true } else { false } }

  /// How reports and kept folders call the case.
  var name: String {
    switch way {
    case .torn(let rule): if case .tornRename(let torn) = rule.effect { torn.name } else { rule.name }
    case .crashes: "crash in line \(place.line)"
    case .failing: "failure in line \(place.line)"
    }
  }
}

extension StepAction {
  /// True for `for each crash`.
  var isCrashes: Bool { if case .crashes = self { true } else { false } }
}
