/// Reads little-endian numbers and runs of bytes from the front of some bytes. Never beyond their end, never trapping.
///
/// A read that does not fit answers nil and takes nothing. Offsets count from the first byte given.
package struct ByteReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// A reader at the first of these bytes.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// A reader at the first of these bytes.
  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// How many bytes there are in all.
  package var count: Int { bytes.count }

  /// Where the next read begins: bytes from the first.
  package var offset: Int { position - bytes.startIndex }

  /// How many bytes are left to read.
  package var remaining: Int { bytes.endIndex - position }

  /// True when nothing is left to read.
  package var isAtEnd: Bool { remaining == 0 }

  /// The next number, little endian; nil where fewer bytes are left than it has.
  package mutating func read<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number?
  {
    guard let number = peek(type) else { return nil }
    position += MemoryLayout<Number>.size
    return number
  }

  /// The number that `read` would answer, without taking it.
  package func peek<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type = Number.self) -> Number? {
    guard remaining >= MemoryLayout<Number>.size else { return nil }
    return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }

  /// The next byte.
  package mutating func readUInt8() -> UInt8? { read(UInt8.self) }

  /// The next two bytes as a number, little endian.
  package mutating func readUInt16() -> UInt16? { read(UInt16.self) }

  /// The next four bytes as a number, little endian.
  package mutating func readUInt32() -> UInt32? { read(UInt32.self) }

  /// The next eight bytes as a number, little endian.
  package mutating func readUInt64() -> UInt64? { read(UInt64.self) }

  /// The next two bytes as a signed number, little endian.
  package mutating func readInt16() -> Int16? { read(Int16.self) }

  /// The next four bytes as a signed number, little endian.
  package mutating func readInt32() -> Int32? { read(Int32.self) }

  /// The next eight bytes as a signed number, little endian.
  package mutating func readInt64() -> Int64? { read(Int64.self) }

  /// The next `count` bytes, a view of the originals; nil where fewer are left or `count` is negative.
  package mutating func readBytes(count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// Everything that is left, a view of the originals.
  package mutating func readRest() -> ArraySlice<UInt8> {
    defer { position = bytes.endIndex }
    return bytes[position...]
  }

  /// Passes over `count` bytes; false, and nothing passed, where fewer are left or `count` is negative.
  package mutating func skip(count: Int) -> Bool { readBytes(count: count) != nil }

  /// Goes to `offset` bytes from the first; false, and nothing moved, where that lies outside.
  package mutating func seek(to offset: Int) -> Bool {
    guard offset >= 0, offset <= bytes.count else { return false }
    position = bytes.startIndex + offset
    return true
  }
}
