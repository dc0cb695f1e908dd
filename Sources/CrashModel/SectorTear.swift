import FaultDisk

/// A block of which a crash has left some sectors of one version and the rest of the next.
struct SectorTear: Hashable, Sendable {
  static let sectorBytes: UInt64 = 512

  var block: UInt64
  /// The version in front of the boundary.
  var head: Int
  /// The version behind it.
  var tail: Int
  /// Where it is torn, in bytes from the beginning of the file.
  var boundary: UInt64

  /// Puts the torn block into a content.
  func apply(to content: inout FileContent, _ window: FileWindow) {
    let low = block * FileWindow.blockBytes
    let high = min(low + FileWindow.blockBytes, content.size)
    content.extents.take(from: window.content(of: head).extents, low, boundary)
    content.extents.take(from: window.content(of: tail).extents, boundary, high)
  }
}

extension FileSpace {
  /// The ways in which a block may be torn where the file has a size: at each boundary, between each version that it may
  /// have and the next, and either of them in front.
  func tears(of block: UInt64, at pick: SizePick) -> [SectorTear] {
    guard model.tearsSectors, model.overwriting == .inPlace else { return [] }
    let versions = versions(of: block, at: pick)
    let low = block * FileWindow.blockBytes
    let high = min(low + FileWindow.blockBytes, pick.size)
    return zip(versions, versions.dropFirst()).flatMap { old, new in
      stride(from: low + SectorTear.sectorBytes, to: high, by: Int(SectorTear.sectorBytes)).flatMap { boundary in
        [
          SectorTear(block: block, head: new, tail: old, boundary: boundary),
          SectorTear(block: block, head: old, tail: new, boundary: boundary),
        ]
      }
    }
  }
}
