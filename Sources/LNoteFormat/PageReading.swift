/// What a page file turned out to be. The first that applies is told; `PageVerdict` holds the evidence.
package enum PageCondition: Hashable, Sendable {
  /// Header, frames, count, frame list and end agree.
  case whole
  /// Not one byte.
  case zeroLength
  /// Nothing but zero bytes.
  case nulFilled
  /// Larger than we read: a matter of resources, no damage.
  case limitExceeded(PageLimit)
  /// A page of another format version; nothing is known about its content.
  case versionUnknown(UInt16)
  /// Fewer than 84 bytes, and those begin like a page; at least `missing` bytes are missing.
  case headerCut(missing: Int)
  /// Neither the magic nor the header's checksum fits: perhaps no page at all.
  case notAPage
  /// A header whose checksum does not fit.
  case headerDamaged
  /// A header that checks out but holds what no writer of format 1 writes.
  case headerFault(HeaderFault)
  /// The first bad frame is the last one and reaches beyond the end of a file that is too short, or all frames are
  /// whole and the rest is absent; `missing` bytes are missing.
  case truncated(missing: Int)
  /// A frame is bad; see `PageVerdict.damage`.
  case frameDamaged
  /// Every frame is whole, but they are not the ones, or not in the order, that the header's list checksum covers.
  case frameListDiffers
  /// The frames are those of the header's list checksum, but their count is not the header's.
  case countDiffers
  /// Whole, with bytes behind the body.
  case trailing(bytes: Int)
  /// Whole, but another page than the one expected, from its file's name.
  case idDiffers

  /// True for a page whose every element was read and is proven: whole, trailing bytes, another identity.
  package var isReadable: Bool {
    switch self {
    case .whole, .trailing, .idDiffers: true
    default: false
    }
  }
}

/// What is wrong with a header whose checksum fits.
package enum HeaderFault: String, Hashable, Sendable {
  /// The header's length is not 84.
  case headerLength = "header-length"
  /// A flag is set.
  case flags
  /// A generation beyond `PageLimits.generationMax`.
  case generation
}

/// What is wrong with a frame.
package enum FrameFault: Hashable, Sendable {
  /// Its checksum does not fit: damaged, of another page, or of another generation.
  case checksum
  /// Its payload is empty.
  case zeroLength
  /// It would end behind the file, or is longer than any frame may be.
  case lengthImplausible(UInt32)
  /// It ends behind the end of a file that is too short.
  case cut
  /// The checksum fits, but the payload is none of its type.
  case malformed(PayloadFault)
  /// It is good, but its number in the journal is not the next one.
  case outOfOrder(UInt64)
}

/// What is wrong with a payload whose checksum fits.
package enum PayloadFault: String, Hashable, Sendable {
  /// A stroke shorter than 32 bytes, or an image of other than 80.
  case length
  /// A stroke whose sample count does not agree with its length.
  case sampleCount = "sample-count"
  /// A reserved byte that is not zero.
  case reserved
  /// A replacement by something that is neither a stroke nor an image.
  case replacementType = "replacement-type"
}

/// The first bad frame of a page.
package struct FrameDamage: Hashable, Sendable {
  /// How many good frames stand before it, which is its index too.
  package let index: Int
  /// Where it begins: bytes from the file's first.
  package let offset: Int
  /// What is wrong with it.
  package let fault: FrameFault
  /// How many good frames stand behind it.
  package let goodBehind: Int

  /// A damage of these values.
  package init(index: Int, offset: Int, fault: FrameFault, goodBehind: Int) {
    self.index = index
    self.offset = offset
    self.fault = fault
    self.goodBehind = goodBehind
  }
}

/// Where a whole frame stands and what it holds.
package struct ElementMark: Hashable, Sendable {
  /// The element's identity; nil for an unknown type.
  package let id: NoteID?
  /// The frame's type: 1 a stroke, 2 an image.
  package let type: UInt8
  /// Where the frame begins: bytes from the file's first.
  package let offset: Int
  /// The length of its payload in bytes.
  package let payloadLength: Int

  /// A mark of these values.
  package init(id: NoteID?, type: UInt8, offset: Int, payloadLength: Int) {
    self.id = id
    self.type = type
    self.offset = offset
    self.payloadLength = payloadLength
  }

  /// How many whole samples a stroke has; 0 for anything else.
  package var sampleCount: Int {
    type == FrameType.stroke ? (payloadLength - PageLimits.strokeBytes) / PageLimits.sampleBytes : 0
  }

  /// Where the next frame begins.
  package var end: Int { offset + PageLimits.framePrefixBytes + payloadLength }
}

/// The type bytes of frames that this version knows; the last two stand in journals only.
package enum FrameType {
  /// A stroke.
  package static let stroke: UInt8 = 1
  /// A placed image.
  package static let image: UInt8 = 2
  /// An element goes.
  package static let remove: UInt8 = 16
  /// An element takes another one's place.
  package static let replace: UInt8 = 17
}

/// What was found out about a page file without building its samples.
package struct PageVerdict: Hashable, Sendable {
  /// What the file is.
  package var condition: PageCondition
  /// The file's size in bytes.
  package var size: Int
  /// The header, where its checksum fits.
  package var header: PageHeader?
  /// The run of good frames from the first on; all of them in a whole page.
  package var elements: [ElementMark] = []
  /// The images among `elements`, in the same order.
  package var images: [PlacedImage] = []
  /// What is odd in the strokes among `elements` though their checksums fit.
  package var strokes = StrokeFindings()
  /// True where two of `elements` have the same identity; only asked for a page that is readable.
  package var hasDoubles = false
  /// The first bad frame, the cut one of a truncated page included.
  package var damage: FrameDamage?
  /// How many bytes the header announces that the file does not have; 0 without a header.
  package var missingBytes = 0
  /// Zero bytes that fill at least one whole sector of 512 bytes, in a page that is bad. Typical of a power loss.
  package var nulRun: Range<Int>?

  /// A verdict on a file of this size.
  package init(_ condition: PageCondition, size: Int) {
    self.condition = condition
    self.size = size
  }
}

/// A page file, read whole.
package struct PageReading: Hashable, Sendable {
  /// What the file is.
  package let verdict: PageVerdict
  /// The page, where `verdict.condition.isReadable`; nil otherwise.
  package let snapshot: PageSnapshot?

  /// A reading of these values.
  package init(verdict: PageVerdict, snapshot: PageSnapshot?) {
    self.verdict = verdict
    self.snapshot = snapshot
  }
}
