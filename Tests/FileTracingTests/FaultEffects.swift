import Files

@testable import FileTracing

/// One effect of every kind, and where several values matter, several.
enum FaultEffects {
  static let all: [FaultEffect] =
    [
      .errno(.eio), .errno(.enospc), .shortWrite(bytesMax: 512), .tornWrite(bytesMax: 0), .tornWrite(bytesMax: 4096),
      .tornRename(.targetPrefix(bytes: 4096)), .fsyncFail(.drop), .fsyncFail(.keep), .fsyncLie, .flip(bits: 1),
      .flip(bits: 8 * FaultRule.writeBytesMax), .zeroBlock, .misplacedBlock, .staleRead, .shortRead(bytesMax: 1),
      .badSector, .asyncError, .remountReadOnly, .shutdown, .lockedDevice, .rolledBack, .placeholder, .shuffled,
      .slow(milliseconds: 200), .hang, .powerCut(.keepAll), .powerCut(.keepNone), .kill,
    ] + TornRename.all.map { .tornRename($0) }
}
