import JSON

extension CampaignSummary {
  /// The most findings that a SARIF file has: more is refused where such files are read.
  static let sarifResultsMax = 5_000

  /// sarif.json: a result a failure that stands, with a fingerprint that lives through edits.
  package func sarif() -> JSONValue {
    let standing = buckets.filter { $0.finding != nil }.prefix(Self.sarifResultsMax)
    let rules = standing.map { bucket in
      JSONValue.object([
        "id": .string(bucket.known.signature),
        "shortDescription": .object(["text": .string(bucket.known.sentence)]),
      ])
    }
    let driver: JSONValue = .object([
      "name": "lnote-nightly", "version": .string(plan.build), "rules": .array(Array(rules)),
    ])
    return .object([
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": .array([
        .object([
          "tool": .object(["driver": driver]), "columnKind": "unicodeCodePoints",
          "results": .array(standing.map(\.sarif)),
        ])
      ]),
    ])
  }
}

extension CampaignSummary.Bucket {
  /// What SARIF calls the same as before, new, or gone.
  private var baseline: String {
    switch state {
    case .new, .flaky: "new"
    case .back: "updated"
    case .known, .parked: "unchanged"
    case .fixed: "absent"
    }
  }

  fileprivate var sarif: JSONValue {
    var members: [String: JSONValue] = [
      "ruleId": .string(known.signature), "level": state == .parked ? "note" : "error",
      "message": .object(["text": .string(known.sentence + ": " + (finding?.got ?? ""))]),
      "baselineState": .string(baseline),
      "partialFingerprints": .object(["lnoteSignature/v1": .string(known.signature)]),
      "locations": .array([
        .object([
          "physicalLocation": .object([
            "artifactLocation": .object(["uri": .string(fileName)]),
            "region": .object(["startLine": JSONValue(finding?.line ?? 1)]),
          ])
        ])
      ]),
    ]
    if let parked, state == .parked {
      members["suppressions"] = .array([
        .object(["kind": "external", "justification": .string("\(parked.issue): \(parked.why)")])
      ])
    }
    return .object(members)
  }
}
