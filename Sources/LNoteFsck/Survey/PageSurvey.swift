import LNoteFormat

/// From the bytes of a page file to what the checks need to know of it.
enum PageSurvey {
  /// What the bytes are. A page that is too large for its own limits is told as nil.
  static func content(
    of bytes: UnsafeRawBufferPointer, id: NoteID, generationHint: UInt64?
  ) -> PageContent? {
    let verdict = PageReader.verify(bytes, expecting: id)
    switch verdict.condition {
    case .whole: return summary(of: verdict, bytes).map { .whole($0) }
    case .trailing(let extra): return summary(of: verdict, bytes).map { .trailing($0, extraBytes: UInt64(extra)) }
    case .idDiffers:
      guard let header = verdict.header else { return nil }
      return summary(of: verdict, bytes).map { .misplaced(header.id, $0) }
    case .zeroLength: return .empty
    case .versionUnknown(let version): return .unknownVersion(Int(version))
    case .limitExceeded: return nil
    default: return .damaged(damage(verdict, bytes, id: id, generationHint: generationHint))
    }
  }

  /// What a stray that holds a whole page says; nil for anything else.
  static func wholePage(of bytes: UnsafeRawBufferPointer) -> (NoteID, PageSummary)? {
    guard let verdict = PageReader.verifyWhole(bytes), let header = verdict.header,
      let summary = summary(of: verdict, bytes)
    else { return nil }
    return (header.id, summary)
  }

  /// What a stray that holds a damaged page says, of which something can be kept; nil for anything else.
  static func damagedPage(of bytes: UnsafeRawBufferPointer, hints: [NoteID: UInt64]) -> (NoteID, PageDamage)? {
    let file = Array(bytes)
    let guess = NoteID(high: 0, low: 0)
    let id = PageReader.verify(bytes).header?.id ?? PageSalvage.salvage(file, expecting: guess, generationHint: nil).id
    guard let id, id != guess, case .damaged(let damage) = content(of: bytes, id: id, generationHint: hints[id]) else {
      return nil
    }
    return damage.salvage.elements > 0 || damage.salvage.partial != nil ? (id, damage) : nil
  }

  /// The same from a file's first bytes and its size alone.
  static func glance(_ head: [UInt8], size: UInt64, id: NoteID) -> PageContent {
    if head.isEmpty { return .empty }
    return head.withUnsafeBytes { .glanced(PageReader.glance($0, size: size, expecting: id)) }
  }

  private static func summary(of verdict: PageVerdict, _ bytes: UnsafeRawBufferPointer) -> PageSummary? {
    guard let header = verdict.header else { return nil }
    var strokes: UInt64 = 0
    var unknown: UInt64 = 0
    for element in verdict.elements {
      if element.type == FrameType.stroke {
        strokes += 1
      } else if element.type != FrameType.image {
        unknown += 1
      }
    }
    var doubles = ElementDoubles()
    // Only a page that is known to be odd is read a second time, to say which of its elements are the same.
    if verdict.hasDoubles, let page = PageReader.read(Array(bytes)).snapshot {
      doubles = ElementDoubles.separated(page.elements, of: page.id).doubles
    }
    return PageSummary(
      generation: header.generation, elements: UInt64(verdict.elements.count), strokes: strokes,
      unknownElements: unknown, canvas: header.canvas, created: header.created, modified: header.modified,
      images: verdict.images, odd: verdict.strokes, doubles: doubles, headerChecksum: header.checksum)
  }

  private static func damage(
    _ verdict: PageVerdict, _ bytes: UnsafeRawBufferPointer, id: NoteID, generationHint: UInt64?
  ) -> PageDamage {
    let salvaged = PageSalvage.salvage(Array(bytes), expecting: id, generationHint: generationHint)
    var damage = PageDamage(
      kind: .damaged, offset: verdict.damage.map { UInt64($0.offset) }, evidence: evidence(verdict),
      header: verdict.header.flatMap { $0.id == id ? $0 : nil },
      salvage: SalvageSummary(salvaged.own(of: id)))
    if salvaged.isForeign(to: id) {
      damage.foreign = ForeignElements(
        page: salvaged.id, count: UInt64(salvaged.elementsWithPartial.count),
        partial: SalvageSummary(salvaged).partial, header: salvaged.header)
    }
    switch verdict.condition {
    case .nulFilled: damage.kind = .zeros
    case .truncated(let missing): damage.kind = .truncated(missingBytes: UInt64(missing))
    case .headerCut(let missing): damage.kind = .truncated(missingBytes: UInt64(missing))
    case .frameListDiffers, .countDiffers: damage.kind = .elementsDiffer
    default:
      let isHeaderBad = verdict.header == nil
      let gaps = (isHeaderBad ? [0..<min(512, bytes.count)] : []) + salvaged.gaps
      if gaps.contains(where: { hasZeroSector(in: $0, of: bytes) }) { damage.kind = .zeros }
      if verdict.damage?.fault == .malformed(.sampleCount), gaps.isEmpty, damage.foreign == nil {
        damage.kind = .sampleCounts
      }
    }
    return damage
  }

  /// True where a whole sector of 512 bytes within the part holds only zeros.
  private static func hasZeroSector(in part: Range<Int>, of bytes: UnsafeRawBufferPointer) -> Bool {
    let sector = 512
    var start = (part.lowerBound + sector - 1) / sector * sector
    while start + sector <= part.upperBound {
      if !bytes[start..<(start + sector)].contains(where: { $0 != 0 }) { return true }
      start += sector
    }
    return false
  }

  private static func evidence(_ verdict: PageVerdict) -> String {
    if let damage = verdict.damage {
      return "element \(damage.index + 1): \(damage.fault); \(damage.goodBehind) whole elements behind it"
    }
    switch verdict.condition {
    case .notAPage: return "it does not begin like a page"
    case .headerDamaged: return "the header's checksum differs"
    case .headerFault(let fault): return "the header is not of version 1: \(fault.rawValue)"
    case .frameListDiffers: return "the checksum over all elements differs"
    case .countDiffers: return "the number of elements differs"
    case .truncated(let missing), .headerCut(let missing): return "\(missing) bytes are missing"
    case .nulFilled: return "every byte is zero"
    default: return "\(verdict.condition)"
    }
  }
}

extension SalvagedPage {
  /// True where what can be saved is another page's.
  func isForeign(to page: NoteID) -> Bool { id != page && !(elements.isEmpty && partial == nil) }

  /// What is this page's own; nothing where header and frames are another page's.
  func own(of page: NoteID) -> SalvagedPage { id == page ? self : .nothing(id: page) }
}

extension SalvageSummary {
  /// The counts of what was saved.
  init(_ page: SalvagedPage) {
    var strokes: UInt64 = 0
    var images: [PlacedImage] = []
    for element in page.elements {
      if case .stroke = element { strokes += 1 }
      if case .image(let image) = element { images.append(image) }
    }
    let partial = page.partial.map { partial in
      let samples = UInt64(partial.stroke.samples.count)
      return CutStroke(samples: samples, samplesBefore: samples + UInt64(partial.samplesMissing))
    }
    self.init(
      elements: UInt64(page.elements.count), strokes: strokes, partial: partial, generation: page.generation,
      images: images)
  }
}
