import Bytes

extension PageHeader {
  /// The first 8 bytes of every page file. They show damage by 7-bit and text-mode transfers, as PNG's do.
  package static let magic: [UInt8] = [0x89, 0x4C, 0x4E, 0x50, 0x0D, 0x0A, 0x1A, 0x0A]

  // Offsets in the header; the table is in Docs/reference/format.md.
  static let versionOffset = 8
  static let checksumOffset = 44

  // A version beyond this is taken for damage and not for a newer app's page, unless the checksum fits.
  private static let versionPlausibleMax: UInt16 = 99

  /// The 84 bytes.
  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: PageLimits.headerBytes)
    writer.write(bytes: PageHeader.magic)
    writer.write(UInt16(1))
    writer.write(UInt16(PageLimits.headerBytes))
    writer.write(UInt32(0))
    writer.write(bytes: id.bytes)
    writer.write(elementCount)
    writer.write(canvas.width)
    writer.write(canvas.height)
    writer.write(UInt32(0))
    writer.write(generation)
    writer.write(bodyLength)
    writer.write(created.milliseconds)
    writer.write(modified.milliseconds)
    writer.write(frameListChecksum)
    writer.overwrite(at: PageHeader.checksumOffset, CRC32C.checksum(of: writer.bytes))
    return writer.bytes
  }

  /// What the first 84 bytes say, whether or not their checksum fits. Precondition: there are so many.
  init(unproven file: UnsafeRawBufferPointer) {
    self.init(
      id: file.identity(at: 16), generation: file.number(at: 48),
      canvas: CanvasSize(width: file.number(at: 36), height: file.number(at: 40)),
      created: Timestamp(milliseconds: file.number(at: 64)), modified: Timestamp(milliseconds: file.number(at: 72)),
      elementCount: file.number(at: 32), bodyLength: file.number(at: 56), frameListChecksum: file.number(at: 80))
  }

  /// The header of a page file, or what is wrong with it.
  static func read(_ file: UnsafeRawBufferPointer) -> Result<PageHeader, PageHeaderFault> {
    if file.isEmpty { return .failure(.init(.zeroLength)) }
    if file[0] == 0, file.isZero(0..<file.count) { return .failure(.init(.nulFilled)) }
    guard file.count >= PageLimits.headerBytes else {
      let isPage = file.prefix(8).elementsEqual(magic.prefix(file.count))
      return .failure(.init(isPage ? .headerCut(missing: PageLimits.headerBytes - file.count) : .notAPage))
    }
    let header = Array(file[..<PageLimits.headerBytes])
    let version = file.number(at: versionOffset, as: UInt16.self)
    let hasMagic = header.starts(with: magic)
    guard hasMagic, checksumFits(header) else {
      return .failure(.init(damage(of: header, version: version, hasMagic: hasMagic)))
    }
    if version != 1 { return .failure(.init(.versionUnknown(version))) }
    let read = PageHeader(unproven: file)
    if file.number(at: 10, as: UInt16.self) != UInt16(PageLimits.headerBytes) {
      return .failure(.init(.headerFault(.headerLength)))
    }
    if file.number(at: 12, as: UInt32.self) != 0 { return .failure(.init(.headerFault(.flags))) }
    if read.generation > PageLimits.generationMax { return .failure(.init(.headerFault(.generation))) }
    if read.elementCount > PageLimits.elementsMax { return .failure(.init(.limitExceeded(.elements))) }
    if read.bodyLength > UInt64(PageLimits.fileBytesMax - PageLimits.headerBytes) {
      return .failure(.init(.limitExceeded(.fileBytes)))
    }
    return .success(read)
  }

  /// What a header is whose magic or checksum does not fit.
  private static func damage(of header: [UInt8], version: UInt16, hasMagic: Bool) -> PageCondition {
    var restored = header
    restored.replaceSubrange(0..<8, with: magic)
    if !hasMagic { return checksumFits(restored) ? .headerDamaged : .notAPage }
    if version == 1 || version > versionPlausibleMax { return .headerDamaged }
    // A header of ours in which only the version was hit still fits when that is put right.
    restored[versionOffset] = 1
    restored[versionOffset + 1] = 0
    return version == 0 || checksumFits(restored) ? .headerDamaged : .versionUnknown(version)
  }

  /// True where the first 84 bytes agree with the checksum among them.
  static func checksumFits(_ file: UnsafeRawBufferPointer) -> Bool {
    file.count >= PageLimits.headerBytes && checksumFits(Array(file[..<PageLimits.headerBytes]))
  }

  private static func checksumFits(_ header: [UInt8]) -> Bool {
    var zeroed = header
    zeroed.replaceSubrange(checksumOffset..<(checksumOffset + 4), with: [0, 0, 0, 0])
    let written = (0..<4).reduce(UInt32(0)) { $0 | UInt32(header[checksumOffset + $1]) << (8 * UInt32($1)) }
    return CRC32C.checksum(of: zeroed) == written
  }
}

/// Why a file has no header that can be used.
struct PageHeaderFault: Error {
  let condition: PageCondition

  init(_ condition: PageCondition) { self.condition = condition }
}
