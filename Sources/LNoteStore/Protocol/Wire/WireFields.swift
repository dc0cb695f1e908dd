import Bytes
import JSON
import LNoteFormat

/// A JSON line that is no message of the driver's protocol, with the field that is wrong.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in one sentence without its full stop.
  package let description: String

  init(_ description: String) { self.description = description }
}

/// The fields of one JSON object, read with the kind each must have.
struct WireFields {
  private let members: [String: JSONValue]
  // How the object is called in a complaint: "add-stroke".
  private let name: String

  init(_ value: JSONValue, name: String) throws(WireError) {
    guard let members = value.object else { throw WireError("\(name) must be an object") }
    self.members = members
    self.name = name
  }

  /// True where the field is there and not null.
  func has(_ key: String) -> Bool { members[key].map { !$0.isNull } ?? false }

  func value(_ key: String) throws(WireError) -> JSONValue {
    guard let value = members[key] else { throw WireError("\(name) lacks '\(key)'") }
    return value
  }

  func text(_ key: String) throws(WireError) -> String {
    guard let text = try value(key).string else { throw mismatch(key, "a string") }
    return text
  }

  func flag(_ key: String) throws(WireError) -> Bool {
    guard let flag = try value(key).bool else { throw mismatch(key, "true or false") }
    return flag
  }

  func integer<Number: FixedWidthInteger>(_ key: String, as type: Number.Type = Number.self) throws(WireError) -> Number
  {
    guard let wide = try value(key).integer, let number = Number(exactly: wide) else {
      throw mismatch(key, "an integer that \(Number.self) can hold")
    }
    return number
  }

  func id(_ key: String) throws(WireError) -> NoteID {
    guard let id = NoteID(try text(key)) else { throw mismatch(key, "a UUID") }
    return id
  }

  func bytes(_ key: String) throws(WireError) -> [UInt8] {
    guard let bytes = Base64.bytes(of: try text(key)) else { throw mismatch(key, "base 64 with padding") }
    return bytes
  }

  func pageName() throws(WireError) -> PageName { PageName(document: try id("document"), page: try id("page")) }

  /// The values of a list, each made by `make`.
  func list<Element>(
    _ key: String, _ make: (JSONValue) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    guard let values = try value(key).array else { throw mismatch(key, "a list") }
    var elements: [Element] = []
    elements.reserveCapacity(values.count)
    for value in values { elements.append(try make(value)) }
    return elements
  }

  /// The value of a word: one of an enumeration's raw values.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, as type: Word.Type = Word.self
  ) throws(WireError) -> Word {
    guard let word = Word(rawValue: try text(key)) else {
      throw mismatch(key, "one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return word
  }

  private func mismatch(_ key: String, _ wanted: String) -> WireError {
    WireError("'\(key)' of \(name) must be \(wanted)")
  }
}

extension JSONValue {
  /// An identity as the wire spells it.
  init(_ id: NoteID) { self = .string(id.description) }
}

extension PageName {
  /// The fields `document` and `page`.
  var wireFields: [String: JSONValue] { ["document": JSONValue(document), "page": JSONValue(page)] }
}
