import CCairo

/// A colour with its opacity, each part from 0 to 1.
struct Colour: Hashable, Sendable {
  let red: Double
  let green: Double
  let blue: Double
  let opacity: Double

  static let white = Colour(rgba: 0xFFFF_FFFF)
  static let black = Colour(rgba: 0x0000_00FF)
  static let pale = Colour(rgba: 0xEEEE_EEFF)
  static let grey = Colour(rgba: 0x9999_99FF)
  static let amber = Colour(rgba: 0xFFE9_A8FF)

  /// Red in the highest byte, opacity in the lowest.
  init(rgba: UInt32) {
    func part(_ shift: UInt32) -> Double { Double(rgba >> shift & 0xFF) / 255 }
    (red, green, blue, opacity) = (part(24), part(16), part(8), part(0))
  }
}

/// What cairo draws on; owns the surface and its context. Not for use by several threads.
final class Sheet {
  /// How far what is drawn may be from what is meant, in units of the sheet.
  let tolerance: Double
  let surface: OpaquePointer
  let context: OpaquePointer
  /// True where pictures go into a file as JPEGs.
  private let keepsJPEGs: Bool

  /// Quality of the pictures that are put into a PDF file.
  private static let pictureQuality = 85
  // cairo's own font, drawn from lines: the same everywhere, also where no font is installed.
  private static let font = "@cairo:"

  /// Takes over a surface that was just made.
  init(_ surface: OpaquePointer, tolerance: Double, keepsJPEGs: Bool = false) {
    self.surface = surface
    self.tolerance = tolerance
    self.keepsJPEGs = keepsJPEGs
    guard let context = cairo.create(surface) else { preconditionFailure("cairo made no context") }
    self.context = context
    cairo.set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
    cairo.set_tolerance(context, tolerance)
  }

  deinit {
    cairo.destroy(context)
    cairo.surface_destroy(surface)
  }

  // MARK: Places

  /// Draws with a new upper left corner, and nothing outside of the rectangle.
  func inside(x: Double, y: Double, width: Double, height: Double, _ body: () -> Void) {
    cairo.save(context)
    cairo.translate(context, x, y)
    cairo.rectangle(context, 0, 0, width, height)
    cairo.clip(context)
    body()
    cairo.restore(context)
  }

  /// Draws with the upper left corner at a rectangle's, which is turned clockwise around its middle.
  func turned(by angle: Double, x: Double, y: Double, width: Double, height: Double, _ body: () -> Void) {
    cairo.save(context)
    cairo.translate(context, x + width / 2, y + height / 2)
    cairo.rotate(context, angle)
    cairo.translate(context, -width / 2, -height / 2)
    body()
    cairo.restore(context)
  }

  // MARK: Areas

  /// Fills all there is.
  func fill(_ colour: Colour) {
    set(colour)
    cairo.paint(context)
  }

  func fill(width: Double, height: Double, _ colour: Colour) {
    set(colour)
    cairo.rectangle(context, 0, 0, width, height)
    cairo.fill(context)
  }

  func fill(_ outline: StrokeOutline, _ colour: Colour) {
    if outline.starts.isEmpty { return }
    set(colour)
    cairo.new_path(context)
    for piece in outline.pieces {
      guard let first = piece.first else { continue }
      cairo.move_to(context, first.x, first.y)
      for corner in piece.dropFirst() { cairo.line_to(context, corner.x, corner.y) }
      cairo.close_path(context)
    }
    cairo.fill(context)
  }

  /// Draws a picture from the upper left corner on.
  func draw(_ pixels: Pixels, width: Double, height: Double) {
    guard let picture = cairo.image_surface_create(CAIRO_FORMAT_RGB24, Int32(pixels.width), Int32(pixels.height))
    else { return }
    defer { cairo.surface_destroy(picture) }
    guard cairo.surface_status(picture) == CAIRO_STATUS_SUCCESS else { return }
    pixels.write(to: picture)
    if keepsJPEGs { Sheet.attach(pixels.jpeg(quality: Sheet.pictureQuality), to: picture) }
    cairo.save(context)
    cairo.scale(context, width / Double(pixels.width), height / Double(pixels.height))
    cairo.set_source_surface(context, picture, 0, 0)
    // Beyond the edge the last pixel goes on, or the edge would fade into the page.
    cairo.pattern_set_extend(cairo.get_source(context), CAIRO_EXTEND_PAD)
    cairo.rectangle(context, 0, 0, Double(pixels.width), Double(pixels.height))
    cairo.fill(context)
    cairo.restore(context)
  }

  /// The file then holds this JPEG in place of the pixels.
  private static func attach(_ jpeg: [UInt8], to picture: OpaquePointer) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: jpeg.count)
    _ = copy.initialize(from: jpeg)
    let status = cairo.surface_set_mime_data(
      picture, CAIRO_MIME_TYPE_JPEG, copy.baseAddress, UInt(copy.count), { $0?.deallocate() }, copy.baseAddress)
    if status != CAIRO_STATUS_SUCCESS { copy.deallocate() }
  }

  // MARK: Words

  /// The lines that a text takes in this width.
  func lines(of text: String, size: Double, width: Double) -> [String] {
    setFont(size)
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, self.width(of: "\(last) \(word)") <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// Writes a line; `y` is where its letters stand.
  func write(_ line: String, x: Double, y: Double, size: Double) {
    setFont(size)
    set(.black)
    cairo.move_to(context, x, y)
    cairo.show_text(context, line)
  }

  private func width(of text: String) -> Double {
    var extents = cairo_text_extents_t()
    cairo.text_extents(context, text, &extents)
    return extents.x_advance
  }

  private func setFont(_ size: Double) {
    cairo.select_font_face(context, Sheet.font, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
    cairo.set_font_size(context, size)
  }

  private func set(_ colour: Colour) {
    cairo.set_source_rgba(context, colour.red, colour.green, colour.blue, colour.opacity)
  }
}

extension Pixels {
  /// Puts the rows where cairo keeps them.
  fileprivate func write(to surface: OpaquePointer) {
    cairo.surface_flush(surface)
    let stride = Int(cairo.image_surface_get_stride(surface))
    guard let target = cairo.image_surface_get_data(surface) else { return }
    bytes.withUnsafeBytes { source in
      for row in 0..<height {
        let piece = UnsafeRawBufferPointer(rebasing: source[(row * width * 4)..<((row + 1) * width * 4)])
        UnsafeMutableRawBufferPointer(start: target + row * stride, count: width * 4).copyMemory(from: piece)
      }
    }
    cairo.surface_mark_dirty(surface)
  }

  /// What was drawn on an image surface.
  init?(reading surface: OpaquePointer, width: Int, height: Int) {
    cairo.surface_flush(surface)
    let stride = Int(cairo.image_surface_get_stride(surface))
    guard let source = cairo.image_surface_get_data(surface) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 4)
    for row in 0..<height {
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: source + row * stride, count: width * 4))
    }
    self.init(width: width, height: height, bytes: bytes)
  }
}
