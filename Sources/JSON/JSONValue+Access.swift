extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// The value of a key; nil where there is none or this is no object.
  package subscript(key: String) -> JSONValue? { object?[key] }

  /// The element at an index; nil where there is none or this is no array.
  package subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The text; nil where this is no string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number; nil where this is no integer. A real is none, whatever its value.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The number, of an integer the nearest; nil where this is neither real nor integer.
  package var real: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The truth value; nil where this is none.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements; nil where this is no array.
  package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The keys and values; nil where this is no object.
  package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  /// True for null.
  package var isNull: Bool { self == .null }

  /// An integer of any kind. Precondition: Int64 can hold it.
  package init(_ number: some BinaryInteger) { self = .integer(Int64(number)) }

  /// A string, or null for nil.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A string written in source text.
  package init(stringLiteral value: String) { self = .string(value) }

  /// An integer written in source text.
  package init(integerLiteral value: Int64) { self = .integer(value) }

  /// A truth value written in source text.
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// An array written in source text.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object written in source text. Precondition: no key twice.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}
