import Files
import JSON

/// What a controller may ask of the server of a mount, over its control socket.
///
/// The socket is a Unix stream of JSON Lines. The server speaks first, with a `ControlGreeting`; then every line is a
/// numbered request and every answer carries its number. An answer comes after the request took effect.
///
///     {"do":"arm","number":1,"rule":{…}}
///     {"do":"power-cut","number":2,"surviving":"keep-none"}
package enum ControlRequest: Hashable, Sendable {
  /// Adds a rule; refused where its name is taken.
  case arm(FaultRule)
  /// Adds the rule that a text of the scenario language says; where it gives no name, the server does.
  case armText(String)
  /// Takes the rule of this name away; refused where there is none.
  case clear(name: String)
  /// Takes every rule away.
  case clearAll
  /// While held, rules neither count an operation nor hit it.
  case holdFaults(Bool)
  /// From now on everything on the mount answers EIO; what remains is this state.
  case powerCut(SurvivingState)
  /// Remounts with what survived the power cut, or with everything where there was none.
  case restart
  /// So many bytes and inodes are left from now on; nil for no limit.
  case setFreeSpace(bytes: UInt64?, inodes: UInt64? = nil)
  /// Puts a mark of this text into the log.
  case mark(String)
  /// Makes what is there durable, and begins the log, the firings and the counts anew.
  case beginRecording
  /// Asks for the condition, the firings and the counts.
  case status
  /// Asks for the rules that are armed, with what each has seen and hit.
  case list
  /// Asks for counts of all operations, bytes and memory.
  case stats
  /// Answered when something happens, or so many milliseconds later at the latest; nil is without end.
  case wait(ControlWait, milliseconds: UInt64?)
  /// Asks for the log's records whose number is greater than this, without their data; 0 for all.
  case log(since: UInt64)
  /// Writes the whole log, with what is kept of its data, to this new file, absolute path.
  case writeLog(BytePath)
  /// Writes the tree as it is now into this directory, absolute path; made where it is missing, else empty.
  case export(BytePath)
  /// Unmounts and ends the server, also with files open on the mount.
  case unmount
}

/// A line of the control protocol that does not say what it should.
package struct ControlSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, as a sentence without its full stop.
  package let description: String

  /// An error of this sentence.
  package init(_ description: String) { self.description = description }
}

extension ControlRequest {
  /// The request as the object of its line; `number` comes back with the answer.
  package func json(number: Int) -> JSONValue {
    var fields: [String: JSONValue] = ["number": .integer(Int64(number)), "do": .string(verb)]
    switch self {
    case .arm(let rule): fields["rule"] = rule.json
    case .armText(let text): fields["fault"] = .string(text)
    case .wait(let what, let milliseconds):
      fields["milliseconds"] = milliseconds.map { ControlText.json(of: $0) }
      what.write(to: &fields)
    case .clear(let name): fields["name"] = .string(name)
    case .holdFaults(let holds): fields["hold"] = .bool(holds)
    case .powerCut(let state): fields["surviving"] = .string(state.rawValue)
    case .setFreeSpace(let bytes, let inodes):
      fields["bytes"] = bytes.map { .integer(Int64(clamping: $0)) } ?? .null
      fields["inodes"] = inodes.map { .integer(Int64(clamping: $0)) }
    case .mark(let text): fields["text"] = .string(text)
    case .log(let index): fields["since"] = .integer(Int64(clamping: index))
    case .writeLog(let path), .export(let path): fields["path"] = path.json
    case .clearAll, .restart, .beginRecording, .status, .list, .stats, .unmount: break
    }
    return .object(fields)
  }

  /// The word behind "do".
  package var verb: String {
    switch self {
    case .arm, .armText: "arm"
    case .clear: "clear"
    case .clearAll: "clear-all"
    case .holdFaults: "hold-faults"
    case .powerCut: "power-cut"
    case .restart: "restart"
    case .setFreeSpace: "free-space"
    case .mark: "mark"
    case .beginRecording: "begin-recording"
    case .status: "status"
    case .list: "list"
    case .stats: "stats"
    case .wait: "wait"
    case .log: "log"
    case .writeLog: "write-log"
    case .export: "export"
    case .unmount: "unmount"
    }
  }

  /// Reads a request and its number from the object of a line.
  package static func read(_ line: JSONValue) throws(ControlSyntaxError) -> (number: Int, request: ControlRequest) {
    guard let number = line["number"]?.integer.flatMap({ Int(exactly: $0) }) else {
      throw ControlSyntaxError("a request needs a number")
    }
    guard let verb = line["do"]?.string else { throw ControlSyntaxError("a request needs \"do\"") }
    return (number, try read(verb, line))
  }

  private static func read(_ verb: String, _ line: JSONValue) throws(ControlSyntaxError) -> ControlRequest {
    switch verb {
    case "arm":
      return line["fault"] == nil ? .arm(try readRule(line)) : .armText(try ControlText.string("fault", of: line))
    case "clear": return .clear(name: try ControlText.string("name", of: line))
    case "clear-all": return .clearAll
    case "hold-faults":
      guard let holds = line["hold"]?.bool else { throw ControlSyntaxError("\"hold\" is true or false") }
      return .holdFaults(holds)
    case "power-cut":
      let word = try ControlText.string("surviving", of: line)
      guard let state = SurvivingState(rawValue: word) else {
        throw ControlSyntaxError("\"surviving\" is keep-all or keep-none, not \(word)")
      }
      return .powerCut(state)
    case "restart": return .restart
    case "free-space":
      return .setFreeSpace(bytes: try readBytes(line), inodes: try ControlText.optionalNumber("inodes", of: line))
    case "mark": return .mark(try ControlText.string("text", of: line))
    case "begin-recording": return .beginRecording
    case "status": return .status
    case "list": return .list
    case "stats": return .stats
    case "wait":
      return .wait(
        try ControlWait.read(line), milliseconds: try ControlText.optionalNumber("milliseconds", of: line))
    case "log":
      return .log(since: try ControlText.number("since", of: line))
    case "write-log": return .writeLog(try ControlText.path("path", of: line))
    case "export": return .export(try ControlText.path("path", of: line))
    case "unmount": return .unmount
    default: throw ControlSyntaxError("there is no request \(verb)")
    }
  }

  /// The request as the text of its record in the log: its line, with the number 0.
  package var recordText: String { String(decoding: json(number: 0).serialized(), as: UTF8.self) }

  /// Reads what `recordText` has written.
  package static func read(recordText: String) throws(ControlSyntaxError) -> ControlRequest {
    guard let line = try? JSONValue.parse(Array(recordText.utf8)) else {
      throw ControlSyntaxError("a control record holds no JSON")
    }
    return try read(line).request
  }

  private static func readRule(_ line: JSONValue) throws(ControlSyntaxError) -> FaultRule {
    guard let rule = line["rule"] else { throw ControlSyntaxError("\"arm\" needs a \"rule\" or a \"fault\"") }
    do throws(FaultPlanError) {
      return try FaultRule(json: rule, at: "rule")
    } catch {
      throw ControlSyntaxError("\(error)")
    }
  }

  private static func readBytes(_ line: JSONValue) throws(ControlSyntaxError) -> UInt64? {
    switch line["bytes"] {
    case .null?: return nil
    case .integer(let bytes)? where bytes >= 0: return UInt64(bytes)
    default: throw ControlSyntaxError("\"bytes\" is a number of bytes, or null for no limit")
    }
  }
}
