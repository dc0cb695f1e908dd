import FileTracing
import Files

// What a file is on the medium, where faults make that differ from what a reader sees.
//   content   what reads show
//   medium    what the medium would hold once everything dirty is written; nil where that is the content
//   durable   what a power cut leaves at the least
// Writing back goes by pages of 4096 bytes, as in a kernel: a write makes the whole pages dirty that it touches, so what
// was lost in them before is written again with them.

/// The bytes that the last write of a file took the place of.
struct OverwrittenPart: Hashable, Sendable {
  var low: UInt64
  var high: UInt64
  /// What stood there; holes where nothing did.
  var extents: [Extent]
  /// The size of the file before.
  var size: UInt64
}

/// A write-back error of a file and who was told of it, as Linux's errseq.
struct WriteBackError: Hashable, Sendable {
  /// Grows with every error that comes after the last one was seen; 0 where there was none.
  var number: UInt64 = 0
  /// True once somebody was told.
  var isSeen = false

  /// What a descriptor that is opened now remembers: an error that nobody has seen will be told to it too.
  var sample: UInt64 { isSeen ? number : 0 }

  /// One more error.
  mutating func note() {
    if number == 0 || isSeen { number += 1 }
    isSeen = false
  }

  /// True where a descriptor that remembers `sample` has to be told; then it, and everybody later, was.
  mutating func tell(_ sample: inout UInt64) -> Bool {
    guard number != sample else { return false }
    isSeen = true
    sample = number
    return true
  }
}

extension Inode {
  static let pageBytes: UInt64 = 4096

  /// What the medium would hold once everything dirty is written.
  var written: FileContent { medium ?? content }

  /// What is there after a restart.
  func content(after survivors: SurvivingState) -> FileContent {
    survivors == .keepAll ? written : durableContent ?? FileContent()
  }

  /// The extended attributes that are there after a restart.
  func extendedAttributes(after survivors: SurvivingState) -> ExtendedAttributes {
    survivors == .keepAll ? extendedAttributes : durableExtendedAttributes
  }

  /// fsync: everything dirty is durable.
  func makeDurable() {
    if isChanged, let durableContent { earlier = durableContent }
    isChanged = false
    durableContent = written
    durableExtendedAttributes = extendedAttributes
  }

  /// Everything is durable as it shows, also what was lost.
  func settle() {
    medium = nil
    isChanged = false
    durableContent = content
    durableExtendedAttributes = extendedAttributes
    directory?.settle()
  }

  /// The dirty pages count as clean and were not written: the medium has what was durable, zeros where nothing was. The
  /// size is the file's: it belongs to the names and attributes, which a journal keeps.
  func dropDirtyPages() {
    directory?.dropDirtyNames()
    guard kind == .regular else { return }
    var kept = durableContent ?? FileContent()
    kept.resize(to: content.size)
    medium = kept
  }

  /// A range was written: its pages are dirty, and will be on the medium as they show.
  func noteWritten(from low: UInt64, to high: UInt64) {
    isChanged = true
    guard medium != nil else { return }
    let end = min(content.size, (high + Inode.pageBytes - 1) & ~(Inode.pageBytes - 1))
    medium?.extents.take(from: content.extents, low & ~(Inode.pageBytes - 1), end)
    if let size = medium?.size, size < high { medium?.size = high }
  }

  /// The size was changed, or a range reserved or punched.
  func noteResized() {
    isChanged = true
    lastWrite = nil
    if content.size == 0 && isPlaceholder { isPlaceholder = false }
    badBlocks = badBlocks.filter { $0 * Inode.pageBytes < content.size }
    if content.size == 0 { medium = nil } else { medium?.resize(to: content.size) }
  }

  /// A range was reserved or punched.
  func noteAllocated(from low: UInt64, to high: UInt64) {
    noteWritten(from: low, to: min(high, content.size))
    lastWrite = nil
  }

  /// What `content` was before the last write; itself where nothing is known of one.
  var contentBeforeLastWrite: FileContent {
    guard let lastWrite else { return content }
    var before = content
    before.extents.remove(from: lastWrite.low, to: lastWrite.high)
    for extent in lastWrite.extents {
      before.extents.store(start: extent.start, length: extent.length, address: extent.address)
    }
    before.size = lastWrite.size
    return before
  }

  /// The version that the file returns to: before its changes since the last fsync, or before those; of a file that took
  /// the place of another, what that one held; of a new one, nothing.
  var versionBefore: FileContent {
    if isChanged, let durableContent { return durableContent }
    return earlier ?? FileContent()
  }

  /// All that has to stay in the arena for this inode.
  func forEachContent(_ body: (FileContent) -> Void) {
    body(content)
    for other in [durableContent, medium, earlier] { if let other { body(other) } }
  }

  /// Takes over what a restart keeps of the ailments.
  func fallIll(like old: Inode) {
    badBlocks = old.badBlocks
    isPlaceholder = old.isPlaceholder
  }
}

extension FileContent {
  /// Cuts or lengthens; what is new reads as zeros.
  package mutating func resize(to newSize: UInt64) {
    if newSize < size { extents.remove(from: newSize, to: .max) }
    size = newSize
  }
}

extension ExtentList {
  /// The parts of the extents in a range.
  package func parts(from low: UInt64, to high: UInt64) -> [Extent] {
    var parts: [Extent] = []
    var index = index(endingBehind: low)
    while index < extents.count, extents[index].start < high {
      parts.append(extents[index].clipped(from: low, to: high))
      index += 1
    }
    return parts
  }

  /// Becomes as another list in a range.
  package mutating func take(from other: ExtentList, _ low: UInt64, _ high: UInt64) {
    guard low < high else { return }
    remove(from: low, to: high)
    for part in other.parts(from: low, to: high) {
      store(start: part.start, length: part.length, address: part.address)
    }
  }
}
