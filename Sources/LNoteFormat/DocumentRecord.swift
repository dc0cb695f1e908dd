import JSON

/// The content of `document.json`, the source of truth for title and page order.
package struct DocumentRecord: Hashable, Sendable {
  /// The document's identity.
  package var id: NoteID
  /// The title.
  package var title: String
  /// When the document was made.
  package var created: Timestamp
  /// When it was last changed.
  package var modified: Timestamp
  /// +1 at each save of this file.
  package var generation: UInt64
  /// The pages in order.
  package var pages: [PageEntry]
  /// Pages whose file may still have to be removed.
  package var deleted: [DeletedPage]
  /// Losses of the document as a whole.
  package var losses: [RecordedLoss]
  /// Keys that this version does not know, kept on rewrite.
  package var unknown: [String: JSONValue]

  /// A document of these values.
  package init(
    id: NoteID, title: String, created: Timestamp, modified: Timestamp, generation: UInt64, pages: [PageEntry],
    deleted: [DeletedPage] = [], losses: [RecordedLoss] = [], unknown: [String: JSONValue] = [:]
  ) {
    self.id = id
    self.title = title
    self.created = created
    self.modified = modified
    self.generation = generation
    self.pages = pages
    self.deleted = deleted
    self.losses = losses
    self.unknown = unknown
  }
}

/// What `document.json` says of one page.
package struct PageEntry: Hashable, Sendable {
  /// The page's identity.
  package var id: NoteID
  /// The size of its canvas.
  package var canvas: CanvasSize
  /// Keys beside the canvas's width and height that this version does not know, kept on rewrite.
  package var canvasUnknown: [String: JSONValue] = [:]
  /// When the page was made.
  package var created: Timestamp
  /// When it was last changed.
  package var modified: Timestamp
  /// How many elements it has.
  package var elementCount: UInt64
  /// The page file's generation when this entry was written.
  package var generation: UInt64
  /// What a repair of this page could not bring back.
  package var losses: [RecordedLoss]
  /// Keys that this version does not know, kept on rewrite.
  package var unknown: [String: JSONValue]

  /// An entry of these values.
  package init(
    id: NoteID, canvas: CanvasSize, created: Timestamp, modified: Timestamp, elementCount: UInt64, generation: UInt64,
    losses: [RecordedLoss] = [], unknown: [String: JSONValue] = [:]
  ) {
    self.id = id
    self.canvas = canvas
    self.created = created
    self.modified = modified
    self.elementCount = elementCount
    self.generation = generation
    self.losses = losses
    self.unknown = unknown
  }
}

/// A page that was deleted and whose file is not yet surely removed.
package struct DeletedPage: Hashable, Sendable {
  /// The page's identity.
  package var id: NoteID
  /// The generation its file had.
  package var generation: UInt64
  /// Keys that this version does not know, kept on rewrite.
  package var unknown: [String: JSONValue]

  /// The page of this identity and generation.
  package init(id: NoteID, generation: UInt64, unknown: [String: JSONValue] = [:]) {
    self.id = id
    self.generation = generation
    self.unknown = unknown
  }
}

/// Content that a repair could not bring back, told in the document so that every copy tells it.
package struct RecordedLoss: Hashable, Sendable {
  /// When the repair ran.
  package var at: Timestamp
  /// The code of the problem, "LN3001".
  package var code: String
  /// How many elements are missing.
  package var elements: UInt64
  /// The repair's stamp, "20261130T140212Z": the folder of what was set aside.
  package var stamp: String
  /// True once the user has accepted the loss.
  package var isAccepted: Bool
  /// Keys that this version does not know, kept on rewrite.
  package var unknown: [String: JSONValue]

  /// A loss of these values.
  package init(
    at: Timestamp, code: String, elements: UInt64, stamp: String, isAccepted: Bool = false,
    unknown: [String: JSONValue] = [:]
  ) {
    self.at = at
    self.code = code
    self.elements = elements
    self.stamp = stamp
    self.isAccepted = isAccepted
    self.unknown = unknown
  }
}
