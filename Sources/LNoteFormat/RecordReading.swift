import JSON

/// What `document.json` or `manifest.json` turned out to be. The first that applies is told.
package enum RecordCondition: Hashable, Sendable {
  /// The checksum fits and every field is there.
  case whole
  /// Every field is there, and no checksum of ours stands at the beginning: somebody edited it.
  case unverified
  /// Not one byte.
  case zeroLength
  /// Nothing but zero bytes.
  case nulFilled
  /// More than `RecordLimits.bytesMax` bytes.
  case tooLarge
  /// No JSON, or JSON of a kind that is refused; the error tells the place.
  case notJSON(JSONError)
  /// JSON, but a byte was changed since a writer of ours wrote it; nil where its eight digits are none.
  case checksumDiffers(written: UInt32?, computed: UInt32)
  /// Another format version; nothing is known about its content.
  case versionUnknown(Int64)
  /// The checksum fits or is absent, but a field is absent or of the wrong kind.
  case fieldFault(RecordFault)

  /// True for a record that may be used: whole or unverified.
  package var isReadable: Bool { self == .whole || self == .unverified }
}

/// A field of a record that is absent or of the wrong kind.
package struct RecordFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where: "pages[3].canvas.width".
  package let keyPath: String
  /// What is wrong, in words: "is missing", "must be a whole number from 0 on".
  package let reason: String

  /// A fault of these values.
  package init(keyPath: String, reason: String) {
    self.keyPath = keyPath
    self.reason = reason
  }

  /// "pages[3].canvas.width is missing".
  package var description: String { "\(keyPath) \(reason)" }
}

/// `document.json` or `manifest.json`, read.
package struct RecordReading<Record: Hashable & Sendable>: Hashable, Sendable {
  /// What the file is.
  package let condition: RecordCondition
  /// The record. There when `condition.isReadable`, and where only the checksum differs, if its fields allow.
  package let record: Record?

  /// A reading of these values.
  package init(condition: RecordCondition, record: Record?) {
    self.condition = condition
    self.record = record
  }
}

/// Limits of the two JSON files.
package enum RecordLimits {
  /// The most bytes of `document.json` or `manifest.json`.
  package static let bytesMax = 2 << 20
  /// How many arrays and objects may lie within each other.
  package static let depthMax = 64
}

/// What could be read of a `document.json` that is damaged.
package struct SalvagedDocument: Hashable, Sendable {
  /// The identity, where its line is whole.
  package var id: NoteID?
  /// The title, where its line is whole.
  package var title: String?
  /// When the document was made, where its line is whole.
  package var created: Timestamp?
  /// When it was last changed, where its line is whole.
  package var modified: Timestamp?
  /// The generation, where its line is whole.
  package var generation: UInt64?
  /// The page entries that are complete, in the order of the file.
  package var pages: [PageEntry] = []
  /// The deleted pages that are complete.
  package var deleted: [DeletedPage] = []
  /// The document's losses that are complete.
  package var losses: [RecordedLoss] = []
  /// Entries of which not every field can be read, in the order of the file.
  package var partial: [PartialEntry] = []
  /// Members that this version does not know and that can be read.
  package var unknown: [String: JSONValue] = [:]
  /// True where the file is JSON to its end: then no other members were in it.
  package var isComplete = false

  /// Nothing yet.
  package init() {}
}

/// A page's entry of which some field cannot be read: what the page itself does not say.
package struct PartialEntry: Hashable, Sendable {
  /// The page.
  package var id: NoteID
  /// The page that is listed before it; nil where none is, or where that cannot be read.
  package var after: NoteID?
  /// The losses of the page that are complete.
  package var losses: [RecordedLoss]
  /// Members beside the canvas's size that this version does not know.
  package var canvasUnknown: [String: JSONValue]
  /// Members that this version does not know.
  package var unknown: [String: JSONValue]
}
