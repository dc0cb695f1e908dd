import JSON

extension CampaignSummary {
  /// summary.json: everything, with what differs between runs in "meta" only.
  package func json(_ facts: RunFacts) -> JSONValue {
    .object([
      "version": 1, "meta": facts.json, "plan": .string(plan.digest), "build": .string(plan.build),
      "seed": .string("\(plan.seed)"), "before": JSONValue(before), "verdict": .string(verdict.rawValue),
      "headline": .string(headline), "exitStatus": JSONValue(exitStatus), "cases": casesJSON,
      "states": JSONValue(states), "faults": JSONValue(faults), "steps": JSONValue(steps),
      "canary": .string(canary.rawValue), "neverReached": .array(neverReached.map { .string($0) }),
      "expired": .array(expired.map { .string($0.signature) }), "buckets": .array(buckets.map(\.json)),
      "coverage": .array(
        coverage.map { ($0.key.text, $0.value) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map {
          .array([.string($0.0), JSONValue($0.1)])
        }),
    ])
  }

  private var casesJSON: JSONValue {
    .object([
      "run": JSONValue(run), "passed": JSONValue(passed), "invented": JSONValue(ran.count { !$0.isMandatory }),
      "missing": .array(missing.map { .string($0.identity) }),
      "inFlight": .array(inFlight.map { .string($0.identity) }),
      "differing": .array(differing.map { .string($0.identity) }),
      "unknown": .array(
        unknown.map { .object(["case": .string($0.planned.identity), "why": .string($0.why)]) }),
    ])
  }
}

extension CampaignSummary.Bucket {
  var json: JSONValue {
    .object([
      "state": .string(state.rawValue), "known": known.json,
      "finding": finding.map { $0.json(page: $0.page?.named(by: "repro/" + $0.fileName) ?? .null) } ?? .null,
      "cases": .array(cases.map { .string($0.identity) }), "models": .array(models.map { .string($0) }),
      "parked": parked.map {
        .object([
          "issue": .string($0.issue), "until": .string($0.until), "who": .string($0.who), "why": .string($0.why),
        ])
      } ?? .null,
    ])
  }
}
