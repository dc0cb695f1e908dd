/// What is taken from an archive at the most; whatever is beyond is told, and not held.
package struct ArchiveLimits: Sendable {
  /// Bytes of one entry; a larger one is there with its size, and its content is not.
  package var entryBytesMax: UInt64 = 256 << 20
  /// Entries; behind them the archive is read no further.
  package var entriesMax = 500_000
  /// Bytes of all names together.
  package var nameBytesMax = 128 << 20
  /// Folders within folders.
  package var depthMax = 64
  /// Bytes that are held in memory before the rest goes to an unnamed file.
  package var memoryBytesMax = 64 << 20
  /// Bytes of all entries together that any archive may unpack to.
  package var unpackedBytesMax: UInt64 = 1 << 30
  /// How many times its own size an archive may unpack to, where that is more.
  package var unpackedTimesMax: UInt64 = 100

  /// The limits that users meet.
  package init() {}

  /// How far an archive of this size is unpacked.
  func unpackedBytes(ofArchive size: UInt64) -> UInt64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: unpackedTimesMax)
    return overflow ? .max : max(unpackedBytesMax, product)
  }
}
