import Campaigns
import Harness
import PropertyTesting

/// A case that is made up: drawn from its seed, run, and where it fails made small.
package struct InventedCase {
  private let planned: PlannedCase
  private let seed: UInt64
  private let aim: ScenarioInventor.Aim?
  private let inventor: ScenarioInventor
  private let doors: Doors
  private let shrinkRunsMax: Int
  private let shrinkStatesMax: Int
  private let stepsMax: Int

  init(
    _ planned: PlannedCase, campaignSeed: UInt64, _ inventor: ScenarioInventor, _ doors: Doors, shrinkRunsMax: Int,
    shrinkStatesMax: Int = shrinkStatesMaxUsual, stepsMax: Int
  ) {
    self.shrinkStatesMax = shrinkStatesMax
    self.stepsMax = stepsMax
    self.shrinkRunsMax = shrinkRunsMax
    self.planned = planned
    seed = planned.seed(ofCampaign: campaignSeed)
    aim = Self.aim(planned, campaignSeed: campaignSeed)
    self.inventor = inventor
    self.doors = doors
  }

  /// The first scenario of a case, for who cannot run it: a worker that has ended.
  package static func firstScenario(
    _ planned: PlannedCase, campaignSeed: UInt64, _ inventor: ScenarioInventor
  ) -> String {
    let source = ChoiceSource(beyond: .random(seed: planned.seed(ofCampaign: campaignSeed)))
    let aim = aim(planned, campaignSeed: campaignSeed)
    return inventor.scenario(from: source, aim: aim).text(title: "invented \(planned.name)")
  }

  /// What a case shall be about: each campaign begins at another place of the list.
  static func aim(_ planned: PlannedCase, campaignSeed: UInt64) -> ScenarioInventor.Aim? {
    Int(planned.name).map { ScenarioInventor.Aim(number: $0 % CampaignPlan.casesMax + Int(campaignSeed % 1_000_003)) }
  }

  /// How many draws of a case keep to its aim. Where nothing came of them, chance alone is asked.
  static let aimedDrawsMax = 3

  /// How many cases and crash states may be judged while a failure is made small: some seconds.
  ///
  /// A bound by time would make records differ between machines.
  static let shrinkStatesMaxUsual = 3_000

  /// Seeing which values matter may take this part of the runs that making it small may.
  static let explainedShare = 4
  /// How many steps that may take, those of every crash state included.
  static let explainedStepsMax = 6_000

  /// Draws until something can be said: a fault on an operation that never comes proves nothing.
  func record() -> CampaignRecord {
    var last: CampaignRecord?
    for draw in 0..<CaseWork.drawsMax {
      let (source, scenario) = drawn(draw)
      let trial = trial(scenario)
      if trial.signature != nil { return failure(source, scenario, trial) }
      let record = CampaignRecord(planned, trial, text: "") { _ in .init(failed: 0, of: 0) }
      if case .passed = record.outcome { return record }
      last = record
      // A text that is wrong is a mistake of ours, and told at once.
      if trial.report == nil { break }
    }
    return last ?? CampaignRecord(planned, .unknown("nothing was drawn"))
  }

  /// The scenario of a draw, from 0, and what it was drawn from.
  func drawn(_ draw: Int) -> (source: ChoiceSource, scenario: InventedScenario) {
    let source = ChoiceSource(beyond: .random(seed: seed &+ UInt64(draw)))
    return (source, inventor.scenario(from: source, aim: draw < Self.aimedDrawsMax ? aim : nil))
  }

  private func trial(_ scenario: InventedScenario) -> ScenarioTrial { trial(scenario.text(title: title)) }

  private func trial(_ text: String) -> ScenarioTrial {
    ScenarioTrial(text: text, file: "\(title).scn", doors: doors, stepsMax: stepsMax)
  }

  private var title: String { "invented \(planned.name)" }

  private func failure(_ source: ChoiceSource, _ scenario: InventedScenario, _ trial: ScenarioTrial) -> CampaignRecord {
    let bucket = trial.signature ?? ""
    var statesLeft = shrinkStatesMax
    let property = Property("invented") { source in
      // What was drawn is the record of the case, also where it is not run any more.
      let scenario = self.inventor.scenario(from: source)
      if statesLeft <= 0 { return .invalid }
      let trial = self.trial(scenario)
      statesLeft -= max(1, trial.report?.cases.count ?? 0) + (trial.report?.statesJudged ?? 0)
      guard let signature = trial.signature else { return trial.report?.verdict == .passed ? .holds : .invalid }
      return .fails(bucket: signature)
    }
    var settings = SearchSettings()
    settings.shrinkExecutionsMax = shrinkRunsMax
    var search = Search(property, settings)
    let drawn = source.record(.fails(bucket: bucket))
    let result = search.run(stored: [drawn.values])
    let small = result.failures.first { $0.bucket == bucket }
    let least = small.map { inventor.scenario(from: ChoiceSource(prefix: $0.record.values)) } ?? scenario
    let (plain, told) = concrete(least, like: bucket)
    let explained = ExplainedText(
      plain, told, runsMax: shrinkRunsMax / Self.explainedShare, stepsMax: Self.explainedStepsMax
    ) { self.trial($0) }
    let text = explained.text
    var record = CampaignRecord(planned, told, text: text) { told in
      CaseWork.again(told, stepsMax: stepsMax) { self.trial(text).failsLike(told) }
    }
    guard case .failed(var finding) = record.outcome else { return record }
    // The whole sweep says more of a crash than the one state does.
    if finding.crash == nil { finding.crash = self.trial(least).report.flatMap { Failure($0)?.example?.finding } }
    finding.signature = bucket
    finding.page = ScenarioTrial(text: text, file: "\(title).scn", doors: doors, drawsPages: true).page
    let counts = ["\(scenario.stepCount) steps -> \(least.stepCount) steps", "\(result.counts.executions) runs"]
    finding.shrunk = (counts + [explained.summary].compactMap { $0 }).joined(separator: ", ")
    record.outcome = .failed(finding)
    return record
  }

  /// The shortest scenario that fails like this one: its crash as a step of its own, and no more judging than is needed.
  private func concrete(_ scenario: InventedScenario, like bucket: String) -> (text: String, trial: ScenarioTrial) {
    let comments = ["found in campaign case \(planned.identity)"]
    func text(_ scenario: InventedScenario) -> String { scenario.text(title: title, comments: comments) }
    var best = (scenario: scenario, trial: trial(text(scenario)))
    let failure = best.trial.report.flatMap { Failure($0) }
    let what = best.trial.report.flatMap { report in
      best.trial.scenario.flatMap { FailureSignature(report, of: $0)?.what }
    }
    for line in failure?.example.map(CrashWords.lines) ?? [] {
      guard let one = scenario.concrete(line) else { break }
      let single = trial(text(one))
      guard let report = single.report, let checked = single.scenario, report.verdict == .failed,
        FailureSignature(report, of: checked)?.what == what
      else { continue }
      best = (one, single)
      break
    }
    for shorter in best.scenario.judgingLess() {
      let one = trial(text(shorter))
      if one.failsLike(best.trial) { best = (shorter, one) }
    }
    return (text(best.scenario), best.trial)
  }
}

extension InventedScenario {
  /// The scenario with less and less behind it: the last steps that judge go first.
  func judgingLess() -> [InventedScenario] {
    var shorter: [InventedScenario] = []
    var one = self
    while one.dropLastJudging() { shorter.append(one) }
    return shorter
  }

  /// Takes the last step away that judges; false where only one is left.
  private mutating func dropLastJudging() -> Bool {
    switch middle {
    case .sweep(let head, let steps, let check):
      if check.count < 2 { return false }
      middle = .sweep(head, steps, check: check.dropLast())
    case .block(let head, let steps, let after) where ending.isEmpty:
      if after.count < 2 { return false }
      middle = .block(head, steps, after: after.dropLast())
    default:
      if ending.count < 2 { return false }
      ending.removeLast()
    }
    return true
  }

  /// How many steps somebody takes in it.
  var stepCount: Int {
    let inside: Int =
      switch middle {
      case .plain(let steps): steps.count
      case .block(_, let steps, let after): steps.count + after.count + 1
      case .sweep(_, let steps, _): steps.count + 1
      }
    return steps.count + inside
  }
}
