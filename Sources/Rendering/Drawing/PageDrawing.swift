import CCairo
import Glibc
import LNoteFormat

/// Draws a page on a sheet: a white canvas, and its elements from the lowest to the highest.
struct PageDrawing {
  private let sheet: Sheet
  private let scale: Double
  private let pixelsPerUnit: Double
  private let assets: AssetSource
  // A page may show one picture a thousand times, or a thousand pictures.
  private var pictures: [NoteID: Pixels] = [:]
  private var pixelsLeft = PageDrawing.pixelsMax

  /// How many pixels of pictures are decoded for one page.
  static let pixelsMax = 24 << 20
  /// The longest side of a picture that is decoded.
  static let pictureSideMax = 2400

  /// - Parameters:
  ///   - scale: units of the sheet to a tenth of a point.
  ///   - pixelsPerUnit: how fine pictures are drawn.
  init(on sheet: Sheet, scale: Double, pixelsPerUnit: Double, assets: @escaping AssetSource) {
    self.sheet = sheet
    self.scale = scale
    self.pixelsPerUnit = pixelsPerUnit
    self.assets = assets
  }

  /// Draws the page with its upper left corner at `top` below the sheet's.
  mutating func draw(_ scene: PageScene, top: Double) {
    let (width, height) = (scene.size.width * scale, scene.size.height * scale)
    sheet.inside(x: 0, y: top, width: width, height: height) {
      sheet.fill(.white)
      for element in scene.elements {
        switch element {
        case .stroke(let stroke): draw(stroke)
        case .image(let image): draw(image)
        case .unknown: break
        }
      }
    }
  }

  private func draw(_ stroke: Stroke) {
    let tolerance = sheet.tolerance
    let path = PenPath(stroke, scale: scale).simplified(tolerance: tolerance)
    sheet.fill(StrokeOutline(of: path, tolerance: tolerance), Colour(rgba: stroke.colour))
  }

  private mutating func draw(_ image: PlacedImage) {
    let (width, height) = (Double(image.width) * scale, Double(image.height) * scale)
    guard width > 0, height > 0 else { return }
    let turn = Double(image.rotation) / 1000 * Double.pi / 180
    let (x, y) = (Double(image.x) * scale, Double(image.y) * scale)
    let pixels = picture(of: image, width: width, height: height)
    sheet.turned(by: turn, x: x, y: y, width: width, height: height) {
      if let pixels { sheet.draw(pixels, width: width, height: height) } else { drawMissing(width, height) }
    }
  }

  /// A grey box with a cross: an image belongs here.
  private func drawMissing(_ width: Double, _ height: Double) {
    sheet.fill(width: width, height: height, .pale)
    let thin = max(min(width, height) / 100, sheet.tolerance)
    for (from, to) in [((0.0, 0.0), (width, height)), ((width, 0.0), (0.0, height))] {
      let path = PenPath(points: [PenPoint(from.0, from.1, radius: thin), PenPoint(to.0, to.1, radius: thin)])
      sheet.fill(StrokeOutline(of: path, tolerance: sheet.tolerance), .grey)
    }
  }

  private mutating func picture(of image: PlacedImage, width: Double, height: Double) -> Pixels? {
    if let known = pictures[image.asset] { return known }
    guard pixelsLeft > 0, let bytes = assets(image) else { return nil }
    let side = Double(PageDrawing.pictureSideMax)
    let columns = min(max(width * pixelsPerUnit, 1), side)
    let rows = min(max(height * pixelsPerUnit, 1), side)
    guard Int(columns) * Int(rows) <= pixelsLeft else { return nil }
    guard let pixels = Pixels.decoding(bytes, fitting: Int(columns), Int(rows)) else { return nil }
    pixelsLeft -= pixels.width * pixels.height
    pictures[image.asset] = pixels
    return pixels
  }
}
