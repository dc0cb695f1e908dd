/// Sorts failures into buckets by their signature, and says how each stands against earlier runs.
struct BucketSorter {
  let plan: CampaignPlan
  let records: [Int: CampaignRecord]
  let known: KnownBuckets
  let triage: Triage
  let today: String

  /// The buckets: by state, then by signature.
  var buckets: [CampaignSummary.Bucket] {
    var found: [String: (finding: CampaignFinding, cases: [PlannedCase], models: Set<String>)] = [:]
    for place in records.keys.sorted() {
      guard let record = records[place], record.planned.kind != .canary, let finding = record.finding else { continue }
      var bucket = found[finding.signature] ?? (finding, [], [])
      if Self.isSmaller(finding, bucket.finding) { bucket.finding = finding }
      bucket.cases.append(record.planned)
      bucket.models.formUnion(finding.models)
      found[finding.signature] = bucket
    }
    var buckets = found.map { signature, bucket in
      let (state, known) = standing(of: signature, bucket.finding)
      return CampaignSummary.Bucket(
        state: state, known: known, finding: bucket.finding, cases: bucket.cases, models: bucket.models.sorted(),
        parked: triage.parked[signature])
    }
    buckets += fixed(except: Set(found.keys))
    let order = CampaignSummary.Bucket.State.allCases
    func rank(_ bucket: CampaignSummary.Bucket) -> Int { order.firstIndex(of: bucket.state) ?? order.count }
    return buckets.sorted {
      if rank($0) != rank($1) { return rank($0) < rank($1) }
      return $0.known.signature.utf8.lexicographicallyPrecedes($1.known.signature.utf8)
    }
  }

  /// The one with fewer lines, then with fewer letters in its steps, then the first by its bytes.
  private static func isSmaller(_ left: CampaignFinding, _ right: CampaignFinding) -> Bool {
    func size(_ finding: CampaignFinding) -> (Int, Int) {
      let lines = finding.scenario.split(separator: "\n", omittingEmptySubsequences: false)
      return (lines.count, lines.reduce(0) { $0 + CampaignFinding.explained($1).step.utf8.count })
    }
    if size(left) != size(right) { return size(left) < size(right) }
    return left.scenario.utf8.lexicographicallyPrecedes(right.scenario.utf8)
  }

  private func standing(
    of signature: String, _ finding: CampaignFinding
  ) -> (CampaignSummary.Bucket.State, KnownBucket) {
    guard var bucket = known.buckets[signature] else {
      let new = KnownBucket(
        signature: signature, sentence: finding.sentence, since: plan.build, passedAt: known.build)
      if isParked(signature) { return (.parked, new) }
      return (finding.again.isFlaky ? .flaky : .new, new)
    }
    let wasFixed = bucket.fixedAt != nil
    if wasFixed {
      bucket.passedAt = bucket.fixedAt
      bucket.fixedAt = nil
      bucket.since = plan.build
    }
    bucket.sentence = finding.sentence
    if isParked(signature) { return (.parked, bucket) }
    return (wasFixed ? .back : .known, bucket)
  }

  private func isParked(_ signature: String) -> Bool {
    triage.parked[signature].map { $0.until >= today } ?? false
  }

  /// Failures that stood and whose own file has passed in this run: not those that nobody has met again.
  private func fixed(except found: Set<String>) -> [CampaignSummary.Bucket] {
    var passed: Set<String> = []
    for record in records.values {
      if case .passed = record.outcome, record.planned.kind == .failing { passed.insert(record.planned.name) }
    }
    return known.buckets.values.compactMap { bucket in
      guard bucket.fixedAt == nil, !found.contains(bucket.signature),
        passed.contains(CampaignFinding.fileName(of: bucket.signature))
      else { return nil }
      var bucket = bucket
      bucket.fixedAt = plan.build
      return CampaignSummary.Bucket(state: .fixed, known: bucket, finding: nil, cases: [], models: [])
    }
  }
}

extension KnownBuckets {
  /// What is known behind a run.
  package func updated(by summary: CampaignSummary) -> KnownBuckets {
    var updated = self
    updated.build = summary.plan.build
    for bucket in summary.buckets { updated.buckets[bucket.known.signature] = bucket.known }
    return updated
  }
}
