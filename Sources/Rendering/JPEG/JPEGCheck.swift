import CJPEG
import Glibc

/// Checks pictures without believing them. Never traps, whatever the bytes are.
package enum JPEGCheck {
  /// Walks from marker to marker: finds every cut and every tail of zeros, but no change of pixels.
  package static func walk(_ bytes: [UInt8]) -> JPEGWalk { bytes.withUnsafeBytes { walk($0) } }

  /// The same for a buffer.
  package static func walk(_ file: UnsafeRawBufferPointer) -> JPEGWalk {
    if file.isEmpty { return JPEGWalk(.zeroLength, size: 0) }
    if file[0] == 0, !file.contains(where: { $0 != 0 }) { return JPEGWalk(.nulFilled, size: file.count) }
    let isCutShort = file.count < 3 && file.elementsEqual([0xFF, 0xD8].prefix(file.count))
    if isCutShort { return JPEGWalk(.truncated(at: file.count), size: file.count) }
    // A start of image with anything but a marker behind it is a damaged JPEG.
    guard file[0] == 0xFF, file[1] == 0xD8 else {
      return JPEGWalk(.notJPEG(ImageKind.of(file)), size: file.count)
    }
    var walker = MarkerWalker(file: file)
    return walker.run()
  }

  /// The most pixels that `decode` decodes: 256 million.
  package static let pixelsMax: Int64 = 1 << 28

  /// Decodes at an eighth of the size and throws the pixels away; tells what libjpeg complained about.
  package static func decode(_ bytes: [UInt8]) -> JPEGDecoding { bytes.withUnsafeBytes { decode($0) } }

  /// The same for a buffer.
  package static func decode(_ file: UnsafeRawBufferPointer) -> JPEGDecoding {
    var outcome = cjpeg_outcome()
    cjpeg_decode(file.baseAddress?.assumingMemoryBound(to: UInt8.self), file.count, 8, pixelsMax, &outcome)
    let message = withUnsafeBytes(of: outcome.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let end: JPEGDecoding.End =
      switch Int(outcome.status) {
      case cjpeg_DECODED: .lastRow
      case cjpeg_TOO_LARGE: .tooLarge
      case cjpeg_ENDED: .endOfData
      default: .failure
      }
    return JPEGDecoding(
      end: end, width: Int(outcome.width), height: Int(outcome.height), warnings: Int(outcome.warnings),
      rows: Int(outcome.rows), goodRows: Int(outcome.good_rows), message: message)
  }
}

/// What came of decoding a JPEG.
package struct JPEGDecoding: Hashable, Sendable {
  /// How far the decoder got.
  package enum End: String, Hashable, Sendable {
    /// To the last row, perhaps with warnings.
    case lastRow = "last-row"
    /// The data ended before the picture did.
    case endOfData = "end-of-data"
    /// The decoder gave up.
    case failure
    /// More than `JPEGCheck.pixelsMax` pixels: nothing was decoded, nothing is known.
    case tooLarge = "too-large"
  }

  /// How far the decoder got.
  package let end: End
  /// The picture's width in pixels.
  package let width: Int
  /// The picture's height in pixels.
  package let height: Int
  /// How often the decoder complained and went on.
  package let warnings: Int
  /// Rows of blocks in the picture.
  package let rows: Int
  /// Rows of blocks before the first complaint or the end.
  package let goodRows: Int
  /// The first complaint in libjpeg's words; empty without one.
  package let message: String

  /// True for a picture decoded to its last row without a complaint.
  package var isClean: Bool { end == .lastRow && warnings == 0 }

  /// How much of the picture is good, in percent rounded down: 100 only for all rows.
  package var goodPercent: Int { rows == 0 ? 0 : min(100, goodRows * 100 / rows) }
}

/// Goes from marker to marker.
private struct MarkerWalker {
  let file: UnsafeRawBufferPointer
  private var offset = 2
  private var walk: JPEGWalk

  init(file: UnsafeRawBufferPointer) {
    self.file = file
    walk = JPEGWalk(.whole, size: file.count)
  }

  mutating func run() -> JPEGWalk {
    while walk.condition == .whole {
      guard let marker = nextMarker() else { break }
      switch marker {
      case 0xD9:
        walk.trailingBytes = file.count - offset
        return walk
      case 0x01, 0xD0...0xD7: break
      case 0xD8, 0x00: walk.condition = .damaged(at: offset - 2)
      default:
        guard let segment = takeSegment() else { break }
        if isFrameHeader(marker) { takeDimensions(segment) }
        if marker == 0xDA { skipEntropyData() }
      }
    }
    return walk
  }

  /// The code of the marker at `offset`, fill bytes before it passed; nil, and the condition set, where none is.
  private mutating func nextMarker() -> UInt8? {
    guard offset < file.count, file[offset] == 0xFF else {
      end(at: offset)
      return nil
    }
    var place = offset
    while place < file.count, file[place] == 0xFF { place += 1 }
    guard place < file.count else {
      walk.condition = .truncated(at: file.count)
      return nil
    }
    offset = place + 1
    return file[place]
  }

  /// The segment behind a marker, its length not included.
  private mutating func takeSegment() -> UnsafeRawBufferPointer? {
    guard offset + 2 <= file.count else {
      walk.condition = .truncated(at: file.count)
      return nil
    }
    let length = Int(file[offset]) << 8 | Int(file[offset + 1])
    guard length >= 2 else {
      end(at: offset)
      return nil
    }
    guard offset + length <= file.count else {
      walk.condition = .truncated(at: file.count)
      return nil
    }
    defer { offset += length }
    return UnsafeRawBufferPointer(rebasing: file[(offset + 2)..<(offset + length)])
  }

  /// Something else than a marker: the file's end, a tail of zeros, or damage.
  private mutating func end(at place: Int) {
    let isEnd = !file[min(place, file.count)...].contains { $0 != 0 }
    walk.condition = isEnd ? .truncated(at: place) : .damaged(at: place)
  }

  private func isFrameHeader(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  private mutating func takeDimensions(_ segment: UnsafeRawBufferPointer) {
    guard segment.count >= 5 else { return }
    walk.height = Int(segment[1]) << 8 | Int(segment[2])
    walk.width = Int(segment[3]) << 8 | Int(segment[4])
  }

  /// Passes over compressed data, to the marker that ends it: neither a stuffed zero nor a restart.
  private mutating func skipEntropyData() {
    while offset < file.count, let base = file.baseAddress {
      guard let found = memchr(base + offset, 0xFF, file.count - offset) else { break }
      offset = base.distance(to: UnsafeRawPointer(found))
      guard offset + 1 < file.count else { break }
      let next = file[offset + 1]
      if next != 0, !(0xD0...0xD7).contains(next), next != 0xFF { return }
      offset += next == 0xFF ? 1 : 2
    }
    walk.condition = .truncated(at: dataEnd)
  }

  /// Behind the last byte that is not zero.
  private var dataEnd: Int { (file.lastIndex { $0 != 0 } ?? -1) + 1 }
}
