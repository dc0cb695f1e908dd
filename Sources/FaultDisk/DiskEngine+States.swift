import FileTracing
import Files

/// A state of the whole disk that a rule has brought about; it ends when the rule is cleared, and with a restart.
struct ImposedState: Hashable, Sendable {
  /// `remountReadOnly`, `shutdown` or `lockedDevice`.
  var effect: FaultEffect
  /// The rule to clear it by.
  var rule: String
}

extension DiskEngine {
  /// Brings about what a rule says for the whole disk.
  mutating func impose(_ effect: FaultEffect, by rule: String?) {
    let state = ImposedState(effect: effect, rule: rule ?? "")
    if !imposed.contains(state) { imposed.append(state) }
    kernelIsOutdated = true
  }

  /// True where everything answers EIO.
  var answersNothing: Bool { condition != .running || imposed.contains { $0.effect == .shutdown } }

  /// What an operation is answered in the state that the disk is in; nil where it may happen.
  ///
  /// Files that are open when the device locks stay usable, as those whose keys are kept until they are closed.
  func imposedRefusal(_ record: OperationRecord) -> Errno? {
    for state in imposed {
      switch state.effect {
      case .shutdown: return .eio
      case .remountReadOnly:
        if DiskEngine.changingKinds.contains(record.kind) || (record.kind == .open && record.argument & 2 != 0) {
          return .erofs
        }
      case .lockedDevice:
        if record.kind == .create { return .eperm }
        if record.kind == .open, (try? inode(record.inode))?.kind != .directory { return .eperm }
      default: break
      }
    }
    return nil
  }

  private static let changingKinds: Set<OperationKind> = [
    .create, .write, .truncate, .rename, .link, .unlink, .mkdir, .rmdir, .symlink, .setattr, .allocate, .setxattr,
    .removexattr,
  ]

  /// The file of an operation returns to an earlier version, or loses its blocks. Nothing happens to other things.
  mutating func afflict(_ number: UInt64, _ effect: FaultEffect) {
    guard let inode = try? inode(number), inode.kind == .regular else { return }
    let allocated = inode.content.extents.allocatedBytes
    if effect == .rolledBack {
      inode.content = inode.versionBefore
      inode.isPlaceholder = false
      inode.badBlocks = []
      inode.setTimes(now())
    } else {
      inode.content = FileContent(extents: ExtentList(), size: inode.content.size)
      inode.isPlaceholder = true
    }
    inode.medium = nil
    inode.lastWrite = nil
    inode.isChanged = false
    inode.durableContent = inode.content
    budget.bytesUsed = budget.bytesUsed - allocated + inode.content.extents.allocatedBytes
    kernelIsOutdated = true
  }

  /// An answer comes later: the counter that stands in for a clock moves, and a door that can wait is told.
  mutating func delay(milliseconds: UInt64) {
    guard milliseconds > 0 else { return }
    let nanoseconds = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    let delay = Int64(clamping: nanoseconds.overflow ? .max : nanoseconds.partialValue)
    delayedNanoseconds = delayedNanoseconds.addingReportingOverflow(delay).partialValue
    if configuration.clock == nil { ticks = ticks.addingReportingOverflow(delay).partialValue }
    delayAnswer?(.milliseconds(milliseconds))
  }

  /// The sum of all delays of answers so far, whole milliseconds.
  package var delayedMilliseconds: UInt64 { UInt64(max(0, delayedNanoseconds)) / 1_000_000 }

  /// True where what a kernel was told may be wrong since the last call of this.
  package mutating func takeKernelOutdated() -> Bool {
    defer { kernelIsOutdated = false }
    return kernelIsOutdated
  }
}
