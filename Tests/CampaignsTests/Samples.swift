import JSON
import Pages

@testable import Campaigns

/// Plans, records and shards that tests are made of.
enum Samples {
  static func plan(
    invented: Int, shards: Int = 1, seed: UInt64 = 1, budget: Int? = nil, failing: [String] = [], canary: Bool = true
  ) -> CampaignPlan {
    var files = [PlannedCase(kind: .regression, name: "old.scn"), PlannedCase(kind: .scenario, name: "photo.scn")]
    if canary { files.insert(PlannedCase(kind: .canary, name: "in-place"), at: 0) }
    files += failing.map { PlannedCase(kind: .failing, name: CampaignFinding.fileName(of: $0)) }
    return CampaignPlan(
      build: "4c1f2ab", seed: seed, shards: shards, files: files, inventedMax: invented, budgetMilliseconds: budget)
  }

  static func finding(_ signature: String, lines: Int = 3, failed: Int = 10) -> CampaignFinding {
    let steps = (0..<lines).map { "stroke p1 points \($0 + 1)" }.joined(separator: "\n")
    var finding = CampaignFinding(
      signature: signature, sentence: "A photo of 0 bytes on page 1: \(signature)",
      scenario: "scenario v1 \"x\"\n\n\(steps)\nexpect fsck clean\n", line: lines + 3, got: "zero-length x1")
    finding.models = ["ext4-ordered"]
    finding.again = .init(failed: failed, of: 10)
    return finding
  }

  /// What a case comes to, by its place: every 100th fails in one of five ways, each 37th is unknown.
  static func record(_ planned: PlannedCase, at place: Int) -> CampaignRecord {
    if planned.kind == .canary { return CampaignRecord(planned, .failed(finding("canary"))) }
    var record = CampaignRecord(planned, .passed)
    if planned.kind == .invented {
      if place % 100 == 0 { record.outcome = .failed(finding("bug/\(place / 100 % 5)", lines: place % 7 + 1)) }
      if place % 370 == 36 { record.outcome = .unknown("a fault never fired") }
    }
    record.states = place % 11
    record.faults = place % 3
    record.steps = place % 20
    record.cells = [
      CoverageCell(
        store: "snapshot", model: "ext4-ordered", fault: ["EIO", "power-cut"][place % 2],
        role: ["write page", "rename page", "fsync image"][place % 3], verdict: "clean")
    ]
    record.sometimes = ["a fault during a save", "never"]
    if place % 5 == 0 { record.reached = ["a fault during a save"] }
    return record
  }

  /// The file of a shard that has run everything.
  static func file(
    _ plan: CampaignPlan, _ shard: Shard, end: ShardLog.End? = .done, only: (Int) -> Bool = { _ in true },
    record: (PlannedCase, Int) -> CampaignRecord = record(_:at:)
  ) -> [UInt8] {
    var lines: [ShardLog.Line] = [.start(plan: plan.digest, shard: shard, build: plan.build)]
    for place in plan.places(of: shard) where only(place) {
      lines += [.begun(plan[place]), .record(record(plan[place], place))]
    }
    if let end { lines.append(.end(end)) }
    return lines.flatMap { JSONLines.line($0.json) }
  }

  /// What shards come to together, each through its file.
  static func summary(
    _ plan: CampaignPlan, _ files: [[UInt8]], known: KnownBuckets = KnownBuckets(), triage: Triage = Triage()
  ) throws -> CampaignSummary {
    var merge = CampaignMerge(plan: plan)
    for file in files { try merge.add(try ShardLog(file, plan: plan)) }
    return merge.summary(known: known, triage: triage, today: "2026-11-30")
  }

  /// A plan whose made-up cases have these outcomes; files pass, unless told otherwise.
  static func summary(
    _ outcomes: [CampaignRecord.Outcome], known: KnownBuckets = KnownBuckets(), triage: Triage = Triage(),
    failing: [String] = [], ofFailing: CampaignRecord.Outcome = .passed, canary: CampaignRecord.Outcome? = nil
  ) throws -> CampaignSummary {
    let plan = plan(invented: outcomes.count, failing: failing)
    let file = file(
      plan, Shard(index: 0, count: 1),
      record: { planned, place in
        switch planned.kind {
        case .canary: CampaignRecord(planned, canary ?? .failed(finding("canary")))
        case .failing: CampaignRecord(planned, ofFailing)
        case .invented: CampaignRecord(planned, outcomes[place - plan.files.count])
        default: CampaignRecord(planned, .passed)
        }
      })
    return try summary(plan, [file], known: known, triage: triage)
  }

  static func known(_ signature: String, fixedAt: String? = nil) -> KnownBuckets {
    var known = KnownBuckets()
    known.build = "9d02e77"
    known.buckets[signature] = KnownBucket(
      signature: signature, sentence: "old words", since: "1111111", passedAt: "0000000", fixedAt: fixedAt)
    return known
  }

  static let facts = RunFacts(
    day: "2026-11-30", folder: "run-20261130", shardsSeen: 4, shardsPlanned: 4, milliseconds: 1_800_000)
}
