import FileTracing
import Files

/// Numbers for one operation, the same in every run and every replay.
///
/// They depend on the disk's seed and the operation's number among the counted ones, and for kinds that are not counted
/// on its number in the log; on nothing else.
struct DamageDraws {
  private var state: UInt64

  init(seed: UInt64, countedNumber: UInt64?, number: UInt64) {
    state = seed ^ (countedNumber.map { $0 << 1 } ?? (number << 1 | 1))
  }

  /// A number from 0 to below `bound`, which is above 0. SplitMix64 (Steele, Lea, Flood 2014).
  mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) % bound
  }
}

// What faults make of the bytes of one write or read. A write was stored whole before; what the log keeps of it stays
// whole. Damage by a write is on the medium at once, so every later read sees it, as far as it asks the disk.
extension DiskEngine {
  static let sectorBytes: UInt64 = 512

  func draws(for record: OperationRecord) -> DamageDraws {
    DamageDraws(seed: configuration.seed, countedNumber: record.countedNumber, number: recordCount + 1)
  }

  /// Spoils what a write has just stored from `record.offset` on; `before` is the file before it, on the medium.
  mutating func spoilWrite(_ inode: Inode, _ record: OperationRecord, _ fault: FaultEffect, before: FileContent) {
    let low = record.offset
    let high = low + record.lengthTaken
    guard low < high else { return }
    var draws = draws(for: record)
    let allocated = inode.content.extents.allocatedBytes
    switch fault {
    case .tornWrite(let bytesMax):
      keepOffMedium(inode, before, from: max(low, (low + min(bytesMax, high - low)) & ~511), low, high)
    case .asyncError:
      keepOffMedium(inode, before, from: low, low, high)
      inode.writeBackError.note()
    case .flip(let bits):
      var bytes = bytes(of: inode.content, from: low, to: high)
      DiskEngine.flip(bits, in: &bytes, &draws)
      let address = bytes.withUnsafeBytes { arena.append($0) }
      inode.content.extents.store(start: low, length: high - low, address: address)
    case .zeroBlock:
      let block = DiskEngine.block(from: low, to: high, &draws)
      inode.content.extents.store(
        start: block.lowerBound, length: block.upperBound - block.lowerBound,
        address: LogArena.zeros + block.lowerBound)
    case .misplacedBlock: misplaceBlock(inode, before, low, high, &draws)
    case .badSector:
      for block in low / DiskEngine.blockBytes...(high - 1) / DiskEngine.blockBytes { inode.badBlocks.insert(block) }
    default: return
    }
    budget.bytesUsed = budget.bytesUsed - allocated + inode.content.extents.allocatedBytes
    if case .flip = fault { inode.noteWritten(from: low, to: high) }
    if fault == .zeroBlock || fault == .misplacedBlock { inode.noteWritten(from: 0, to: inode.content.size) }
  }

  /// The write shows, and the medium keeps what it had from `kept` on; the size is the new one.
  private func keepOffMedium(
    _ inode: Inode, _ before: FileContent, from kept: UInt64, _ low: UInt64, _ high: UInt64
  ) {
    var medium = before
    medium.extents.take(from: inode.content.extents, low, kept)
    medium.size = max(before.size, high)
    inode.medium = medium
  }

  private static func flip(_ bits: UInt64, in bytes: inout [UInt8], _ draws: inout DamageDraws) {
    var flipped: Set<UInt64> = []
    let count = UInt64(bytes.count) * 8
    while UInt64(flipped.count) < min(bits, count) {
      let bit = draws.below(count)
      if flipped.insert(bit).inserted { bytes[Int(bit / 8)] ^= 1 << UInt8(bit % 8) }
    }
  }

  /// The part of one block of the file that lies in a range.
  private static func block(from low: UInt64, to high: UInt64, _ draws: inout DamageDraws) -> Range<UInt64> {
    let first = low / blockBytes
    let block = first + draws.below((high - 1) / blockBytes - first + 1)
    return max(low, block * blockBytes)..<min(high, (block + 1) * blockBytes)
  }

  /// A block other than that of `part`, as a distance in bytes; nil where the file has no other.
  private static func distance(
    of part: Range<UInt64>, inFileOf size: UInt64, _ draws: inout DamageDraws
  ) -> (from: UInt64, to: UInt64)? {
    let count = (size + blockBytes - 1) / blockBytes
    guard count > 1 else { return nil }
    let own = part.lowerBound / blockBytes
    let drawn = draws.below(count - 1)
    return (own * blockBytes, (drawn >= own ? drawn + 1 : drawn) * blockBytes)
  }

