import JSON
import Testing

@Suite struct JSONLinesTests {
  static let text = Array("{\"a\":1}\n\n  \r\n[2,\"\\n\"]\r\n3\n".utf8)
  static let values: [JSONValue] = [["a": 1], [2, "\n"], 3]

  @Test(arguments: 1...text.count) func piecesOfAnySizeGiveTheSame(size: Int) throws {
    var lines = JSONLines()
    var values: [JSONValue] = []
    for start in stride(from: 0, to: Self.text.count, by: size) {
      lines.append(Self.text[start..<min(start + size, Self.text.count)])
      while let value = try lines.next() { values.append(value) }
    }
    #expect(values == Self.values)
    #expect(lines.pendingCount == 0)
  }

  @Test func wholeTexts() throws {
    #expect(try JSONLines.parse(Self.text) == Self.values)
    #expect(try JSONLines.parse(Array("1\n2".utf8)) == [1, 2])
    #expect(try JSONLines.parse([]) == [])
    #expect(JSONLines.line(["a": [1, "\n"]]) == Array("{\"a\":[1,\"\\n\"]}\n".utf8))
  }

  @Test func aBadLineIsPassedOverWithItsPlace() throws {
    var lines = JSONLines()
    lines.append(Array("1\n[2,]\n3\n4".utf8))
    #expect(try lines.next() == 1)
    let error = #expect(throws: JSONError.self) { try lines.next() }
    #expect(error?.description == "line 2, column 4: unexpected token near ']'")
    #expect(error?.offset == 5)
    #expect(try lines.next() == 3)
    #expect(try lines.next() == nil)
    #expect(lines.pendingCount == 1)
  }

  @Test(arguments: [1, 3, 100]) func aLineThatIsTooLongIsLetGo(size: Int) throws {
    let text = Array("12345678\n\"1234567890\"\n9\n".utf8)
    var lines = JSONLines(lineBytesMax: 8)
    var values: [JSONValue] = []
    var errors: [JSONError] = []
    for start in stride(from: 0, to: text.count, by: size) {
      lines.append(text[start..<min(start + size, text.count)])
      while true {
        do {
          guard let value = try lines.next() else { break }
          values.append(value)
        } catch {
          errors.append(error)
        }
      }
      if size < 100 { #expect(lines.pendingCount <= 8 + size) }
    }
    #expect(values == [12_345_678, 9])
    #expect(errors.map(\.description) == ["line 2, column 1: a line of more than 8 bytes"])
    #expect(errors.map(\.offset) == [9])
  }
}
