import Bytes
import Files

/// Writes the file form of a log, one record after the other.
package enum OperationLogWriter {
  /// Writes the header; once, before all records.
  package static func write(_ header: OperationLogHeader, to sink: any OperationLogSink) {
    let text = header.text
    var header = ByteWriter(capacity: OperationLogFormat.headerBytes + text.count)
    header.write(bytes: OperationLogFormat.magic)
    header.write(OperationLogFormat.version)
    header.write(UInt32(text.count))
    header.write(CRC32C.checksum(of: text[...]))
    header.write(bytes: text)
    header.bytes.withUnsafeBytes { sink.append([$0]) }
  }

  /// Writes a record and the bytes of its write, which are not copied here.
  ///
  /// A record beyond `recordBytesMax` (only texts and paths of megabytes make one) loses its texts, not its numbers.
  package static func write(_ record: OperationRecord, data: [UnsafeRawBufferPointer], to sink: any OperationLogSink) {
    let dataBytes = data.reduce(0) { $0 + $1.count }
    var head = head(of: record, dataBytes: dataBytes)
    if head.count - 8 + dataBytes > OperationLogFormat.recordBytesMax {
      var short = record
      short.path = .root
      short.otherPath = record.otherPath.map { _ in .root }
      short.mark = record.mark.map { _ in "" }
      head = OperationLogWriter.head(of: short, dataBytes: dataBytes)
    }
    var checksum = CRC32C()
    checksum.update(head.bytes[8...])
    for piece in data { checksum.update(piece) }
    head.overwrite(at: 0, UInt32(head.count - 8 + dataBytes))
    head.overwrite(at: 4, checksum.value)
    head.bytes.withUnsafeBytes { sink.append([$0] + data) }
  }

  /// Everything of a record but its data, with room for length and checksum.
  private static func head(of record: OperationRecord, dataBytes: Int) -> ByteWriter {
    var parts: OperationLogFormat.Parts = []
    if record.countedNumber != nil { parts.insert(.countedNumber) }
    if record.otherPath != nil { parts.insert(.otherPath) }
    if record.dataAddress != nil { parts.insert(.data) }
    if record.errno != nil { parts.insert(.errno) }
    if record.firedRule != nil { parts.insert(.rule) }
    if record.mark != nil { parts.insert(.mark) }
    let fault = FaultText.text(of: record)
    if fault != nil { parts.insert(.fault) }
    if record.attributes != nil { parts.insert(.attributes) }
    var head = ByteWriter(capacity: 192 + record.path.bytes.count)
    head.write(UInt64(0))
    head.write(OperationLogFormat.codes.first { $0.kind == record.kind }?.code ?? 0)
    head.write(UInt8(0))
    head.write(parts.rawValue)
    head.write(record.thread)
    for number in [
      record.number, record.countedNumber ?? 0, record.inode, record.offset, record.lengthAsked, record.lengthTaken,
      record.argument, UInt64(bitPattern: record.time),
    ] {
      head.write(number)
    }
    head.write(record.errno?.rawValue ?? 0)
    for text in [
      record.path.bytes, record.otherPath?.bytes, record.firedRule.map { Array($0.utf8) }, fault,
      record.mark.map { Array($0.utf8) }, record.attributes?.bytes,
    ] {
      head.write(UInt32(text?.count ?? 0))
      if let text { head.write(bytes: text) }
    }
    head.write(UInt32(dataBytes))
    return head
  }
}

extension OperationLogFormat {
  static func kind(of code: UInt8) -> OperationKind? { codes.first { $0.code == code }?.kind }
}