  /// One block of the write stands where another block of the file should be, and its own place keeps what it had. In a
  /// file of one block there is no other place: it is lost.
  private func misplaceBlock(
    _ inode: Inode, _ before: FileContent, _ low: UInt64, _ high: UInt64, _ draws: inout DamageDraws
  ) {
    let part = DiskEngine.block(from: low, to: high, &draws)
    let moved = inode.content.extents.parts(from: part.lowerBound, to: part.upperBound)
    inode.content.extents.take(from: before.extents, part.lowerBound, part.upperBound)
    guard let (from, to) = DiskEngine.distance(of: part, inFileOf: inode.content.size, &draws) else { return }
    for piece in moved {
      let start = piece.start - from + to
      guard start < inode.content.size else { continue }
      inode.content.extents.store(
        start: start, length: min(piece.length, inode.content.size - start), address: piece.address)
    }
  }

  /// The pieces that a read gets, spoilt on their way; `low` to `high` is what it would get.
  func spoiltPieces(
    of inode: Inode, from low: UInt64, to high: UInt64, _ record: inout OperationRecord, _ fault: FaultEffect
  ) throws(Errno) -> [UnsafeRawBufferPointer] {
    var draws = draws(for: record)
    switch fault {
    case .shortRead(let bytesMax):
      record.lengthTaken = min(high - low, bytesMax)
      return pieces(of: inode.content.extents, from: low, to: low + record.lengthTaken)
    case .badSector:
      if low < high {
        for block in low / DiskEngine.blockBytes...(high - 1) / DiskEngine.blockBytes { inode.badBlocks.insert(block) }
      }
      throw .eio
    case .staleRead:
      let before = inode.contentBeforeLastWrite
      let end = max(low, min(high, before.size))
      record.lengthTaken = end - low
      return pieces(of: before.extents, from: low, to: end)
    case .flip, .zeroBlock, .misplacedBlock:
      guard low < high else { return [] }
      var bytes = bytes(of: inode.content, from: low, to: high)
      spoil(&bytes, of: inode, from: low, to: high, fault, &draws)
      // In the arena, where it stays as long as the disk is locked, as all that is read does.
      let address = bytes.withUnsafeBytes { arena.append($0) }
      var pieces: [UnsafeRawBufferPointer] = []
      arena.forEachPiece(at: address, length: high - low) { pieces.append($0) }
      return pieces
    default: return pieces(of: inode.content.extents, from: low, to: high)
    }
  }

  private func spoil(
    _ bytes: inout [UInt8], of inode: Inode, from low: UInt64, to high: UInt64, _ fault: FaultEffect,
    _ draws: inout DamageDraws
  ) {
    if case .flip(let bits) = fault { return DiskEngine.flip(bits, in: &bytes, &draws) }
    let part = DiskEngine.block(from: low, to: high, &draws)
    var found = [UInt8](repeating: 0, count: part.count)
    if fault == .misplacedBlock,
      let (from, to) = DiskEngine.distance(of: part, inFileOf: inode.content.size, &draws)
    {
      let start = part.lowerBound - from + to
      let end = max(start, min(inode.content.size, start + UInt64(part.count)))
      let there = self.bytes(of: inode.content, from: start, to: end)
      found.replaceSubrange(0..<there.count, with: there)
    }
    bytes.replaceSubrange(Int(part.lowerBound - low)..<Int(part.upperBound - low), with: found)
  }
}

// Bad blocks and files without blocks.
extension DiskEngine {
  /// How far a read gets before the first block that cannot be read; EIO where that is none.
  ///
  /// A kernel that asks for pages takes a short answer for the end of the file: it gets the error for all of them, and
  /// asks again page by page.
  func readableEnd(
    of inode: Inode, from low: UInt64, to high: UInt64, canBeShort: Bool
  ) throws(Errno) -> UInt64 {
    if inode.isPlaceholder && low < high { throw .eio }
    if inode.badBlocks.isEmpty || low >= high { return high }
    for block in low / DiskEngine.blockBytes...(high - 1) / DiskEngine.blockBytes where inode.badBlocks.contains(block)
    {
      if block * DiskEngine.blockBytes <= low || !canBeShort { throw .eio }
      return block * DiskEngine.blockBytes
    }
    return high
  }

  /// Blocks that a write covers are good again. One that it covers in part has to be read first: EIO.
  func healBlocks(of inode: Inode, from low: UInt64, to high: UInt64) throws(Errno) {
    if inode.isPlaceholder { throw .eio }
    if inode.badBlocks.isEmpty || low >= high { return }
    let blocks = low / DiskEngine.blockBytes...(high - 1) / DiskEngine.blockBytes
    for block in blocks where inode.badBlocks.contains(block) {
      let end = min((block + 1) * DiskEngine.blockBytes, inode.content.size)
      if block * DiskEngine.blockBytes < low || end > high { throw .eio }
    }
    for block in blocks { inode.badBlocks.remove(block) }
  }
}
