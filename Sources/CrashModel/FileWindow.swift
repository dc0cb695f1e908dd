import FaultDisk

/// A change to a file since its content was durable last.
struct ContentEvent: Hashable, Sendable {
  /// The number of its record.
  var record: UInt64
  var change: ContentChange
  var sizeBefore: UInt64
  /// The size of the file right behind it.
  var size: UInt64
  /// How much of the file is allocated right behind it.
  var allocatedBytes: UInt64
  /// True where its size stands in the order of the metadata.
  var isOrdered: Bool

  /// True where the file has another size behind it.
  var isResizing: Bool { size != sizeBefore }
  /// The blocks that it changes, holes among them.
  var blocks: Range<UInt64> { change.blocks(sizeBefore: sizeBefore) }
}

/// What may be on the disk of one file: the content that is durable, and every change since.
///
/// Version 0 of the file is `base`, version k is the file behind event k. Some versions are kept, the others are made of
/// the one before: a file in n parts that is changed n times would take n * n of them.
struct FileWindow: Sendable {
  static let blockBytes: UInt64 = 4096
  /// A version is kept for so many extents of the file an event.
  private static let extentsPerEvent = 8

  /// The content that is durable.
  private(set) var base: FileContent
  /// The file as the program sees it.
  private(set) var current: FileContent
  private(set) var events: [ContentEvent] = []
  /// The changes of each block, in order; of those that never had data, only where they have got some.
  private(set) var blocks: [UInt64: [BlockChange]] = [:]
  /// The changes that are no writes: what they change may be a hole of any size.
  private var cuts: [(version: Int, change: ContentChange, blocks: Range<UInt64>)] = []
  /// The versions that are kept, in order.
  private var kept: [(version: Int, content: FileContent)] = []
  /// Ranges that were made durable by themselves, with the version that they have at least.
  private(set) var rangesKept: [(blocks: Range<UInt64>, end: UInt64, version: Int)] = []
  /// The version whose size came to the disk with a name that the file took from another.
  private(set) var versionFlushed = 0
  /// Syncs that only order: the record, and the version that whatever follows it needs.
  private(set) var barriers: [(record: UInt64, version: Int)] = []
  /// True where pages were dropped: no fsync can be believed any more.
  private(set) var isTainted = false

  init(_ content: FileContent = FileContent()) {
    base = content
    current = content
  }

  /// How many versions there are besides the durable one.
  var lastVersion: Int { events.count }

  /// How many extents the kept versions have together.
  var extentsKept: Int { kept.reduce(0) { $0 + $1.content.extents.extents.count } }

  func content(of version: Int) -> FileContent {
    if version == 0 { return base }
    if version == lastVersion { return current }
    var (low, high) = (0, kept.count)
    while low < high {
      let middle = (low + high) / 2
      if kept[middle].version <= version { low = middle + 1 } else { high = middle }
    }
    var (known, content) = low == 0 ? (0, base) : kept[low - 1]
    while known < version {
      content.take(events[known].change)
      known += 1
    }
    return content
  }

  func size(of version: Int) -> UInt64 { version == 0 ? base.size : events[version - 1].size }

  /// Adds a change.
  mutating func add(_ change: ContentChange, record: UInt64, _ model: PersistenceModel) {
    let sizeBefore = current.size
    current.take(change)
    let isCut: Bool
    if case .write = change { isCut = false } else { isCut = true }
    let isOrdered =
      switch model.overwriting {
      case .inOrder: true
      default: model.metadataOrder != .free && (isCut || model.sizeOrder == .inOrder && current.size > sizeBefore)
      }
    let event = ContentEvent(
      record: record, change: change, sizeBefore: sizeBefore, size: current.size,
      allocatedBytes: current.extents.allocatedBytes, isOrdered: isOrdered)
    events.append(event)
    let extentCount = current.extents.extents.count
    if (lastVersion - (kept.last?.version ?? 0)) * Self.extentsPerEvent >= extentCount {
      kept.append((lastVersion, current))
    }
    let touched = event.blocks
    if touched.isEmpty { return }
    if isCut {
      for block in blocksWithData(in: touched) { note(change, block) }
      cuts.append((lastVersion, change, touched))
    } else {
      for block in touched { note(change, block) }
    }
  }

  private mutating func note(_ change: ContentChange, _ block: UInt64) {
    let isInBase = base.hasData(in: block)
    var changes = blocks[block] ?? []
    if changes.isEmpty && !isInBase {
      changes = cuts.filter { $0.blocks.contains(block) }.map {
        BlockChange(version: $0.version, effect: $0.change.effect(on: block), hadData: false)
      }
    }
    let hadData = changes.last.map { $0.effect != .gone } ?? isInBase
    changes.append(BlockChange(version: lastVersion, effect: change.effect(on: block), hadData: hadData))
    blocks[block] = changes
  }

  /// Those of some blocks that are known to have changed.
  func changedBlocks(in range: Range<UInt64>) -> [UInt64] {
    range.count < blocks.count
      ? range.filter { blocks[$0] != nil } : blocks.keys.filter { range.contains($0) }.sorted()
  }

  /// Those of some blocks that had data at any time.
  private func blocksWithData(in range: Range<UInt64>) -> [UInt64] {
    var found = Set(changedBlocks(in: range))
    for part in base.extents.parts(from: range.lowerBound * Self.blockBytes, to: range.upperBound * Self.blockBytes)
    where part.isWritten {
      found.formUnion(part.start / Self.blockBytes...(part.end - 1) / Self.blockBytes)
    }
    return found.sorted()
  }

  /// Everything is durable.
  mutating func settle() {
    if isTainted { return }
    versionFlushed = 0
    base = current
    events.removeAll()
    kept.removeAll()
    cuts.removeAll()
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
