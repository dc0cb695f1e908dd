import Files
import JSON

extension ControlStatus {
  /// The status as an object.
  var json: JSONValue {
    .object([
      "condition": .string(condition.rawValue), "firings": .array(firings.map(\.controlJSON)),
      "counts": ControlText.json(of: counts), "last-record": ControlText.json(of: lastRecord),
      "server": .integer(Int64(server)), "mount-point": mountPoint.json,
      "milliseconds": ControlText.json(of: milliseconds), "rules": .integer(Int64(rules)),
      "data-bytes": ControlText.json(of: dataBytes), "hold": .bool(holdsFaults), "sees-sync": .bool(seesSync),
      "delayed-milliseconds": ControlText.json(of: delayedMilliseconds),
    ])
  }

  /// Reads what `json` has written.
  static func read(_ value: JSONValue) throws(ControlSyntaxError) -> ControlStatus {
    guard let condition = Condition(rawValue: try ControlText.string("condition", of: value)) else {
      throw ControlSyntaxError("an unknown condition")
    }
    var firings: [FaultFiring] = []
    for firing in value["firings"]?.array ?? [] { firings.append(try FaultFiring.readControl(firing)) }
    return ControlStatus(
      condition: condition, firings: firings, counts: try ControlText.counts("counts", of: value),
      lastRecord: try ControlText.number("last-record", of: value),
      server: try ControlText.optionalNumber("server", of: value) ?? 0,
      mountPoint: value["mount-point"].flatMap { BytePath(json: $0) } ?? .root,
      milliseconds: try ControlText.optionalNumber("milliseconds", of: value) ?? 0,
      rules: try ControlText.optionalNumber("rules", of: value) ?? 0,
      dataBytes: try ControlText.optionalNumber("data-bytes", of: value) ?? 0,
      holdsFaults: value["hold"]?.bool ?? false, seesSync: value["sees-sync"]?.bool ?? false,
      delayedMilliseconds: try ControlText.optionalNumber("delayed-milliseconds", of: value) ?? 0)
  }
}

extension FaultFiring {
  var controlJSON: JSONValue {
    var fields: [String: JSONValue] = ["rule": .string(rule), "operation": ControlText.json(of: operation)]
    fields["counted"] = countedNumber.map { ControlText.json(of: $0) }
    fields["matched"] = matched.map { ControlText.json(of: $0) }
    return .object(fields)
  }

  static func readControl(_ value: JSONValue) throws(ControlSyntaxError) -> FaultFiring {
    FaultFiring(
      rule: try ControlText.string("rule", of: value), operation: try ControlText.number("operation", of: value),
      countedNumber: try ControlText.optionalNumber("counted", of: value),
      matched: try ControlText.optionalNumber("matched", of: value))
  }
}

extension OperationRecord {
  /// The record as an object, without the place of its data; what is zero or nil is left out.
  var controlJSON: JSONValue {
    var fields: [String: JSONValue] = [
      "number": ControlText.json(of: number), "kind": .string(kind.rawValue), "path": path.json,
    ]
    fields["counted"] = countedNumber.map { ControlText.json(of: $0) }
    fields["other-path"] = otherPath.map(\.json)
    for (key, value) in [
      ("inode", inode), ("offset", offset), ("asked", lengthAsked), ("taken", lengthTaken), ("argument", argument),
    ] where value != 0 {
      fields[key] = ControlText.json(of: value)
    }
    fields["errno"] = errno.map { .integer(Int64($0.rawValue)) }
    if time != 0 { fields["time"] = .integer(time) }
    if thread != 0 { fields["thread"] = .integer(Int64(thread)) }
    fields["rule"] = firedRule.map { .string($0) }
    fields["mark"] = mark.map { .string($0) }
    return .object(fields)
  }

  /// Reads what `controlJSON` has written.
  static func readControl(_ value: JSONValue) throws(ControlSyntaxError) -> OperationRecord {
    guard let kind = OperationKind(rawValue: try ControlText.string("kind", of: value)) else {
      throw ControlSyntaxError("an unknown operation")
    }
    guard let path = value["path"].flatMap({ BytePath(json: $0) }) else {
      throw ControlSyntaxError("\"path\" is a path")
    }
    let errno: CInt? = try ControlText.optionalNumber("errno", of: value)
    return OperationRecord(
      number: try ControlText.number("number", of: value),
      countedNumber: try ControlText.optionalNumber("counted", of: value), kind: kind, path: path,
      otherPath: value["other-path"].flatMap { BytePath(json: $0) },
      inode: try ControlText.optionalNumber("inode", of: value) ?? 0,
      offset: try ControlText.optionalNumber("offset", of: value) ?? 0,
      lengthAsked: try ControlText.optionalNumber("asked", of: value) ?? 0,
      lengthTaken: try ControlText.optionalNumber("taken", of: value) ?? 0,
      argument: try ControlText.optionalNumber("argument", of: value) ?? 0,
      errno: errno.map { Errno(rawValue: $0) }, thread: try ControlText.optionalNumber("thread", of: value) ?? 0,
      firedRule: value["rule"]?.string, mark: value["mark"]?.string,
      time: try ControlText.optionalNumber("time", of: value) ?? 0)
  }
}
