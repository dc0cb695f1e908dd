import CFuse
import FaultDisk
import FileTracing
import Files
import Glibc
import Synchronization

/// Answers the kernel's requests from a fault disk; one for each session.
///
/// The C callbacks find it by the session's user data. Every request is answered inside the disk's lock, so that the
/// order of the log is the order of the answers.
final class RequestHandler: @unchecked Sendable {
  /// The disk behind the mount.
  let disk: FaultDisk
  /// What the kernel has been told, and may still believe.
  let kernelCache = KernelCache()
  /// True where rules can be armed while mounted; then close(2) has to ask us every time.
  let planMayChange: Bool
  /// How threads take turns; nil where every request is answered as it comes.
  let turns: TurnTaking?
  /// False where the kernel is told once and for all that there are no extended attributes.
  let hasExtendedAttributes: Bool
  /// True where locks are kept here, false where the kernel keeps them.
  let keepsLocks: Bool
  /// Who waits for a lock.
  var lockWaiters: [LockWaiter] = []
  /// True where the kernel tells of sync(2).
  let seesSync: Bool
  /// Whose requests are answered no more.
  private let killed: KilledProcesses
  /// Told, on the session's thread, that a rule has cut the power.
  private let whenCut: @Sendable () -> Void
  /// Which open files go past the page cache; set anew by the session's first request.
  var ways = OpenWays(protocolMinor: 0)
  /// Where the bytes of writes arrive.
  var payload = PayloadPlace()
  /// Who is about to give a name another spelling.
  var respelling = RespellingWatch()
  /// The answers that a rule holds back.
  let lateAnswers = LateAnswers()
  /// True once the session's first answer, that to INIT, has gone out.
  var hasAnsweredFirst = false
  private var hasToldCut = false

  /// A handler for this disk.
  init(
    disk: FaultDisk, planMayChange: Bool, turns: TurnTaking?, hasExtendedAttributes: Bool, keepsLocks: Bool,
    seesSync: Bool,
    killed: KilledProcesses,
    whenCut: @escaping @Sendable () -> Void
  ) {
    self.disk = disk
    self.planMayChange = planMayChange
    self.turns = turns
    self.hasExtendedAttributes = hasExtendedAttributes
    self.keepsLocks = keepsLocks
    self.seesSync = seesSync
    self.killed = killed
    self.whenCut = whenCut
    disk.withEngine { engine in
      engine.furtherGroups = { caller in ProcessFile.furtherGroups(of: caller.thread) }
      engine.delayAnswer = { [lateAnswers] delay in lateAnswers.delay = delay }
      engine.kernelKnows = { [kernelCache] inode in kernelCache.knows(inode: inode) }
    }
  }

  /// The handler that a request belongs to.
  static func of(_ request: fuse_req_t) -> RequestHandler {
    guard let context = fuse_req_userdata(request) else { preconditionFailure("a session without its handler") }
    return Unmanaged<RequestHandler>.fromOpaque(context).takeUnretainedValue()
  }

  /// Runs one request under the disk's lock; what it throws is the answer.
  func answer(_ request: fuse_req_t, _ body: (inout DiskEngine, Caller) throws(Errno) -> Void) {
    answer(Caller(asking: request), failing: { errno in fuse_reply_err(request, errno) }, body)
  }

  /// Runs one request of this caller; `failing` answers what it throws, inside the lock as well.
  func answer(
    _ caller: Caller, failing: (CInt) -> Void, _ body: (inout DiskEngine, Caller) throws(Errno) -> Void
  ) {
    if killed.contain(processOf: caller.thread) { return failing(EINTR) }
    let (isCutNow, isOutdated) = disk.withEngine { engine in
      do throws(Errno) {
        try body(&engine, caller)
      } catch {
        failing(error.rawValue)
      }
      return (engine.condition != .running, engine.takeKernelOutdated())
    }
    lateAnswers.delay = nil
    if isCutNow && !hasToldCut {
      hasToldCut = true
      whenCut()
    } else if isOutdated {
      whenCut()
    }
  }

  /// Keeps an answer back that is to come late; nil where it goes out now.
  ///
  /// What the server says of its own accord comes from other threads, has no request's number and never waits.
  func hold(_ pieces: UnsafeBufferPointer<iovec>) -> Int? {
    guard hasAnsweredFirst, LateAnswers.isAnswer(pieces), lateAnswers.delay != nil else { return nil }
    return lateAnswers.hold(pieces, now: LateAnswers.now)
  }

