import FaultFS
import Glibc

/// Ends what a program has left running.
enum LeftOvers {
  private static let goodbyeMilliseconds = 1_000
  private static let deathMilliseconds = 10_000

  /// Asks them to end, and kills those that do not.
  static func end() {
    let left = LeftProcesses.now(except: [])
    if left.isEmpty { return }
    LeftProcesses.send(signal: SIGTERM, to: left)
    let rest = LeftProcesses.wait(milliseconds: goodbyeMilliseconds, except: [])
    LeftProcesses.send(signal: SIGKILL, to: rest)
    _ = LeftProcesses.wait(milliseconds: deathMilliseconds, except: [])
  }
}
