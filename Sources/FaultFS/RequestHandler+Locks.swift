import CFuse
import FaultDisk
import Files
import Glibc

/// A request for a lock that another lock is in the way of.
struct LockWaiter {
  let request: fuse_req_t
  let inode: fuse_ino_t
  let wish: LockWish
}

// Locks, on a mount that keeps them itself. Whoever waits for one is answered when it is free, or when a signal comes.
// All of this runs on the session's thread.
extension RequestHandler {
  static func addLockCalls(_ calls: inout fuse_lowlevel_ops) {
    calls.getlk = { request, inode, information, lock in
      guard let request, let information, let lock else { return }
      let wish = LockWish(lock.pointee, information.pointee)
      RequestHandler.of(request).testLock(request, inode, wish)
    }
    calls.setlk = { request, inode, information, lock, sleeps in
      guard let request, let information, let lock else { return }
      let wish = LockWish(lock.pointee, information.pointee)
      RequestHandler.of(request).lock(request, inode, wish, waits: sleeps != 0)
    }
    calls.flock = { request, inode, information, operation in
      guard let request, let information else { return }
      let wish = LockWish(
        LockWish.Kind(flockOperation: operation), isOfWholeFile: true, owner: information.pointee.lock_owner,
        handle: information.pointee.fh, process: fuse_req_ctx(request)?.pointee.pid ?? 0)
      RequestHandler.of(request).lock(request, inode, wish, waits: operation & LOCK_NB == 0)
    }
  }

  private func testLock(_ request: fuse_req_t, _ inode: fuse_ino_t, _ wish: LockWish) {
    answer(request) { (engine, _) throws(Errno) in
      var lock = Glibc.flock(engine.conflict(with: wish, on: engine.inode(inode)))
      fuse_reply_lock(request, &lock)
    }
  }

  private func lock(_ request: fuse_req_t, _ inode: fuse_ino_t, _ wish: LockWish, waits: Bool) {
    var mustWait = false
    answer(request) { (engine, caller) throws(Errno) in
      if waits, let other = engine.conflict(with: wish, on: engine.inode(inode)) {
        if !wish.isOfWholeFile && closesCircle(wish, behind: other, engine) { throw Errno(rawValue: EDEADLK) }
        mustWait = true
        return
      }
      try engine.lock(wish, on: engine.inode(inode), caller)
      fuse_reply_err(request, 0)
    }
    if mustWait {
      lockWaiters.append(LockWaiter(request: request, inode: inode, wish: wish))
      // Called at once where the signal was quicker than the request.
      fuse_req_interrupt_func(
        request,
        { request, _ in
          guard let request else { return }
          RequestHandler.of(request).interruptWaiting(request)
        }, nil)
    } else {
      answerLockWaiters()
    }
  }

  /// True where somebody who would be waited for waits, by others or himself, for who asks.
  private func closesCircle(_ wish: LockWish, behind other: LockWish, _ engine: borrowing DiskEngine) -> Bool {
    var holder = other.owner
    for _ in lockWaiters {
      guard let waiter = lockWaiters.first(where: { $0.wish.owner == holder && !$0.wish.isOfWholeFile }),
        let next = engine.conflict(with: waiter.wish, on: engine.inode(waiter.inode))
      else { return false }
      if next.owner == wish.owner { return true }
      holder = next.owner
    }
    return false
  }

  private func interruptWaiting(_ request: fuse_req_t) {
    guard let place = lockWaiters.firstIndex(where: { $0.request == request }) else { return }
    lockWaiters.remove(at: place)
    fuse_reply_err(request, EINTR)
  }

  /// Answers those who wait for a lock that is free now, in the order in which they came.
  func answerLockWaiters() {
    var place = 0
    while place < lockWaiters.count {
      let waiter = lockWaiters[place]
      var mustWait = false
      answer(waiter.request) { (engine, caller) throws(Errno) in
        let inode = engine.inode(waiter.inode)
        if engine.condition == .running && engine.conflict(with: waiter.wish, on: inode) != nil {
          mustWait = true
          return
        }
        try engine.lock(waiter.wish, on: inode, caller)
        fuse_reply_err(waiter.request, 0)
      }
      if mustWait { place += 1 } else { lockWaiters.remove(at: place) }
    }
  }
}

extension LockWish.Kind {
  /// What flock(2) asks for.
  init(flockOperation: CInt) {
    switch flockOperation & ~LOCK_NB {
    case LOCK_SH: self = .shared
    case LOCK_EX: self = .exclusive
    default: self = .none
    }
  }
}

extension LockWish {
  /// What fcntl(2) asks for; the kernel gives ranges from the beginning of the file, and 0 for one without an end.
  init(_ lock: Glibc.flock, _ information: fuse_file_info) {
    let kind: Kind =
      switch CInt(lock.l_type) {
      case F_RDLCK: .shared
      case F_WRLCK: .exclusive
      default: .none
      }
    let first = UInt64(max(0, lock.l_start))
    let last = lock.l_len > 0 ? first + UInt64(lock.l_len) - 1 : .max
    self.init(
      kind, range: first...last, isOfWholeFile: false, owner: information.lock_owner, handle: information.fh,
      process: lock.l_pid)
  }
}

extension Glibc.flock {
  /// What F_GETLK tells of the lock that is in the way, or that there is none.
  init(_ lock: LockWish?) {
    self.init()
    l_whence = Int16(SEEK_SET)
    guard let lock else {
      l_type = Int16(F_UNLCK)
      return
    }
    l_type = Int16(lock.kind == .shared ? F_RDLCK : F_WRLCK)
    l_start = off_t(clamping: lock.range.lowerBound)
    l_len = lock.range.upperBound == .max ? 0 : off_t(clamping: lock.range.count)
    l_pid = lock.process
  }
}
