import Bytes

/// Finds what may begin in raw bytes: the image of a disk, files without names.
package enum RawScan {
  /// What may begin there.
  package enum Mark: Hashable, Sendable {
    /// A page file: its header's checksum fits.
    case page(PageHeader)
    /// `document.json` or `manifest.json`.
    case record
    /// A JPEG.
    case picture
    /// A stroke or an image, whose lengths inside and outside agree; so long it is with all that stands before it.
    case frame(bytes: Int)
  }

  /// How many bytes a mark is told by.
  package static let markBytes = PageLimits.headerBytes

  /// The first mark from `start` on, before `end`. Bytes behind `end` are looked at where they are there.
  package static func mark(
    in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int
  ) -> (offset: Int, mark: Mark)? {
    let frames = FrameScan(file: bytes)
    let frameEnd = bytes.count - PageLimits.framePrefixBytes
    var offset = start
    while offset < end {
      switch bytes[offset] {
      case 0x89: if let header = header(in: bytes, at: offset) { return (offset, .page(header)) }
      case UInt8(ascii: "{") where begins(bytes, at: offset, with: RecordChecksum.beginning): return (offset, .record)
      case 0xFF where begins(bytes, at: offset, with: [0xFF, 0xD8, 0xFF]): return (offset, .picture)
      default: break
      }
      if offset < frameEnd {
        let type = bytes[offset + 8]
        if type == FrameType.stroke || type == FrameType.image, frames.hasPlausibleLength(at: offset) {
          let length = Int(bytes.number(at: offset, as: UInt32.self))
          if length <= PageLimits.framePayloadBytesMax {
            return (offset, .frame(bytes: PageLimits.framePrefixBytes + length))
          }
        }
      }
      offset += 1
    }
    return nil
  }

  /// The element of a whole frame; nil where its payload is none.
  package static func element(of frame: [UInt8]) -> PageElement? {
    frame.withUnsafeBytes { frame in
      guard frame.count > PageLimits.framePrefixBytes else { return nil }
      let payload = frame.part(PageLimits.framePrefixBytes..<frame.count)
      guard PageElement.fault(ofType: frame[8], payload: payload) == nil else { return nil }
      return PageElement(type: frame[8], payload: payload)
    }
  }

  /// The prefix value of the body that a frame belongs to, if it is good; nil where its payload is none.
  package static func prefix(of frame: [UInt8]) -> UInt32? {
    frame.withUnsafeBytes { frame in
      var scan = FrameScan(file: frame)
      guard frame.count > PageLimits.framePrefixBytes,
        PageElement.fault(
          ofType: frame[8], payload: frame.part(PageLimits.framePrefixBytes..<frame.count)) == nil
      else { return nil }
      return scan.impliedPrefix(at: 0)
    }
  }

  /// What all frames of a page's body imply.
  package static func prefix(ofPage page: NoteID, generation: UInt64) -> UInt32 {
    FrameCodec(magic: PageHeader.magic, page: page, generation: generation).prefix.value
  }

  /// The generation whose frames, in this page's snapshot, have the prefix value; its upper half is 0.
  package static func generation(ofPage page: NoteID, prefix: UInt32) -> UInt64 {
    BodyPrefix(page: page, upper: 0).generation(prefix: prefix)
  }

  /// The end of the JSON file that begins the bytes; nil where it does not end in them.
  package static func recordEnd(in bytes: [UInt8]) -> Int? {
    // Within a text a newline is written as "\n", so a brace behind one is the last.
    for place in bytes.indices.dropFirst(2)
    where bytes[place] == UInt8(ascii: "\n") && bytes[place - 1] == UInt8(ascii: "}")
      && bytes[place - 2] == UInt8(ascii: "\n")
    {
      return place + 1
    }
    return nil
  }

  private static func header(in bytes: UnsafeRawBufferPointer, at offset: Int) -> PageHeader? {
    guard begins(bytes, at: offset, with: PageHeader.magic), offset + PageLimits.headerBytes <= bytes.count,
      case .success(let header) = PageHeader.read(bytes.part(offset..<(offset + PageLimits.headerBytes)))
    else { return nil }
    return header
  }

  private static func begins(_ bytes: UnsafeRawBufferPointer, at offset: Int, with magic: [UInt8]) -> Bool {
    guard offset + magic.count <= bytes.count else { return false }
    for index in magic.indices where bytes[offset + index] != magic[index] { return false }
    return true
  }
}
