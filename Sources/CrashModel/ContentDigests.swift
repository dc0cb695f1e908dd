import Bytes
import FaultDisk

/// Digests of contents, equal for equal bytes. The bytes of a piece are read once, and holes are not read.
///
/// So a file that is changed a bit takes as long as what was changed, and one with a hole of a TiB no longer than others.
package struct ContentDigests: Sendable {
  /// A file is read in pieces of so many bytes.
  private static let pieceBytes: UInt64 = 256 << 10
  /// What is known has so many extents together at the most.
  private static let extentsMax = 1 << 18

  /// A piece: its extents, counted from its beginning, and its length.
  private struct Piece: Hashable {
    var parts: [Extent]
    var length: UInt64
  }

  private let disk: FaultDisk
  private var pieces: [Piece: Digest128] = [:]
  private var extentCount = 0
  /// The digests of zeros, by how many there are.
  private var zeros: [UInt64: Digest128] = [:]

  /// Digests of contents whose bytes stand on this disk.
  package init(_ disk: FaultDisk) { self.disk = disk }

  /// The digest of a content; nil where all of it is zeros.
  package mutating func digest(of content: FileContent) -> Digest128? {
    var writer = ByteWriter()
    var place: UInt64 = 0
    for extent in content.extents.extents where extent.isWritten && extent.start < content.size {
      place = max(place, extent.start / Self.pieceBytes * Self.pieceBytes)
      let end = min(extent.end, content.size)
      while place < end {
        let next = min(content.size, place + Self.pieceBytes)
        if let digest = digest(of: content, from: place, to: next) {
          writer.write(place)
          writer.write(digest.high)
          writer.write(digest.low)
        }
        place = next
      }
    }
    if writer.bytes.isEmpty { return nil }
    writer.write(content.size)
    return XXH3.digest128(of: writer.bytes)
  }

  private mutating func digest(of content: FileContent, from low: UInt64, to high: UInt64) -> Digest128? {
    var parts = content.extents.parts(from: low, to: high).filter(\.isWritten)
    for index in parts.indices { parts[index].start -= low }
    let piece = Piece(parts: parts, length: high - low)
    let digest = pieces[piece] ?? disk.digest(of: content, from: low, to: high)
    if pieces[piece] == nil {
      extentCount += parts.count + 1
      if extentCount > Self.extentsMax {
        pieces.removeAll()
        extentCount = parts.count + 1
      }
      pieces[piece] = digest
    }
    let zeros = self.zeros[piece.length] ?? disk.digest(of: FileContent(), from: 0, to: piece.length)
    self.zeros[piece.length] = zeros
    return digest == zeros ? nil : digest
  }
}
