import FileTracing
import Files

// Locks of fcntl(2) and flock(2), where the door leaves them to the disk. Taking one is an operation, which rules hit;
// letting go of one always succeeds. Both are recorded. They are gone with a restart, as after a power cut.
extension DiskEngine {
  /// The lock that is in the way of a wish; nil where there is none.
  package func conflict(with wish: LockWish, on inode: UInt64) -> LockWish? {
    (try? self.inode(inode))?.locks.conflict(with: wish)
  }

  /// Takes or lets go of a lock; EAGAIN where another one is in the way.
  package mutating func lock(_ wish: LockWish, on inode: UInt64, _ caller: Caller) throws(Errno) {
    try admit(caller)
    let inode = try self.inode(inode)
    var draft = draft(.lock, path(of: inode), caller)
    draft.inode = inode.number
    draft.offset = wish.range.lowerBound
    draft.lengthAsked = wish.range.upperBound == .max ? 0 : UInt64(wish.range.count)
    draft.argument = wish.kind.rawValue | (wish.isOfWholeFile ? DiskEngine.wholeFileBit : 0)
    if wish.kind == .none {
      inode.locks.grant(wish)
      return append(draft)
    }
    try refusing(draft) { _ throws(Errno) in
      if inode.locks.conflict(with: wish) != nil { throw Errno.eagain }
    }
    try perform(draft, caller) { _, _, _ throws(Errno) in inode.locks.grant(wish) }
  }

  /// In the argument of a record: a lock of flock(2).
  private static let wholeFileBit: UInt64 = 4

  /// The operation of taking the lock of flock(2) at the in-process door.
  mutating func performLock(of inode: Inode, _ caller: Caller) throws(Errno) {
    var draft = draft(.lock, path(of: inode), caller)
    draft.inode = inode.number
    draft.argument = LockWish.Kind.exclusive.rawValue | DiskEngine.wholeFileBit
    try perform(draft, caller) { _, _, _ throws(Errno) in }
  }

  /// Lets go of what an owner holds by fcntl(2) on the file of a handle, without a record.
  package func releaseLocks(ofOwner owner: UInt64, by handle: UInt64) {
    (try? handles.handle(handle, volume: 0))?.inode.locks.release(owner: owner)
  }
}
