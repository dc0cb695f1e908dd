import Files
import JSON

/// What a controller may wait for, instead of sleeping.
package enum ControlWait: Hashable, Sendable {
  /// The rule of this name has fired since it was armed, also before the wait began.
  case fired(rule: String)
  /// A mark of this text is in the log, also from before the wait.
  case mark(String)
  /// An operation "fsync of \"*.txt\"", in the words that stand behind "on" of a fault.
  ///
  /// Only records with a number above `since` count; nil is what comes after the request.
  case operation(String, since: UInt64?)

  /// Adds the fields of a request.
  func write(to fields: inout [String: JSONValue]) {
    switch self {
    case .fired(let rule): fields["fired"] = .string(rule)
    case .mark(let text): fields["mark"] = .string(text)
    case .operation(let words, let since):
      fields["operation"] = .string(words)
      fields["since"] = since.map { ControlText.json(of: $0) }
    }
  }

  /// Reads the fields of a request.
  static func read(_ line: JSONValue) throws(ControlSyntaxError) -> ControlWait {
    if line["fired"] != nil { return .fired(rule: try ControlText.string("fired", of: line)) }
    if line["mark"] != nil { return .mark(try ControlText.string("mark", of: line)) }
    guard line["operation"] != nil else {
      throw ControlSyntaxError("a wait is for one of \"fired\", \"mark\" or \"operation\"")
    }
    return .operation(
      try ControlText.string("operation", of: line), since: try ControlText.optionalNumber("since", of: line))
  }
}
