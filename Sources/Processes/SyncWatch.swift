import CPosix
import Glibc
import Synchronization

/// Sees sync(2), syncfs(2) and sync_file_range(2) of a program and of all that it starts.
///
/// No file system in user space is told of them. A seccomp filter hands each such call to this process, which looks
/// at it and lets it go on. Not seen are calls of another architecture (32 bit programs), and those of programs that were
/// running before.
package final class SyncWatch: Sendable {
  /// A call that was seen, and waits.
  package struct Call: Hashable, Sendable {
    /// What was called.
    package enum Kind: Hashable, Sendable {
      /// sync(2): all file systems.
      case everything
      /// syncfs(2): the file system of a descriptor.
      case fileSystem
      /// sync_file_range(2), which makes nothing durable.
      case range
    }

    /// What was called.
    package let kind: Kind
    /// The thread that called.
    package let thread: Int32
    /// The number of the descriptor in the caller, for syncfs and sync_file_range.
    package let descriptor: Int32
    let id: UInt64
  }

  /// Readable when a call waits; to be polled together with others.
  package let listener: Descriptor

  private init(_ listener: Descriptor) { self.listener = listener }

  /// Starts a program under watch; where this machine lets nobody watch, it runs all the same, without.
  ///
  /// The filter belongs to the thread that asks for it and to what that thread starts, so a thread of its own does both.
  package static func start(_ launch: Launch) throws(ProcessCallError) -> (child: ChildProcess, watch: SyncWatch?) {
    let done = try makePipe()
    let box = Handover(done: done.writing)
    try startThread {
      let listener = cposix_watch_syncs()
      let watch = listener >= 0 ? SyncWatch(Descriptor(listener)) : nil
      do throws(ProcessCallError) {
        let child = try ChildProcess(launch)
        box.put(.success((child, watch)))
      } catch {
        box.put(.failure(error))
      }
    }
    _ = try waitReadable([done.reading.number], until: .never)
    guard let outcome = box.take() else { throw ProcessCallError("pthread_create", "", ECHILD) }
    return try outcome.get()
  }

  /// The call that waits, once the listener is readable; nil where nobody is left who could call.
  package func next() -> Call? {
    // Without a caller the kernel says only that the other end is closed, and receiving would wait for ever.
    var entry = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) == 1, entry.revents & Int16(POLLIN) != 0 else { return nil }
    var sync = cposix_sync()
    guard cposix_next_sync(listener.number, &sync) == 0 else { return nil }
    let kind: Call.Kind
    switch sync.number {
    case cposix_SYS_sync: kind = .everything
    case cposix_SYS_syncfs: kind = .fileSystem
    default: kind = .range
    }
    return Call(kind: kind, thread: sync.thread, descriptor: sync.descriptor, id: sync.id)
  }

  /// Lets a call go on as it was asked.
  package func letPass(_ call: Call) { _ = cposix_let_sync_pass(listener.number, call.id) }
}

/// What the starting thread leaves for the one that waits.
private final class Handover: Sendable {
  typealias Outcome = Result<(child: ChildProcess, watch: SyncWatch?), ProcessCallError>

  private let outcome = Mutex<Outcome?>(nil)
  private let done: Descriptor

  init(done: Descriptor) { self.done = done }

  func put(_ outcome: Outcome) {
    self.outcome.withLock { $0 = outcome }
    var byte: UInt8 = 1
    _ = write(done.number, &byte, 1)
  }

  func take() -> Outcome? { outcome.withLock { $0 } }
}
