import CXXHash

/// XXH3 by xxHash, without seed: fast digests that find every accident, but no attacker.
package enum XXH3 {
  /// The 128-bit digest of these bytes.
  package static func digest128(of buffer: UnsafeRawBufferPointer) -> Digest128 {
    Digest128(XXH3_128bits(buffer.baseAddress, buffer.count))
  }

  /// The 128-bit digest of these bytes.
  package static func digest128(of bytes: [UInt8]) -> Digest128 { bytes.withUnsafeBytes { digest128(of: $0) } }

  /// The 128-bit digest of these bytes.
  package static func digest128(of bytes: ArraySlice<UInt8>) -> Digest128 {
    bytes.withUnsafeBytes { digest128(of: $0) }
  }

  /// The 64-bit digest of these bytes.
  package static func digest64(of buffer: UnsafeRawBufferPointer) -> UInt64 {
    XXH3_64bits(buffer.baseAddress, buffer.count)
  }

  /// The 64-bit digest of these bytes.
  package static func digest64(of bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { digest64(of: $0) } }

  /// The 64-bit digest of these bytes.
  package static func digest64(of bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { digest64(of: $0) } }
}

/// A digest of 128 bits. Order and text are those of its 16 bytes, the highest first (xxHash's canonical form).
package struct Digest128: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The upper 64 bits.
  package let high: UInt64
  /// The lower 64 bits.
  package let low: UInt64

  /// The digest of these halves.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ hash: XXH128_hash_t) { self.init(high: hash.high64, low: hash.low64) }

  /// The 16 bytes, the highest first.
  package var bytes: [UInt8] {
    [high, low].flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) } }
  }

  /// The 32 lower-case hex digits.
  package var description: String { Hex.text(of: bytes) }

  /// Order by the 16 bytes.
  package static func < (left: Digest128, right: Digest128) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
