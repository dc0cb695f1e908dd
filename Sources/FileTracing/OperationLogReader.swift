import Bytes
import Files

/// A record of a log file, with the bytes that its write took.
package struct LoggedOperation: Hashable, Sendable {
  /// The record; `dataAddress` is nil, `data` stands for it.
  package let record: OperationRecord
  /// The bytes of a write, or the value of a setxattr; empty for other operations.
  package let data: [UInt8]

  /// A record with its bytes.
  package init(record: OperationRecord, data: [UInt8]) {
    self.record = record
    self.data = data
  }
}

/// Why a log file cannot be read on.
package struct OperationLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the header or record begins, in bytes from the beginning of the file.
  package let offset: UInt64
  /// What is wrong there, a sentence without a full stop.
  package let reason: String

  /// "log, byte 4711: the checksum does not fit".
  package var description: String { "log, byte \(offset): \(reason)" }
}

/// Reads the file form of a log, as its bytes come in; holds at most one record more than it was given.
package struct OperationLogReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0
  /// What the file tells of itself; nil before its header has been read.
  package private(set) var header: OperationLogHeader?
  /// How many bytes of the file lie before the next record.
  package private(set) var offset: UInt64 = 0

  /// A reader at the beginning of a file.
  package init() {}

  /// Takes the next bytes of the file.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if start > OperationLogFormat.recordBytesMax {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// How many bytes wait for the rest of their record; at the end of a file anything but 0 is a cut tail.
  package var pendingCount: Int { buffer.count - start }

  /// The next record; nil where more bytes are needed.
  ///
  /// - Throws: what is wrong at `offset`; asked again, it throws the same.
  package mutating func next() throws(OperationLogError) -> LoggedOperation? {
    guard try readHeader() != nil else { return nil }
    var reader = ByteReader(buffer[start...])
    guard let length = reader.readUInt32(), let checksum = reader.readUInt32() else { return nil }
    if length < OperationLogFormat.fixedBytes || length > OperationLogFormat.recordBytesMax {
      throw OperationLogError(offset: offset, reason: "a record of \(length) bytes cannot be")
    }
    guard let body = reader.readBytes(count: Int(length)) else { return nil }
    guard CRC32C.checksum(of: body) == checksum else {
      throw OperationLogError(offset: offset, reason: "the checksum does not fit")
    }
    guard let operation = LoggedOperation(body: body) else {
      throw OperationLogError(offset: offset, reason: "the record says what this version does not know")
    }
    advance(by: 8 + Int(length))
    return operation
  }

  /// The header; nil where more bytes are needed. `next` reads it by itself.
  package mutating func readHeader() throws(OperationLogError) -> OperationLogHeader? {
    if let header { return header }
    let magic = OperationLogFormat.magic
    guard magic.starts(with: buffer[start...].prefix(magic.count)) else {
      throw OperationLogError(offset: 0, reason: "this is no operation log of faultfs")
    }
    var reader = ByteReader(buffer[start...])
    guard reader.skip(count: magic.count), let version = reader.readUInt32() else { return nil }
    guard version == OperationLogFormat.version else {
      throw OperationLogError(
        offset: 0,
        reason: "made by a faultfs with log version \(version); this one reads version \(OperationLogFormat.version)")
    }
    guard let length = reader.readUInt32(), let checksum = reader.readUInt32() else { return nil }
    if length > OperationLogFormat.headerTextBytesMax {
      throw OperationLogError(offset: 0, reason: "a header of \(length) bytes cannot be")
    }
    guard let text = reader.readBytes(count: Int(length)) else { return nil }
    guard CRC32C.checksum(of: text) == checksum, let header = OperationLogHeader(text: Array(text)) else {
      throw OperationLogError(offset: 0, reason: "the header is damaged")
    }
    advance(by: OperationLogFormat.headerBytes + Int(length))
    self.header = header
    return header
  }

  private mutating func advance(by count: Int) {
    start += count
    offset += UInt64(count)
  }
}

extension LoggedOperation {
  /// The operation of a record's bytes behind the checksum.
  fileprivate init?(body: ArraySlice<UInt8>) {
    var reader = ByteReader(body)
    guard let code = reader.readUInt8(), let kind = OperationLogFormat.kind(of: code), reader.readUInt8() == 0,
      let bits = reader.readUInt16(), bits & ~OperationLogFormat.Parts.all.rawValue == 0,
      let thread = reader.readInt32()
    else { return nil }
    let parts = OperationLogFormat.Parts(rawValue: bits)
    var record = OperationRecord(number: 0, kind: kind, path: .root, thread: thread)
    guard let number = reader.readUInt64(), let counted = reader.readUInt64(), let inode = reader.readUInt64(),
      let offset = reader.readUInt64(), let asked = reader.readUInt64(), let taken = reader.readUInt64(),
      let argument = reader.readUInt64(), let time = reader.readInt64(), let errno = reader.readInt32()
    else { return nil }
    record.number = number
    record.countedNumber = parts.contains(.countedNumber) ? counted : nil
    record.inode = inode
    record.offset = offset
    record.lengthAsked = asked
    record.lengthTaken = taken
    record.argument = argument
    record.time = time
    record.errno = parts.contains(.errno) ? Errno(rawValue: errno) : nil
    var texts: [ArraySlice<UInt8>] = []
    for _ in 0..<7 {
      guard let count = reader.readUInt32(), let bytes = reader.readBytes(count: Int(count)) else { return nil }
      texts.append(bytes)
    }
    guard reader.isAtEnd else { return nil }
    record.path = BytePath(bytes: texts[0])
    record.otherPath = parts.contains(.otherPath) ? BytePath(bytes: texts[1]) : nil
    record.firedRule = parts.contains(.rule) ? String(decoding: texts[2], as: UTF8.self) : nil
    if parts.contains(.fault), !FaultText.read(texts[3], into: &record) { return nil }
    record.mark = parts.contains(.mark) ? String(decoding: texts[4], as: UTF8.self) : nil
    if parts.contains(.attributes) {
      guard let attributes = RecordedAttributes(bytes: texts[5]) else { return nil }
      record.attributes = attributes
    }
    self.record = record
    data = Array(texts[6])
  }
}
