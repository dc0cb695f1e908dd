/// Builds bytes from little-endian numbers and runs of bytes.
package struct ByteWriter: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8]

  /// Nothing yet, with room for `capacity` bytes.
  package init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// How many bytes were written so far.
  package var count: Int { bytes.count }

  /// Appends a number, little endian.
  package mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends these bytes.
  package mutating func write(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends `count` zero bytes.
  package mutating func writeZeros(count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// Replaces bytes that were written before by a number, little endian.
  ///
  /// Precondition: all of the number's bytes were written, `offset + size <= count`.
  package mutating func overwrite<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ number: Number) {
    let size = MemoryLayout<Number>.size
    precondition(offset >= 0 && offset + size <= bytes.count, "overwrite \(size) bytes at \(offset) of \(bytes.count)")
    withUnsafeBytes(of: number.littleEndian) { new in
      bytes.replaceSubrange(offset..<(offset + size), with: new)
    }
  }
}
