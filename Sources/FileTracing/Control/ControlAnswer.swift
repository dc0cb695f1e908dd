import Files
import JSON

/// The first line on a control socket, from the server.
///
///     {"hello":"faultfs","mount-point":"/tmp/disk","protocol":1,"server":4711}
package struct ControlGreeting: Hashable, Sendable {
  /// The version of the protocol; a client refuses any other than `protocolVersion`.
  package var version: Int
  /// The process that serves the mount.
  package var server: Int32
  /// Where it is mounted, absolute.
  package var mountPoint: BytePath

  /// The version that this code speaks.
  package static let protocolVersion = 1

  /// A greeting of this server.
  package init(server: Int32, mountPoint: BytePath, version: Int = ControlGreeting.protocolVersion) {
    self.version = version
    self.server = server
    self.mountPoint = mountPoint
  }

  /// The greeting as the object of its line.
  package var json: JSONValue {
    .object([
      "hello": .string("faultfs"), "protocol": .integer(Int64(version)), "server": .integer(Int64(server)),
      "mount-point": mountPoint.json,
    ])
  }

  /// Reads a greeting; refuses another version than ours.
  package static func read(_ line: JSONValue) throws(ControlSyntaxError) -> ControlGreeting {
    guard line["hello"]?.string == "faultfs" else { throw ControlSyntaxError("this is no control socket of faultfs") }
    let version: Int = try ControlText.number("protocol", of: line)
    guard version == protocolVersion else {
      throw ControlSyntaxError("the server speaks version \(version) of the control protocol, not \(protocolVersion)")
    }
    return ControlGreeting(
      server: try ControlText.number("server", of: line), mountPoint: try ControlText.path("mount-point", of: line),
      version: version)
  }
}

/// What the server answers to a request.
package enum ControlAnswer: Hashable, Sendable {
  /// It took effect.
  case done
  /// How the disk stands.
  case status(ControlStatus)
  /// Records of the log, in order, without their data; at most `recordsMax`: ask again from the last number.
  case records([OperationRecord])
  /// The rule was armed under this name.
  case armed(name: String)
  /// The rules that are armed, and the bound on space; nil where there is none.
  case rules([ControlRule], space: ControlSpace?)
  /// Counts of everything.
  case stats(ControlStats)
  /// What was waited for has happened, at this operation; nil where it is not answered yet.
  case happened(OperationRecord?)
  /// What was waited for has not happened in the time given.
  case timedOut
  /// Nothing was changed, for this reason: a sentence for a person.
  case refused(String)

  /// How many records an answer holds at the most.
  package static let recordsMax = 50_000
}

/// How a mounted disk stands.
package struct ControlStatus: Hashable, Sendable {
  /// Whether the disk answers.
  package enum Condition: String, Hashable, Sendable {
    /// It answers.
    case running
    /// The power was cut; everything answers EIO.
    case cut
  }

  /// Whether the disk answers.
  package var condition: Condition
  /// Which rules hit what, in order; the last ones, where there were very many.
  package var firings: [FaultFiring]
  /// How many counted operations of each kind there were since the log began; no kind has 0.
  package var counts: [OperationKind: Int]
  /// The number of the log's last record; 0 while there is none.
  package var lastRecord: UInt64
  /// The process that serves the mount.
  package var server: Int32
  /// Where it is mounted, absolute.
  package var mountPoint: BytePath
  /// How long it has been mounted.
  package var milliseconds: UInt64
  /// How many rules are armed.
  package var rules: Int
  /// The memory that holds the bytes of files and log.
  package var dataBytes: UInt64
  /// True while rules neither count an operation nor hit it.
  package var holdsFaults: Bool
  /// True where sync(2) and syncfs(2) reach the server.
  package var seesSync: Bool
  /// By how much rules have made answers late, all together.
  package var delayedMilliseconds: UInt64

  /// A status of these values.
  package init(
    condition: Condition, firings: [FaultFiring], counts: [OperationKind: Int], lastRecord: UInt64, server: Int32 = 0,
    mountPoint: BytePath = .root, milliseconds: UInt64 = 0, rules: Int = 0, dataBytes: UInt64 = 0,
    holdsFaults: Bool = false, seesSync: Bool = false, delayedMilliseconds: UInt64 = 0
  ) {
    self.condition = condition
    self.firings = firings
    self.counts = counts
    self.lastRecord = lastRecord
    self.server = server
    self.mountPoint = mountPoint
    self.milliseconds = milliseconds
    self.rules = rules
    self.dataBytes = dataBytes
    self.holdsFaults = holdsFaults
    self.seesSync = seesSync
    self.delayedMilliseconds = delayedMilliseconds
  }
}

extension ControlAnswer {
  /// The answer as the object of its line; `number` is that of the request.
  package func json(number: Int) -> JSONValue {
    var fields: [String: JSONValue] = ["number": .integer(Int64(number))]
    switch self {
    case .done: fields["done"] = .bool(true)
    case .status(let status): fields["status"] = status.json
    case .records(let records): fields["records"] = .array(records.map(\.controlJSON))
    case .armed(let name):
      fields["done"] = .bool(true)
      fields["name"] = .string(name)
    case .rules(let rules, let space):
      fields["rules"] = .array(rules.map(\.json))
      fields[SpaceBound.word] = space?.json
    case .stats(let stats): fields["stats"] = stats.json
    case .happened(let record): fields["happened"] = record?.controlJSON ?? .bool(true)
    case .timedOut: fields["timed-out"] = .bool(true)
    case .refused(let sentence): fields["refused"] = .string(sentence)
    }
    return .object(fields)
  }

  /// Reads an answer and the number of its request from the object of a line.
  package static func read(_ line: JSONValue) throws(ControlSyntaxError) -> (number: Int, answer: ControlAnswer) {
    let number: Int = try ControlText.number("number", of: line)
    if let sentence = line["refused"]?.string { return (number, .refused(sentence)) }
    if let status = line["status"] { return (number, .status(try ControlStatus.read(status))) }
    if let values = line["records"]?.array {
      var records: [OperationRecord] = []
      for value in values { records.append(try OperationRecord.readControl(value)) }
      return (number, .records(records))
    }
    if let values = line["rules"]?.array {
      var rules: [ControlRule] = []
      for value in values { rules.append(try ControlRule.read(value)) }
      return (number, .rules(rules, space: try line[SpaceBound.word].map(ControlSpace.read)))
    }
    if let stats = line["stats"] { return (number, .stats(try ControlStats.read(stats))) }
    if let record = line["happened"] {
      return (number, .happened(record.bool == true ? nil : try OperationRecord.readControl(record)))
    }
    if line["timed-out"]?.bool == true { return (number, .timedOut) }
    guard line["done"]?.bool == true else { throw ControlSyntaxError("an answer of an unknown kind") }
    return (number, line["name"]?.string.map { .armed(name: $0) } ?? .done)
  }
}
