import Bytes
import Testing

@Suite struct CRC32CTests {
  /// Known answers: RFC 3720, appendix B.4, and the check value of the CRC catalogue.
  static let answers: [(bytes: [UInt8], value: UInt32)] = [
    ([], 0),
    (Array("123456789".utf8), 0xE306_9283),
    (Array(repeating: 0, count: 32), 0x8A91_36AA),
    (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
    (Array(0..<32), 0x46DD_794E),
    (Array((0..<32).reversed()), 0x113F_DB5C),
  ]

  @Test(arguments: answers) func knownAnswers(bytes: [UInt8], value: UInt32) {
    #expect(CRC32C.checksum(of: bytes) == value)
    #expect(CRC32C.checksum(of: ([7] + bytes)[1...]) == value)
  }

  @Test func anyCutGivesTheSame() {
    let bytes = Array("123456789".utf8)
    for cut in 0...bytes.count {
      var crc = CRC32C()
      crc.update(bytes[..<cut])
      crc.update(Array(bytes[cut...]))
      #expect(crc.value == 0xE306_9283)
    }
  }

  @Test func everyFlippedBitIsSeen() {
    let bytes: [UInt8] = Array(0..<32)
    for bit in 0..<(bytes.count * 8) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(CRC32C.checksum(of: flipped) != 0x46DD_794E)
    }
  }
}
