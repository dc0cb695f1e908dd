import JSON

/// The fields of one object of a record: taken one by one, what is left is unknown and kept.
struct RecordFields {
  private let members: [String: JSONValue]
  private let path: String
  // Keys of members, each once.
  private var taken: [String] = []

  /// The fields of `value`, which stands at `path`; "" for the file itself.
  init(_ value: JSONValue, path: String) throws(RecordFault) {
    guard case .object(let members) = value else {
      throw RecordFault(keyPath: path.isEmpty ? "the file" : path, reason: "must be an object")
    }
    self.members = members
    self.path = path
  }

  /// What has not been taken.
  var rest: [String: JSONValue] {
    taken.count == members.count ? [:] : members.filter { !taken.contains($0.key) }
  }

  /// "pages[3].id" for the field "id".
  func keyPath(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// Takes a value of any kind.
  mutating func take(_ key: String) throws(RecordFault) -> JSONValue {
    guard let value = members[key] else { throw RecordFault(keyPath: keyPath(key), reason: "is missing") }
    taken.append(key)
    return value
  }

  /// Drops a field that is no content.
  mutating func drop(_ key: String) { if members[key] != nil { taken.append(key) } }

  mutating func takeText(_ key: String) throws(RecordFault) -> String {
    guard case .string(let text) = try take(key) else { throw fault(key, "must be a text") }
    return text
  }

  mutating func takeCount(_ key: String, max: UInt64 = UInt64(Int64.max)) throws(RecordFault) -> UInt64 {
    guard case .integer(let number) = try take(key), number >= 0, UInt64(number) <= max else {
      throw fault(key, "must be a whole number from 0 to \(max)")
    }
    return UInt64(number)
  }

  mutating func takeIdentity(_ key: String) throws(RecordFault) -> NoteID {
    guard case .string(let text) = try take(key), let id = NoteID(text) else { throw fault(key, "must be a UUID") }
    return id
  }

  /// A UUID, or nil for null.
  mutating func takeOptionalIdentity(_ key: String) throws(RecordFault) -> NoteID? {
    if case .null? = members[key] {
      taken.append(key)
      return nil
    }
    return try takeIdentity(key)
  }

  mutating func takeTime(_ key: String) throws(RecordFault) -> Timestamp {
    guard case .string(let text) = try take(key), let time = Timestamp(text: text) else {
      throw fault(key, "must be a time like 2026-07-01T09:30:00.000Z")
    }
    return time
  }

  mutating func takeBool(_ key: String) throws(RecordFault) -> Bool {
    guard case .bool(let value) = try take(key) else { throw fault(key, "must be true or false") }
    return value
  }

  /// Each element of an array, with its key path.
  mutating func takeArray<Element>(
    _ key: String, of make: (JSONValue, String) throws(RecordFault) -> Element
  ) throws(RecordFault) -> [Element] {
    guard case .array(let values) = try take(key) else { throw fault(key, "must be a list") }
    var elements: [Element] = []
    for (index, value) in values.enumerated() { elements.append(try make(value, "\(keyPath(key))[\(index)]")) }
    return elements
  }

  /// The same; nil where the key is not there.
  mutating func takeOptionalArray<Element>(
    _ key: String, of make: (JSONValue, String) throws(RecordFault) -> Element
  ) throws(RecordFault) -> [Element]? {
    members[key] == nil ? nil : try takeArray(key, of: make)
  }

  private func fault(_ key: String, _ reason: String) -> RecordFault {
    RecordFault(keyPath: keyPath(key), reason: reason)
  }
}
