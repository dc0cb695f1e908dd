import Campaigns
import Harness
import PropertyTesting

/// A case that is made up: drawn from its seed, run, and where it fails made small.
package struct InventedCase {
  private let planned: PlannedCase
  private let seed: UInt64
  private let inventor: ScenarioInventor
  private let doors: Doors
  private let shrinkRunsMax: Int

  init(
    _ planned: PlannedCase, seed: UInt64, _ inventor: ScenarioInventor, _ doors: Doors, shrinkRunsMax: Int
  ) {
    self.shrinkRunsMax = shrinkRunsMax
    self.planned = planned
    self.seed = seed
    self.inventor = inventor
    self.doors = doors
  }

  /// The first scenario of a case, for who cannot run it: a worker that has ended.
  package static func firstScenario(
    _ planned: PlannedCase, campaignSeed: UInt64, _ inventor: ScenarioInventor
  ) -> String {
    let source = ChoiceSource(beyond: .random(seed: planned.seed(ofCampaign: campaignSeed)))
    return inventor.scenario(from: source).text(title: "invented \(planned.name)")
  }

  /// Draws until something can be said: a fault on an operation that never comes proves nothing.
  func record() -> CampaignRecord {
    var last: CampaignRecord?
    for draw in 0..<CaseWork.drawsMax {
      let source = ChoiceSource(beyond: .random(seed: seed &+ UInt64(draw)))
      let scenario = inventor.scenario(from: source)
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

  private func trial(_ scenario: InventedScenario) -> ScenarioTrial { trial(scenario.text(title: title)) }

  private func trial(_ text: String) -> ScenarioTrial { ScenarioTrial(text: text, file: "\(title).scn", doors: doors) }

  private var title: String { "invented \(planned.name)" }

  private func failure(_ source: ChoiceSource, _ scenario: InventedScenario, _ trial: ScenarioTrial) -> CampaignRecord {
    let bucket = trial.signature ?? ""
    let property = Property("invented") { source in
      let trial = self.trial(self.inventor.scenario(from: source))
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
    let (text, told) = concrete(least, like: bucket)
    var record = CampaignRecord(planned, told, text: text) { told in
      CaseWork.again { self.trial(text).failsLike(told) }
    }
    guard case .failed(var finding) = record.outcome else { return record }
    // The whole sweep says more of a crash than the one state does.
    if finding.crash == nil { finding.crash = self.trial(least).report.flatMap { Failure($0)?.example?.finding } }
    finding.signature = bucket
    finding.shrunk = "\(scenario.stepCount) steps -> \(least.stepCount) steps, \(result.counts.executions) runs"
    record.outcome = .failed(finding)
    return record
  }

  /// The scenario with its crash as a step of its own, where there are words for it that fail as the sweep does.
  private func concrete(_ scenario: InventedScenario, like bucket: String) -> (text: String, trial: ScenarioTrial) {
    let comments = ["found in campaign case \(planned.identity)"]
    let swept = scenario.text(title: title, comments: comments)
    let whole = trial(swept)
    guard let line = whole.report.flatMap({ Failure($0)?.example?.again }), let one = scenario.concrete(line) else {
      return (swept, whole)
    }
    let text = one.text(title: title, comments: comments)
    let single = trial(text)
    return single.report?.verdict == .failed ? (text, single) : (swept, whole)
  }
}

extension InventedScenario {
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
