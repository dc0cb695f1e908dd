import Files
import JSON

/// The fields of one JSON object of a plan, read by name, each with its own error.
struct PlanFields {
  private let members: [String: JSONValue]
  private let place: String

  /// The object at `place`, which has no fields but these.
  init(_ value: JSONValue, at place: String, known: [String]) throws(FaultPlanError) {
    guard let members = value.object else { throw FaultPlanError(field: place, message: "is not an object") }
    self.members = members
    self.place = place
    for key in members.keys.sorted() where !known.contains(key) {
      throw FaultPlanError(field: field(key), message: "is unknown; known are \(known.joined(separator: " "))")
    }
  }

  func field(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

  func error(_ key: String, _ message: String) -> FaultPlanError { FaultPlanError(field: field(key), message: message) }

  /// The value; nil where the field is missing or null.
  func value(_ key: String) -> JSONValue? {
    guard let value = members[key], !value.isNull else { return nil }
    return value
  }

  func text(_ key: String) throws(FaultPlanError) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string else { throw error(key, "is not a text") }
    return text
  }

  func number(_ key: String) throws(FaultPlanError) -> UInt64? {
    guard let value = value(key) else { return nil }
    guard let number = value.integer, number >= 0 else { throw error(key, "is not a whole number from 0 on") }
    return UInt64(number)
  }

  func bool(_ key: String) throws(FaultPlanError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let bool = value.bool else { throw error(key, "is neither true nor false") }
    return bool
  }

  func list(_ key: String) throws(FaultPlanError) -> [JSONValue]? {
    guard let value = value(key) else { return nil }
    guard let list = value.array else { throw error(key, "is not a list") }
    return list
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable<String>>(_ key: String, of words: [Word]) throws(FaultPlanError) -> Word? {
    guard let text = try text(key) else { return nil }
    guard let word = words.first(where: { $0.rawValue == text }) else {
      throw error(key, "'\(text)' is none of \(words.map(\.rawValue).joined(separator: " "))")
    }
    return word
  }

  /// A field that must be there.
  func needed<Value>(_ key: String, _ value: Value?) throws(FaultPlanError) -> Value {
    guard let value else { throw error(key, "is missing") }
    return value
  }

  /// Refuses fields that have no meaning here.
  func refuse(_ keys: [String], because reason: String) throws(FaultPlanError) {
    for key in keys where value(key) != nil { throw error(key, reason) }
  }
}
