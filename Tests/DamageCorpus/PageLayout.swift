import Bytes
import LNoteFormat
import TestSupport

/// Where the fields of a page file or a journal stand, from the tables of the format.
///
/// It shares nothing with the toolkit's readers.
package enum PageLayout {
  /// A field and its bytes.
  package typealias Field = (name: String, bytes: Range<Int>)

  /// The fields of the header.
  package static let header: [Field] = [
    ("magic", 0..<8), ("version", 8..<10), ("header-length", 10..<12), ("flags", 12..<16), ("id", 16..<32),
    ("element-count", 32..<36), ("width", 36..<40), ("height", 40..<44), ("header-checksum", 44..<48),
    ("generation", 48..<56), ("body-length", 56..<64), ("created", 64..<72), ("modified", 72..<80),
    ("list-checksum", 80..<84),
  ]
  /// The fields of a journal's header.
  package static let journalHeader: [Field] = [
    ("magic", 0..<8), ("version", 8..<10), ("header-length", 10..<12), ("flags", 12..<16), ("id", 16..<32),
    ("base", 32..<40), ("base-checksum", 40..<44), ("header-checksum", 44..<48),
  ]
  /// The fields of a journal's frame before what it brings, from the frame's beginning.
  package static let change: [Field] = frame + [("number", 9..<17), ("element", 17..<33)]
  /// The fields of every frame, from its beginning.
  package static let frame: [Field] = [("length", 0..<4), ("checksum", 4..<8), ("type", 8..<9)]
  /// The fields of a stroke's frame, from the frame's beginning; the last one is its first point.
  package static let stroke: [Field] = [
    ("element", 9..<25), ("pen", 25..<26), ("zeros-3", 26..<29), ("colour", 29..<33), ("radius", 33..<35),
    ("zeros-2", 35..<37), ("sample-count", 37..<41), ("sample", 41..<57),
  ]
  /// The fields of an image's frame, from the frame's beginning.
  package static let image: [Field] = [
    ("element", 9..<25), ("asset", 25..<41), ("x", 41..<45), ("y", 45..<49), ("image-width", 49..<53),
    ("image-height", 53..<57), ("rotation", 57..<61), ("zeros-4", 61..<65), ("asset-length", 65..<73),
    ("digest", 73..<89),
  ]

  /// The frames of a file, by the lengths that stand in it, as far as they go.
  package static func frames(in bytes: [UInt8]) -> [Range<Int>] {
    var frames: [Range<Int>] = []
    var offset = isJournal(bytes) ? 48 : 84
    while offset + 9 <= bytes.count {
      let end = offset + 9 + Int(number(at: offset, in: bytes))
      if end > bytes.count { break }
      frames.append(offset..<end)
      offset = end
    }
    return frames
  }

  /// The bytes of "generation", or of "frame2.sample-count"; nil where the file has no such field.
  package static func place(of name: String, in bytes: [UInt8]) -> Range<Int>? {
    let parts = name.split(separator: ".").map(String.init)
    if parts.count == 1 {
      return (isJournal(bytes) ? journalHeader : header).first { $0.name == name }?.bytes.within(bytes.count)
    }
    guard parts.count == 2, parts[0].hasPrefix("frame"), let number = Int(parts[0].dropFirst(5)) else { return nil }
    let frames = frames(in: bytes)
    guard frames.indices.contains(number - 1) else { return nil }
    let start = frames[number - 1].lowerBound
    let field = fields(of: bytes, ofType: bytes[start + 8]).first { $0.name == parts[1] }?.bytes
    return field.map { (start + $0.lowerBound)..<(start + $0.upperBound) }?.within(bytes.count)
  }

  private static func fields(of bytes: [UInt8], ofType type: UInt8) -> [Field] {
    isJournal(bytes) ? change : frame + (type == 1 ? stroke : type == 2 ? image : [])
  }

  /// True where the fourth byte is a journal's.
  private static func isJournal(_ bytes: [UInt8]) -> Bool { bytes.count >= 48 && bytes[3] == 0x4A }

  /// The names of all fields of a file.
  package static func names(in bytes: [UInt8]) -> [String] {
    (isJournal(bytes) ? journalHeader : header).map(\.name)
      + frames(in: bytes).enumerated().flatMap { place, frame in
        fields(of: bytes, ofType: bytes[frame.lowerBound + 8]).filter {
          frame.lowerBound + $0.bytes.upperBound <= frame.upperBound
        }
        .map { "frame\(place + 1).\($0.name)" }
      }
  }

  /// Puts the header's own checksum right.
  package static func sealHeader(of bytes: inout [UInt8]) {
    if isJournal(bytes) { return put(CRC32C.checksum(of: bytes[0..<44]), at: 44, in: &bytes) }
    guard bytes.count >= 84 else { return }
    put(0, at: 44, in: &bytes)
    put(CRC32C.checksum(of: bytes[0..<84]), at: 44, in: &bytes)
  }

  /// Puts every checksum right: of the frames, of their list, of the header. Counts and lengths stay as they are.
  package static func seal(_ bytes: inout [UInt8]) {
    let isJournal = isJournal(bytes)
    guard isJournal || bytes.count >= 84 else { return }
    var list = CRC32C()
    for frame in frames(in: bytes) {
      var crc = CRC32C()
      crc.update(isJournal ? JournalBytes.magic : PageHeader.magic)
      crc.update(bytes[16..<32])
      crc.update(isJournal ? bytes[32..<40] : bytes[48..<56])
      crc.update(bytes[frame.lowerBound..<(frame.lowerBound + 4)])
      crc.update(bytes[(frame.lowerBound + 8)..<frame.upperBound])
      put(crc.value, at: frame.lowerBound + 4, in: &bytes)
      list.update(bytes[frame.lowerBound..<(frame.lowerBound + 8)])
    }
    if !isJournal { put(list.value, at: 80, in: &bytes) }
    sealHeader(of: &bytes)
  }

  /// Makes the header's count and body length those of the frames, then puts every checksum right.
  package static func fit(_ bytes: inout [UInt8]) {
    if isJournal(bytes) { return seal(&bytes) }
    guard bytes.count >= 84 else { return }
    put(UInt32(frames(in: bytes).count), at: 32, in: &bytes)
    put(UInt32(bytes.count - 84), at: 56, in: &bytes)
    seal(&bytes)
  }

  private static func number(at offset: Int, in bytes: [UInt8]) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
  }

  private static func put(_ number: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(place))) }
  }
}

extension Range<Int> {
  /// The range; nil where it reaches beyond so many bytes.
  fileprivate func within(_ count: Int) -> Range<Int>? { upperBound <= count ? self : nil }
}
