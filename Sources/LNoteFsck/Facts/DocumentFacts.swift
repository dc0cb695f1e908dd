import Files
import JSON
import LNoteFormat

/// What stands at `document.json`.
package struct DocumentFacts: Sendable {
  /// The file; nil where there is none.
  package let file: FileFacts?
  /// What its bytes are; nil where there are none or they were not read.
  package let content: DocumentContent?

  /// The document where it can be trusted to decide about pages: whole, or without a checksum but valid.
  ///
  /// Where single fields of it are of no use, stand-ins are in them; a view has what is known in their places.
  package var trusted: DocumentRecord? {
    switch content {
    case .whole(let record), .unverified(let record): record
    case .faulty(let mended): mended.record
    default: nil
    }
  }
}

/// What the bytes of `document.json` are.
package enum DocumentContent: Sendable {
  /// Every byte agrees.
  case whole(DocumentRecord)
  /// Valid, but without a checksum: somebody edited it.
  case unverified(DocumentRecord)
  /// Valid but for single fields, which are of no use.
  case faulty(MendedDocument)
  /// Valid as JSON, but its checksum differs.
  case mismatched(DocumentRecord)
  /// Not a single byte.
  case empty
  /// All zeros, or a long run of zeros at a sector's start.
  case zeros(SalvagedDocument)
  /// A version that this tool does not know.
  case unknownVersion(Int)
  /// No JSON, or not the JSON of a document. An anomaly is what some programs read, each in its way.
  case damaged(reason: String, offset: UInt64?, isAnomaly: Bool, SalvagedDocument)
}

extension DocumentContent {
  /// What it says, where it can be read to its end.
  var record: DocumentRecord? {
    switch self {
    case .whole(let record), .unverified(let record), .mismatched(let record): record
    case .faulty(let mended): mended.record
    default: nil
    }
  }
}

/// What stands at `manifest.json`.
package struct ManifestFacts: Sendable {
  /// The file; nil where there is none.
  package let file: FileFacts?
  /// What it says, where every byte agrees or it only lacks a checksum.
  package let record: ManifestRecord?
  /// What is wrong with it; nil where nothing is.
  package let damage: String?
  /// Members that this version does not know: a new manifest keeps them, also those of a damaged one.
  package let unknown: [String: JSONValue]
}
