import Bytes
import Files
import LNoteFormat

/// Writes a document that was put together from raw bytes as a package that is whole: what is missing is recorded in it.
struct CarveWriter {
  let sources: CarveSources
  let findings: CarveFindings
  let target: any Volume
  let now: Timestamp

  private static let pieceBytes = 1 << 20

  /// Writes the package under a name that begins with a dot, syncs it, and gives it its own name.
  func write(_ document: CarvedDocument) throws(FileCallError) -> CarveReport.Item {
    let name = BytePath(PackageNames.package(document.record.id))
    let folder = BytePath(bytes: [UInt8(ascii: ".")] + name.bytes + Array(".lnote-fsck-carve".utf8))
    try target.makeDirectory(folder, permissions: 0o755)
    for inner in PackagePaths.directories { try target.makeDirectory(folder.appending(inner), permissions: 0o755) }
    var item = CarveReport.Item(
      title: document.record.title, id: document.record.id, isMadeUp: document.isMadeUp)
    var edit = DocumentEdit(document.record, stamp: RepairStamp(at: now))
    var uses: [PlacedImage] = []
    for (entry, body) in zip(document.record.pages, document.pages) {
      let page = try bytes(of: entry, body, &edit, &item)
      try write(page, to: folder.appending(PackagePaths.page(entry.id)))
      uses += PageReader.verify(page).images
    }
    try writeImages(uses, in: folder, &edit, &item)
    let record = edit.isChanged ? edit.finished(above: document.record.generation) : edit.record
    try write(record.encoded(), to: folder.appending(PackagePaths.document))
    try write(ManifestRecord(mirroring: record).encoded(), to: folder.appending(PackagePaths.manifest))
    for inner in PackagePaths.directories { try target.synchronizeDirectory(folder.appending(inner)) }
    try target.synchronizeDirectory(folder)
    try target.renameKeeping(folder, to: name)
    try target.synchronizeDirectory(.root)
    let left = Fsck(volume: target, now: now).check(name).left
    // A document without small pictures is whole: they can be drawn at any time.
    let expected: Set<ProblemKind> = [.knownLoss, .assetUnproven, .thumbnailMissing]
    item.codes = left.filter { !expected.contains($0.kind) }.map(\.kind.code)
    return item
  }

  // MARK: Pages

  /// The file of a page; entry and report are told what became of it.
  private func bytes(
    of entry: PageEntry, _ body: CarvedBody?, _ edit: inout DocumentEdit, _ item: inout CarveReport.Item
  ) throws(FileCallError) -> [UInt8] {
    guard let body, body.count > 0 || body.whole != nil else {
      let expected = PageLoss.expected(by: entry)
      let loss = ContentLoss(elements: expected ?? 0, isAtLeast: expected == nil)
      item.pagesMissing += 1
      return replaced(entry, by: [], nil, loss, code: ProblemKind.pageMissing.code, &edit, &item)
    }
    if let whole = body.whole {
      let bytes = sources.read(whole.place.file, at: whole.place.offset, count: whole.bytes)
      // The file changed since it was searched, or the disk gives something else now.
      if var page = PageReader.read(bytes, expecting: entry.id).snapshot {
        item.pagesWhole += 1
        item.elements += UInt64(page.elements.count)
        if page.generation == entry.generation && UInt64(page.elements.count) == entry.elementCount { return bytes }
        if page.generation >= entry.generation {
          edit.correctEntry(entry.id, from: PageSummary(page))
          return bytes
        }
        let expected = PageLoss.expected(by: entry) ?? 0
        let loss = ContentLoss(elements: expected - min(expected, UInt64(page.elements.count)), isAtLeast: true)
        item.pagesOlder += 1
        item.loss.add(loss)
        page.generation = next(entry, body)
        edit.keepOlder(
          entry.id, generation: page.generation, elements: UInt64(page.elements.count), loss: loss,
          code: ProblemKind.pageRolledBack.code)
        return page.encoded()
      }
    }
    let (elements, samplesLost) = self.elements(of: body)
    let expected = body.header.map { UInt64($0.elementCount) } ?? PageLoss.expected(by: entry)
    let kept = UInt64(elements.count)
    let loss = ContentLoss(
      elements: (expected ?? kept) - min(kept, expected ?? kept), samples: samplesLost, isAtLeast: expected == nil)
    if loss.isNothing { item.pagesWhole += 1 } else { item.pagesInPart += 1 }
    return replaced(entry, by: elements, body, loss, code: ProblemKind.pageDamaged.code, &edit, &item)
  }

  private func next(_ entry: PageEntry, _ body: CarvedBody?) -> UInt64 {
    min(max(entry.generation, body?.generation ?? 0), PageLimits.generationMax - 1) + 1
  }

  private func replaced(
    _ entry: PageEntry, by elements: [PageElement], _ body: CarvedBody?, _ loss: ContentLoss, code: String,
    _ edit: inout DocumentEdit, _ item: inout CarveReport.Item
  ) -> [UInt8] {
    let generation = next(entry, body)
    edit.replacePage(
      entry.id, generation: generation, elements: UInt64(elements.count), loss: loss, code: code,
      lostGeneration: body?.generation)
    item.elements += UInt64(elements.count)
    item.loss.add(loss)
    return PageSnapshot(
      id: entry.id, generation: generation, canvas: body?.header?.canvas ?? entry.canvas,
      created: body?.header?.created ?? entry.created, modified: body?.header?.modified ?? entry.modified,
      elements: elements
    ).encoded()
  }

