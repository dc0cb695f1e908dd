import Bytes
import Files
import JSON

// The JSON form of a rule:
//   {"name": "f1", "effect": "errno", "errno": "EIO", "operations": ["rename"],
//    "target": {"patterns": ["*.lnote/document.json"], "side": "to", "spelling": "document"},
//    "nth": 2, "every": 1, "after-bytes": 4096, "probability": 0.5, "times": 1, "phase": "before", "maybe": true}
// What belongs to which effect: `FaultEffect+JSON.swift`. Fields that are left out have the default of the rule's value.
// A pattern whose bytes are not UTF-8 is written {"hex": "ff2e746d70"}.
extension FaultRule {
  private static let fields =
    ["name", "effect"] + FaultEffect.fields
    + ["operations", "target", "nth", "every", "after-bytes", "probability", "times", "phase", "maybe"]

  /// The rule of a JSON value; whether it can work is told by `reasonToRefuse`.
  ///
  /// - Parameter place: where the value stands, for errors: "rules[0]"; empty for a rule alone.
  package init(json: JSONValue, at place: String = "") throws(FaultPlanError) {
    let fields = try PlanFields(json, at: place, known: FaultRule.fields)
    var operations: Set<OperationKind> = []
    for (index, value) in (try fields.list("operations") ?? []).enumerated() {
      guard let kind = value.string.flatMap(OperationKind.init(rawValue:)), OperationKind.nameable.contains(kind) else {
        let words = OperationKind.nameable.map(\.rawValue).joined(separator: " ")
        throw fields.error("operations[\(index)]", "is none of \(words)")
      }
      operations.insert(kind)
    }
    self.init(
      name: try fields.needed("name", fields.text("name")), effect: try FaultEffect(fields), operations: operations,
      target: try FaultTarget(fields), occurrence: try FaultOccurrence(fields),
      phase: try fields.word("phase", of: [FaultPhase.before, .during, .after]),
      isOptional: try fields.bool("maybe") ?? false)
  }

  /// The JSON form; `FaultRule(json:)` gives an equal rule.
  package var json: JSONValue {
    var members: [String: JSONValue] = effect.members
    members["name"] = .string(name)
    if !operations.isEmpty { members["operations"] = .array(operations.map(\.rawValue).sorted().map { .string($0) }) }
    members["target"] = target?.json
    members["nth"] = occurrence.nth.map { .integer(Int64(clamping: $0)) }
    members["every"] = occurrence.every.map { .integer(Int64(clamping: $0)) }
    members["after-bytes"] = occurrence.afterBytes.map { .integer(Int64(clamping: $0)) }
    members["probability"] = occurrence.probability.map { .real($0) }
    members["times"] = occurrence.times.map { .integer(Int64(clamping: $0)) }
    if phase != effect.phaseByDefault { members["phase"] = .string(phase.rawValue) }
    if isOptional { members["maybe"] = .bool(true) }
    return .object(members)
  }
}

extension FaultPlan {
  /// The plan of a JSON value, every rule checked.
  ///
  ///     {"rules": [...], "free-space": {"bytes": 65536, "inodes": 10}}
  ///
  /// - Throws: the first field that is wrong, or the first rule that could never do what it says.
  package init(json: JSONValue) throws(FaultPlanError) {
    let fields = try PlanFields(json, at: "", known: ["rules", SpaceBound.word])
    let freeSpace = try SpaceBound(fields)
    let given = try fields.list("rules")
    let list = freeSpace == nil ? try fields.needed("rules", given) : given ?? []
    var rules: [FaultRule] = []
    for (index, value) in list.enumerated() {
      let place = "rules[\(index)]"
      let rule = try FaultRule(json: value, at: place)
      if let reason = rule.reasonToRefuse { throw FaultPlanError(field: place, message: reason) }
      if rules.contains(where: { $0.name == rule.name }) {
        throw FaultPlanError(field: "\(place).name", message: "'\(rule.name)' is the name of an earlier rule")
      }
      rules.append(rule)
    }
    self.init(rules: rules, freeSpace: freeSpace)
  }

  /// The JSON form; `FaultPlan(json:)` gives an equal plan.
  package var json: JSONValue {
    var members: [String: JSONValue] = ["rules": .array(rules.map(\.json))]
    members[SpaceBound.word] = freeSpace?.json
    return .object(members)
  }
}

extension SpaceBound {
  fileprivate init?(_ plan: PlanFields) throws(FaultPlanError) {
    guard let value = plan.value(SpaceBound.word) else { return nil }
    let fields = try PlanFields(value, at: plan.field(SpaceBound.word), known: ["bytes", "inodes"])
    self.init(bytes: try fields.number("bytes"), inodes: try fields.number("inodes"))
    if bytes == nil && inodes == nil { throw plan.error(SpaceBound.word, "needs \"bytes\" or \"inodes\"") }
  }

  /// The bound as an object; what is without limit is left out.
  package var json: JSONValue {
    var members: [String: JSONValue] = [:]
    members["bytes"] = bytes.map { .integer(Int64(clamping: $0)) }
    members["inodes"] = inodes.map { .integer(Int64(clamping: $0)) }
    return .object(members)
  }
}

extension FaultOccurrence {
  fileprivate init(_ fields: PlanFields) throws(FaultPlanError) {
    let probability = fields.value("probability")
    if let probability, probability.real == nil { throw fields.error("probability", "is not a number") }
    self.init(
      nth: try fields.number("nth"), every: try fields.number("every"), afterBytes: try fields.number("after-bytes"),
      probability: probability?.real, times: try fields.number("times"))
  }
}

extension FaultTarget {
  fileprivate init?(_ rule: PlanFields) throws(FaultPlanError) {
    guard let value = rule.value("target") else { return nil }
    let fields = try PlanFields(value, at: rule.field("target"), known: ["patterns", "side", "spelling"])
    var patterns: [NamePattern] = []
    for (index, value) in (try fields.needed("patterns", fields.list("patterns"))).enumerated() {
      guard let glob = BytePath(json: value) else {
        throw fields.error("patterns[\(index)]", "is neither a text nor {\"hex\": …}")
      }
      patterns.append(NamePattern(glob))
    }
    let side = try fields.word("side", of: [Side.either, .from, .to]) ?? .either
    let spelling = try fields.text("spelling") ?? FaultTarget.spelling(of: patterns)
    self.init(patterns: patterns, side: side, spelling: spelling)
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "patterns": .array(patterns.map(\.glob.json)), "spelling": .string(spelling),
    ]
    if side != .either { members["side"] = .string(side.rawValue) }
    return .object(members)
  }
}

extension BytePath {
  /// A text for bytes that are UTF-8, else `{"hex": "…"}`.
  package var json: JSONValue {
    if let text = exactText, !bytes.contains(0) { return .string(text) }
    return .object(["hex": .string(Hex.text(of: bytes))])
  }

  /// The bytes of a JSON value as `json` makes it; nil for anything else.
  package init?(json: JSONValue) {
    if let text = json.string {
      self.init(text)
    } else if json.object?.count == 1, let bytes = json["hex"]?.string.flatMap(Hex.bytes(of:)) {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }
}
