/// The content of one page file, `pages/<page-uuid>.content`.
package struct PageSnapshot: Hashable, Sendable {
  /// The page's identity.
  package var id: NoteID
  /// Counts the bodies this page ever had; greater is newer, inside one package only.
  package var generation: UInt64
  /// The size of the canvas.
  package var canvas: CanvasSize
  /// When the page was made.
  package var created: Timestamp
  /// When it was last changed.
  package var modified: Timestamp
  /// The elements in z-order.
  package var elements: [PageElement]

  /// A page of these values.
  package init(
    id: NoteID, generation: UInt64, canvas: CanvasSize, created: Timestamp, modified: Timestamp,
    elements: [PageElement]
  ) {
    self.id = id
    self.generation = generation
    self.canvas = canvas
    self.created = created
    self.modified = modified
    self.elements = elements
  }
}

/// Width and height of a canvas in 0.1 pt.
package struct CanvasSize: Hashable, Sendable {
  /// Width in 0.1 pt.
  package var width: UInt32
  /// Height in 0.1 pt.
  package var height: UInt32

  /// A canvas of this size.
  package init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }
}

/// Milliseconds since 1970-01-01 UTC.
package struct Timestamp: Hashable, Comparable, Sendable {
  /// The count.
  package let milliseconds: Int64

  /// The moment of this count.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Order in time.
  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
