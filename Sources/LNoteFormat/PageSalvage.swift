import Bytes

/// Saves what can be saved of a damaged page file. Never traps; its work is linear in the file's size.
package enum PageSalvage {
  /// Every good frame, behind damage too, and the whole samples of a stroke that the file's end cut.
  ///
  /// `expecting` is the identity in the file's name, `generationHint` the generation in the document's entry; both are
  /// needed only where the header is damaged. A page of an unknown version or beyond the limits yields nothing.
  package static func salvage(
    _ bytes: [UInt8], expecting: NoteID? = nil, generationHint: UInt64? = nil
  ) -> SalvagedPage {
    bytes.withUnsafeBytes { salvage($0, expecting: expecting, generationHint: generationHint) }
  }

  private static func salvage(
    _ file: UnsafeRawBufferPointer, expecting: NoteID?, generationHint: UInt64?
  ) -> SalvagedPage {
    var page = SalvagedPage.nothing(id: expecting)
    if file.count > PageLimits.fileBytesMax {
      page.isIncomplete = true
      return page
    }
    let header = PageHeader.read(file)
    if case .failure(let fault) = header, case .versionUnknown = fault.condition,
      !isOurVersion(file, fault.condition, expecting: expecting)
    {
      return page
    }
    var scan = FrameScan(file: file)
    var found: [ElementMark] = []
    if case .success(let header) = header {
      page.header = header
      (page.id, page.generation, page.proof) = (header.id, header.generation, .header)
      let prefix = FrameCodec(magic: PageHeader.magic, page: header.id, generation: header.generation).prefix.value
      found = scan.frames(from: PageLimits.headerBytes, prefix: prefix)
      page.isIncomplete = scan.isIncomplete
    }
    // Without a header, or under one that none of the frames is of, they tell themselves what they are of.
    if found.isEmpty, file.count > (page.header == nil ? 0 : PageLimits.headerBytes) {
      var search = FrameScan(file: file)
      if let told = page.tellingFrames(of: file, expecting: expecting, hint: generationHint, &search) {
        scan = FrameScan(file: file)
        found = scan.frames(from: 0, prefix: told, hints: [PageLimits.headerBytes])
        page.isIncomplete = scan.isIncomplete
      } else if page.header == nil {
        page.gaps = gaps(between: [], in: file)
        page.isIncomplete = search.isIncomplete
        return page
      }
    }
    page.take(found, from: file)
    page.partial = cutStroke(in: file, scan: scan, page: page)
    return page
  }

  /// True where the header names another version and is damaged, and frames of version 1 stand behind it.
  static func isOurVersion(
    _ file: UnsafeRawBufferPointer, _ condition: PageCondition, expecting: NoteID?
  ) -> Bool {
    guard case .versionUnknown = condition, !PageHeader.checksumFits(file),
      file.number(at: 10, as: UInt16.self) == UInt16(PageLimits.headerBytes)
    else { return false }
    var page = SalvagedPage.nothing(id: expecting)
    var scan = FrameScan(file: file)
    return page.tellingFrames(of: file, expecting: expecting, hint: nil, &scan) != nil && page.id != nil
  }

  /// The parts of the file behind the header that no frame covers.
  fileprivate static func gaps(between marks: [ElementMark], in file: UnsafeRawBufferPointer) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var covered = min(PageLimits.headerBytes, file.count)
    for mark in marks {
      if mark.offset > covered { gaps.append(covered..<mark.offset) }
      covered = max(covered, mark.end)
    }
    if covered < file.count { gaps.append(covered..<file.count) }
    return gaps
  }

  /// The stroke behind the last good frame that the end of the file, or a tail of zero sectors, cut.
  private static func cutStroke(
    in file: UnsafeRawBufferPointer, scan: FrameScan, page: SalvagedPage
  ) -> PartialStroke? {
    let end = endOfData(in: file)
    let samplesStart = PageLimits.framePrefixBytes + PageLimits.strokeBytes
    var offset = page.marks.last?.end ?? min(PageLimits.headerBytes, file.count)
    while offset + samplesStart + PageLimits.sampleBytes <= end {
      defer { offset += 1 }
      guard scan.hasPlausibleLength(at: offset), file[offset + 8] == FrameType.stroke else { continue }
      let length = Int(file.number(at: offset, as: UInt32.self))
      let frameEnd = offset + PageLimits.framePrefixBytes + length
      let payload = file.part((offset + PageLimits.framePrefixBytes)..<min(frameEnd, end))
      guard length <= PageLimits.framePayloadBytesMax, frameEnd > end, payload.count >= PageLimits.strokeBytes else {
        continue
      }
      let isZero = payload[17] | payload[18] | payload[19] | payload[26] | payload[27] == 0
      let stroke = Stroke(payload: payload)
      guard isZero, !stroke.samples.isEmpty, !page.marks.contains(where: { $0.id == stroke.id }) else { continue }
      let count = (length - PageLimits.strokeBytes) / PageLimits.sampleBytes
      return PartialStroke(stroke: stroke, samplesMissing: count - stroke.samples.count, offset: offset)
    }
    return nil
  }

  /// Where the file's data ends: before a tail of whole zero sectors, which a power loss leaves.
  private static func endOfData(in file: UnsafeRawBufferPointer) -> Int {
    let sector = 512
    let last = file.lastIndex { $0 != 0 } ?? -1
    let sectorEnd = (last + sector) / sector * sector
    return file.count - sectorEnd >= sector ? sectorEnd : file.count
  }
}

extension SalvagedPage {
  /// The prefix value that the frames agree on, with identity and generation taken over from them; nil where they do
  /// not agree.
  fileprivate mutating func tellingFrames(
    of file: UnsafeRawBufferPointer, expecting: NoteID?, hint: UInt64?, _ scan: inout FrameScan
  ) -> UInt32? {
    let unproven = file.count >= PageLimits.headerBytes ? PageHeader(unproven: file) : nil
    if header == nil { unprovenHeader = unproven }
    let search = GenerationSearch(
      identities: [expecting, unproven?.id].compactMap(\.self), unproven: unproven?.generation, hint: hint)
    let implied = scan.impliedPrefixes(from: 0)
    guard let finding = search.find(implied, distinct: { file.number(at: $0, as: UInt64.self) }) else { return nil }
    (unprovenHeader, header) = (unproven, nil)
    (id, generation, proof) = (finding.identity, finding.generation, finding.proof)
    return finding.prefix
  }

  /// A page of which nothing could be saved.
  package static func nothing(id: NoteID?) -> SalvagedPage {
    SalvagedPage(
      id: id, generation: nil, proof: .none, header: nil, unprovenHeader: nil, elements: [], marks: [], partial: nil,
      doubledFrames: 0, gaps: [], isIncomplete: false)
  }

  /// Takes these frames, but for strokes and images that stand before them byte for byte.
  fileprivate mutating func take(_ found: [ElementMark], from file: UnsafeRawBufferPointer) {
    gaps = PageSalvage.gaps(between: found, in: file)
    var first: [NoteID: ElementMark] = [:]
    for mark in found {
      if let id = mark.id {
        if let other = first[id], file[other.offset..<other.end].elementsEqual(file[mark.offset..<mark.end]) {
          doubledFrames += 1
          continue
        }
        if first[id] == nil { first[id] = mark }
      }
      marks.append(mark)
      elements.append(PageReader.element(at: mark, in: file))
    }
  }
}
