import JSON

/// A rule that is armed, as the control socket shows it.
package struct ControlRule: Hashable, Sendable {
  /// The rule.
  package var rule: FaultRule
  /// How many operations of its kinds and paths there were since.
  package var matched: UInt64
  /// How many of them it hit.
  package var fired: UInt64
  /// The operations that it hit, as far as the log has them, oldest first and at most `firingsMax`.
  package var firings: [OperationRecord]

  /// How many operations are shown.
  package static let firingsMax = 20

  /// A rule with what it has seen.
  package init(rule: FaultRule, matched: UInt64, fired: UInt64, firings: [OperationRecord]) {
    self.rule = rule
    self.matched = matched
    self.fired = fired
    self.firings = firings
  }

  /// The rule as an object.
  package var json: JSONValue {
    .object([
      "rule": rule.json, "text": .string(rule.text), "matched": ControlText.json(of: matched),
      "fired": ControlText.json(of: fired), "firings": .array(firings.map(\.controlJSON)),
    ])
  }

  /// Reads what `json` has written.
  static func read(_ value: JSONValue) throws(ControlSyntaxError) -> ControlRule {
    let rule: FaultRule
    do throws(FaultPlanError) {
      rule = try FaultRule(json: value["rule"] ?? .null, at: "rule")
    } catch {
      throw ControlSyntaxError("\(error)")
    }
    var firings: [OperationRecord] = []
    for firing in value["firings"]?.array ?? [] { firings.append(try OperationRecord.readControl(firing)) }
    return ControlRule(
      rule: rule, matched: try ControlText.number("matched", of: value),
      fired: try ControlText.number("fired", of: value), firings: firings)
  }
}

/// A bound on space, as the control socket shows it.
package struct ControlSpace: Hashable, Sendable {
  /// What was left when it was said.
  package var bound: SpaceBound
  /// What of it is left.
  package var left: SpaceBound

  /// A bound with what of it is left.
  package init(bound: SpaceBound, left: SpaceBound) {
    self.bound = bound
    self.left = left
  }

  /// The bound as an object: {"bytes":65536,"left":{"bytes":4096}}.
  package var json: JSONValue {
    var members = bound.json.object ?? [:]
    members["left"] = left.json
    return .object(members)
  }

  /// Reads what `json` has written.
  static func read(_ value: JSONValue) throws(ControlSyntaxError) -> ControlSpace {
    ControlSpace(bound: try amounts(value), left: try amounts(value["left"] ?? .null))
  }

  private static func amounts(_ value: JSONValue) throws(ControlSyntaxError) -> SpaceBound {
    SpaceBound(
      bytes: try ControlText.optionalNumber("bytes", of: value),
      inodes: try ControlText.optionalNumber("inodes", of: value))
  }
}

/// Counts of everything on a mounted disk.
package struct ControlStats: Hashable, Sendable {
  /// How many records of each kind there were since the log began; kinds without any are left out.
  package var operations: [OperationKind: Int]
  /// The bytes that those writes took.
  package var bytesWritten: UInt64
  /// The bytes that those reads gave.
  package var bytesRead: UInt64
  /// The memory that holds the bytes of files and log.
  package var dataBytes: UInt64
  /// The memory of the whole server, 0 where it is not known.
  package var residentBytes: UInt64
  /// How many records the log holds in memory.
  package var records: UInt64
  /// How many files and directories are open.
  package var openFiles: UInt64
  /// How many files and directories there are.
  package var inodes: UInt64

  /// Counts of these values.
  package init(
    operations: [OperationKind: Int], bytesWritten: UInt64, bytesRead: UInt64, dataBytes: UInt64, residentBytes: UInt64,
    records: UInt64, openFiles: UInt64, inodes: UInt64
  ) {
    self.operations = operations
    self.bytesWritten = bytesWritten
    self.bytesRead = bytesRead
    self.dataBytes = dataBytes
    self.residentBytes = residentBytes
    self.records = records
    self.openFiles = openFiles
    self.inodes = inodes
  }

  /// The numbers beside the operations, in the order in which they are shown.
  package var numbers: [(name: String, value: UInt64)] {
    [
      ("bytes-written", bytesWritten), ("bytes-read", bytesRead), ("data-bytes", dataBytes),
      ("resident-bytes", residentBytes), ("records", records), ("open-files", openFiles), ("inodes", inodes),
    ]
  }

  /// The counts as an object.
  package var json: JSONValue {
    var fields = Dictionary(uniqueKeysWithValues: numbers.map { ($0.name, ControlText.json(of: $0.value)) })
    fields["operations"] = ControlText.json(of: operations)
    return .object(fields)
  }

  /// Reads what `json` has written.
  static func read(_ value: JSONValue) throws(ControlSyntaxError) -> ControlStats {
    ControlStats(
      operations: try ControlText.counts("operations", of: value),
      bytesWritten: try ControlText.number("bytes-written", of: value),
      bytesRead: try ControlText.number("bytes-read", of: value),
      dataBytes: try ControlText.number("data-bytes", of: value),
      residentBytes: try ControlText.number("resident-bytes", of: value),
      records: try ControlText.number("records", of: value),
      openFiles: try ControlText.number("open-files", of: value), inodes: try ControlText.number("inodes", of: value))
  }
}
