import Glibc

/// A moment on the monotonic clock until which a call may wait.
package struct Deadline: Hashable, Sendable {
  /// Nanoseconds of CLOCK_MONOTONIC; nil for never.
  private let nanoseconds: Int64?

  private init(nanoseconds: Int64?) { self.nanoseconds = nanoseconds }

  /// Waits as long as it takes.
  package static let never = Deadline(nanoseconds: nil)

  /// The moment this many milliseconds from now; 0 never waits.
  package static func after(milliseconds: Int) -> Deadline {
    Deadline(nanoseconds: monotonicNanoseconds() + Int64(clamping: milliseconds) * 1_000_000)
  }

  /// The earlier of the two.
  package func earlier(than other: Deadline) -> Deadline {
    guard let ours = nanoseconds else { return other }
    return other.nanoseconds.map { $0 < ours } ?? false ? other : self
  }

  /// True where the moment has come.
  package var hasPassed: Bool { nanoseconds.map { monotonicNanoseconds() >= $0 } ?? false }

  /// What poll(2) may wait: -1 for ever, 0 not at all.
  var pollMilliseconds: CInt {
    guard let nanoseconds else { return -1 }
    let left = nanoseconds - monotonicNanoseconds()
    return left <= 0 ? 0 : CInt(clamping: (left + 999_999) / 1_000_000)
  }
}

/// The monotonic clock in nanoseconds; only differences mean something.
package func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
