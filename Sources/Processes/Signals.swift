import CPosix
import Glibc

/// Lets a program learn of SIGINT, SIGTERM and SIGHUP as events, instead of being ended by them.
package final class SignalWatch: Sendable {
  /// Readable when a signal waits; to be polled together with others.
  package let descriptor: Descriptor

  /// Holds the signals back from now on.
  ///
  /// To be called first thing in the program: a thread that runs already would still be ended by them.
  package init(_ signals: [CInt] = [SIGINT, SIGTERM, SIGHUP]) throws(ProcessCallError) {
    descriptor = Descriptor(try retrying("signalfd") { cposix_signalfd(signals, CInt(signals.count)) })
  }

  /// True where a signal has come; it stays unread, so that whoever looks sees it.
  package var hasArrival: Bool {
    (try? waitReadable([descriptor.number], until: .after(milliseconds: 0)))?.isEmpty == false
  }

  /// The next signal, or nil where none came until the deadline.
  package func next(until deadline: Deadline) throws(ProcessCallError) -> CInt? {
    try nextArrival(until: deadline)?.signal
  }

  /// The next signal with where it came from, or nil where none came until the deadline.
  package func nextArrival(until deadline: Deadline) throws(ProcessCallError) -> Arrival? {
    guard !(try waitReadable([descriptor.number], until: deadline)).isEmpty else { return nil }
    var isFromKernel: CInt = 0
    let signal = cposix_signalfd_next(descriptor.number, &isFromKernel)
    return signal == 0 ? nil : Arrival(signal: signal, isFromTerminal: isFromKernel != 0)
  }

  /// A signal that came.
  package struct Arrival: Hashable, Sendable {
    /// Its number.
    package let signal: CInt
    /// True where the kernel sent it, as for Control-C: every process of the foreground group has got it.
    package let isFromTerminal: Bool
  }
}

/// Starts a thread for waiting that gets no signals; `body` runs once, and the thread ends with it.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(ProcessCallError) {
  let box = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, nil,
    { argument in
      _ = cposix_block_all_signals()
      if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body() }
      return nil
    }, box.toOpaque())
  if failure != 0 {
    box.release()
    throw ProcessCallError("pthread_create", "", failure)
  }
  pthread_detach(thread)
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// The processes that a child leaves behind when it ends.
package enum Orphans {
  /// Makes them children of this process from now on, instead of the system's first process.
  package static func becomeOurs() throws(ProcessCallError) { _ = try retrying("prctl") { cposix_adopt_orphans() } }
}

/// The process that started this one.
package enum ParentProcess {
  /// Kills this process (SIGKILL) as soon as its parent ends; also at once where it has ended already.
  ///
  /// prctl(PR_SET_PDEATHSIG) would do so when the parent's *thread* ends, which is too early where a thread pool
  /// started us; so a thread waits for the parent itself.
  package static func endsThisProcessWithIt() throws(ProcessCallError) {
    let id = getppid()
    let handle: Descriptor
    do throws(ProcessCallError) {
      handle = Descriptor(try retrying("pidfd_open") { cposix_pidfd_open(id) })
    } catch {
      if error.errorNumber == ESRCH { kill(getpid(), SIGKILL) }
      throw error
    }
    if getppid() != id { kill(getpid(), SIGKILL) }
    try startThread {
      while (try? waitReadable([handle.number], until: .never)) == nil {}
      kill(getpid(), SIGKILL)
    }
  }
}

/// Where this program itself lies.
package enum OwnProgram {
  /// The directory of its file, absolute; the other programs of this package lie beside it.
  package static func directory() throws(ProcessCallError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let number = errno
    guard count > 0 else { throw ProcessCallError("readlink", "/proc/self/exe", number) }
    let path = buffer[..<count]
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return Array(path) }
    return Array(path[..<slash])
  }
}
