import JSON

/// Puts the files of shards together: a pure function of them, the plan, and what is known.
package struct CampaignMerge {
  private let plan: CampaignPlan
  private var records: [Int: CampaignRecord] = [:]
  private var differing: Set<Int> = []
  private var excused: [Shard] = []
  private var inFlight: Set<PlannedCase> = []

  /// A merge of no shard yet.
  package init(plan: CampaignPlan) { self.plan = plan }

  /// Takes a shard in. Equal records of a case are one; of records that differ the one with the failure is kept.
  package mutating func add(_ log: ShardLog) throws(CampaignError) {
    for record in log.records {
      guard let place = plan.place(of: record.planned) else {
        throw CampaignError("has a record of '\(record.planned.identity)', which is no case of the plan")
      }
      guard let other = records[place] else {
        records[place] = record
        continue
      }
      if other.json == record.json { continue }
      differing.insert(place)
      if Self.precedes(record, other) { records[place] = record }
    }
    inFlight.formUnion(log.inFlight)
    if log.end == .budget { excused.append(log.shard) }
  }

  /// Failures first, then by text, so that the order of shards does not matter.
  private static func precedes(_ left: CampaignRecord, _ right: CampaignRecord) -> Bool {
    if (left.finding == nil) != (right.finding == nil) { return left.finding != nil }
    return left.json.serialized().lexicographicallyPrecedes(right.json.serialized())
  }

  /// What it all came to.
  ///
  /// - Parameters:
  ///   - known: what the runs before knew.
  ///   - triage: what people have parked.
  ///   - today: the day, "2026-11-30", for what is parked until a day.
  package func summary(known: KnownBuckets, triage: Triage, today: String) -> CampaignSummary {
    var summary = CampaignSummary(plan: plan, before: known.build)
    let places = records.keys.sorted()
    var sometimes: Set<String> = []
    var reached: Set<String> = []
    for place in places {
      guard let record = records[place] else { continue }
      summary.ran.append(record.planned)
      summary.states += record.states
      summary.faults += record.faults
      summary.steps += record.steps
      for cell in record.cells { summary.coverage[cell, default: 0] += 1 }
      sometimes.formUnion(record.sometimes)
      reached.formUnion(record.reached)
      switch record.outcome {
      case .passed: summary.passed += 1
      case .failed: break
      case .unknown(let why): summary.unknown.append((record.planned, why))
      }
    }
    summary.neverReached = sometimes.subtracting(reached).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    summary.differing = differing.sorted().map { plan[$0] }
    summary.missing = missing
    summary.inFlight = summary.missing.filter(inFlight.contains)
    summary.missedCanaries = missedCanaries
    summary.buckets = BucketSorter(plan: plan, records: records, known: known, triage: triage, today: today).buckets
    summary.expired = triage.parked.values.filter { $0.until < today }.sorted { $0.signature < $1.signature }
    return summary
  }

  private var missing: [PlannedCase] {
    (0..<plan.count).filter { place in
      if records[place] != nil { return false }
      if plan[place].isMandatory { return true }
      return !excused.contains { place % $0.count == $0.index }
    }.map { plan[$0] }
  }

  /// One that was not run is missing, and tells nothing yet.
  private var missedCanaries: [PlannedCase] {
    plan.files.indices.filter { place in
      plan.files[place].kind == .canary && records[place].map { $0.finding == nil } ?? false
    }.map { plan.files[$0] }
  }
}
