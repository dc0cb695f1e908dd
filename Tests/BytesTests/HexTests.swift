import Bytes
import Testing

@Suite struct HexTests {
  static let pairs: [(text: String, bytes: [UInt8]?)] = [
    ("", []), ("00ff", [0, 255]), ("DE ad\nbe EF", [0xDE, 0xAD, 0xBE, 0xEF]),
    ("0", nil), ("0g", nil), ("é0", nil), ("0x00", nil),
  ]

  @Test(arguments: pairs) func reads(text: String, bytes: [UInt8]?) { #expect(Hex.bytes(of: text) == bytes) }

  static let numbers: [(text: String, number: UInt32?)] = [
    ("00000000", 0), ("e3069283", 0xE306_9283), ("ffffffff", .max), ("0000002a", 42),
    ("E3069283", nil), ("e306928", nil), ("e30692830", nil), ("e306928 ", nil), ("", nil),
  ]

  @Test(arguments: numbers) func readsNumbers(text: String, number: UInt32?) {
    #expect(Hex.number(of: Array(text.utf8)) == number)
    if let number { #expect(Hex.text(of: number) == text) }
  }

  @Test func prints() { #expect(Hex.text(of: [0, 0x0A, 0xFF]) == "000aff") }
}
