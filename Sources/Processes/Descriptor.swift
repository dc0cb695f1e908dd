import CPosix
import Glibc

/// An open file descriptor that is closed when its last owner lets go.
package final class Descriptor: Sendable {
  /// The number; valid as long as this object lives.
  package let number: CInt
  private let closes: Bool

  /// Takes over `number` and closes it in the end, or with `closes: false` only borrows it.
  package init(_ number: CInt, closes: Bool = true) {
    self.number = number
    self.closes = closes
  }

  deinit { if closes { Glibc.close(number) } }

  /// The descriptor this program reads from.
  package static let standardInput = Descriptor(STDIN_FILENO, closes: false)
  /// The descriptor this program writes to.
  package static let standardOutput = Descriptor(STDOUT_FILENO, closes: false)
  /// The descriptor this program complains to.
  package static let standardError = Descriptor(STDERR_FILENO, closes: false)
}

/// Waits until one of the descriptors can be read without blocking, or its other end is closed.
///
/// - Returns: the places in `descriptors` that are ready, ascending; empty where the deadline passed first.
package func waitReadable(_ descriptors: [CInt], until deadline: Deadline) throws(ProcessCallError) -> [Int] {
  let all = try waitReady(descriptors.map { ($0, Int16(POLLIN)) }, until: deadline)
  return all.indices.filter { all[$0] != 0 }
}

/// poll(2): the events of each descriptor, all 0 where the deadline passed first.
func waitReady(_ asked: [(CInt, Int16)], until deadline: Deadline) throws(ProcessCallError) -> [Int16] {
  var entries = asked.map { pollfd(fd: $0.0, events: $0.1, revents: 0) }
  while true {
    let count = poll(&entries, nfds_t(entries.count), deadline.pollMilliseconds)
    let number = errno
    if count > 0 { return entries.map(\.revents) }
    if count < 0 && number != EINTR { throw ProcessCallError("poll", "", number) }
    if deadline.hasPassed { return entries.map { _ in 0 } }
  }
}

/// Both ends of a new pipe; no child inherits them by accident, and neither is 0, 1 or 2.
package func makePipe() throws(ProcessCallError) -> (reading: Descriptor, writing: Descriptor) {
  BrokenPipe.becomesAnError
  var ends: [CInt] = [-1, -1]
  _ = try retrying("pipe2") { cposix_pipe(&ends) }
  let (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
  return (try aboveStandard(reading), try aboveStandard(writing))
}

/// The same open file under a number above the three standard ones.
func aboveStandard(_ descriptor: Descriptor) throws(ProcessCallError) -> Descriptor {
  if descriptor.number > STDERR_FILENO { return descriptor }
  return Descriptor(try retrying("fcntl") { fcntl(descriptor.number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) })
}

/// Writing to a pipe nobody reads shall be an error, and not the end of the program.
package enum BrokenPipe {
  /// Ignores SIGPIPE in this process from now on; children get the default back.
  ///
  /// Every call here that makes a pipe, a socket or a child does it; a program that prints should do it at its start.
  package static let becomesAnError: Void = { _ = signal(SIGPIPE, SIG_IGN) }()
}
