import FaultDisk
import Glibc

/// Answers that were given and are not sent yet, because a rule makes them slow or lets them hang.
///
/// Meanwhile other requests are answered. Used on the session's thread only.
final class LateAnswers: @unchecked Sendable {
  /// An answer as it goes to the kernel.
  struct Answer {
    /// The number of the request, as the kernel gave it.
    let request: UInt64
    /// `struct fuse_out_header` of linux/fuse.h and what follows.
    let bytes: [UInt8]
    /// When it is sent, nanoseconds of the monotonic clock; nil where it waits for a rule.
    let due: UInt64?
    /// The rule that it waits for.
    let rule: String?
  }

  /// How late the answer to the present request is.
  var delay: AnswerDelay?
  private var held: [Answer] = []

  /// True where nothing is held.
  var isEmpty: Bool { held.isEmpty }
  /// True where an answer waits for a rule to be cleared.
  var waitForRules: Bool { held.contains { $0.rule != nil } }

  /// Where the head of an answer holds the request's number; 0 in what the server says of its own accord.
  private static let requestOffset = 8
  private static let headBytes = 16

  /// True for the answer to a request, false for what the server says of its own accord.
  static func isAnswer(_ pieces: UnsafeBufferPointer<iovec>) -> Bool { request(of: pieces) != 0 }

  private static func request(of pieces: UnsafeBufferPointer<iovec>) -> UInt64 {
    guard let head = pieces.first, head.iov_len >= headBytes, let start = head.iov_base else { return 0 }
    return start.loadUnaligned(fromByteOffset: requestOffset, as: UInt64.self)
  }

  /// Takes an answer that comes late; nil where it does not.
  func hold(_ pieces: UnsafeBufferPointer<iovec>, now: UInt64) -> Int? {
    guard let delay else { return nil }
    let request = Self.request(of: pieces)
    self.delay = nil
    var bytes: [UInt8] = []
    for piece in pieces { bytes += UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len) }
    switch delay {
    case .milliseconds(let milliseconds):
      let nanoseconds = milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
      held.append(Answer(request: request, bytes: bytes, due: now &+ nanoseconds, rule: nil))
    case .untilCleared(let rule): held.append(Answer(request: request, bytes: bytes, due: nil, rule: rule))
    }
    return bytes.count
  }

  /// Takes out what is due, in the order of the requests.
  func takeDue(now: UInt64) -> [Answer] { take { $0.due.map { $0 <= now } ?? false } }

  /// Takes out what waits for none of these rules.
  func takeCleared(armed rules: Set<String>) -> [Answer] { take { $0.rule.map { !rules.contains($0) } ?? false } }

  /// Takes out the answer whose caller a signal has come for: it need not wait any more.
  func take(request: UInt64) -> [Answer] { take { $0.request == request } }

  /// Takes out all.
  func takeAll() -> [Answer] { take { _ in true } }

  private func take(_ isTaken: (Answer) -> Bool) -> [Answer] {
    let taken = held.filter(isTaken)
    held.removeAll(where: isTaken)
    return taken
  }

  /// How long nothing is due, in milliseconds, rounded up; -1 for ever.
  func millisecondsToNext(now: UInt64) -> CInt {
    guard let next = held.compactMap(\.due).min() else { return -1 }
    return next <= now ? 0 : CInt(clamping: (next - now + 999_999) / 1_000_000)
  }

  /// The monotonic clock, nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
