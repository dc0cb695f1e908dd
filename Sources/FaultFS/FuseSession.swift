import CFuse
import Files
import Glibc
import Synchronization

/// One mount on the kernel: a libfuse session and the thread that answers it.
///
/// The thread is a pthread of its own and the only one that answers requests, so the order of the log is the order
/// of the replies. It waits for requests by asking, as long as that pays (`Patience`), before it sleeps in poll(2).
final class FuseSession: @unchecked Sendable {
  /// Why the thread has ended.
  enum End: Int, AtomicRepresentable {
    case running
    /// `stop` was called.
    case stopped
    /// The kernel let go of the mount: somebody has unmounted it.
    case unmounted
    /// Reading from the device failed.
    case failed
  }

  /// What answers the requests; a session holds it for the C callbacks.
  let requests: RequestHandler
  /// Where it is mounted, absolute.
  let mountPoint: BytePath

  /// The number of the mounted device, by which paths on the mount are told from others.
  private(set) var device: dev_t = 0

  private let session: OpaquePointer
  private let wake: Pipe
  private let ended: Pipe
  private var thread = pthread_t()
  private var isGone = false
  private let end = Atomic<End>(.running)
  private let isStopping = Atomic<Bool>(false)
  private let rulesHaveChanged = Atomic<Bool>(false)
  private let isRecalling = Atomic<Bool>(false)
  private let recallCount = Atomic<Int>(0)
  /// The recalls that the thread knows of; what it held when they began has gone out.
  private var recallsSeen = 0

  /// Readable once the thread has ended.
  var endedDescriptor: CInt { ended.reading }
  /// Why the thread has ended; `.running` while it has not.
  var endReached: End { end.load(ordering: .acquiring) }

  /// Mounts at an absolute path and starts to answer; the mount can be used when this returns.
  ///
  /// - Throws: `.mountFailed` where libfuse or the kernel refuses, `.system` for pipes and threads.
  init(
    mountingAt mountPoint: BytePath, allowingOthers: Bool = false, answering requests: RequestHandler
  ) throws(MountObstacle) {
    self.mountPoint = mountPoint
    self.requests = requests
    wake = try Pipe.make()
    ended = try Pipe.make()
    let syncDevice = requests.seesSync ? try SyncDevice() : nil
    defer { syncDevice?.letGo() }
    let source = syncDevice?.name.description ?? MountName.source(server: getpid())
    guard let session = FuseSession.newSession(for: requests, source, allowingOthers) else {
      throw .mountFailed(mountPoint)
    }
    self.session = session
    guard fuse_session_mount(session, mountPoint.cString) == 0 else {
      fuse_session_destroy(session)
      throw .mountFailed(mountPoint)
    }
    let device = fuse_session_fd(session)
    _ = fcntl(device, F_SETFL, fcntl(device, F_GETFL) | O_NONBLOCK)
    var calls = DeviceIO.calls
    guard fuse_session_custom_io(session, &calls, device) == 0 else {
      fuse_session_unmount(session)
      fuse_session_destroy(session)
      throw .mountFailed(mountPoint)
    }
    try startThread()
    var status = stat()
    if stat(mountPoint.cString, &status) == 0 { self.device = status.st_dev }
  }

