/// What a walk along a file's JPEG markers found.
package struct JPEGWalk: Hashable, Sendable {
  /// What the file is; the first that applies.
  package enum Condition: Hashable, Sendable {
    /// Markers from the first to the end-of-image agree. Pixels were not decoded.
    case whole
    /// Not one byte.
    case zeroLength
    /// Nothing but zero bytes.
    case nulFilled
    /// Another kind of file.
    case notJPEG(ImageKind)
    /// No end-of-image marker: the file was cut here, or only zero bytes follow.
    case truncated(at: Int)
    /// Where a marker or a segment's length must stand, something else does.
    case damaged(at: Int)
  }

  /// What the file is.
  package var condition: Condition
  /// The file's size in bytes.
  package var size: Int
  /// The picture's width in pixels; 0 where no frame header was found.
  package var width = 0
  /// The picture's height in pixels; 0 where no frame header was found.
  package var height = 0
  /// How many bytes stand behind the end-of-image marker; some cameras write a second picture there.
  package var trailingBytes = 0

  /// A walk with this result.
  package init(_ condition: Condition, size: Int) {
    self.condition = condition
    self.size = size
  }
}
