/// What is wrong with an image file that is not what was inserted.
enum AssetSurvey {
  static func explain(_ bytes: UnsafeRawBufferPointer) -> (isCut: Bool, hasZeros: Bool) {
    (isCut(bytes), hasZeroSector(bytes))
  }

  /// True where the bytes begin as a JPEG and end before its end.
  private static func isCut(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return false }
    return !(bytes[bytes.count - 2] == 0xFF && bytes[bytes.count - 1] == 0xD9)
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
