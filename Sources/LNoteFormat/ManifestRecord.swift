import JSON

/// The content of `manifest.json`, the library's cache of a document.
package struct ManifestRecord: Hashable, Sendable {
  /// The document's identity.
  package var id: NoteID
  /// The title it mirrors.
  package var title: String
  /// When the document was last changed.
  package var modified: Timestamp
  /// How many pages it has.
  package var pageCount: UInt64
  /// The first page; nil for a document without pages.
  package var coverPage: NoteID?
  /// The generation of `document.json` that this mirrors.
  package var documentGeneration: UInt64
  /// The losses of the document and its pages; nil where whoever wrote this does not mirror them.
  package var losses: [MirroredLoss]?
  /// Keys that this version does not know, kept on rewrite.
  package var unknown: [String: JSONValue]

  /// A manifest of these values.
  package init(
    id: NoteID, title: String, modified: Timestamp, pageCount: UInt64, coverPage: NoteID?, documentGeneration: UInt64,
    losses: [MirroredLoss]? = nil, unknown: [String: JSONValue] = [:]
  ) {
    self.id = id
    self.title = title
    self.modified = modified
    self.pageCount = pageCount
    self.coverPage = coverPage
    self.documentGeneration = documentGeneration
    self.losses = losses
    self.unknown = unknown
  }

  /// What the manifest of this document has to be, in the place of an `older` one.
  ///
  /// Keys of the older one that are unknown are kept. A list of losses that is empty is written only where there was a
  /// list before: then it says that they are no more.
  ///
  /// - Parameters:
  ///   - unknown: such keys of a damaged one, in the place of which no older one can be named.
  ///   - bytesMax: how long its file may become by the list.
  package init(
    mirroring document: DocumentRecord, after older: ManifestRecord? = nil, keeping unknown: [String: JSONValue] = [:],
    bytesMax: Int = RecordLimits.bytesMax
  ) {
    self.init(
      id: document.id, title: document.title, modified: document.modified, pageCount: UInt64(document.pages.count),
      coverPage: document.pages.first?.id, documentGeneration: document.generation, unknown: older?.unknown ?? unknown)
    var mirrored = document.mirroredLosses
    if mirrored.isEmpty && older?.losses == nil { return }
    losses = mirrored
    // Thousands of losses in a document of the greatest size do not fit twice: some are better than no manifest.
    while !mirrored.isEmpty && encoded().count > bytesMax {
      mirrored.removeLast((mirrored.count + 1) / 2)
      losses = mirrored
    }
  }
}

/// A loss as the manifest repeats it: it is not forgotten where `document.json` is lost in its turn.
package struct MirroredLoss: Hashable, Sendable {
  /// The page that it is a loss of; nil for one of the document as a whole.
  package var page: NoteID?
  /// The loss.
  package var loss: RecordedLoss

  /// The loss of a page, or of the document.
  package init(page: NoteID?, _ loss: RecordedLoss) {
    self.page = page
    self.loss = loss
    // A loss of a page that is no more names it itself.
    if page == nil, let named = loss.unknown["page"]?.string.flatMap({ NoteID($0) }) {
      self.page = named
      self.loss.unknown["page"] = nil
    }
  }

  /// The loss as one of the document, which names its page itself.
  package var ofDocument: RecordedLoss {
    var loss = loss
    if let page { loss.unknown["page"] = .string("\(page)") }
    return loss
  }
}

extension DocumentRecord {
  /// The losses of the document and of its pages, as a manifest repeats them.
  package var mirroredLosses: [MirroredLoss] {
    losses.map { MirroredLoss(page: nil, $0) }
      + pages.flatMap { page in page.losses.map { MirroredLoss(page: page.id, $0) } }
  }
}
