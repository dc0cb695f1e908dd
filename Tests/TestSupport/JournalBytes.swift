import Bytes

/// Writes journals for tests, from the tables of Docs/reference/format.md.
///
/// It shares nothing with the toolkit's reader.
package struct JournalBytes: Sendable {
  /// The file.
  package private(set) var bytes: [UInt8]
  private let page: [UInt8]
  private let base: UInt64
  private var changes: UInt64 = 0

  /// The first 8 bytes of a journal.
  package static let magic: [UInt8] = [0x89, 0x4C, 0x4E, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A journal without changes, of a page (16 bytes) of this generation and header checksum.
  package init(page: [UInt8], base: UInt64, baseChecksum: UInt32) {
    (self.page, self.base) = (page, base)
    var writer = ByteWriter()
    writer.write(bytes: JournalBytes.magic)
    writer.write(UInt16(1))
    writer.write(UInt16(48))
    writer.write(UInt32(0))
    writer.write(bytes: page)
    writer.write(base)
    writer.write(baseChecksum)
    writer.write(CRC32C.checksum(of: writer.bytes))
    bytes = writer.bytes
  }

  /// A journal without changes on the page file of these bytes, which begin with a whole header.
  package init(onPage file: [UInt8]) {
    var reader = ByteReader(file)
    guard reader.skip(count: 16), let page = reader.readBytes(count: 16), reader.skip(count: 12),
      let checksum = reader.readUInt32(), let generation = reader.readUInt64()
    else { preconditionFailure("a page file of \(file.count) bytes") }
    self.init(page: Array(page), base: generation, baseChecksum: checksum)
  }

  /// Appends a change with the next number; `payload` is what follows the number.
  package mutating func append(type: UInt8, _ payload: [UInt8]) {
    append(type: type, payload, sequence: changes + 1)
  }

  /// Appends a change with any number; the next one follows that.
  package mutating func append(type: UInt8, _ payload: [UInt8], sequence: UInt64) {
    changes = sequence
    var inside = ByteWriter()
    inside.write(sequence)
    inside.write(bytes: payload)
    var covered = ByteWriter()
    covered.write(bytes: JournalBytes.magic)
    covered.write(bytes: page)
    covered.write(base)
    covered.write(UInt32(inside.count))
    covered.write(type)
    covered.write(bytes: inside.bytes)
    var frame = ByteWriter()
    frame.write(UInt32(inside.count))
    frame.write(CRC32C.checksum(of: covered.bytes))
    frame.write(type)
    bytes += frame.bytes + inside.bytes
  }

  /// The same of bytes that follow as they are.
  package mutating func append(raw more: [UInt8]) { bytes += more }
}
