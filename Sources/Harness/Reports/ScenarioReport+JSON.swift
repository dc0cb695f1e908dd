import JSON

extension ScenarioReport {
  /// The report as one JSON object; `file` is where the scenario came from.
  package func json(file: String) -> JSONValue {
    var members: [String: JSONValue] = [
      "file": .string(file), "title": .string(title), "setting": .string(setting),
      "verdict": .string(verdict.rawValue), "milliseconds": .integer(Int64(milliseconds)),
      "faultsFired": .integer(Int64(faultsFired)), "promised": promised.json, "kept": kept.json,
      "cases": .array(cases.map(\.json)),
    ]
    if let drawn {
      members["drawn"] = .object([
        "firstSeed": .string(String(drawn.firstSeed)), "cases": .integer(Int64(drawn.count)),
        "leftOut": .integer(Int64(drawn.refused)), "inconclusive": .integer(Int64(drawn.inconclusive)),
        "shownSeed": .string(String(drawn.shownSeed)), "shown": .string(drawn.shownText),
      ])
    }
    members["knownFailing"] = knownFailing.map { .string($0) }
    if !storesLeftOut.isEmpty { members["storesLeftOut"] = .array(storesLeftOut.map { .string($0) }) }
    if !sometimes.isEmpty {
      members["sometimes"] = .array(
        sometimes.map { .object(["text": .string($0.text), "reached": .bool($0.isReached)]) })
    }
    return .object(members)
  }
}

extension CaseReport {
  /// The case as an object.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": name.map { .string($0) } ?? .null, "verdict": .string(verdict.rawValue),
      "lines": .array(lines.map(\.json)), "promised": promised.json, "kept": kept.json,
      "faultsFired": .integer(Int64(faultsFired)), "repairs": .array(repairs.map { .string($0) }),
      "trouble": .array(trouble.map { .string($0) }),
      "found": .array(
        found.map {
          .object(["code": .string($0.code), "name": .string($0.name), "count": .integer(Int64($0.count))])
        }),
    ]
    members["sweep"] = sweep?.json
    return .object(members)
  }
}

extension ReportLine {
  /// The line as an object.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "line": .integer(Int64(line)), "step": .string(step), "result": .string(result), "holds": .bool(holds),
    ]
    members["label"] = label.map { .string($0) }
    return .object(members)
  }
}

extension Promise {
  /// The counts as an object.
  var json: JSONValue {
    .object([
      "strokes": .integer(Int64(strokes)), "photos": .integer(Int64(photos)), "pages": .integer(Int64(pages)),
    ])
  }
}
