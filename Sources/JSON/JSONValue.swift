/// A JSON value. Objects keep their keys sorted by UTF-8 bytes, so printing is the same on every machine.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}