  /// Answers with a name's inode, which the kernel may remember.
  func reply(
    _ request: fuse_req_t, entry attributes: InodeAttributes, named name: BytePath, in directory: fuse_ino_t,
    _ engine: borrowing DiskEngine
  ) {
    var entry = entryParameters(attributes, engine)
    kernelCache.remember(name, in: directory, inode: entry.ino)
    // ENOENT: the caller was killed while it waited, and the kernel keeps nothing of the answer.
    if fuse_reply_entry(request, &entry) != 0 { kernelCache.forget(inode: entry.ino, lookups: 1) }
  }

  /// What the kernel is told about an inode, and for how long it may believe it.
  func entryParameters(_ attributes: InodeAttributes, _ engine: borrowing DiskEngine) -> fuse_entry_param {
    var entry = fuse_entry_param()
    entry.attr = stat(attributes, root: engine.rootInode)
    entry.ino = fuse_ino_t(entry.attr.st_ino)
    entry.attr_timeout = engine.secondsAttributesHold
    entry.entry_timeout = engine.secondsNamesHold
    return entry
  }
}

extension DiskEngine {
  /// For how long the kernel may believe what it is told of a name.
  ///
  /// Not at all where a name has several spellings: what happens to one, the kernel does not know of the others.
  var secondsNamesHold: Double {
    !nameRules.isEmpty || rules.contains { $0.makesNamesDoubtful } ? 0 : KernelCache.secondsBelieved
  }

  /// For how long the kernel may believe what it is told of an inode.
  var secondsAttributesHold: Double { rules.contains { $0.makesAttributesDoubtful } ? 0 : KernelCache.secondsBelieved }

  /// The disk's number for an inode as the kernel names it; the kernel's root is always 1.
  func inode(_ number: fuse_ino_t) -> UInt64 { number == fuse_ino_t(FUSE_ROOT_ID) ? rootInode : number }
}

extension Caller {
  /// Who waits for the answer to a request.
  init(asking request: fuse_req_t) {
    guard let context = fuse_req_ctx(request)?.pointee else {
      self.init(thread: 0, user: 0, group: 0)
      return
    }
    self.init(thread: context.pid, user: context.uid, group: context.gid)
  }
}

extension BytePath {
  /// The name that a C string holds.
  init(_ name: UnsafePointer<CChar>) {
    let count = strlen(name)
    self.init(
      bytes: UnsafeRawBufferPointer(start: name, count: count))
  }
}

extension stat {
  /// What the kernel is told of an inode.
  init(_ attributes: InodeAttributes, root: UInt64) {
    self.init()
    st_ino = ino_t(attributes.number == root ? UInt64(FUSE_ROOT_ID) : attributes.number)
    st_mode = attributes.kind.modeBits | mode_t(attributes.permissions)
    st_nlink = nlink_t(attributes.links)
    st_uid = attributes.owner
    st_gid = attributes.group
    st_rdev = dev_t(attributes.deviceNumber)
    st_size = off_t(clamping: attributes.size)
    st_blocks = blkcnt_t(clamping: (attributes.allocatedBytes + 511) / 512)
    st_blksize = 4096
    st_mtim = timespec(nanoseconds: attributes.modified)
    st_atim = timespec(nanoseconds: attributes.accessed)
    st_ctim = timespec(nanoseconds: attributes.changed)
  }
}

extension timespec {
  /// A time in nanoseconds since 1970-01-01 UTC, also one before.
  init(nanoseconds: Int64) {
    let seconds = nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds - 999_999_999) / 1_000_000_000
    self.init(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds - seconds * 1_000_000_000))
  }

  /// Nanoseconds since 1970-01-01 UTC; the nearest that fits.
  var nanoseconds: Int64 {
    let (product, overflows) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    if overflows { return tv_sec < 0 ? .min : .max }
    return product.addingReportingOverflow(Int64(tv_nsec)).partialValue
  }
}

extension FileKind {
  /// The type bits of `st_mode`.
  var modeBits: mode_t {
    switch self {
    case .regular, .unknown: S_IFREG
    case .directory: S_IFDIR
    case .symbolicLink: S_IFLNK
    case .fifo: S_IFIFO
    case .socket: S_IFSOCK
    case .blockDevice: S_IFBLK
    case .characterDevice: S_IFCHR
    }
  }

  /// The kind that type bits name; nil for bits of no kind.
  init?(modeBits: mode_t) {
    switch modeBits & S_IFMT {
    case S_IFREG, 0: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    case S_IFBLK: self = .blockDevice
    case S_IFCHR: self = .characterDevice
    default: return nil
    }
  }
}
