import JSON
import Testing

@Suite struct JSONParsingTests {
  static let good: [(text: String, value: JSONValue)] = [
    ("null", .null), (" true\r\n\t", true), ("false", false),
    ("0", 0), ("-0", 0), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("1.0", .real(1)), ("1e2", .real(100)), ("-2.5E-1", .real(-0.25)), ("1e308", .real(1e308)),
    ("5e-324", .real(.leastNonzeroMagnitude)),
    ("\"\"", ""), (#""a\"\\\/\b\f\n\r\té\ud83d\ude00""#, "a\"\\/\u{8}\u{C}\n\r\té😀"), (#""\u0001""#, "\u{1}"),
    ("[]", []), ("[1,[2],{}]", [1, [2], [:]]), (#""[[[{{""#, "[[[{{"), (#""\\""#, "\\"),
    (#"{"b":1,"a":{"c":[null]}}"#, ["b": 1, "a": ["c": [.null]]]), (#"{"":0}"#, ["": 0]),
  ]

  @Test(arguments: good) func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(Array(text.utf8)) == value)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: [UInt8]
    let place: [Int]
    let kind: JSONError.Kind
    let message: String
    var testDescription: String { String(decoding: text, as: UTF8.self).debugDescription }

    /// `place` is offset, line, column.
    init(_ text: String, _ place: [Int], _ kind: JSONError.Kind, _ message: String) {
      self.init(Array(text.utf8), place, kind, message)
    }

    init(_ text: [UInt8], _ place: [Int], _ kind: JSONError.Kind, _ message: String) {
      self.text = text
      self.place = place
      self.kind = kind
      self.message = message
    }
  }

  static let syntaxFaults: [Fault] = [
    Fault("", [0, 1, 1], .endsEarly, "unexpected token near end of file"),
    Fault(" \n ", [3, 2, 2], .endsEarly, "unexpected token near end of file"),
    Fault("{", [1, 1, 2], .endsEarly, "string or '}' expected near end of file"),
    Fault("[1,", [3, 1, 4], .endsEarly, "']' expected near end of file"),
    Fault("\"abc", [4, 1, 5], .endsEarly, "premature end of input near '\"abc'"),
    Fault("[1 2]", [3, 1, 4], .syntax, "']' expected near '2'"),
    Fault("[1,]", [3, 1, 4], .syntax, "unexpected token near ']'"),
    Fault("{\"a\" 1}", [5, 1, 6], .syntax, "':' expected near '1'"),
    Fault("{\"a\":1,}", [7, 1, 8], .syntax, "string or '}' expected near '}'"),
    Fault("{a:1}", [1, 1, 2], .syntax, "string or '}' expected near 'a'"),
    Fault("[tru]", [1, 1, 2], .syntax, "invalid token near 'tru'"),
    Fault("[1, aWordOfMoreThanTwentyBytes]", [4, 1, 5], .syntax, "invalid token"),
    Fault("[2 \"a \\\" string of more than twenty\"]", [3, 1, 4], .syntax, "']' expected"),
    Fault("NaN", [0, 1, 1], .syntax, "invalid token near 'NaN'"),
    Fault("01", [0, 1, 1], .syntax, "invalid token near '0'"),
    Fault("+1", [0, 1, 1], .syntax, "invalid token near '+'"),
    Fault("1.", [0, 1, 1], .syntax, "invalid token near '1.'"),
    Fault("'a'", [0, 1, 1], .syntax, "invalid token near '''"),
    Fault("[é]", [1, 1, 2], .syntax, "invalid token near 'é'"),
    Fault("1 2", [2, 1, 3], .trailing, "end of file expected near '2'"),
    Fault("[1]\n]", [4, 2, 1], .trailing, "end of file expected near ']'"),
  ]

  static let stringFaults: [Fault] = [
    Fault("\"a\nb\"", [2, 1, 3], .syntax, "unexpected newline near '\"a'"),
    Fault("\"é\u{1}b\"", [3, 1, 3], .syntax, "control character 0x1 near '\"é'"),
    Fault("\"\\x\"", [2, 1, 3], .syntax, "invalid escape near '\"\\x'"),
    Fault("\"\\u12G4\"", [5, 1, 6], .syntax, "invalid escape near '\"\\u12G'"),
    Fault("[\"\\ud800\"]", [1, 1, 2], .syntax, "invalid Unicode '\\uD800' near '\"\\ud800\"'"),
    Fault("[\"a\\u0000\"]", [1, 1, 2], .zeroCharacter, "a string with the character \\u0000"),
    Fault("{\"\\u0000\":1}", [1, 1, 2], .zeroCharacter, "a string with the character \\u0000"),
    Fault([0x22, 0x61, 0, 0x22], [2, 1, 3], .zeroCharacter, "a zero byte"),
    Fault([0x5B, 0x31, 0, 0x5D], [2, 1, 3], .zeroCharacter, "a zero byte"),
    Fault([0x31, 0], [1, 1, 2], .zeroCharacter, "a zero byte"),
    Fault([0x22, 0xFF, 0x22], [1, 1, 2], .notUTF8, "unable to decode byte 0xff near '\"'"),
    Fault([0x5B, 0xC0, 0x80, 0x5D], [1, 1, 2], .notUTF8, "unable to decode byte 0xc0"),
    Fault([0x22, 0xED, 0xA0, 0x80, 0x22], [1, 1, 2], .notUTF8, "unable to decode byte 0xed near '\"'"),
    Fault([0x22, 0xE2, 0x82], [1, 1, 2], .notUTF8, "unable to decode byte 0xe2 near '\"'"),
    Fault([0xEF, 0xBB, 0xBF, 0x31], [0, 1, 1], .byteOrderMark, "a byte order mark stands before the text"),
  ]

  static let valueFaults: [Fault] = [
    Fault(
      "[9223372036854775808]", [1, 1, 2], .numberOutOfRange,
      "a number that 64 bits cannot hold: 9223372036854775808"),
    Fault(
      "-9223372036854775809", [0, 1, 1], .numberOutOfRange, "a number that 64 bits cannot hold: -9223372036854775809"),
    Fault(
      "[ 123456789012345678901234567890]", [2, 1, 3], .numberOutOfRange,
      "a number that 64 bits cannot hold: 123456789012345678901234567890"),
    Fault("1e309", [0, 1, 1], .numberOutOfRange, "a number that 64 bits cannot hold: 1e309"),
    Fault("{\n  \"a\": 1,\n  \"a\": 2\n}", [14, 3, 3], .duplicateKey, "one key twice: \"a\""),
    Fault("{\"a\\u0062\":1,\"ab\":2}", [13, 1, 14], .duplicateKey, "one key twice: \"ab\""),
    Fault(
      "{\"a key of more than twenty\":1, \"a key of more than twenty\":2}", [32, 1, 33], .duplicateKey,
      "one key twice: \"a key of more than twenty\""),
    Fault(
      "[\n{\"\u{E9}\":1,\"e\u{301}\":2}]", [10, 2, 8], .duplicateKey,
      "one key twice, in two Unicode spellings: \"e\u{301}\""),
    // What is written with escapes is not found: the other one tells the place.
    Fault(
      "{\"a\": 0, \"\u{E9}\":1,\"e\\u0301\":2}", [9, 1, 10], .duplicateKey,
      "one key twice, in two Unicode spellings: \"e\u{301}\""),
  ]

  @Test(arguments: syntaxFaults + stringFaults + valueFaults) func refuses(fault: Fault) {
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(fault.text) }
    #expect(error?.kind == fault.kind)
    #expect(error.map { [$0.offset, $0.line, $0.column] } == fault.place)
    #expect(error?.message == fault.message)
  }

  @Test func depthIsLimited() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[{\"a\":", count: depth / 2) + "0" + String(repeating: "}]", count: depth / 2)).utf8)
    }
    _ = try JSONValue.parse(nested(64))
    let error = #expect(throws: JSONError.self) { try JSONValue.parse(nested(66)) }
    #expect(error?.kind == .tooDeep)
    #expect(error?.offset == 32 * 6)
    _ = try JSONValue.parse(nested(66), depthMax: 66)
    // A million levels need no deeper stack than one.
    #expect(throws: JSONError.self) { try JSONValue.parse(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) }
  }
}
