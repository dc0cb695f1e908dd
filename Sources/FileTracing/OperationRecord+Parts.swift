import Bytes
import Files
import JSON

/// The text of a record's fault: the JSON form of the rule that hit, without its name and conditions.
///
///     {"effect":"errno","errno":"EIO","delays":[{"name":"f2","effect":"slow","milliseconds":200}],
///      "ending":{"name":"f3","effect":"kill"}}
enum FaultText {
  /// The text; nil where nothing hit, or where what hit is not known.
  static func text(of record: OperationRecord) -> [UInt8]? {
    guard let effect = record.firedEffect else { return nil }
    var members = FaultRule(name: "", effect: effect, operations: [], phase: record.firedPhase).json.object ?? [:]
    members["name"] = nil
    if !record.firedDelays.isEmpty { members["delays"] = .array(record.firedDelays.map { $0.asRule.json }) }
    members["ending"] = record.firedEnding.map { FaultRule(name: $0.rule, effect: $0.effect, operations: []).json }
    return JSONValue.object(members).serialized()
  }

  /// Reads what `text` has written; false for what is no fault.
  static func read(_ text: ArraySlice<UInt8>, into record: inout OperationRecord) -> Bool {
    guard var members = (try? JSONValue.parse(Array(text)))?.object else { return false }
    let ending = members.removeValue(forKey: "ending")
    let delays = members.removeValue(forKey: "delays")
    members["name"] = ""
    guard let rule = try? FaultRule(json: .object(members)) else { return false }
    record.firedEffect = rule.effect
    record.firedPhase = rule.phase
    for delay in delays?.array ?? [] {
      guard let rule = try? FaultRule(json: delay), case .slow(let milliseconds) = rule.effect else { return false }
      record.firedDelays.append(FaultDecision.Delay(milliseconds: milliseconds, rule: rule.name))
    }
    guard let ending else { return true }
    guard let rule = try? FaultRule(json: ending) else { return false }
    record.firedEnding = FaultDecision.Ending(effect: rule.effect, rule: rule.name)
    return true
  }
}

extension FaultDecision.Delay {
  /// The rule as far as a log tells of it.
  var asRule: FaultRule { FaultRule(name: rule, effect: .slow(milliseconds: milliseconds), operations: []) }
}

extension RecordedAttributes {
  /// The form in a log file.
  var bytes: [UInt8] {
    var writer = ByteWriter(capacity: 31)
    writer.write(OperationLogFormat.fileKinds.first { $0.kind == kind }?.code ?? 0)
    writer.write(permissions)
    writer.write(owner)
    writer.write(group)
    writer.write(deviceNumber)
    writer.write(accessed)
    writer.write(modified)
    return writer.bytes
  }

  /// The attributes of what `bytes` has written; nil for anything else.
  init?(bytes: ArraySlice<UInt8>) {
    var reader = ByteReader(bytes)
    guard let code = reader.readUInt8(),
      let kind = OperationLogFormat.fileKinds.first(where: { $0.code == code })?.kind,
      let permissions = reader.readUInt16(), let owner = reader.readUInt32(), let group = reader.readUInt32(),
      let deviceNumber = reader.readUInt32(), let accessed = reader.readInt64(), let modified = reader.readInt64(),
      reader.isAtEnd
    else { return nil }
    self.init(
      kind: kind, permissions: permissions, owner: owner, group: group, deviceNumber: deviceNumber, accessed: accessed,
      modified: modified)
  }
}
