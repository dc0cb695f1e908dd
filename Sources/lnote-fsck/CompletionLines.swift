import Glibc
import Options
import Processes
import Synchronization
import Terminal

/// The lines of progress that e2fsck writes for the program which started it: "pass cur max label".
///
/// There is one pass. They go to a descriptor that the other program has opened; where it reads no more, none is written
/// any more.
final class CompletionLines: Sendable {
  private static let pauseNanoseconds: Int64 = 100_000_000

  private struct State {
    var isBroken = false
    var last: Int64?
  }

  private let descriptor: CInt
  private let state = Mutex(State())

  /// Lines to the descriptor of this number; a usage error where nothing can be written to it.
  init(_ number: Int) throws(UsageError) {
    descriptor = CInt(number)
    let flags = fcntl(descriptor, F_GETFL)
    if flags < 0 || flags & O_ACCMODE == O_RDONLY {
      throw UsageError("-C \(number) is no descriptor that is open for writing: open it, as in -C 3 3>progress.")
    }
  }

  /// Writes a line, unless the last one was written just now; `isLast` is written in any case.
  func write(_ done: Int, of total: Int, _ label: String, isLast: Bool = false) {
    state.withLock { state in
      let now = monotonicNanoseconds()
      if state.isBroken || !isLast && state.last.map({ now - $0 < CompletionLines.pauseNanoseconds }) == true { return }
      state.last = now
      let most = max(total, 1)
      var line = Array("1 \(isLast ? most : min(done, most)) \(most) \(printable(label))\n".utf8)[...]
      while !line.isEmpty {
        let count = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        if count <= 0 {
          state.isBroken = true
          return
        }
        line = line.dropFirst(count)
      }
    }
  }
}
