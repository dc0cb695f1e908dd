import Bytes

extension PageSnapshot {
  /// The size of the page's file in bytes.
  package var encodedSize: Int {
    elements.reduce(PageLimits.headerBytes) { $0 + PageLimits.framePrefixBytes + $1.payloadLength }
  }

  /// The limit that this page exceeds; nil for a page that can be written.
  package var limitExceeded: PageLimit? {
    if elements.count > PageLimits.elementsMax { return .elements }
    if elements.contains(where: { $0.payloadLength > PageLimits.framePayloadBytesMax }) { return .frameBytes }
    return encodedSize > PageLimits.fileBytesMax ? .fileBytes : nil
  }

  /// The bytes of the page's file.
  ///
  /// Precondition: `limitExceeded` is nil, and the generation is at most `PageLimits.generationMax`.
  package func encoded() -> [UInt8] {
    if let limit = limitExceeded { preconditionFailure("a page beyond the limit of \(limit.rawValue)") }
    precondition(generation <= PageLimits.generationMax, "a page of generation \(generation)")
    let codec = FrameCodec(magic: PageHeader.magic, page: id, generation: generation)
    var writer = ByteWriter(capacity: encodedSize)
    writer.writeZeros(count: PageLimits.headerBytes)
    var list = CRC32C()
    for element in elements {
      let start = writer.count
      codec.append(type: element.type, to: &writer) { element.writePayload(to: &$0) }
      writer.bytes.withUnsafeBytes { list.update($0.part(start..<(start + 8))) }
    }
    let header = PageHeader(
      id: id, generation: generation, canvas: canvas, created: created, modified: modified,
      elementCount: UInt32(elements.count), bodyLength: UInt64(writer.count - PageLimits.headerBytes),
      frameListChecksum: list.value)
    return PageSnapshot.joined(header.encoded(), writer)
  }

  /// The writer's bytes with the header in their first place.
  private static func joined(_ header: [UInt8], _ writer: ByteWriter) -> [UInt8] {
    var bytes = writer.bytes
    bytes.withUnsafeMutableBytes { $0.copyBytes(from: header) }
    return bytes
  }
}
