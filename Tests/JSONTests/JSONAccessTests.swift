import JSON
import Testing

@Suite struct JSONAccessTests {
  static let value: JSONValue = ["n": 1, "r": .real(1.5), "s": "x", "b": true, "a": [1, .null], "o": ["k": "v"]]

  @Test func valuesOfTheRightKindOnly() {
    let value = Self.value
    #expect(value["n"]?.integer == 1)
    #expect(value["n"]?.real == 1)
    #expect(value["n"]?.string == nil)
    #expect(value["r"]?.real == 1.5)
    #expect(value["r"]?.integer == nil)
    #expect(value["s"]?.string == "x")
    #expect(value["b"]?.bool == true)
    #expect(value["b"]?.integer == nil)
    #expect(value["a"]?.array == [1, .null])
    #expect(value["a"]?[1]?.isNull == true)
    #expect(value["a"]?[2] == nil)
    #expect(value["a"]?["k"] == nil)
    #expect(value["o"]?["k"]?.string == "v")
    #expect(value["none"] == nil)
    #expect(value["o"]?[0] == nil)
  }
}
