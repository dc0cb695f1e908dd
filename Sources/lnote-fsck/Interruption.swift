import Glibc
import LNoteFsck
import Processes
import Synchronization
import Terminal

/// Signals to this program, and its own crashes: what they do to the run.
///
/// The first SIGINT, SIGTERM or SIGHUP ends the run behind the step it is at. A second one ends the program at once.
/// SIGUSR1 writes a line that says how far the run is. However it ends, `--json` gets its one summary.
final class Interruption: Sendable {
  private struct State {
    var isStopped = false
    /// True where a thread has begun to write what the run came to; nobody else may then.
    var isOutputClaimed = false
    var status: (@Sendable () -> String)?
    var mode = RunReport.Mode.check
    var arguments: [String] = []
    var level = CheckLevel.default
    var selection = RunSelection()
  }

  private let state = Mutex(State())
  private let isJSON: Bool
  private let signals: SignalWatch?

  /// Holds signals back from now on; to be made before any other thread.
  init(isJSON: Bool) {
    self.isJSON = isJSON
    Interruption.setLastWords(State(), isJSON: isJSON)
    // Where there is none, signals end the program as they end any other.
    signals = try? SignalWatch([SIGINT, SIGTERM, SIGHUP, SIGUSR1])
  }

  /// Takes the signals that come, until the program ends.
  func watch() -> Never {
    // Asked once: a check of `signals` within the endless loop keeps the optimizer of Swift 6.3 busy for ever.
    guard let signals else { Interruption.waitForEver() }
    while true {
      if let signal = try? signals.next(until: .never) { take(signal) } else { pause() }
    }
  }

  private static func waitForEver() -> Never { while true { pause() } }

  /// True from the first signal on that asks the program to end.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// What the run is to do, for what has to be said where it does not come to its end.
  func begins(_ request: RunRequest) {
    state.withLock { state in
      state.mode = request.mode
      state.arguments = request.arguments.map(\.text)
      state.level = request.options.level
      state.selection = request.options.selection
    }
    Interruption.setLastWords(state.withLock { $0 }, isJSON: isJSON)
  }

  private static func setLastWords(_ state: State, isJSON: Bool) {
    let text = lastLines(
      "lnote-fsck itself failed. Run it again, and please report it.", .internal, state, isJSON: isJSON)
    LastWords.set(text, to: isJSON ? STDOUT_FILENO : STDERR_FILENO, status: FsckExit.internal.rawValue)
  }

  /// What SIGUSR1 shows from now on.
  func tellsStatus(_ status: @escaping @Sendable () -> String) { state.withLock { $0.status = status } }

  /// To be called before the report is written: from then on no signal cuts it.
  func claimOutput() {
    state.withLock { $0.isOutputClaimed = true }
    LastWords.clear(status: FsckExit.internal.rawValue)
  }

  private func take(_ signal: CInt) {
    if signal == SIGUSR1 {
      let status = state.withLock { $0.status }
      try? OutputStream.error.write("lnote-fsck: \(status?() ?? "looking for documents")\n")
      return
    }
    let isFirst = state.withLock { state in
      let isFirst = !state.isStopped
      state.isStopped = true
      return isFirst
    }
    if isFirst {
      if OutputStream.error.isTerminal {
        try? OutputStream.error.write("\nlnote-fsck: ending behind this step. Once more ends it at once.\n")
      }
      return
    }
    endAtOnce()
  }

  /// Ends the program; where the report is being written already, that goes on.
  private func endAtOnce() {
    // The lock is kept until the end, so that nobody else begins to write.
    state.withLock { state in
      if state.isOutputClaimed { return }
      let text = Interruption.lastLines(
        "ended at once. What was done is whole; run it again for the rest.", .cancelled, state, isJSON: isJSON)
      try? (isJSON ? OutputStream.output : .error).write(text)
      _exit(FsckExit.cancelled.rawValue)
    }
  }

  private static func lastLines(_ message: String, _ exit: FsckExit, _ state: State, isJSON: Bool) -> String {
    guard isJSON else { return "lnote-fsck: \(message)\n" }
    var report = RunReport(
      mode: state.mode, arguments: state.arguments, level: state.level, selection: state.selection)
    report.fail(message, exit)
    return String(decoding: JSONReport(report).bytes(milliseconds: 0), as: UTF8.self)
  }
}