  private static func newSession(
    for requests: RequestHandler, _ source: String, _ allowsOthers: Bool
  ) -> OpaquePointer? {
    var name = "fsname=\(source),subtype=\(MountName.subtype)"
    if requests.seesSync { name += ",blkdev,blksize=4096" }
    let words = ["faultfs", "-o", allowsOthers ? name + ",allow_other,default_permissions" : name]
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      var arguments = fuse_args(argc: CInt(buffer.count), argv: buffer.baseAddress, allocated: 0)
      defer { fuse_opt_free_args(&arguments) }
      var calls = RequestHandler.calls
      // The handler outlives the session: `FuseSession` holds both.
      return fuse_session_new(
        &arguments, &calls, MemoryLayout<fuse_lowlevel_ops>.size, Unmanaged.passUnretained(requests).toOpaque())
    }
  }

  private func startThread() throws(MountObstacle) {
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<FuseSession>.fromOpaque(pointer).takeRetainedValue().answerRequests()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      fuse_session_unmount(session)
      fuse_session_destroy(session)
      throw .system(FileCallError("pthread_create", [], Errno(rawValue: status)))
    }
  }

  private func answerRequests() {
    let reached = requests.turns.map { answerInTurn($0) } ?? answerAsTheyCome()
    end.store(reached, ordering: .releasing)
    ended.signal()
  }

  private func answerAsTheyCome() -> End {
    var buffer = fuse_buf()
    defer { free(buffer.mem) }
    var patience = Patience()
    while true {
      sendLateAnswers()
      let size = fuse_session_receive_buf(session, &buffer)
      if let end = end(after: size) { return end }
      if size > 0 {
        patience.requestCame()
        process(&buffer)
      } else if patience.isOver() {
        _ = waitForRequest(milliseconds: -1)
      }
    }
  }

  /// Holds the requests of all threads, and answers one at a time.
  private func answerInTurn(_ given: TurnTaking) -> End {
    var turns = given
    var held = HeldRequests()
    defer { held.removeAll() }
    while true {
      sendLateAnswers()
      var buffer = held.buffer()
      let size = fuse_session_receive_buf(session, &buffer)
      if let end = end(after: size) {
        held.takeBack(buffer)
        return end
      }
      if size > 0 {
        guard held.passes(buffer) else { continue }
        process(&buffer)
      } else if !waitForRequest(milliseconds: held.isEmpty ? -1 : turns.quietMilliseconds), !held.isEmpty {
        var chosen = held.remove(at: turns.next(among: held.threads))
        process(&chosen)
        held.takeBack(chosen)
      }
      held.takeBack(buffer)
    }
  }

  /// Why the thread ends, after the device gave this; nil where it goes on.
  private func end(after size: CInt) -> End? {
    if isStopping.load(ordering: .relaxed) { return .stopped }
    if size > 0 || size == -EAGAIN || size == -EINTR { return nil }
    return size == 0 ? .unmounted : .failed
  }

  /// Sleeps until a request comes, an answer is due or somebody wakes the thread; false where the time has passed.
  private func waitForRequest(milliseconds: CInt) -> Bool {
    var waits = (
      pollfd(fd: fuse_session_fd(session), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0)
    )
    let late = requests.lateAnswers.isEmpty ? -1 : requests.lateAnswers.millisecondsToNext(now: LateAnswers.now)
    let shortest = late < 0 || (milliseconds >= 0 && milliseconds <= late) ? milliseconds : late
    let count = withUnsafeMutableBytes(of: &waits) {
      poll($0.baseAddress?.assumingMemoryBound(to: pollfd.self), 2, shortest)
    }
    if count > 0 && waits.1.revents != 0 { wake.drain() }
    return count != 0 || shortest != milliseconds
  }

  /// Answers a request. An interrupt for a late answer sends that: a killed program must not wait for it.
  private func process(_ buffer: inout fuse_buf) {
    if !requests.lateAnswers.isEmpty, let request = HeldRequests.interrupted(by: buffer) {
      let answers = requests.lateAnswers.take(request: request)
      send(answers)
      if !answers.isEmpty { return }
    }
    if requests.answersSync(buffer, on: fuse_session_fd(session)) { return }
    fuse_session_process_buf(session, &buffer)
  }

  private func sendLateAnswers() {
    let late = requests.lateAnswers
    let recalls = recallCount.load(ordering: .acquiring)
    let isRecalled = recalls != recallsSeen || isRecalling.load(ordering: .acquiring)
    recallsSeen = recalls
    // The power may be cut.
    if isRecalled { requests.answerLockWaiters() }
    guard !late.isEmpty else { return }
    if isRecalled { send(late.takeAll()) }
    send(late.takeDue(now: LateAnswers.now))
    guard rulesHaveChanged.exchange(false, ordering: .acquiring), late.waitForRules else { return }
    send(late.takeCleared(armed: requests.disk.withEngine { Set($0.rules.map(\.name)) }))
  }

  private func send(_ answers: [LateAnswers.Answer]) {
    // The caller may be gone by now; then there is nobody to tell.
    for answer in answers { _ = write(fuse_session_fd(session), answer.bytes, answer.bytes.count) }
  }

  /// Lets answers go on that wait for a rule which is no more.
  func rulesChanged() {
    rulesHaveChanged.store(true, ordering: .releasing)
    wake.signal()
  }

  /// Makes the kernel ask again about every name, attribute and page that it was told of.
  ///
  /// Never to be called inside a request: the kernel waits for the directory that the request holds. For the same reason
  /// what is late goes out, and nothing is late meanwhile.
  func recallEverything() {
    isRecalling.store(true, ordering: .releasing)
    defer { isRecalling.store(false, ordering: .releasing) }
    recallCount.add(1, ordering: .releasing)
    wake.signal()
    let (names, inodes) = requests.kernelCache.everything
    for known in names { recall(known) }
    for inode in inodes { _ = fuse_lowlevel_notify_inval_inode(session, inode, 0, 0) }
    _ = fuse_lowlevel_notify_inval_inode(session, fuse_ino_t(FUSE_ROOT_ID), 0, 0)
  }

  private func recall(_ known: KernelCache.Name) {
    let name = known.name.bytes.map { CChar(bitPattern: $0) }
    let status = fuse_lowlevel_notify_expire_entry(
      session, known.directory, name, name.count, FUSE_LL_EXPIRE_ONLY)
    // Kernels before 6.2 cannot expire a name; they can drop it, which looks the same but to who stands in it.
    if status == -ENOSYS { _ = fuse_lowlevel_notify_inval_entry(session, known.directory, name, name.count) }
  }

  /// Takes the mount away, also with files open on it, and frees everything; a second call does nothing.
  ///
  /// Closing the device ends what is still waiting there with ECONNABORTED; the mount point is free when this returns.
  func unmount() {
    guard !isGone else { return }
    isGone = true
    isStopping.store(true, ordering: .relaxed)
    wake.signal()
    pthread_join(thread, nil)
    fuse_session_unmount(session)
    fuse_session_destroy(session)
    // libfuse leaves the mount where the connection was severed before.
    clearOwnMounts(at: mountPoint)
    wake.close()
    ended.close()
  }
}

/// Two descriptors of which one wakes who waits at the other.
struct Pipe {
  let reading: CInt
  let writing: CInt

  /// A new pipe; neither end blocks, and no child inherits it.
  static func make() throws(MountObstacle) -> Pipe {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(FileCallError("pipe", [], .current)) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return Pipe(reading: ends[0], writing: ends[1])
  }

  /// Makes the reading end readable; may be called in a signal handler.
  func signal() {
    var byte: UInt8 = 1
    _ = write(writing, &byte, 1)
  }

  /// Takes out whatever signals are in it.
  func drain() {
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) == bytes.count {}
  }

  /// Closes both ends.
  func close() {
    _ = Glibc.close(reading)
    _ = Glibc.close(writing)
  }
}
