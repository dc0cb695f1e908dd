import Bytes
import Testing

@Suite struct XXH3Tests {
  /// Known answers, as `xxhsum -H2` and `xxhsum -H3` print them.
  static let answers: [(text: String, digest128: String, digest64: UInt64)] = [
    ("", "99aa06d3014798d86001c324468d497f", 0x2D06_8005_38D3_94C2),
    ("a", "a96faf705af16834e6c632b61e964e1f", 0xE6C6_32B6_1E96_4E1F),
    ("abc", "06b05ab6733a618578af5f94892f3950", 0x78AF_5F94_892F_3950),
  ]

  @Test(arguments: answers) func knownAnswers(text: String, digest128: String, digest64: UInt64) {
    let bytes = Array(text.utf8)
    #expect(XXH3.digest128(of: bytes).description == digest128)
    #expect(XXH3.digest128(of: ([9] + bytes)[1...]).description == digest128)
    #expect(Hex.text(of: XXH3.digest128(of: bytes).bytes) == digest128)
    #expect(XXH3.digest64(of: bytes) == digest64)
  }

  @Test(arguments: [0, 1, 16, 240, 241, 1024, 5000]) func pieceByPieceIsTheSame(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for size in [1, 7, 256, 5001] {
      let stream = XXH3Stream()
      for start in stride(from: 0, to: count, by: size) { stream.update(bytes[start..<min(start + size, count)]) }
      #expect(stream.digest128 == XXH3.digest128(of: bytes))
      #expect(stream.digest64 == XXH3.digest64(of: bytes))
    }
  }

  @Test func orderIsThatOfTheText() {
    let digests = (0..<64).map { XXH3.digest128(of: [UInt8($0)]) }
    #expect(digests.sorted().map(\.description) == digests.map(\.description).sorted())
  }
}
