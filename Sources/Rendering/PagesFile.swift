import CCairo
import LNoteFormat

/// A PDF file that is made page by page, and handed on piece by piece as it grows.
package final class PagesFile {
  /// Why a PDF file was not made.
  package struct Failure: Error, Hashable, Sendable {
    /// cairo's words.
    package let reason: String
  }

  // 1/72 inch; what every reader of PDF takes.
  private static let sideMax = 14_400.0
  private static let tolerance = 0.1
  // 150 pixels an inch.
  private static let pixelsPerPoint = 150.0 / 72

  private let sink: Sink
  private let sheet: Sheet

  /// A file whose pieces `write` takes; false from it ends the file. The same pages give the same bytes.
  ///
  /// - Parameters:
  ///   - title: what the file says of itself; nil for nothing.
  ///   - created: an RFC 3339 time, without a fraction.
  package init(title: String?, created: String, write: @escaping (UnsafeRawBufferPointer) -> Bool) {
    sink = Sink(write: write)
    let surface = cairo.pdf_surface_create_for_stream(
      { closure, data, count in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        let sink = Unmanaged<Sink>.fromOpaque(closure).takeUnretainedValue()
        return sink.write(UnsafeRawBufferPointer(start: data, count: Int(count)))
          ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR
      }, Unmanaged.passUnretained(sink).toOpaque(), 1, 1)
    guard let surface else { preconditionFailure("cairo made no surface for a PDF file") }
    if let title { cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title) }
    cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, created)
    sheet = Sheet(surface, tolerance: PagesFile.tolerance, keepsJPEGs: true)
  }

  // cairo writes the rest when the surface ends, which must not be after the sink.
  deinit { cairo.surface_finish(sheet.surface) }

  /// Adds a page; its notices stand in a band above the canvas.
  package func add(_ scene: PageScene, assets: @escaping AssetSource) {
    let side = PagesFile.sideMax * 0.9
    let scale = min(0.1, scene.scale(fitting: side, side))
    let (width, height) = (max(scene.size.width * scale, 1), max(scene.size.height * scale, 1))
    let band = NoticeBand(scene.notices, width: width, on: sheet)
    cairo.pdf_surface_set_size(sheet.surface, width, min(height + band.height, PagesFile.sideMax))
    band.draw()
    var drawing = PageDrawing(
      on: sheet, scale: scale, pixelsPerUnit: PagesFile.pixelsPerPoint, assets: assets)
    drawing.draw(scene, top: band.height)
    cairo.show_page(sheet.context)
  }

  /// Ends the file; throws where it could not be made or written.
  package func finish() throws(Failure) {
    cairo.surface_finish(sheet.surface)
    for status in [cairo.surface_status(sheet.surface), cairo.status(sheet.context)] {
      // A context on a finished surface says so; that is none.
      if status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_SURFACE_FINISHED { continue }
      throw Failure(reason: cairo.status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)")
    }
  }
}

/// What cairo hands its pieces to.
private final class Sink {
  let write: (UnsafeRawBufferPointer) -> Bool

  init(write: @escaping (UnsafeRawBufferPointer) -> Bool) { self.write = write }
}

/// Sentences above a page.
private struct NoticeBand {
  let height: Double
  private let lines: [String]
  private let size: Double
  private let width: Double
  private let sheet: Sheet

  init(_ notices: [String], width: Double, on sheet: Sheet) {
    self.sheet = sheet
    self.width = width
    size = min(12, max(width / 40, 1))
    let room = width - size * 2
    lines = notices.flatMap { sheet.lines(of: $0, size: min(12, max(width / 40, 1)), width: room) }
    height = lines.isEmpty ? 0 : (Double(lines.count) * 1.4 + 1.2) * size
  }

  func draw() {
    if lines.isEmpty { return }
    sheet.fill(width: width, height: height, .amber)
    for (place, line) in lines.enumerated() {
      sheet.write(line, x: size, y: (Double(place) * 1.4 + 1.6) * size, size: size)
    }
  }
}
