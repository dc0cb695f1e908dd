import Bytes

/// Finds frames anywhere in a file, by the length that must stand inside a stroke or image, and by the checksum.
///
/// A frame of an unknown type is found only where another one tells that a frame begins: directly behind a good one,
/// where a bad one says that it ends, or at the body's start. So the search stays linear.
struct FrameScan {
  let file: UnsafeRawBufferPointer
  private let body: FrameBody
  // A file can be made so that frames seem to begin everywhere; in an honest one each byte is looked at once or twice.
  private var checksumBytesLeft: Int
  private var candidatesLeft: Int

  // The shortest is a journal's removal.
  private static let knownFrameBytesMin = PageLimits.framePrefixBytes + PageLimits.removalBytes

  /// True when the search ended at its limit of work.
  private(set) var isIncomplete = false

  init(file: UnsafeRawBufferPointer, body: FrameBody = .snapshot) {
    self.file = file
    self.body = body
    checksumBytesLeft = 2 * file.count + PageLimits.framePayloadBytesMax
    candidatesLeft = 1024 + 2 * min(PageLimits.elementsMax, file.count / FrameScan.knownFrameBytesMin)
  }

  /// How many frames behind the bad one at `offset` are good.
  static func goodFrames(in file: UnsafeRawBufferPointer, behind offset: Int, prefix: UInt32) -> Int {
    var scan = FrameScan(file: file)
    let end = scan.announcedEnd(at: offset)
    return scan.frames(from: offset + 1, prefix: prefix, hints: end.map { [$0] } ?? []).count
  }

  /// All good frames from `start` on, of a body whose frames have this prefix value in common.
  ///
  /// At `start` and the `hints` a frame of any type may begin.
  mutating func frames(from start: Int, prefix: UInt32, hints: [Int] = []) -> [ElementMark] {
    var found: [ElementMark] = []
    var anyType = MarkedOffsets(below: file.count)
    for hint in hints { anyType.insert(hint) }
    anyType.insert(start)
    var offset = start
    while offset + PageLimits.framePrefixBytes < file.count, found.count < PageLimits.elementsMax {
      let isHinted = anyType.contains(offset)
      if isHinted || hasPlausibleLength(at: offset), let mark = mark(at: offset, prefix: prefix) {
        found.append(mark)
        offset = mark.end
        anyType.insert(offset)
        continue
      }
      if isHinted || hasPlausibleLength(at: offset), let end = announcedEnd(at: offset) { anyType.insert(end) }
      if isIncomplete { break }
      offset += 1
    }
    return found
  }

  /// The prefix value that each plausible stroke and image of the file implies, in order of the file.
  mutating func impliedPrefixes(from start: Int) -> [(offset: Int, prefix: UInt32)] {
    var found: [(offset: Int, prefix: UInt32)] = []
    var offset = start
    while offset + PageLimits.framePrefixBytes < file.count, found.count < PageLimits.elementsMax {
      if hasPlausibleLength(at: offset), let prefix = impliedPrefix(at: offset) {
        found.append((offset, prefix))
      }
      if isIncomplete { break }
      offset += 1
    }
    return found
  }

  /// The prefix value that makes the frame at `offset` good; nil where none can be whole there.
  mutating func impliedPrefix(at offset: Int) -> UInt32? {
    guard let end = announcedEnd(at: offset) else { return nil }
    checksumBytesLeft -= end - offset
    candidatesLeft -= 1
    if checksumBytesLeft < 0 || candidatesLeft < 0 {
      isIncomplete = true
      return nil
    }
    var crc = CRC32C()
    crc.update(file.part(offset..<(offset + 4)))
    crc.update(file.part((offset + 8)..<end))
    return CRCAlgebra.valueBefore(
      count: end - offset - 4, after: file.number(at: offset + 4, as: UInt32.self), alone: crc.value)
  }

  /// The frame at `offset`, where it is good under this prefix value.
  private mutating func mark(at offset: Int, prefix: UInt32) -> ElementMark? {
    guard impliedPrefix(at: offset) == prefix, let end = announcedEnd(at: offset) else { return nil }
    let payload = (offset + PageLimits.framePrefixBytes)..<end
    let type = file[offset + 8]
    // The points of a page's stroke are there, whatever it says of their number.
    let fault = body.fault(ofType: type, payload: file.part(payload))
    guard fault == nil || fault == .sampleCount && body == .snapshot else { return nil }
    let isKnown = body == .snapshot && (type == FrameType.stroke || type == FrameType.image)
    return ElementMark(
      id: isKnown ? file.identity(at: payload.lowerBound) : nil, type: type, offset: offset,
      payloadLength: payload.count)
  }

  /// Where the frame at `offset` says that it ends; nil where that cannot be.
  func announcedEnd(at offset: Int) -> Int? {
    guard offset + PageLimits.framePrefixBytes < file.count else { return nil }
    let length = Int(file.number(at: offset, as: UInt32.self))
    let end = offset + PageLimits.framePrefixBytes + length
    guard length > 0, length <= PageLimits.framePayloadBytesMax, end <= file.count else { return nil }
    return end
  }

  /// True when a frame of a known type may begin at `offset`: the length inside agrees with the frame's own.
  func hasPlausibleLength(at offset: Int) -> Bool { body.hasPlausibleLength(file, at: offset) }
}

/// Offsets of a file that are marked, a bit each: every byte of a damaged file asks for its own.
private struct MarkedOffsets {
  private let bound: Int
  private var bits: [UInt64]

  init(below bound: Int) {
    self.bound = bound
    bits = [UInt64](repeating: 0, count: (bound + 63) / 64)
  }

  /// Marks an offset; one at the bound or behind it is let go.
  mutating func insert(_ offset: Int) {
    if offset < bound { bits[offset / 64] |= 1 << UInt64(offset % 64) }
  }

  func contains(_ offset: Int) -> Bool { bits[offset / 64] >> UInt64(offset % 64) & 1 == 1 }
}
