import Campaigns
import Harness
import Scenarios

/// A case that is a file, or one of the cases that chance makes of a file.
struct FileCase {
  private let planned: PlannedCase
  private let text: CaseWork.CaseText
  private let seed: UInt64
  private let doors: Doors
  private let stepsMax: Int

  /// The case of this file; `seed` is that of the case.
  init(_ planned: PlannedCase, _ text: CaseWork.CaseText, seed: UInt64, _ doors: Doors, stepsMax: Int) {
    self.stepsMax = stepsMax
    self.planned = planned
    self.text = text
    self.seed = seed
    self.doors = doors
  }

  /// What came of it. A failure is told by a text that leaves nothing to chance.
  func record() -> CampaignRecord {
    let drawn: DrawnText
    do throws(CampaignError) {
      // The first draw has the seed that the file names; the others have one of the campaign.
      drawn = try DrawnText(of: text, seed: (planned.draw ?? 1) == 1 ? nil : seed % Self.seedsEnd)
    } catch {
      return CampaignRecord(planned, .unknown(error.description))
    }
    let first = trial(drawn.text)
    let failing = first.signature.map { _ in FailingText(drawn, first, run: trial) }
    let told = failing?.trial ?? first
    var record = CampaignRecord(planned, told, text: failing?.text ?? drawn.text) { told in
      CaseWork.again(told, stepsMax: stepsMax) { trial(failing?.text ?? drawn.text).failsLike(told) }
    }
    if planned.kind == .canary, case .unknown = record.outcome { return record }
    if case .failed(var finding) = record.outcome, planned.kind != .canary {
      finding.page = trial(failing?.text ?? drawn.text, drawsPages: true).page
      record.outcome = .failed(finding)
    }
    record.sometimes = Set(told.report?.sometimes.map(\.text) ?? [])
    record.reached = Set(told.report?.sometimes.filter(\.isReached).map(\.text) ?? [])
    return record
  }

  /// Seeds are below this, so that people can type them.
  private static let seedsEnd: UInt64 = 1_000_000_000

  private func trial(_ text: String) -> ScenarioTrial { trial(text, drawsPages: false) }

  private func trial(_ text: String, drawsPages: Bool) -> ScenarioTrial {
    ScenarioTrial(
      text: text, file: self.text.file, files: self.text.files, doors: doors, stepsMax: stepsMax, drawsPages: drawsPages
    )
  }
}

extension ScenarioTrial {
  /// Its text with faults that chance has decided as the operations that they hit; nil where there is none.
  func frozen(_ text: String) -> String? {
    guard let scenario, let failed = report?.cases.first(where: { $0.verdict == .failed }) else { return nil }
    return FrozenFaults.text(text, rules: scenario.steps.flatMap(\.rules).map(\.name), hits: failed.hits)
  }
}
