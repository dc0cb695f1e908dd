import FileTracing
import Files

/// What fallocate(2) asks for.
package struct AllocationWish: Hashable, Sendable {
  /// What becomes of the range.
  package enum Kind: Hashable, Sendable {
    /// It has space of its own; what it holds stays.
    case reserve
    /// It has no space, and reads as zeros.
    case punch
    /// It has space of its own, and reads as zeros.
    case zero
  }

  /// What becomes of the range.
  package var kind: Kind
  /// True where the file does not grow to the end of the range.
  package var keepsSize: Bool

  /// A wish of these values.
  package init(_ kind: Kind, keepsSize: Bool) {
    self.kind = kind
    self.keepsSize = keepsSize
  }

  /// The wish of a record.
  package init(bits: UInt64) {
    self.init(bits & 2 != 0 ? .punch : bits & 4 != 0 ? .zero : .reserve, keepsSize: bits & 1 != 0)
  }

  /// The bits in a record: 1 keeps the size, 2 punches, 4 zeroes.
  package var bits: UInt64 { (keepsSize ? 1 : 0) | (kind == .punch ? 2 : kind == .zero ? 4 : 0) }
}

extension DiskEngine {
  /// The size of a block, as on ext4: data, holes and damage are told in blocks; one that holds any data is data.
  static let blockBytes: UInt64 = 4096

  /// Reserves, punches or zeroes a range of bytes; they read as zeros where nothing was.
  package mutating func allocate(
    _ handle: UInt64, offset: UInt64, length: UInt64, _ wish: AllocationWish, _ caller: Caller
  ) throws(Errno) {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    let inode = open.inode
    var draft = draft(.allocate, path(of: inode), caller)
    draft.inode = inode.number
    draft.offset = offset
    draft.lengthAsked = length
    draft.argument = wish.bits
    try refusing(draft) { _ throws(Errno) in
      if !open.access.writes { throw Errno.ebadf }
      if inode.kind != .regular { throw Errno.enodev }
      if length == 0 { throw Errno.einval }
      let (end, overflow) = offset.addingReportingOverflow(length)
      if overflow || end > DiskEngine.fileBytesMax { throw Errno.efbig }
    }
    try perform(draft, caller) { engine, record, _ throws(Errno) in
      if wish.kind != .reserve { engine.clear(inode, from: offset, to: offset + length) }
      if wish.kind != .punch {
        try engine.reserve(in: inode, from: offset, to: offset + length)
        if !wish.keepsSize { inode.content.size = max(inode.content.size, offset + length) }
      }
      record.lengthTaken = length
      inode.noteAllocated(from: offset, to: offset + length)
      inode.setTimes(engine.now())
      engine.dropSetBits(of: inode, writtenBy: caller, &record)
    }
  }

  private mutating func reserve(in inode: Inode, from low: UInt64, to high: UInt64) throws(Errno) {
    let before = inode.content.extents.allocatedBytes
    if let left = budget.bytesLeft,
      inode.content.extents.lengthThatFits(from: low, length: high - low, newBytesMax: left) < high - low
    {
      throw Errno.enospc
    }
    inode.content.extents.reserve(from: low, to: high)
    budget.bytesUsed += inode.content.extents.allocatedBytes - before
  }

  /// Takes the space of the whole blocks of a range away, and writes zeros over what it has of others.
  private mutating func clear(_ inode: Inode, from low: UInt64, to high: UInt64) {
    let before = inode.content.extents.allocatedBytes
    let firstWhole = DiskEngine.blockEnd(low)
    let lastWhole = high - high % DiskEngine.blockBytes
    if firstWhole <= lastWhole {
      inode.content.extents.remove(from: firstWhole, to: lastWhole)
      writeZeros(over: inode, from: low, to: firstWhole)
      writeZeros(over: inode, from: lastWhole, to: high)
    } else {
      writeZeros(over: inode, from: low, to: high)
    }
    budget.bytesUsed -= before - inode.content.extents.allocatedBytes
  }

  /// Takes what lies behind `size` away. Where the last block loses all its data it still is data, of one zero byte.
  func cut(_ inode: Inode, to size: UInt64) {
    let last = size - size % DiskEngine.blockBytes
    let isData = inode.content.extents.hasData(from: last, to: DiskEngine.blockEnd(size))
    inode.content.extents.remove(from: size, to: .max)
    guard isData, !inode.content.extents.hasData(from: last, to: size), size > last else { return }
    let zero: [UInt8] = [0]
    inode.content.extents.store(start: size - 1, length: 1, address: zero.withUnsafeBytes { arena.append($0) })
  }

  private func writeZeros(over inode: Inode, from low: UInt64, to high: UInt64) {
    var place = low
    let old = inode.content.extents
    old.forEachPart(from: low, to: high) { address, length in
      if let address, address < LogArena.zeros {
        let zeros = [UInt8](repeating: 0, count: Int(length))
        let written = zeros.withUnsafeBytes { arena.append($0) }
        inode.content.extents.store(start: place, length: length, address: written)
      }
      place += length
    }
  }

  /// The next data (or hole) at or behind `offset`, as SEEK_DATA and SEEK_HOLE tell it.
  ///
  /// - Throws: ENXIO behind the end of the file, and where no data follows.
  package mutating func seek(_ handle: UInt64, from offset: UInt64, toData: Bool) throws(Errno) -> UInt64 {
    if answersNothing { throw Errno.eio }
    let content = try handles.handle(handle, volume: 0).inode.content
    if offset >= content.size { throw Errno.enxio }
    let first = offset - offset % DiskEngine.blockBytes
    // Where the blocks that are data so far end; a part that begins there or before makes it one run with them.
    var dataEnd = first
    var place = first
    var found: UInt64?
    content.extents.forEachPart(from: first, to: content.size) { address, length in
      defer { place += length }
      guard found == nil, let address, address < LogArena.zeros else { return }
      let start = place - place % DiskEngine.blockBytes
      if toData {
        found = max(offset, start)
      } else if start > dataEnd {
        found = max(offset, dataEnd)
      } else {
        dataEnd = DiskEngine.blockEnd(place + length)
      }
    }
    if let found { return found }
    if toData { throw Errno.enxio }
    return min(max(offset, dataEnd), content.size)
  }

  /// The end of the block that the byte before `offset` lies in.
  private static func blockEnd(_ offset: UInt64) -> UInt64 {
    (offset + blockBytes - 1) / blockBytes * blockBytes
  }
}

extension ExtentList {
  /// True where something in the range was written, and not only reserved.
  package func hasData(from low: UInt64, to high: UInt64) -> Bool {
    var found = false
    if low < high {
      forEachPart(from: low, to: high) { address, _ in found = found || (address ?? .max) < LogArena.zeros }
    }
    return found
  }
}
