import Bytes
import LNoteFormat

/// A place in the files that are searched.
struct CarvePlace: Hashable, Comparable {
  var file: Int
  var offset: UInt64

  static func < (left: CarvePlace, right: CarvePlace) -> Bool {
    (left.file, left.offset) < (right.file, right.offset)
  }
}

/// Everything that was found in the files, by place: values only, from which is decided what belongs together.
struct CarveFindings {
  /// The beginning of a page file.
  struct Page {
    let place: CarvePlace
    let header: PageHeader
    /// True where the whole page follows, every byte of it.
    let isWhole: Bool
    var bytes: Int { PageLimits.headerBytes + Int(header.bodyLength) }
  }

  /// A stroke or an image outside of whole pages.
  struct Frame {
    let place: CarvePlace
    let bytes: Int
    /// What it says of the body that it belongs to.
    let prefix: UInt32
    /// Its length and checksum: two copies of a frame have the same.
    let key: UInt64
  }

  var pages: [Page] = []
  var frames: [Frame] = []
  var documents: [DocumentRecord] = []
  var manifests: [ManifestRecord] = []
  /// Files of JSON that begin as ours, and are not whole.
  var recordsDamaged = 0
  /// What can be read of those that are documents: the identity, and pages in their order.
  var salvaged: [SalvagedDocument] = []
  var pictures: [CarvePlace] = []
  /// True where the search met one of its limits.
  var isIncomplete = false
}

/// Searches the files once, piece by piece.
struct CarveSearch {
  let sources: CarveSources
  let progress: (Int) -> Void
  let isStopped: () -> Bool
  private(set) var findings = CarveFindings()
  private var known: Set<UInt32> = []
  // A file can be made so that everything seems to begin everywhere; in an honest one each byte is read again once.
  private var bytesLeft: Int

  static let windowBytes = 4 << 20
  static let marksMax = 4_000_000
  static let picturesMax = 1_000_000

  init(_ sources: CarveSources, progress: @escaping (Int) -> Void, isStopped: @escaping () -> Bool) {
    self.sources = sources
    self.progress = progress
    self.isStopped = isStopped
    bytesLeft = Int(clamping: sources.size) * 4 + PageLimits.fileBytesMax
  }

  mutating func run() {
    for index in sources.files.indices {
      if isStopped() { return }
      search(index)
    }
    sources.close()
  }

  private mutating func search(_ index: Int) {
    let size = sources.files[index].size
    var start: UInt64 = 0
    while start < size, !isStopped() {
      let window = sources.read(index, at: start, count: CarveSearch.windowBytes + RawScan.markBytes)
      let end = min(window.count, CarveSearch.windowBytes)
      if end == 0 { return }
      let next = search(window, to: end, at: CarvePlace(file: index, offset: start))
      // What was found may reach behind the window.
      progress(Int(clamping: min(size - start, UInt64(max(next, end)))))
      start += UInt64(max(next, end))
    }
  }

  /// The offset to go on at: the window's end, or the end of what reaches behind it.
  private mutating func search(_ window: [UInt8], to end: Int, at start: CarvePlace) -> Int {
    var offset = 0
    while offset < end {
      let found = window.withUnsafeBytes { RawScan.mark(in: $0, from: offset, to: end) }
      guard let found else { return end }
      let place = CarvePlace(file: start.file, offset: start.offset + UInt64(found.offset))
      offset = found.offset + max(1, take(found.mark, at: place))
    }
    return offset
  }

  /// Takes what begins there; how many bytes need not be looked at again.
  private mutating func take(_ mark: RawScan.Mark, at place: CarvePlace) -> Int {
    switch mark {
    case .page(let header): return take(header, at: place)
    case .record: return takeRecord(at: place)
    case .picture:
      if findings.pictures.count < CarveSearch.picturesMax {
        findings.pictures.append(place)
      } else {
        findings.isIncomplete = true
      }
      return 1
    case .frame(let bytes): return takeFrame(bytes, at: place)
    }
  }

  private mutating func take(_ header: PageHeader, at place: CarvePlace) -> Int {
    known.insert(RawScan.prefix(ofPage: header.id, generation: header.generation))
    var page = CarveFindings.Page(place: place, header: header, isWhole: false)
    if let bytes = again(page.bytes, at: place), PageReader.verify(bytes, expecting: header.id).condition == .whole {
      page = CarveFindings.Page(place: place, header: header, isWhole: true)
    }
    guard findings.pages.count < CarveSearch.marksMax else {
      findings.isIncomplete = true
      return 1
    }
    findings.pages.append(page)
    return page.isWhole ? page.bytes : PageLimits.headerBytes
  }

  private mutating func takeRecord(at place: CarvePlace) -> Int {
    guard let bytes = again(RecordLimits.bytesMax, at: place, isWhole: false) else { return 1 }
    guard let end = RawScan.recordEnd(in: bytes) else {
      // Behind a torn end stands what is no text.
      takeDamaged(Array(bytes.prefix { $0 >= 0x20 || $0 == UInt8(ascii: "\n") }))
      return 1
    }
    let text = Array(bytes[..<end])
    let document = DocumentRecord.read(text)
    let manifest = ManifestRecord.read(text)
    if document.condition == .whole, let record = document.record {
      findings.documents.append(record)
    } else if manifest.condition == .whole, let record = manifest.record {
      findings.manifests.append(record)
    } else {
      takeDamaged(text)
      return 1
    }
    return end
  }

  private static let salvagedMax = 10_000
  private static let recordBeginning = Array("{\n  \"checksum\": \"".utf8)

  /// What can still be read of a file of JSON; where another one begins, it has ended.
  private mutating func takeDamaged(_ text: [UInt8]) {
    findings.recordsDamaged += 1
    let next = text.dropFirst().firstRange(of: CarveSearch.recordBeginning)?.lowerBound
    let document = DocumentSalvage.salvage(Array(text[..<(next ?? text.count)]))
    guard document.id != nil, !document.pages.isEmpty else { return }
    if findings.salvaged.count < CarveSearch.salvagedMax {
      findings.salvaged.append(document)
    } else {
      findings.isIncomplete = true
    }
  }

  private mutating func takeFrame(_ count: Int, at place: CarvePlace) -> Int {
    guard let bytes = again(count, at: place), let prefix = RawScan.prefix(of: bytes) else { return 1 }
    guard findings.frames.count < CarveSearch.marksMax else {
      findings.isIncomplete = true
      return 1
    }
    let key = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    findings.frames.append(CarveFindings.Frame(place: place, bytes: count, prefix: prefix, key: key))
    return known.contains(prefix) ? count : 1
  }

  /// So many bytes from a place on; nil where they are not there, or too much was read already.
  private mutating func again(_ count: Int, at place: CarvePlace, isWhole: Bool = true) -> [UInt8]? {
    let left = sources.files[place.file].size - place.offset
    if isWhole && UInt64(count) > left { return nil }
    bytesLeft -= Int(min(UInt64(count), left))
    if bytesLeft < 0 {
      findings.isIncomplete = true
      return nil
    }
    return sources.read(place.file, at: place.offset, count: count)
  }
}
