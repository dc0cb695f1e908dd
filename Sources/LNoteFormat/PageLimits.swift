/// The sizes of format 1 and its limits, which are checked before anything is allocated.
package enum PageLimits {
  /// The largest page file that is read, in bytes.
  package static let fileBytesMax = 256 << 20
  /// The largest payload of one frame, in bytes.
  package static let framePayloadBytesMax = 64 << 20
  /// The most elements of one page.
  package static let elementsMax = 1_000_000
  /// The greatest generation: what JSON numbers of the entries can hold.
  package static let generationMax = UInt64(Int64.max)
  /// The length of a page file's header, in bytes.
  package static let headerBytes = 84
  /// What stands before a frame's payload (length, CRC, type), in bytes.
  package static let framePrefixBytes = 9
  /// A stroke's payload without its samples, in bytes.
  package static let strokeBytes = 32
  /// One sample of a stroke, in bytes.
  package static let sampleBytes = 16
  /// The greatest pressure of a sample.
  package static let pressureMax: UInt16 = 1000
  /// An image's payload, in bytes.
  package static let imageBytes = 80
  /// The length of a journal's header, in bytes.
  package static let journalHeaderBytes = 48
  /// The number before each payload of a journal, in bytes.
  package static let sequenceBytes = 8
  /// The payload of a journal's removal, in bytes.
  package static let removalBytes = 24
  /// What stands before the new element in the payload of a journal's replacement, in bytes.
  package static let replacementPrefixBytes = 25
}

/// A limit of format 1 that a file or a page exceeds.
package enum PageLimit: String, Hashable, Sendable {
  /// More bytes than `PageLimits.fileBytesMax`, found or announced.
  case fileBytes = "file-bytes"
  /// A whole frame with a payload of more than `PageLimits.framePayloadBytesMax` bytes.
  case frameBytes = "frame-bytes"
  /// More elements than `PageLimits.elementsMax`, found or announced.
  case elements
}
