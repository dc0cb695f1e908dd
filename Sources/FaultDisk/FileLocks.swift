/// What somebody wants of the locks of a file, as fcntl(2) and flock(2) ask for it.
package struct LockWish: Hashable, Sendable {
  /// What is wanted of a range.
  package enum Kind: UInt64, Hashable, Sendable {
    /// No lock any more.
    case none = 0
    /// A lock that others may share.
    case shared = 1
    /// A lock for one alone.
    case exclusive = 2
  }

  /// What is wanted.
  package var kind: Kind
  /// The bytes, to the very last one where there is no end.
  package var range: ClosedRange<UInt64>
  /// True for flock(2), whose locks and those of fcntl(2) know nothing of each other.
  package var isOfWholeFile: Bool
  /// Whose the lock is; nobody is in his own way.
  package var owner: UInt64
  /// The open file through which it is taken; the lock ends with it at the latest.
  package var handle: UInt64
  /// The process that others are told of.
  package var process: Int32

  /// A wish of these values.
  package init(
    _ kind: Kind, range: ClosedRange<UInt64> = 0 ... .max, isOfWholeFile: Bool, owner: UInt64, handle: UInt64,
    process: Int32
  ) {
    self.kind = kind
    self.range = range
    self.isOfWholeFile = isOfWholeFile
    self.owner = owner
    self.handle = handle
    self.process = process
  }
}

/// The locks that are held on a file.
struct FileLocks {
  private(set) var held: [LockWish] = []

  /// The first lock that is in the way of a wish; nil where it can be had at once.
  func conflict(with wish: LockWish) -> LockWish? {
    guard wish.kind != .none else { return nil }
    return held.first { lock in
      lock.isOfWholeFile == wish.isOfWholeFile && lock.owner != wish.owner && lock.range.overlaps(wish.range)
        && (lock.kind == .exclusive || wish.kind == .exclusive)
    }
  }

  /// Grants a wish that has no conflict: what its owner had in the range is replaced, and stays around it.
  mutating func grant(_ wish: LockWish) {
    var others: [LockWish] = []
    for lock in held {
      guard lock.isOfWholeFile == wish.isOfWholeFile, lock.owner == wish.owner, lock.range.overlaps(wish.range) else {
        others.append(lock)
        continue
      }
      var part = lock
      if lock.range.lowerBound < wish.range.lowerBound {
        part.range = lock.range.lowerBound...wish.range.lowerBound - 1
        others.append(part)
      }
      if lock.range.upperBound > wish.range.upperBound {
        part.range = wish.range.upperBound + 1...lock.range.upperBound
        others.append(part)
      }
    }
    if wish.kind != .none { others.append(wish) }
    held = others
  }

  /// Lets go of what somebody holds of the ranges of fcntl(2): a process loses it all with the first close.
  mutating func release(owner: UInt64) { held.removeAll { !$0.isOfWholeFile && $0.owner == owner } }

  /// Lets go of what was taken through an open file that has ended.
  mutating func release(handle: UInt64) { held.removeAll { $0.handle == handle } }
}
