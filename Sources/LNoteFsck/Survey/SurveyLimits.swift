import LNoteFormat

/// What the survey reads at the most; everything larger is reported and not read.
package enum SurveyLimits {
  /// Names in a folder in which documents are looked for.
  package static let namesMax = 1_000_000
  /// Names in one folder of a document; the app makes 4,000 pages at the most.
  package static let ownNamesMax = 100_000
  /// Bytes of `document.json` and `manifest.json`.
  package static let recordBytesMax = UInt64(RecordLimits.bytesMax)
  /// Bytes of a page.
  package static let pageBytesMax = UInt64(PageLimits.fileBytesMax)
  /// Bytes of an image.
  package static let assetBytesMax: UInt64 = 256 << 20
  /// Bytes of a thumbnail that is read; a larger one is another program's, and nobody's trouble.
  package static let thumbnailBytesMax: UInt64 = 4 << 20
  /// How many times a file or a package that changes meanwhile is read.
  package static let readingsMax = 3
  /// Bytes of an image that are read at one time.
  package static let pieceBytes = 1 << 20
  /// Folders within folders in which packages are looked for.
  package static let depthMax = 32
}
