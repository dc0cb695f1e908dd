import FaultDisk

/// A change to a file since its content was durable last.
struct ContentEvent: Hashable, Sendable {
  /// The number of its record.
  var record: UInt64
  var change: ContentChange
  /// The file right behind it.
  var after: FileContent
  /// True where its size stands in the order of the metadata.
  var isOrdered: Bool
}

/// What may be on the disk of one file: the content that is durable, and every change since.
///
/// Version 0 of the file is `base`, version k is the file behind event k.
struct FileWindow: Sendable {
  static let blockBytes: UInt64 = 4096

  /// The content that is durable.
  private(set) var base = FileContent()
  private(set) var events: [ContentEvent] = []
  /// The changes of each block, in order.
  private(set) var blocks: [UInt64: [BlockChange]] = [:]
  /// Ranges that were made durable by themselves, with the version that they have at least.
  private(set) var rangesKept: [(blocks: Range<UInt64>, end: UInt64, version: Int)] = []
  /// The version whose size came to the disk with a name that the file took from another.
  private(set) var versionFlushed = 0
  /// Syncs that only order: the record, and the version that whatever follows it needs.
  private(set) var barriers: [(record: UInt64, version: Int)] = []
  /// True where pages were dropped: no fsync can be believed any more.
  private(set) var isTainted = false

  init(_ content: FileContent = FileContent()) { base = content }

  /// How many versions there are besides the durable one.
  var lastVersion: Int { events.count }

  /// The file as the program sees it.
  var current: FileContent { content(of: lastVersion) }

  func content(of version: Int) -> FileContent { version == 0 ? base : events[version - 1].after }

  /// Adds a change.
  mutating func add(_ change: ContentChange, record: UInt64, _ model: PersistenceModel) {
    var after = current
    let sizeBefore = after.size
    after.take(change)
    let isCut: Bool
    if case .write = change { isCut = false } else { isCut = true }
    let isOrdered =
      switch model.overwriting {
      case .inOrder: true
      default: model.metadataOrder != .free && (isCut || model.sizeOrder == .inOrder && after.size > sizeBefore)
      }
    events.append(ContentEvent(record: record, change: change, after: after, isOrdered: isOrdered))
    for block in change.blocks(sizeBefore: sizeBefore) {
      let before = blocks[block]?.last
      let hadData = before.map { $0.effect != .gone } ?? base.hasData(in: block)
      blocks[block, default: []].append(
        BlockChange(version: events.count, effect: change.effect(on: block), hadData: hadData))
    }
  }

  /// Everything is durable.
  mutating func settle() {
    if isTainted { return }
    versionFlushed = 0
    base = current
    events.removeAll()
    blocks.removeAll()
    rangesKept.removeAll()
    barriers.removeAll()
  }

  /// A range is durable as it is, whatever becomes of the rest.
  mutating func keep(_ range: Range<UInt64>) {
    let blocks = range.lowerBound / Self.blockBytes..<(range.upperBound + Self.blockBytes - 1) / Self.blockBytes
    rangesKept.append((blocks, range.upperBound, lastVersion))
  }

  /// Its size came to the disk with the rename of this record.
  mutating func noteFlush(at record: UInt64) { versionFlushed = max(versionFlushed, lastVersion(before: record)) }

  /// What follows this record needs all versions so far.
  mutating func order(at record: UInt64) { barriers.append((record, lastVersion)) }

  /// The version that a crash keeps with the metadata up to `record`.
  func versionOrdered(before record: UInt64) -> Int { barriers.last { $0.record < record }?.version ?? 0 }

  /// Its dirty pages were dropped.
  mutating func taint() { isTainted = true }

  /// The last version before a record.
  func lastVersion(before record: UInt64) -> Int { (events.lastIndex { $0.record < record } ?? -1) + 1 }

  /// The version that holds the size at which an ordered change before `record` leaves the file; 0 for none.
  func lastOrdered(before record: UInt64) -> Int {
    (events.lastIndex { $0.isOrdered && $0.record < record } ?? -1) + 1
  }

  /// The first version that an ordered change from `record` on would need; one behind the last for none.
  func firstOrdered(from record: UInt64) -> Int {
    (events.firstIndex { $0.isOrdered && $0.record >= record } ?? events.count) + 1
  }
}

extension ContentChange {
  /// The blocks that it changes; the end of the file counts for a cut.
  func blocks(sizeBefore: UInt64) -> Range<UInt64> {
    let bytes: Range<UInt64> =
      switch self {
      case .write(let offset, let length, _): offset..<offset + length
      case .truncate(let size): min(size, sizeBefore)..<sizeBefore
      case .punch(let range), .zero(let range, _): range
      case .reserve: 0..<0
      }
    if bytes.isEmpty { return 0..<0 }
    let size = FileWindow.blockBytes
    return bytes.lowerBound / size..<(bytes.upperBound + size - 1) / size
  }

  /// What it does to a block that it changes.
  func effect(on block: UInt64) -> BlockChange.Effect {
    let low = block * FileWindow.blockBytes
    switch self {
    case .write: return .written
    case .truncate(let size): return size <= low ? .gone : .zeroedInPart
    case .punch(let range), .zero(let range, _):
      return range.lowerBound <= low && range.upperBound >= low + FileWindow.blockBytes ? .gone : .zeroedInPart
    case .reserve: return .zeroedInPart
    }
  }
}

/// What a version of the file is for one of its blocks.
struct BlockChange: Hashable, Sendable {
  enum Effect: Hashable, Sendable {
    case written
    case zeroedInPart
    /// It has no data any more.
    case gone
  }

  var version: Int
  var effect: Effect
  /// True where it had data before.
  var hadData: Bool
}

extension FileContent {
  /// Changes as the program asked.
  mutating func take(_ change: ContentChange) {
    switch change {
    case .write(let offset, let length, let address):
      extents.store(start: offset, length: length, address: address)
      size = max(size, offset + length)
    case .truncate(let newSize): resize(to: newSize)
    case .reserve(let range, let keepsSize):
      extents.reserve(from: range.lowerBound, to: range.upperBound)
      if !keepsSize { size = max(size, range.upperBound) }
    case .punch(let range): extents.remove(from: range.lowerBound, to: range.upperBound)
    case .zero(let range, let keepsSize):
      take(.punch(range))
      take(.reserve(range, keepsSize: keepsSize))
    }
  }

  /// True where a block has any data; reserved space is none.
  func hasData(in block: UInt64) -> Bool {
    let low = block * FileWindow.blockBytes
    return extents.hasData(from: low, to: low + FileWindow.blockBytes)
  }
}
