/// The word with which an effect begins in scenarios and plans, and its name in JSON.
package enum FaultWord: String, CaseIterable, Hashable, Sendable {
  /// The one whose text is the error's own name.
  case errno
  case shortWrite = "short-write"
  case tornWrite = "torn-write"
  case tornRename = "torn-rename"
  case fsyncFail = "fsync-fail"
  case fsyncLie = "fsync-lie"
  case flip
  case zeroBlock = "zero-block"
  case misplacedBlock = "misplaced-block"
  case staleRead = "stale-read"
  case shortRead = "short-read"
  case badSector = "bad-sector"
  case asyncError = "async-error"
  case remountReadOnly = "remount-ro"
  case shutdown
  case lockedDevice = "locked-device"
  case rolledBack = "rolled-back"
  case placeholder, shuffled, slow, hang
  case powerCut = "power-cut"
  case kill
}

// What an effect needs to happen at all, so that a rule which could never fire is refused when it is armed.
extension FaultEffect {
  /// The word with which it begins.
  package var word: FaultWord {
    switch self {
    case .errno: .errno
    case .shortWrite: .shortWrite
    case .tornWrite: .tornWrite
    case .tornRename: .tornRename
    case .fsyncFail: .fsyncFail
    case .fsyncLie: .fsyncLie
    case .flip: .flip
    case .zeroBlock: .zeroBlock
    case .misplacedBlock: .misplacedBlock
    case .staleRead: .staleRead
    case .shortRead: .shortRead
    case .badSector: .badSector
    case .asyncError: .asyncError
    case .remountReadOnly: .remountReadOnly
    case .shutdown: .shutdown
    case .lockedDevice: .lockedDevice
    case .rolledBack: .rolledBack
    case .placeholder: .placeholder
    case .shuffled: .shuffled
    case .slow: .slow
    case .hang: .hang
    case .powerCut: .powerCut
    case .kill: .kill
    }
  }

  /// The operations that it can hit; nil for all that a rule can name, and for rules that name none.
  package var operationsNeeded: [OperationKind]? {
    switch self {
    case .errno, .remountReadOnly, .shutdown, .lockedDevice, .slow, .hang, .powerCut, .kill: nil
    case .shortWrite, .tornWrite, .asyncError: [.write]
    case .tornRename: [.rename]
    case .fsyncFail, .fsyncLie: [.fsync]
    case .flip, .zeroBlock, .misplacedBlock, .badSector: [.read, .write]
    case .staleRead, .shortRead: [.read]
    case .rolledBack, .placeholder: FaultEffect.operationsOfOneFile
    case .shuffled: [.readdir]
    }
  }

  /// Operations behind which the file of their path is still there, so that something can have become of it.
  private static let operationsOfOneFile: [OperationKind] = [
    .create, .open, .read, .write, .truncate, .fsync, .rename, .link, .close, .setattr, .allocate, .getxattr,
    .setxattr, .listxattr, .removexattr, .lock,
  ]

  /// When it can happen, relative to its operation.
  package var phasesPossible: Set<FaultPhase> {
    switch self {
    case .errno, .remountReadOnly, .shutdown, .lockedDevice, .rolledBack, .placeholder: [.before, .after]
    case .shortWrite, .tornWrite, .tornRename, .fsyncFail, .fsyncLie, .flip, .zeroBlock, .misplacedBlock, .staleRead,
      .shortRead, .badSector, .asyncError, .shuffled:
      [.during]
    case .slow, .hang: [.before]
    case .powerCut, .kill: [.before, .during, .after]
    }
  }
}

// Which effects are no work of a disk. A store that survives every disk may still lose to a layer above it; a report
// must say which of the two was tried.
extension FaultEffect {
  /// What reports say of effects that no disk shows.
  package static let noDiskLabel = "bridges and broken layers only"

  /// True where no disk and no local file system does this, whatever is done to its power or its medium.
  ///
  /// A file that returns to an earlier version, or keeps its size and loses its blocks, is the work of a backup, a sync
  /// service or a cloud folder. All else is a disk's own: a cache that acknowledges and forgets (`fsync-lie`), writes
  /// that go astray (`misplaced-block`), late errors, pages that a failed fsync drops or keeps, a file system that
  /// goes read-only, a device that locks.
  package var isShownByNoDisk: Bool {
    switch self {
    case .rolledBack, .placeholder: true
    case .tornRename(let way): way.isShownByNoDisk
    default: false
    }
  }
}

extension TornRename {
  /// True where no crash model and no measured file system leaves this behind a rename.
  ///
  /// In each of the three the new content, or the only content, can no longer be reached by the name at which a rename
  /// leaves it: no name at all, the target taken away and the source kept, the source taken away and the target kept.
  /// A file system that replaces one entry in one transaction leaves both names, or one of them with some of the
  /// content. `neither-name` was a bug of Btrfs before Linux 4.16.
  package var isShownByNoDisk: Bool {
    switch self {
    case .neitherName, .oldTarget, .sourceOnly: true
    case .bothNames, .targetEmpty, .targetZeros, .targetPrefix, .targetHoles, .notDone, .doneButError: false
    }
  }
}

extension FaultRule {
  /// "bridges and broken layers only" for a rule whose effect no disk shows; nil for all others.
  package var label: String? { effect.isShownByNoDisk ? FaultEffect.noDiskLabel : nil }
}
