/// The header of a page file whose checksum fits.
package struct PageHeader: Hashable, Sendable {
  /// The page's identity.
  package var id: NoteID
  /// The generation of this body.
  package var generation: UInt64
  /// The size of the canvas.
  package var canvas: CanvasSize
  /// When the page was made.
  package var created: Timestamp
  /// When it was last changed.
  package var modified: Timestamp
  /// How many elements the body has.
  package var elementCount: UInt32
  /// The length of the body in bytes.
  package var bodyLength: UInt64
  /// The CRC-32C over the (length, CRC) pairs of all frames.
  package var frameListChecksum: UInt32

  /// A header of these values.
  package init(
    id: NoteID, generation: UInt64, canvas: CanvasSize, created: Timestamp, modified: Timestamp, elementCount: UInt32,
    bodyLength: UInt64, frameListChecksum: UInt32
  ) {
    self.id = id
    self.generation = generation
    self.canvas = canvas
    self.created = created
    self.modified = modified
    self.elementCount = elementCount
    self.bodyLength = bodyLength
    self.frameListChecksum = frameListChecksum
  }
}
