import CXXHash

/// XXH3 piece by piece: the digests are those of all bytes taken in so far, wherever they were cut.
package final class XXH3Stream {
  private let state: OpaquePointer

  /// The digest of nothing yet.
  package init() {
    guard let state = XXH3_createState() else { preconditionFailure("no memory for an XXH3 state") }
    self.state = state
    // The 128-bit and the 64-bit variant share the state and its update; they differ only in the digest.
    XXH3_128bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  /// Takes these bytes in.
  package func update(_ buffer: UnsafeRawBufferPointer) {
    if buffer.isEmpty { return }
    XXH3_128bits_update(state, buffer.baseAddress, buffer.count)
  }

  /// Takes these bytes in.
  package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// Takes these bytes in.
  package func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { update($0) } }

  /// The 128-bit digest so far; more bytes may follow.
  package var digest128: Digest128 { Digest128(XXH3_128bits_digest(state)) }

  /// The 64-bit digest so far; more bytes may follow.
  package var digest64: UInt64 { XXH3_64bits_digest(state) }
}
