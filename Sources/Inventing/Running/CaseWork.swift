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
  private let read: (PlannedCase) throws(CampaignError) -> CaseText

  /// The text of a file of the plan.
  package struct CaseText: Sendable {
    /// How messages call it.
    package let file: String
    /// The scenario.
    package let text: String
    /// The files beside it.
    package let files: ScenarioFiles

    /// A text of these values.
    package init(file: String, text: String, files: ScenarioFiles = .none) {
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
  ///   - read: the text of a case that is a file.
  package init(
    doors: Doors, inventor: ScenarioInventor, shrinkRunsMax: Int = shrinkRunsMaxUsual,
    read: @escaping (PlannedCase) throws(CampaignError) -> CaseText
  ) {
    self.shrinkRunsMax = shrinkRunsMax
    self.doors = doors
    self.inventor = inventor
    self.read = read
  }

  /// Runs a case of a campaign with this seed.
  package func record(_ planned: PlannedCase, campaignSeed: UInt64) -> CampaignRecord {
    guard planned.kind != .invented else {
      return InventedCase(
        planned, seed: planned.seed(ofCampaign: campaignSeed), inventor, doors, shrinkRunsMax: shrinkRunsMax
      ).record()
    }
    do throws(CampaignError) {
      return record(of: try read(planned), planned)
    } catch {
      return CampaignRecord(planned, .unknown(error.description))
    }
  }

  private func record(of text: CaseText, _ planned: PlannedCase) -> CampaignRecord {
    let trial = ScenarioTrial(text: text.text, file: text.file, files: text.files, doors: doors)
    var record = CampaignRecord(planned, trial, text: text.text) { trial in
      Self.again { ScenarioTrial(text: text.text, file: text.file, files: text.files, doors: doors).failsLike(trial) }
    }
    if planned.kind == .canary, case .unknown = record.outcome { return record }
    if case .failed(var finding) = record.outcome, planned.kind != .canary {
      finding.page =
        ScenarioTrial(text: text.text, file: text.file, files: text.files, doors: doors, drawsPages: true).page
      record.outcome = .failed(finding)
    }
    record.sometimes = Set(trial.report?.sometimes.map(\.text) ?? [])
    record.reached = Set(trial.report?.sometimes.filter(\.isReached).map(\.text) ?? [])
    return record
  }

  /// Runs something so often, and counts how often it said yes.
  static func again(_ isAlike: () -> Bool) -> CampaignFinding.Again {
    CampaignFinding.Again(failed: (0..<againCount).count { _ in isAlike() }, of: againCount)
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
