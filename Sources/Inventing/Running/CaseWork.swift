import Campaigns
import Harness
import PropertyTesting
import Scenarios

/// Runs one case of a campaign and writes down what came of it. The same case comes to the same record everywhere.
package struct CaseWork {
  /// How often a failure is run again, to see that it fails every time.
  package static let againCount = 10
  /// How many runs making a failure small may take, where nothing else is said.
  package static let shrinkRunsMaxUsual = 400
  /// How many scenarios are drawn for a case at the most, until one of them has something to say.
  static let drawsMax = 8

  private let doors: Doors
  private let inventor: ScenarioInventor
  private let shrinkRunsMax: Int
  private let stepsMax: Int
  private let read: (PlannedCase) throws(CampaignError) -> CaseText

  /// The text of a file of the plan.
  package struct CaseText: Sendable {
    /// How messages call it.
    package let file: String
    /// The scenario.
    package let text: String
    /// The files beside it.
    package let files: ScenarioFiles
    /// Other values of its parameters.
    package let overrides: [(name: String, value: String)]

    /// A text of these values.
    package init(
      file: String, text: String, files: ScenarioFiles = .none, overrides: [(name: String, value: String)] = []
    ) {
      self.overrides = overrides
      self.file = file
      self.text = text
      self.files = files
    }
  }

  /// Work on these disks.
  ///
  /// - Parameters:
  ///   - inventor: makes up scenarios.
  ///   - shrinkRunsMax: how many runs making a failure small may take.
  ///   - stepsMax: how many steps a run may take, those of every crash state included.
  ///   - read: the text of a case that is a file.
  package init(
    doors: Doors, inventor: ScenarioInventor, shrinkRunsMax: Int = shrinkRunsMaxUsual,
    stepsMax: Int = CampaignPlan.stepsMaxUsual,
    read: @escaping (PlannedCase) throws(CampaignError) -> CaseText
  ) {
    self.shrinkRunsMax = shrinkRunsMax
    self.stepsMax = stepsMax
    self.doors = doors
    self.inventor = inventor
    self.read = read
  }

  /// Runs a case of a campaign with this seed.
  package func record(_ planned: PlannedCase, campaignSeed: UInt64) -> CampaignRecord {
    guard planned.kind != .invented else {
      return InventedCase(
        planned, campaignSeed: campaignSeed, inventor, doors, shrinkRunsMax: shrinkRunsMax,
        stepsMax: stepsMax
      ).record()
    }
    do throws(CampaignError) {
      let seed = planned.seed(ofCampaign: campaignSeed)
      return FileCase(planned, try read(planned), seed: seed, doors, stepsMax: stepsMax).record()
    } catch {
      return CampaignRecord(planned, .unknown(error.description))
    }
  }

  /// Runs something again, and counts how often it said yes.
  ///
  /// A failure that takes many steps is run less often, so that all of it together stays near the bound.
  static func again(
    _ failed: ScenarioTrial, stepsMax: Int, _ isAlike: () -> Bool
  ) -> CampaignFinding.Again {
    let count = min(againCount, max(2, stepsMax / max(1, failed.report?.stepsTaken ?? 0)))
    return CampaignFinding.Again(failed: (0..<count).count { _ in isAlike() }, of: count)
  }
}

extension CampaignRecord {
  /// What a run comes to. `again` counts how often a failure comes back.
  init(
    _ planned: PlannedCase, _ trial: ScenarioTrial, text: String, again: (ScenarioTrial) -> CampaignFinding.Again
  ) {
    guard let report = trial.report, let scenario = trial.scenario else {
      self.init(planned, .unknown("the scenario is wrong: \(trial.diagnostics)"))
      return
    }
    switch report.verdict {
    case .passed: self.init(planned, .passed)
    case .inconclusive:
      self.init(planned, .unknown(report.cases.flatMap(\.trouble).first ?? "nothing is proved either way"))
    case .failed:
      var finding = CampaignFinding(trial, text: text)
      finding.again = again(trial)
      self.init(planned, .failed(finding))
    }
    states = report.statesJudged
    faults = report.faultsFired
    steps = report.cases.reduce(0) { $0 + $1.lines.count }
    cells = CoverageCell.cells(of: report, scenario)
  }
}

extension CampaignFinding {
  /// The failure of a run.
  init(_ trial: ScenarioTrial, text: String) {
    guard let report = trial.report, let scenario = trial.scenario, let failure = Failure(report),
      let signature = FailureSignature(report, of: scenario)
    else {
      // A known failure that passes has no line that convicts.
      self.init(
        signature: "passes-although-known-to-fail", sentence: "It passes, and is known to fail", scenario: text,
        line: nil, got: "it passed")
      return
    }
    self.init(
      signature: signature.text, sentence: FailureSentence.text(report, of: scenario), scenario: text,
      line: failure.line.line == 0 ? nil : failure.line.line, got: failure.line.result)
    crash = failure.example?.finding
    models = failure.example.map { $0.finding.possibilities.filter(\.isPossible).map(\.model) } ?? []
  }
}

extension ScenarioTrial {
  /// The page that its failure is about; nil where pages were not drawn.
  var page: PagePair? {
    func side(_ view: PageViews.View) -> PagePair.Side { PagePair.Side(words: view.words, jpeg: view.jpeg) }
    return report.flatMap { Failure($0)?.views }.map {
      PagePair(name: $0.page, expected: side($0.expected), found: side($0.found))
    }
  }

  /// The signature of its failure; nil where it did not fail.
  var signature: String? {
    guard let report, let scenario, report.verdict == .failed else { return nil }
    return FailureSignature(report, of: scenario)?.text
  }

  /// True where both failed in the same way.
  func failsLike(_ other: ScenarioTrial) -> Bool { signature != nil && signature == other.signature }
}

extension ScenarioReport {
  /// How many crash states were judged, those of recoveries too.
  var statesJudged: Int {
    cases.reduce(0) { $0 + ($1.sweep?.judged ?? 0) + ($1.sweep?.recovery?.judged ?? 0) }
  }
}
