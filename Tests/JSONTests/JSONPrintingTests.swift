import JSON
import TestSupport
import Testing

@Suite struct JSONPrintingTests {
  static let compact: [(value: JSONValue, text: String)] = [
    (.null, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
    (.real(1), "1.0"), (.real(-0.0), "-0.0"), (.real(0.1), "0.1"), (.real(1e300), "1e+300"),
    (.real(.leastNonzeroMagnitude), "5e-324"),
    ("", "\"\""), ("a\"\\/\u{8}\n\r\t\u{1B}\u{7F}é😀", #""a\"\\/\u0008\n\r\t\u001b\u007fé😀""#),
    ([], "[]"), ([:], "{}"), ([1, [], [:]], "[1,[],{}]"),
    // Sorted by bytes: capitals first, then é behind z, and emoji behind it.
    (["é": 1, "z": 2, "Z": 3, "ab": 4, "a": 5, "😀": 6], #"{"Z":3,"a":5,"ab":4,"z":2,"é":1,"😀":6}"#),
  ]

  @Test(arguments: compact) func printsOnOneLine(value: JSONValue, text: String) {
    #expect(String(decoding: value.serialized(), as: UTF8.self) == text)
  }

  @Test func printsAFile() {
    let value: JSONValue = ["pages": [["id": "a", "size": [1, 2]], [:]], "deleted": [], "checksum": "00000000"]
    let text = """
      {
        "checksum": "00000000",
        "deleted": [],
        "pages": [
          {
            "id": "a",
            "size": [
              1,
              2
            ]
          },
          {}
        ]
      }

      """
    #expect(String(decoding: value.fileBytes(), as: UTF8.self) == text)
  }

  @Test func whatIsPrintedReadsBackTheSame() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<300 {
      let value = randomValue(depth: 4, using: &generator)
      #expect(try JSONValue.parse(value.serialized()) == value)
      let file = value.fileBytes()
      let again = try JSONValue.parse(file)
      #expect(again == value)
      #expect(again.fileBytes() == file)
    }
  }

  private func randomValue(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
    case 3:
      let number = Double(bitPattern: generator.next())
      return .real(number.isFinite ? number : 0.5)
    case 4: return .string(randomText(using: &generator))
    case 5:
      let count = Int.random(in: 0..<4, using: &generator)
      return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0..<4, using: &generator)
      let members = (0..<count).map { _ in
        (randomText(using: &generator), randomValue(depth: depth - 1, using: &generator))
      }
      return .object(Dictionary(members) { first, _ in first })
    }
  }

  private func randomText(using generator: inout SeededGenerator) -> String {
    let palette = Array("aZ09 \"\\/{}[]:,\n\r\t\u{1}\u{1F}\u{7F}\u{80}é\u{2028}\u{FFFD}漢😀")
    let count = Int.random(in: 0..<6, using: &generator)
    return String((0..<count).map { _ in palette[Int.random(in: 0..<palette.count, using: &generator)] })
  }
}
