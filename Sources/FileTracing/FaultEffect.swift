import Files

/// What a fault does.
package enum FaultEffect: Hashable, Sendable {
  /// The operation fails with this error and changes nothing.
  case errno(Errno)
  /// A write takes at most this many bytes.
  case shortWrite(bytesMax: UInt64)
  /// A write is answered whole and read back whole; the medium gets its first bytes only, in whole sectors.
  case tornWrite(bytesMax: UInt64)
  /// A rename goes wrong on the medium.
  case tornRename(TornRename)
  /// An fsync fails with EIO; what becomes of the dirty pages.
  case fsyncFail(DirtyPages)
  /// An fsync is answered with success, and nothing becomes durable.
  case fsyncLie
  /// So many bits of a write turn on the medium, or of a read on the way.
  case flip(bits: UInt64)
  /// One block of a write holds zeros on the medium, or of a read on the way.
  case zeroBlock
  /// One block of a write goes to another place of the file, or of a read comes from there.
  case misplacedBlock
  /// A read gets what the file held before it was last written.
  case staleRead
  /// A read gets at most this many bytes.
  case shortRead(bytesMax: UInt64)
  /// From now on the blocks of this operation read as EIO, until they are written again.
  case badSector
  /// The write back of this write fails: EIO, once for every descriptor that is open, at its next fsync or close.
  case asyncError
  /// From now on everything that writes answers EROFS.
  case remountReadOnly
  /// From now on everything answers EIO, as after FS_IOC_SHUTDOWN.
  case shutdown
  /// From now on every open answers EPERM, as when a device locks and takes the keys away.
  case lockedDevice
  /// The file returns to what it held before its last change.
  case rolledBack
  /// The file keeps its size, loses its blocks, and reads as EIO, as in a cloud folder.
  case placeholder
  /// A directory is listed in an order drawn from the seed.
  case shuffled
  /// The answer comes so much later.
  case slow(milliseconds: UInt64)
  /// The answer does not come before the rule is cleared, or the mount ends.
  case hang
  /// From now on everything answers EIO; what remains is the crash state.
  case powerCut(SurvivingState)
  /// SIGKILL to the caller; the page cache survives.
  case kill

  /// When it happens, relative to its operation, where a rule does not say.
  package var phaseByDefault: FaultPhase {
    switch self {
    case .errno, .remountReadOnly, .shutdown, .lockedDevice, .rolledBack, .placeholder, .slow, .hang: .before
    case .shortWrite, .tornWrite, .tornRename, .fsyncFail, .fsyncLie, .flip, .zeroBlock, .misplacedBlock, .staleRead,
      .shortRead, .badSector, .asyncError, .shuffled:
      .during
    case .powerCut, .kill: .after
    }
  }
}

/// What becomes of the pages that a failed fsync was to write.
package enum DirtyPages: String, Hashable, Sendable, CaseIterable {
  /// They count as clean: reads still show them, no later fsync writes them, after a remount the old bytes are back.
  ///
  /// What Linux does since 4.13 on ext4, XFS and Btrfs.
  case drop = "drop-dirty"
  /// They stay dirty: a later fsync writes them.
  case keep = "keep-dirty"
}

/// What a medium holds after a power cut, of the states that a plan can name.
package enum SurvivingState: String, Hashable, Sendable {
  /// Everything issued before the cut.
  case keepAll = "keep-all"
  /// Only what fsync made durable.
  case keepNone = "keep-none"
}
