import Bytes

/// The header of a journal whose checksum fits: its page, and the snapshot that its changes go on.
///
///     offset  bytes  meaning
///          0      8  magic
///          8      2  format version, 1
///         10      2  length of this header, 48
///         12      4  flags, zero
///         16     16  page UUID
///         32      8  base: the generation of the snapshot that the changes go on
///         40      4  the checksum in that snapshot's header
///         44      4  CRC-32C over the bytes 0 to 43
///
/// Source: Docs/reference/format.md.
package struct JournalHeader: Hashable, Sendable {
  /// The page's identity.
  package let page: NoteID
  /// The generation of the snapshot that the changes go on.
  package let base: UInt64
  /// The checksum in that snapshot's header: another snapshot of the same generation has another one.
  package let baseChecksum: UInt32

  /// The first 8 bytes of every journal.
  package static let magic: [UInt8] = [0x89, 0x4C, 0x4E, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A]

  /// What the first 48 bytes say, whether or not their checksum fits. Precondition: there are so many.
  init(unproven file: UnsafeRawBufferPointer) {
    page = file.identity(at: 16)
    base = file.number(at: 32)
    baseChecksum = file.number(at: 40)
  }

  /// The header of a journal, or what is wrong with it.
  static func read(_ file: UnsafeRawBufferPointer) -> Result<JournalHeader, JournalHeaderFault> {
    if file.isZero(0..<file.count) { return .failure(.init(file.isEmpty ? .headerCut : .nulFilled)) }
    guard file.count >= PageLimits.journalHeaderBytes else { return .failure(.init(.headerCut)) }
    guard file.prefix(8).elementsEqual(magic),
      CRC32C.checksum(of: file.part(0..<44)) == file.number(at: 44, as: UInt32.self)
    else { return .failure(.init(.headerDamaged)) }
    let version = file.number(at: 8, as: UInt16.self)
    if version != 1 { return .failure(.init(.versionUnknown(version))) }
    if file.number(at: 10, as: UInt16.self) != UInt16(PageLimits.journalHeaderBytes) {
      return .failure(.init(.headerFault(.headerLength)))
    }
    if file.number(at: 12, as: UInt32.self) != 0 { return .failure(.init(.headerFault(.flags))) }
    let header = JournalHeader(unproven: file)
    return header.base > PageLimits.generationMax ? .failure(.init(.headerFault(.generation))) : .success(header)
  }
}

/// Why a file has no journal header that can be used.
struct JournalHeaderFault: Error {
  let condition: JournalCondition

  init(_ condition: JournalCondition) { self.condition = condition }
}

extension PageHeader {
  /// The checksum that stands in this header: what a journal of this snapshot repeats.
  package var checksum: UInt32 {
    encoded().withUnsafeBytes { $0.number(at: PageHeader.checksumOffset) }
  }
}
