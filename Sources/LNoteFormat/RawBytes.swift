extension UnsafeRawBufferPointer {
  /// The little-endian number at `offset`. Precondition: all of its bytes lie inside.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type = Number.self) -> Number
  {
    assert(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "number at \(offset) of \(count) bytes")
    return Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The identity at `offset`. Precondition: all of its 16 bytes lie inside.
  func identity(at offset: Int) -> NoteID {
    NoteID(
      high: number(at: offset, as: UInt64.self).byteSwapped, low: number(at: offset + 8, as: UInt64.self).byteSwapped)
  }

  /// The bytes of a range. Precondition: it lies inside.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

  /// True when every byte of the range is zero.
  func isZero(_ range: Range<Int>) -> Bool {
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      if loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 { return false }
      offset += 8
    }
    while offset < range.upperBound {
      if self[offset] != 0 { return false }
      offset += 1
    }
    return true
  }
}
