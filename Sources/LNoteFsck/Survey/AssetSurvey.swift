import Bytes
import LNoteFormat
import Rendering

/// What is wrong with an image file that is not what was inserted.
enum AssetSurvey {
  /// Why an image cannot be shown.
  struct Explanation: Sendable {
    let isCut: Bool
    let hasZeros: Bool
  }

  static func explain(_ bytes: UnsafeRawBufferPointer) -> Explanation {
    let walk = JPEGCheck.walk(bytes)
    let isCut = if case .truncated = walk.condition { true } else { false }
    return Explanation(isCut: isCut, hasZeros: hasZeroSector(bytes))
  }

  /// Everything about an image at once, decoded at an eighth of its size.
  static func decode(_ bytes: UnsafeRawBufferPointer) -> AssetContent {
    let digest = XXH3.digest128(of: bytes)
    let walk = JPEGCheck.walk(bytes)
    let isCut = if case .truncated = walk.condition { true } else { false }
    let isJPEG = bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] == 0xD8
    return AssetContent(
      length: UInt64(bytes.count), digest: AssetDigest(high: digest.high, low: digest.low), isCut: isCut,
      hasZeros: hasZeroSector(bytes),
      decoding: AssetDecoding(walk: walk, decoding: isJPEG ? JPEGCheck.decode(bytes) : nil))
  }

  private static func hasZeroSector(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if !bytes.isEmpty && !bytes.contains(where: { $0 != 0 }) { return true }
    let sector = 512
    var start = 0
    while start + sector <= bytes.count {
      if !bytes[start..<(start + sector)].contains(where: { $0 != 0 }) { return true }
      start += sector
    }
    return false
  }
}
