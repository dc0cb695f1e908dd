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
