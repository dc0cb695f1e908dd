import Bytes

/// Reads page files. Never traps, whatever the bytes are; checks every limit before it allocates.
package enum PageReader {
  /// Checks every checksum and length without building samples: little more work than reading the bytes.
  ///
  /// `expecting` is the identity in the file's name, where there is one.
  package static func verify(_ file: UnsafeRawBufferPointer, expecting: NoteID? = nil) -> PageVerdict {
    if file.count > PageLimits.fileBytesMax { return PageVerdict(.limitExceeded(.fileBytes), size: file.count) }
    switch PageHeader.read(file) {
    case .failure(let fault):
      let isOurs = PageSalvage.isOurVersion(file, fault.condition, expecting: expecting)
      let condition = isOurs ? .headerDamaged : fault.condition
      var verdict = PageVerdict(condition, size: file.count)
      verdict.nulRun = nulRun(in: file, condition: condition)
      return verdict
    case .success(let header):
      var walk = PageWalk(file: file, header: header)
      walk.run()
      var verdict = walk.verdict(expecting: expecting)
      verdict.nulRun = nulRun(in: file, condition: verdict.condition)
      return verdict
    }
  }

  /// The same for who wants whole pages only; nil for any other, without a look at what is wrong with it.
  package static func verifyWhole(_ file: UnsafeRawBufferPointer) -> PageVerdict? {
    guard file.count <= PageLimits.fileBytesMax, case .success(let header) = PageHeader.read(file) else { return nil }
    var walk = PageWalk(file: file, header: header)
    walk.run()
    guard walk.cameToBodyEnd else { return nil }
    let verdict = walk.verdict(expecting: nil)
    return verdict.condition == .whole ? verdict : nil
  }

  /// The same for an array.
  package static func verify(_ bytes: [UInt8], expecting: NoteID? = nil) -> PageVerdict {
    bytes.withUnsafeBytes { verify($0, expecting: expecting) }
  }

  /// Reads a page whole: `verify`, and the elements where all of them are proven.
  package static func read(_ bytes: [UInt8], expecting: NoteID? = nil) -> PageReading {
    bytes.withUnsafeBytes { file in
      let verdict = verify(file, expecting: expecting)
      guard verdict.condition.isReadable, let header = verdict.header else {
        return PageReading(verdict: verdict, snapshot: nil)
      }
      let snapshot = PageSnapshot(
        id: header.id, generation: header.generation, canvas: header.canvas, created: header.created,
        modified: header.modified, elements: verdict.elements.map { element(at: $0, in: file) })
      return PageReading(verdict: verdict, snapshot: snapshot)
    }
  }

  /// The element of a frame that was found good.
  static func element(at mark: ElementMark, in file: UnsafeRawBufferPointer) -> PageElement {
    PageElement(
      type: mark.type, payload: file.part((mark.offset + PageLimits.framePrefixBytes)..<mark.end))
  }

  /// The first run of zero bytes that fills whole sectors, in a file found bad.
  private static func nulRun(in file: UnsafeRawBufferPointer, condition: PageCondition) -> Range<Int>? {
    switch condition {
    case .whole, .idDiffers, .zeroLength, .limitExceeded, .versionUnknown: return nil
    default: break
    }
    let sector = 512
    var start = 0
    while start + sector <= file.count {
      if file.isZero(start..<(start + sector)) {
        var end = start + sector
        while end < file.count, file[end] == 0 { end += 1 }
        return start..<end
      }
      start += sector
    }
    return nil
  }
}

/// The walk along a page's frames, one after the other from the header on.
struct PageWalk {
  let file: UnsafeRawBufferPointer
  let header: PageHeader
  private let codec: FrameCodec
  private let bodyEnd: Int

  private var marks: [ElementMark] = []
  private var images: [PlacedImage] = []
  private var strokes = StrokeFindings()
  private var list = CRC32C()
  private var offset = PageLimits.headerBytes
  private var firstFault: FrameFault?
  private var limit: PageLimit?
  // How many frames there are, and their list checksum, where a frame ends exactly at the body's end.
  private var atBodyEnd: (count: Int, list: UInt32)?

