import LNoteFsck
import Processes
import Synchronization

/// Waits for a document that another program has open, as long as `--lock-wait` says.
final class LockWait: Sendable {
  /// How long it is before it looks again.
  private static let pauseMilliseconds = 50

  private let deadline = Mutex<Deadline?>(nil)
  private let seconds: Int
  private let shown: String
  private let progress: ProgressReport
  private let interruption: Interruption

  /// A wait for the document that is shown like this; nil where there is none to be.
  init?(seconds: Int, shown: String, _ progress: ProgressReport, _ interruption: Interruption) {
    if seconds == 0 { return nil }
    self.seconds = seconds
    self.shown = shown
    self.progress = progress
    self.interruption = interruption
  }

  /// Waits a little; false where the time is over, or the user ends the run. The time begins with the first call.
  func goesOn() -> Bool {
    let end = deadline.withLock { deadline in
      let end = deadline ?? .after(milliseconds: seconds * 1000)
      deadline = end
      return end
    }
    if end.hasPassed || interruption.isStopped {
      progress.waits(for: nil)
      return false
    }
    progress.waits(for: shown)
    // No event tells that a lock is free: it is asked for again.
    _ = try? waitReadable([], until: .after(milliseconds: LockWait.pauseMilliseconds).earlier(than: end))
    return true
  }
}
