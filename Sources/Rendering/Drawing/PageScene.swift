import LNoteFormat

/// A page as it is to be drawn.
package struct PageScene: Sendable {
  /// The size of its canvas, as the page says it.
  package var canvas: CanvasSize
  /// What is on it, the lowest first.
  package var elements: [PageElement]
  /// What whoever looks at it must know, as what is missing: drawn above the page. ASCII.
  package var notices: [String]

  /// A page of these values.
  package init(canvas: CanvasSize, elements: [PageElement], notices: [String] = []) {
    self.canvas = canvas
    self.elements = elements
    self.notices = notices
  }

  /// The canvas in tenths of a point; that of the app's usual page where the page names none.
  var size: (width: Double, height: Double) {
    canvas.width == 0 || canvas.height == 0 ? (8340, 11_940) : (Double(canvas.width), Double(canvas.height))
  }

  /// How much is a tenth of a point so that the canvas fits, in units of whoever draws it.
  func scale(fitting width: Double, _ height: Double) -> Double { min(width / size.width, height / size.height) }
}

/// Gives the bytes that an image shows; nil where they are not there or not what was inserted.
package typealias AssetSource = (PlacedImage) -> [UInt8]?
