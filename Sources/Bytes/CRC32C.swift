import CISAL

/// The CRC-32C of RFC 3720 (Castagnoli), computed by ISA-L, in one go or piece by piece.
package struct CRC32C: Hashable, Sendable {
  // ISA-L neither begins with ones nor inverts the result, so both happen here.
  private var state: UInt32 = 0xFFFF_FFFF

  // ISA-L takes the length as a C int.
  private static let pieceBytesMax = 1 << 30

  /// The checksum of nothing yet.
  package init() {}

  /// The checksum of all bytes so far; 0 before the first.
  package var value: UInt32 { ~state }

  /// Takes these bytes in.
  package mutating func update(_ buffer: UnsafeRawBufferPointer) {
    var rest = buffer
    while let start = rest.baseAddress, !rest.isEmpty {
      let count = min(rest.count, CRC32C.pieceBytesMax)
      state = cisal_crc32c_update(state, start.assumingMemoryBound(to: UInt8.self), CInt(count))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Takes these bytes in.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Takes these bytes in.
  package mutating func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { update($0) } }

  /// The checksum of these bytes.
  package static func checksum(of buffer: UnsafeRawBufferPointer) -> UInt32 {
    var crc = CRC32C()
    crc.update(buffer)
    return crc.value
  }

  /// The checksum of these bytes.
  package static func checksum(of bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum(of: $0) } }

  /// The checksum of these bytes.
  package static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 { bytes.withUnsafeBytes { checksum(of: $0) } }
}
