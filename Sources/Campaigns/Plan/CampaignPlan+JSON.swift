import JSON

extension CampaignPlan {
  /// The version of the file that this program writes, and the only one that it reads.
  static let version = 1

  /// The plan as an object, as it stands in plan.json.
  package var json: JSONValue {
    .object([
      "version": JSONValue(Self.version), "build": .string(build), "seed": .string("\(seed)"),
      "shards": JSONValue(shards), "files": .array(files.map { .string($0.identity) }),
      "inventedMax": JSONValue(inventedMax), "invention": .object(invention.mapValues { .string($0) }),
      "stepsMax": JSONValue(stepsMax), "budgetMilliseconds": budgetMilliseconds.map { JSONValue($0) } ?? .null,
    ])
  }

  /// The plan of an object.
  package init(json: JSONValue) throws(CampaignError) {
    let fields = try Fields(json, of: "the plan")
    let version = try fields.integer("version")
    guard version == Self.version else {
      throw CampaignError("the plan was made for version \(version); this program knows \(Self.version)")
    }
    guard let seed = UInt64(try fields.string("seed")) else { throw fields.wrong("seed", "no number") }
    var files: [PlannedCase] = []
    var seen: Set<PlannedCase> = []
    for identity in try fields.strings("files") {
      guard let planned = PlannedCase(identity: identity), planned.isMandatory else {
        throw fields.wrong("files", "'\(identity)' names no file of a plan")
      }
      guard seen.insert(planned).inserted else { throw fields.wrong("files", "'\(identity)' stands there twice") }
      files.append(planned)
    }
    var invention: [String: String] = [:]
    for (key, value) in try fields.value("invention").object ?? [:] {
      guard let text = value.string else { throw fields.wrong("invention", "\"\(key)\" is no text") }
      invention[key] = text
    }
    let budget = try fields.optionalInteger("budgetMilliseconds")
    let shards = try fields.integer("shards", in: 1...Self.shardsMax)
    let inventedMax = try fields.integer("inventedMax", in: 0...(Self.casesMax - files.count))
    self.init(
      build: try fields.string("build"), seed: seed, shards: shards, files: files, inventedMax: inventedMax,
      budgetMilliseconds: budget, invention: invention,
      stepsMax: try fields.integer("stepsMax", in: 1...Self.stepsMaxMost))
  }
}
