import JSON
import Testing

@Suite struct JSONParsingTests {
  static let good: [(text: String, value: JSONValue)] = [
    ("null", .null), (" true\n", true), ("false", false),
    ("0", 0), ("-0", 0), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("1.0", .real(1)), ("1e2", .real(100)), ("-2.5E-1", .real(-0.25)), ("1e308", .real(1e308)),
    ("\"\"", ""), (#""a\"\\\/\b\f\n\r\té\ud83d\ude00""#, "a\"\\/\u{8}\u{C}\n\r\té😀"),
    ("[]", []), ("[1,[2],{}]", [1, [2], [:]]),
    (#"{"b":1,"a":{"c":[null]}}"#, ["b": 1, "a": ["c": [.null]]]),
  ]

  @Test(arguments: good) func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(Array(text.utf8)) == value)
  }
}
