import CJPEG

/// A picture in memory.
///
/// Rows from the top, four bytes a pixel: blue, green, red, and one that says nothing.
package struct Pixels: Hashable, Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// `width * height * 4` bytes.
  package internal(set) var bytes: [UInt8]

  /// A picture of these bytes. Precondition: there are `width * height * 4` of them.
  package init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(bytes.count == width * height * 4, "\(bytes.count) bytes for \(width) by \(height) pixels")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// What a part of a picture that could not be decoded looks like.
  static let missingGrey: UInt8 = 0xD0

  /// A JPEG scaled down to fit into `width` by `height` pixels; nil where nothing of it can be decoded.
  ///
  /// Of a picture that is cut or damaged the rows before the damage are there, the others are grey. However large the
  /// picture says it is, no more than some 256 MiB are used, and `JPEGCheck.pixelsMax` bounds the time.
  package static func decoding(_ jpeg: [UInt8], fitting width: Int, _ height: Int) -> Pixels? {
    precondition(width > 0 && height > 0, "a picture of \(width) by \(height) pixels")
    var target = cjpeg_pixels()
    (target.width_max, target.height_max) = (Int32(clamping: width), Int32(clamping: height))
    var outcome = cjpeg_outcome()
    var room = [UInt8](repeating: missingGrey, count: width * height * 4)
    room.withUnsafeMutableBufferPointer { buffer in
      target.bytes = buffer.baseAddress
      cjpeg_decode_pixels(jpeg, jpeg.count, JPEGCheck.pixelsMax, &target, &outcome)
      target.bytes = nil
    }
    guard target.rows > 0 else { return nil }
    return Pixels(
      width: Int(target.width), height: Int(target.height),
      bytes: Array(room.prefix(Int(target.width) * Int(target.height) * 4)))
  }

  /// The picture as a JPEG; the same bytes for the same pixels.
  package func jpeg(quality: Int) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = cjpeg_encode(bytes, Int32(width), Int32(height), 4, Int32(quality), &start)
    guard let start else { preconditionFailure("libjpeg made no picture of \(width) by \(height) pixels") }
    defer { cjpeg_free(start) }
    return Array(UnsafeBufferPointer(start: start, count: count))
  }
}
