// A journal's frame has the payload            17, replace, behind the sequence number:
//
//     offset  bytes  meaning                       offset  bytes  meaning
//          0      8  sequence number, from 1            0     16  UUID of the element that goes
//          8      n  by the type                       16      1  type of the one that comes, 1 or 2
//                                                      17      n  that one, as in a page
//     1, 2: a stroke or an image, as in a page
//     16, remove: the element's UUID (16)

/// One change of a page, as a journal's frame tells it.
package enum JournalChange: Hashable, Sendable {
  /// The element is put on top.
  case add(PageElement)
  /// The element of this identity goes.
  case remove(NoteID)
  /// The element takes the place of the one of this identity.
  case replace(NoteID, with: PageElement)
  /// A change of a type that this version does not know.
  case unknown(type: UInt8)

  /// What is wrong with a payload; nil for a good one. An unknown type has to have a sequence number only.
  static func fault(ofType type: UInt8, payload: UnsafeRawBufferPointer) -> PayloadFault? {
    guard payload.count >= PageLimits.sequenceBytes else { return .length }
    switch type {
    case FrameType.stroke, FrameType.image:
      return PageElement.fault(ofType: type, payload: payload.part(PageLimits.sequenceBytes..<payload.count))
    case FrameType.remove: return payload.count == PageLimits.removalBytes ? nil : .length
    case FrameType.replace:
      let start = PageLimits.replacementPrefixBytes
      guard payload.count > start else { return .length }
      let inner = payload[start - 1]
      guard inner == FrameType.stroke || inner == FrameType.image else { return .replacementType }
      return PageElement.fault(ofType: inner, payload: payload.part(start..<payload.count))
    default: return nil
    }
  }

  /// The change of a payload in which `fault` finds nothing.
  init(type: UInt8, payload: UnsafeRawBufferPointer) {
    let rest = payload.part(PageLimits.sequenceBytes..<payload.count)
    switch type {
    case FrameType.stroke, FrameType.image: self = .add(PageElement(type: type, payload: rest))
    case FrameType.remove: self = .remove(rest.identity(at: 0))
    case FrameType.replace:
      let element = PageElement(type: rest[16], payload: rest.part(17..<rest.count))
      self = .replace(rest.identity(at: 0), with: element)
    default: self = .unknown(type: type)
    }
  }
}

/// Where a good frame of a journal stands, and which elements it is about.
package struct JournalMark: Hashable, Sendable {
  /// Its number among the changes, from 1.
  package let sequence: UInt64
  /// The frame's type.
  package let type: UInt8
  /// Where the frame begins: bytes from the file's first.
  package let offset: Int
  /// The length of its payload in bytes.
  package let payloadLength: Int
  /// The element that goes; nil where none does.
  package let removes: NoteID?
  /// The element that comes; nil where none does.
  package let adds: NoteID?

  /// Where the next frame begins.
  package var end: Int { offset + PageLimits.framePrefixBytes + payloadLength }
  /// True where this version knows what the change is.
  package var isKnown: Bool { removes != nil || adds != nil }

  /// The mark of a good frame.
  init(_ file: UnsafeRawBufferPointer, at offset: Int, payloadLength: Int) {
    let payload = offset + PageLimits.framePrefixBytes
    let element = payload + PageLimits.sequenceBytes
    type = file[offset + 8]
    self.offset = offset
    self.payloadLength = payloadLength
    sequence = file.number(at: payload)
    switch type {
    case FrameType.stroke, FrameType.image: (removes, adds) = (nil, file.identity(at: element))
    case FrameType.remove: (removes, adds) = (file.identity(at: element), nil)
    case FrameType.replace:
      removes = file.identity(at: element)
      adds = file.identity(at: payload + PageLimits.replacementPrefixBytes)
    default: (removes, adds) = (nil, nil)
    }
  }

  /// The image that the change brings; nil where it brings none.
  func image(in file: UnsafeRawBufferPointer) -> PlacedImage? {
    let payload = offset + PageLimits.framePrefixBytes
    var start = payload + PageLimits.sequenceBytes
    if type == FrameType.replace {
      start = payload + PageLimits.replacementPrefixBytes
      if file[start - 1] != FrameType.image { return nil }
    } else if type != FrameType.image {
      return nil
    }
    return PlacedImage(payload: file.part(start..<end))
  }
}
