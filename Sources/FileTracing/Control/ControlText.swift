import Files
import JSON

/// How numbers and words stand in the control protocol's objects.
enum ControlText {
  /// A number; one beyond the range of JSON's integers here becomes the largest.
  static func json(of number: UInt64) -> JSONValue { .integer(Int64(clamping: number)) }

  /// The path under this key.
  static func path(_ key: String, of line: JSONValue) throws(ControlSyntaxError) -> BytePath {
    guard let path = line[key].flatMap({ BytePath(json: $0) }), !path.isRoot else {
      throw ControlSyntaxError("\"\(key)\" is a path")
    }
    return path
  }

  /// The text under this key.
  static func string(_ key: String, of line: JSONValue) throws(ControlSyntaxError) -> String {
    guard let text = line[key]?.string else { throw ControlSyntaxError("\"\(key)\" is a text") }
    return text
  }

  /// The number under this key, not negative and small enough for its type.
  static func number<N: FixedWidthInteger>(_ key: String, of line: JSONValue) throws(ControlSyntaxError) -> N {
    guard let number = line[key]?.integer, number >= 0, let fitting = N(exactly: number) else {
      throw ControlSyntaxError("\"\(key)\" is a number, 0 or more")
    }
    return fitting
  }

  /// The number under this key, or nil where the key is missing.
  static func optionalNumber<N: FixedWidthInteger>(
    _ key: String, of line: JSONValue
  ) throws(ControlSyntaxError) -> N? {
    line[key] == nil ? nil : try number(key, of: line) as N
  }

  /// Counts by kind of operation, as an object.
  static func json(of counts: [OperationKind: Int]) -> JSONValue {
    .object(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, JSONValue.integer(Int64($0.value))) }))
  }

  /// The counts under this key; none where it is missing.
  static func counts(_ key: String, of line: JSONValue) throws(ControlSyntaxError) -> [OperationKind: Int] {
    let members = line[key] ?? .object([:])
    var counts: [OperationKind: Int] = [:]
    for word in members.object?.keys.sorted() ?? [] {
      guard let kind = OperationKind(rawValue: word) else { throw ControlSyntaxError("an unknown operation \(word)") }
      counts[kind] = try number(word, of: members)
    }
    return counts
  }
}
