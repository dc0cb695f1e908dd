import CCairo
import LNoteFormat

/// Pictures of pages in memory.
package enum PagePicture {
  /// The longest side of a picture, in pixels.
  package static let sideMax = 4096
  private static let tolerance = 0.25

  /// The page, without its notices, as large as fits into `width` by `height` pixels.
  ///
  /// The same page gives the same pixels. Precondition: both are from 1 to `sideMax`.
  package static func pixels(
    of scene: PageScene, fitting width: Int, _ height: Int, assets: @escaping AssetSource
  ) -> Pixels {
    precondition(
      (1...sideMax).contains(width) && (1...sideMax).contains(height), "a picture of \(width) by \(height) pixels")
    let scale = scene.scale(fitting: Double(width), Double(height))
    let columns = min(max(Int((scene.size.width * scale).rounded()), 1), width)
    let rows = min(max(Int((scene.size.height * scale).rounded()), 1), height)
    guard let surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, Int32(columns), Int32(rows)) else {
      preconditionFailure("cairo made no surface of \(columns) by \(rows) pixels")
    }
    let sheet = Sheet(surface, tolerance: tolerance)
    // A canvas of a fraction of a pixel still shows as paper.
    sheet.fill(.white)
    var drawing = PageDrawing(on: sheet, scale: scale, pixelsPerUnit: 1, assets: assets)
    drawing.draw(scene, top: 0)
    guard let pixels = Pixels(reading: surface, width: columns, height: rows) else {
      preconditionFailure("cairo has no room for a picture of \(columns) by \(rows) pixels")
    }
    return pixels
  }
}
