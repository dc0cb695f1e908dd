import CJPEG

/// Makes JPEG pictures for tests, scenarios and demos: real ones, of exactly the size asked for.
package enum JPEGMaker {
  /// The smallest picture that `picture` makes, in bytes.
  package static let sizeBytesMin = 512
  /// The largest picture that `picture` makes, in bytes.
  package static let sizeBytesMax = 64 << 20

  // What a comment segment can hold, with its marker and length.
  private static let commentBytesMax = 65_537
  private static let quality: Int32 = 90
  private static let sideMin = 8
  private static let sideMax = 65_500

  /// A grey picture of exactly `sizeBytes` bytes; the same bytes for the same size and seed.
  ///
  /// Most of them are compressed noise, the rest comments. Precondition: `sizeBytesMin <= sizeBytes <= sizeBytesMax`.
  package static func picture(sizeBytes: Int, seed: UInt64) -> [UInt8] {
    precondition(
      (sizeBytesMin...sizeBytesMax).contains(sizeBytes),
      "a picture of \(sizeBytes) bytes; from \(sizeBytesMin) to \(sizeBytesMax) can be made")
    let noise = noise(seed: seed)
    var area = sizeBytes
    while true {
      let side = max(sideMin, min(sideMax, squareRoot(of: area)))
      let picture = encoded(side: side, noise: noise)
      if picture.count <= sizeBytes { return padded(picture, to: sizeBytes, noise: noise) }
      precondition(side > sideMin, "the smallest picture has \(picture.count) bytes, wanted \(sizeBytes)")
      // The header does not shrink with the area, so a little less than in proportion.
      area = min(area * sizeBytes / picture.count, side * side - 1) * 9 / 10
    }
  }

  /// A square picture of noise, each row a different piece of it.
  private static func encoded(side: Int, noise: [UInt8]) -> [UInt8] {
    let pixels = [UInt8](unsafeUninitializedCapacity: side * side) { buffer, count in
      let target = UnsafeMutableRawBufferPointer(buffer)
      noise.withUnsafeBytes { noise in
        while count < side * side {
          let start = count / side * 7919 % (noise.count / 2)
          let piece = min(noise.count - start, side - count % side)
          UnsafeMutableRawBufferPointer(rebasing: target[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: noise[start..<(start + piece)]))
          count += piece
        }
      }
    }
    var start: UnsafeMutablePointer<UInt8>?
    let count = cjpeg_encode(pixels, Int32(side), Int32(side), 1, quality, &start)
    guard let start else { preconditionFailure("libjpeg made no picture of \(side) by \(side) pixels") }
    defer { cjpeg_free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }

  /// The picture with comments behind its first segment, or up to three fill bytes where no comment fits.
  private static func padded(_ picture: [UInt8], to sizeBytes: Int, noise: [UInt8]) -> [UInt8] {
    let place = 4 + (Int(picture[4]) << 8 | Int(picture[5]))
    var padding: [UInt8] = []
    var missing = sizeBytes - picture.count
    while missing >= 4 {
      // What is left after a full comment must have room for another one, or none.
      let size = min(missing, commentBytesMax)
      let length = size - 2
      padding += [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]
      padding += (0..<(length - 2)).map { noise[$0 % noise.count] }
      missing -= size
    }
    padding += [UInt8](repeating: 0xFF, count: missing)
    return Array(picture[..<place]) + padding + Array(picture[place...])
  }

  /// 16 KiB of noise by SplitMix64.
  private static func noise(seed: UInt64) -> [UInt8] {
    var state = seed
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 << 10)
    while bytes.count < 16 << 10 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      word ^= word >> 31
      withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private static func squareRoot(of number: Int) -> Int { Int(Double(number).squareRoot()) }
}
