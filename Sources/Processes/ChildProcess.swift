import CPosix
import Glibc
import Synchronization

/// A process that this program started.
///
/// Letting go of it does not end it; a child that nobody waited for stays a zombie until this program ends.
package final class ChildProcess: Sendable {
  /// Its number; also its group's where it has one of its own.
  package let id: pid_t
  /// The writing end of its standard input, where that is a pipe; closed by `closeInput`.
  package var input: Descriptor? { pipes.withLock { $0 } }
  /// The reading end of its standard output, where that is a pipe.
  package let output: Descriptor?
  /// The reading end of its standard error, where that is a pipe.
  package let error: Descriptor?

  /// Readable once it has ended; to be polled together with others.
  package let handle: Descriptor
  private let hasOwnGroup: Bool
  private let name: String
  private let pipes: Mutex<Descriptor?>
  private let ending = Mutex<ProcessEnding?>(nil)

  /// Starts the program.
  ///
  /// No descriptor but the three streams reaches it, no signal is blocked or ignored in it.
  ///
  /// - Throws: ENOENT where there is no such program, EACCES where it may not run, and what the calls throw.
  package init(_ launch: Launch) throws(ProcessCallError) {
    BrokenPipe.becomesAnError
    let streams = try SpawnStreams(launch)
    let id = try spawn(launch, streams)
    let name = String(decoding: launch.program, as: UTF8.self)
    let handle: CInt
    do throws(ProcessCallError) {
      handle = try retrying("pidfd_open", name) { cposix_pidfd_open(id) }
    } catch {
      Glibc.kill(id, SIGKILL)
      waitpid(id, nil, 0)
      throw error
    }
    self.id = id
    self.name = name
    self.handle = Descriptor(handle)
    hasOwnGroup = launch.hasOwnGroup
    pipes = Mutex(streams.input.ours)
    output = streams.output.ours
    error = streams.error.ours
  }

  /// Closes this end of its standard input: it reads the end of the file.
  package func closeInput() { pipes.withLock { $0 = nil } }

  /// The pipes to its standard input and output, read and written by lines; both must be pipes.
  package func lines(lineBytesMax: Int = LineChannel.lineBytesMax) -> LineChannel {
    guard let input, let output else { preconditionFailure("\(name) was started without pipes") }
    return LineChannel(reading: output, writing: input, lineBytesMax: lineBytesMax)
  }

  /// How it ended, or nil where it still runs at the deadline. May be called again.
  package func wait(until deadline: Deadline) throws(ProcessCallError) -> ProcessEnding? {
    if let known = ending.withLock({ $0 }) { return known }
    guard !(try waitReadable([handle.number], until: deadline)).isEmpty else { return nil }
    return try reap()
  }

  /// How it ended, or nil where it still runs after this time.
  package func wait(milliseconds: Int) throws(ProcessCallError) -> ProcessEnding? {
    try wait(until: .after(milliseconds: milliseconds))
  }

  private func reap() throws(ProcessCallError) -> ProcessEnding {
    let result: Result<ProcessEnding, ProcessCallError> = ending.withLock { ending in
      if let known = ending { return .success(known) }
      var status: CInt = 0
      do throws(ProcessCallError) {
        _ = try retrying("waitpid", name) { waitpid(id, &status, 0) }
      } catch {
        return .failure(error)
      }
      let low = Int(status & 0x7F)
      let found: ProcessEnding = low == 0 ? .exited(Int(status >> 8) & 0xFF) : .killed(signal: low)
      ending = found
      return .success(found)
    }
    return try result.get()
  }

  /// Sends a signal to it, and never to another process that got its number. One that has ended is left alone.
  package func send(signal: CInt) {
    _ = cposix_pidfd_send_signal(handle.number, signal)
  }

  /// Sends a signal to its whole group; to itself where it has none of its own.
  package func sendToGroup(signal: CInt) {
    if hasOwnGroup { Glibc.kill(-id, signal) } else { send(signal: signal) }
  }

  /// Kills it, with its group where it has its own, and waits until it is gone.
  ///
  /// - Returns: how it ended, which may have been before.
  @discardableResult
  package func end() throws(ProcessCallError) -> ProcessEnding {
    sendToGroup(signal: SIGKILL)
    _ = try waitReadable([handle.number], until: .never)
    return try reap()
  }
}