  /// The elements of a body that is not in one piece, and how many points of the stroke that the end of a file cut are
  /// missing.
  private func elements(of body: CarvedBody) -> ([PageElement], samplesLost: UInt64) {
    var elements: [PageElement] = []
    var size = PageLimits.headerBytes
    for frame in body.frames.sorted(by: { $0.place < $1.place }) {
      let bytes = sources.read(frame.place.file, at: frame.place.offset, count: frame.bytes)
      guard size + bytes.count <= PageLimits.fileBytesMax, elements.count < PageLimits.elementsMax,
        RawScan.prefix(of: bytes) == frame.prefix, let element = RawScan.element(of: bytes)
      else { continue }
      size += bytes.count
      elements.append(element)
    }
    guard let start = body.beginning, let id = body.id, let header = body.header else { return (elements, 0) }
    let left = sources.files[start.file].size - start.offset
    guard left < UInt64(PageLimits.headerBytes) + header.bodyLength else { return (elements, 0) }
    let page = PageSalvage.salvage(
      sources.read(start.file, at: start.offset, count: Int(left)), expecting: id, generationHint: body.generation)
    guard let partial = page.partial, !elements.contains(where: { $0.id == partial.stroke.id }) else {
      return (elements, 0)
    }
    return (elements + [.stroke(partial.stroke)], UInt64(partial.samplesMissing))
  }

  // MARK: Images

  private func writeImages(
    _ uses: [PlacedImage], in folder: BytePath, _ edit: inout DocumentEdit, _ item: inout CarveReport.Item
  ) throws(FileCallError) {
    var done: Set<NoteID> = []
    for image in uses where done.insert(image.asset).inserted {
      let path = folder.appending(PackagePaths.asset(image.asset))
      if let place = place(of: image) {
        item.images += 1
        try copy(place, bytes: image.assetLength, to: path)
      } else {
        let count = uses.count { $0.asset == image.asset }
        item.imagesMissing += 1
        item.loss.elements += UInt64(count)
        edit.recordAssetLoss(image.asset, elements: UInt64(count), code: ProblemKind.assetMissing.code)
      }
    }
  }

  /// Where the picture stands that the image was inserted with: so many bytes of this digest.
  private func place(of image: PlacedImage) -> CarvePlace? {
    guard image.assetLength >= 4, image.assetLength <= SurveyLimits.assetBytesMax else { return nil }
    let whole = sources.files.indices.filter { sources.files[$0].size == image.assetLength }
      .map { CarvePlace(file: $0, offset: 0) }
    let length = image.assetLength
    let begun = findings.pictures.filter { place in
      place.offset + length <= sources.files[place.file].size
        && sources.read(place.file, at: place.offset + length - 2, count: 2) == [0xFF, 0xD9]
    }
    return (whole + begun).first { place in
      let stream = XXH3Stream()
      pieces(place, bytes: length) { stream.update($0) }
      let digest = stream.digest128
      return AssetDigest(high: digest.high, low: digest.low) == image.assetDigest
    }
  }

  private func pieces(_ place: CarvePlace, bytes: UInt64, _ body: ([UInt8]) -> Void) {
    var offset: UInt64 = 0
    while offset < bytes {
      let count = Int(min(UInt64(CarveWriter.pieceBytes), bytes - offset))
      body(sources.read(place.file, at: place.offset + offset, count: count))
      offset += UInt64(count)
    }
  }

  // MARK: Files

  private func copy(_ place: CarvePlace, bytes: UInt64, to path: BytePath) throws(FileCallError) {
    var offset: UInt64 = 0
    try write(to: path) { () throws(FileCallError) -> [UInt8]? in
      guard offset < bytes else { return nil }
      let count = Int(min(UInt64(CarveWriter.pieceBytes), bytes - offset))
      defer { offset += UInt64(count) }
      return sources.read(place.file, at: place.offset + offset, count: count)
    }
  }

  private func write(_ bytes: [UInt8], to path: BytePath) throws(FileCallError) {
    var rest: [UInt8]? = bytes
    try write(to: path) { () throws(FileCallError) -> [UInt8]? in
      defer { rest = nil }
      return rest
    }
  }

  private func write(
    to path: BytePath, _ next: () throws(FileCallError) -> [UInt8]?
  ) throws(FileCallError) {
    let file = try target.open(path, for: .creating(permissions: 0o644))
    do throws(FileCallError) {
      var offset: UInt64 = 0
      while let piece = try next() {
        try target.writeWhole(file, at: offset, piece)
        offset += UInt64(piece.count)
      }
      try target.synchronize(file)
    } catch {
      try? target.close(file)
      throw error
    }
    try target.close(file)
  }
}

extension ContentLoss {
  mutating func add(_ other: ContentLoss) {
    elements += other.elements
    samples += other.samples
    isAtLeast = isAtLeast || other.isAtLeast
  }
}

extension PageSummary {
  /// What a whole page says of itself.
  init(_ page: PageSnapshot) {
    var (strokes, unknown): (UInt64, UInt64) = (0, 0)
    var images: [PlacedImage] = []
    for element in page.elements {
      switch element {
      case .stroke: strokes += 1
      case .image(let image): images.append(image)
      case .unknown: unknown += 1
      }
    }
    self.init(
      generation: page.generation, elements: UInt64(page.elements.count), strokes: strokes, unknownElements: unknown,
      canvas: page.canvas, created: page.created, modified: page.modified, images: images)
  }
}