  init(file: UnsafeRawBufferPointer, header: PageHeader) {
    self.file = file
    self.header = header
    codec = FrameCodec(magic: PageHeader.magic, page: header.id, generation: header.generation)
    bodyEnd = PageLimits.headerBytes + Int(header.bodyLength)
    // Never more than the file can hold, whatever the header says.
    marks.reserveCapacity(min(Int(header.elementCount), file.count / (PageLimits.framePrefixBytes + 1)))
  }

  private var isShort: Bool { file.count < bodyEnd }
  /// True where the walk met no fault.
  var cameToBodyEnd: Bool { atBodyEnd != nil }

  /// Takes good frames until the body's end, or beyond it where that lies inside one: then some were doubled.
  mutating func run() {
    while true {
      if offset == bodyEnd {
        atBodyEnd = (marks.count, list.value)
        return
      }
      if offset >= file.count { return }
      if marks.count == PageLimits.elementsMax {
        limit = .elements
        return
      }
      switch codec.check(file, at: offset, isShort: isShort) {
      case .good(let length): take(payloadLength: length)
      case .overLimit:
        limit = .frameBytes
        return
      case .bad(let fault):
        firstFault = fault
        return
      }
    }
  }

  private mutating func take(payloadLength: Int) {
    let type = file[offset + 8]
    let payload = offset + PageLimits.framePrefixBytes
    let isKnown = type == FrameType.stroke || type == FrameType.image
    let mark = ElementMark(
      id: isKnown ? file.identity(at: payload) : nil, type: type, offset: offset, payloadLength: payloadLength)
    switch type {
    case FrameType.stroke: strokes.take(samples: file.part((payload + PageLimits.strokeBytes)..<mark.end))
    case FrameType.image: images.append(PlacedImage(payload: file.part(payload..<mark.end)))
    default: break
    }
    marks.append(mark)
    list.update(file.part(offset..<(offset + 8)))
    offset = mark.end
  }

  /// What the walk found.
  func verdict(expecting: NoteID?) -> PageVerdict {
    var verdict = PageVerdict(.whole, size: file.count)
    verdict.header = header
    verdict.missingBytes = max(0, bodyEnd - file.count)
    var kept = marks.count
    if let limit {
      verdict.condition = .limitExceeded(limit)
    } else if let atBodyEnd {
      kept = atBodyEnd.count
      verdict.condition = condition(count: atBodyEnd.count, list: atBodyEnd.list, expecting: expecting)
    } else if let firstFault, offset < bodyEnd {
      let behind = FrameScan.goodFrames(in: file, behind: offset, prefix: codec.prefix.value)
      verdict.damage = FrameDamage(index: marks.count, offset: offset, fault: firstFault, goodBehind: behind)
      let isCut = firstFault == .cut && behind == 0
      verdict.condition = isCut ? .truncated(missing: verdict.missingBytes) : .frameDamaged
    } else {
      verdict.condition = isShort ? .truncated(missing: verdict.missingBytes) : .frameListDiffers
    }
    verdict.elements = kept == marks.count ? marks : Array(marks.prefix(kept))
    verdict.strokes = strokes
    if verdict.condition.isReadable { verdict.hasDoubles = ElementDoubles.areThere(in: marks) }
    verdict.images =
      kept == marks.count ? images : Array(images.prefix(verdict.elements.count { $0.type == FrameType.image }))
    return verdict
  }

  /// What a page is whose frames are whole up to the body's end.
  private func condition(count: Int, list: UInt32, expecting: NoteID?) -> PageCondition {
    if list != header.frameListChecksum { return .frameListDiffers }
    if count != Int(header.elementCount) { return .countDiffers }
    if file.count > bodyEnd { return .trailing(bytes: file.count - bodyEnd) }
    if let expecting, expecting != header.id { return .idDiffers }
    return .whole
  }
}
