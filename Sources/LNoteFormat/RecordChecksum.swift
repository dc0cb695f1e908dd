import Bytes

/// The checksum at the beginning of `document.json` and `manifest.json`.
///
/// The first 17 bytes are `{`, a newline, two spaces, `"checksum": "`; then eight lower-case hex digits: the CRC-32C of
/// the whole file with those digits taken as `0`. Source: Docs/reference/format.md.
enum RecordChecksum {
  static let beginning = Array("{\n  \"checksum\": \"".utf8)
  private static let digits = 17..<25

  // How far from its place the checksum is looked for, to tell a damaged beginning from an edited file.
  private static let searchBytesMax = 64

  enum Finding: Equatable {
    case fits
    /// The file does not begin as a writer of ours begins it.
    case absent
    case differs(written: UInt32?, computed: UInt32)
  }

  /// The JSON text of an object's members, with the checksum before them and a newline behind.
  static func sealed(_ members: [UInt8]) -> [UInt8] {
    // `members` begins with "{\n  \"": the checksum goes behind the brace.
    var bytes = beginning + Array("00000000\",".utf8) + members.dropFirst() + [UInt8(ascii: "\n")]
    bytes.replaceSubrange(digits, with: Hex.text(of: CRC32C.checksum(of: bytes)).utf8)
    return bytes
  }

  /// Whether the checksum of these bytes fits.
  static func check(_ bytes: [UInt8]) -> Finding {
    guard bytes.starts(with: beginning), bytes.count >= digits.upperBound else { return checkDamagedBeginning(bytes) }
    let written = Hex.number(of: bytes[digits])
    let computed = computed(behindDigits: bytes[digits.upperBound...])
    return written == computed ? .fits : .differs(written: written, computed: computed)
  }

  /// A file whose beginning is not ours, but fits when it is put right, was written by us and damaged there.
  private static func checkDamagedBeginning(_ bytes: [UInt8]) -> Finding {
    for start in 1..<max(2, min(bytes.count - digits.count, searchBytesMax)) where start + 8 <= bytes.count {
      guard let written = Hex.number(of: bytes[start..<(start + 8)]) else { continue }
      let computed = computed(behindDigits: bytes[(start + 8)...])
      if written == computed { return .differs(written: nil, computed: CRC32C.checksum(of: bytes)) }
    }
    return .absent
  }

  private static func computed(behindDigits rest: ArraySlice<UInt8>) -> UInt32 {
    var crc = CRC32C()
    crc.update(beginning)
    crc.update([UInt8](repeating: UInt8(ascii: "0"), count: digits.count))
    crc.update(rest)
    return crc.value
  }
}
