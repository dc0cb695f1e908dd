import Bytes

/// Writes and checks the frames of one body: a page snapshot's or a journal's.
///
///     offset  bytes  meaning
///          0      4  payload length, at least 1, at most 64 MiB
///          4      4  CRC-32C over magic, page UUID, generation, length, type, payload
///          8      1  type
///          9      n  payload
///
/// Source: Docs/reference/format.md.
package struct FrameCodec: Sendable {
  /// The checksum of what every frame of this body has in common.
  let prefix: CRC32C
  /// Whose frames they are.
  let body: FrameBody

  /// The frames of a page snapshot of this page and generation; `magic` is its file's, 8 bytes.
  package init(magic: [UInt8], page: NoteID, generation: UInt64) {
    self.init(magic: magic, page: page, generation: generation, body: .snapshot)
  }

  /// The frames of a file with this magic (8 bytes), of this page and generation.
  init(magic: [UInt8], page: NoteID, generation: UInt64, body: FrameBody) {
    var prefix = CRC32C()
    prefix.update(magic)
    prefix.update(page.bytes)
    withUnsafeBytes(of: generation.littleEndian) { prefix.update($0) }
    self.prefix = prefix
    self.body = body
  }

  /// The checksum of a frame whose first 9 bytes and payload are `frame`; the CRC among them does not count.
  func checksum(of frame: UnsafeRawBufferPointer) -> UInt32 {
    var crc = prefix
    crc.update(frame.part(0..<4))
    crc.update(frame.part(8..<frame.count))
    return crc.value
  }

  /// Appends a frame; `writePayload` writes its payload.
  ///
  /// Precondition: the payload has at least one byte and at most `PageLimits.framePayloadBytesMax`.
  package func append(type: UInt8, to writer: inout ByteWriter, writePayload: (inout ByteWriter) -> Void) {
    let start = writer.count
    writer.writeZeros(count: 8)
    writer.write(type)
    writePayload(&writer)
    let length = writer.count - start - PageLimits.framePrefixBytes
    precondition(length > 0 && length <= PageLimits.framePayloadBytesMax, "a frame's payload of \(length) bytes")
    writer.overwrite(at: start, UInt32(length))
    let crc = writer.bytes.withUnsafeBytes { checksum(of: $0.part(start..<$0.count)) }
    writer.overwrite(at: start + 4, crc)
  }

  /// What stands at `offset` of a file.
  enum Check: Equatable {
    /// A whole frame with a payload of so many bytes.
    case good(payloadLength: Int)
    /// A whole frame with a payload longer than we read.
    case overLimit
    case bad(FrameFault)
  }

  /// Checks the frame at `offset`, which may reach to the end of `file`.
  ///
  /// `isShort` tells that bytes are known to be missing at the file's end: a frame that passes it is cut then.
  func check(_ file: UnsafeRawBufferPointer, at offset: Int, isShort: Bool) -> Check {
    let behindPrefix = offset + PageLimits.framePrefixBytes
    guard behindPrefix <= file.count else { return .bad(isShort ? .cut : .lengthImplausible(0)) }
    let length = file.number(at: offset, as: UInt32.self)
    if length == 0 { return .bad(.zeroLength) }
    let isOverLimit = Int(length) > PageLimits.framePayloadBytesMax
    guard behindPrefix + Int(length) <= file.count else {
      return .bad(isShort && !isOverLimit ? .cut : .lengthImplausible(length))
    }
    let frame = file.part(offset..<(behindPrefix + Int(length)))
    let isGood = checksum(of: frame) == frame.number(at: 4, as: UInt32.self)
    if isOverLimit { return isGood ? .overLimit : .bad(.lengthImplausible(length)) }
    guard isGood else { return .bad(.checksum) }
    let payload = frame.part(PageLimits.framePrefixBytes..<frame.count)
    if let fault = body.fault(ofType: frame[8], payload: payload) { return .bad(.malformed(fault)) }
    return .good(payloadLength: Int(length))
  }
}
