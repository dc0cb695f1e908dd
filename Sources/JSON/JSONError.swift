/// Why bytes are no JSON value, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of fault it is.
  package enum Kind: String, Hashable, Sendable {
    /// No JSON at all, or broken in the middle.
    case syntax
    /// The text ends before the value does.
    case endsEarly = "ends-early"
    /// More follows behind the value.
    case trailing
    /// A byte order mark before the value.
    case byteOrderMark = "byte-order-mark"
    /// Bytes that are no UTF-8.
    case notUTF8 = "not-utf8"
    /// One key twice in an object.
    case duplicateKey = "duplicate-key"
    /// Arrays and objects nested deeper than the limit.
    case tooDeep = "too-deep"
    /// A number that Int64 or Double cannot hold.
    case numberOutOfRange = "number-out-of-range"
    /// A zero character in a string.
    case zeroCharacter = "zero-character"
    /// More bytes than a line or a text may have.
    case tooLong = "too-long"
  }

  /// What kind of fault it is.
  package let kind: Kind
  /// Where it shows: bytes from the first.
  package let offset: Int
  /// The line of that place, counted from 1.
  package let line: Int
  /// The column of that place in characters, counted from 1.
  package let column: Int
  /// What is wrong, in words without the place.
  package let message: String

  /// A fault of these values.
  package init(kind: Kind, offset: Int, line: Int, column: Int, message: String) {
    self.kind = kind
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }

  /// A fault at `offset` of `bytes`; line and column are counted from them.
  init(_ kind: Kind, at offset: Int, of bytes: [UInt8], _ message: String) {
    let before = bytes.prefix(offset)
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.init(
      kind: kind, offset: offset, line: 1 + before.count { $0 == UInt8(ascii: "\n") },
      // A continuation byte of UTF-8 begins no character.
      column: 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }, message: message)
  }

  /// "line 3, column 14: one key twice".
  package var description: String { "line \(line), column \(column): \(message)" }
}
