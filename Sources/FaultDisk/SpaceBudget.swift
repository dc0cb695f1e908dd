import FileTracing
import Files

/// What a writer may still use: the bytes of all extents and the inodes count, names cost nothing.
///
/// A file costs its written and reserved bytes exactly (no rounding to blocks), once, however many names it has; what a
/// power cut would leave costs nothing. The space of a file is free when it has neither names nor open handles.
struct SpaceBudget {
  /// What statfs tells as the whole size where there is no limit: 1 TiB and 2^32 inodes.
  static let bytesWithoutLimit: UInt64 = 1 << 40
  static let inodesWithoutLimit: UInt64 = 1 << 32

  /// The sum of the allocated bytes of all inodes.
  var bytesUsed: UInt64 = 0
  /// The inodes that exist, but the root.
  var inodesUsed: UInt64 = 0
  /// The whole size in bytes; nil is without limit.
  var bytesMax: UInt64?
  /// The most inodes; nil is without limit.
  var inodesMax: UInt64?
  /// The bound as it was said; nil where there is none.
  var bound: SpaceBound?

  /// Bytes that may still be used; nil is without limit.
  var bytesLeft: UInt64? { bytesMax.map { $0 > bytesUsed ? $0 - bytesUsed : 0 } }
  /// Inodes that may still be made; nil is without limit.
  var inodesLeft: UInt64? { inodesMax.map { $0 > inodesUsed ? $0 - inodesUsed : 0 } }

  var space: DiskSpace {
    let bytes = bytesMax ?? max(SpaceBudget.bytesWithoutLimit, bytesUsed)
    let inodes = inodesMax ?? max(SpaceBudget.inodesWithoutLimit, inodesUsed)
    return DiskSpace(
      bytesTotal: bytes, bytesFree: bytes - min(bytes, bytesUsed), inodesTotal: inodes,
      inodesFree: inodes - min(inodes, inodesUsed))
  }
}

extension DiskEngine {
  /// The bound on space, and what of it is left; nil where there is none.
  package var spaceBound: ControlSpace? {
    budget.bound.map {
      ControlSpace(bound: $0, left: SpaceBound(bytes: budget.bytesLeft, inodes: budget.inodesLeft))
    }
  }

  mutating func setFreeSpace(bytes: UInt64?, inodes: UInt64?) {
    budget.bound = bytes == nil && inodes == nil ? nil : SpaceBound(bytes: bytes, inodes: inodes)
    budget.bytesMax = bytes.map { $0.addingReportingOverflow(budget.bytesUsed) }.map {
      $0.overflow ? .max : $0.partialValue
    }
    budget.inodesMax = inodes.map { $0.addingReportingOverflow(budget.inodesUsed) }
      .map { $0.overflow ? .max : $0.partialValue }
  }

  /// Cuts a write to what there is memory for; ENOSPC where there is none.
  ///
  /// Before it refuses, it gives up what only two faults could ask for (the versions before, the bytes of the last
  /// write), and takes back what nobody names any more.
  mutating func holdToMemory(_ length: inout UInt64) throws(Errno) {
    guard let memoryBytesMax = configuration.memoryBytesMax else { return }
    if arena.bytesLeft(ofMemory: memoryBytesMax) < length && pinCount == 0 {
      for inode in inodes.all {
        inode.earlier = nil
        inode.lastWrite = nil
      }
      sweep()
    }
    let left = arena.bytesLeft(ofMemory: memoryBytesMax)
    if left < length { lackedMemory = true }
    length = min(length, left)
    if length == 0 { throw Errno.enospc }
  }

  /// What statfs tells: what the budget leaves, and there is memory for.
  var spaceLeft: DiskSpace {
    var space = budget.space
    guard let memoryBytesMax = configuration.memoryBytesMax else { return space }
    space.bytesFree = min(space.bytesFree, arena.bytesLeft(ofMemory: memoryBytesMax))
    space.bytesTotal = min(space.bytesTotal, budget.bytesUsed + space.bytesFree)
    return space
  }

  /// What is used and free.
  package mutating func space(_ caller: Caller) throws(Errno) -> DiskSpace {
    try admit(caller)
    let draft = draft(.statfs, .root, caller)
    return try perform(draft, caller) { engine, _, _ throws(Errno) in engine.spaceLeft }
  }
}
