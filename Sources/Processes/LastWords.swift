import CPosix
import Glibc
import Synchronization

/// What a crash of this very program writes before it ends, so that a caller gets an answer.
package enum LastWords {
  private static let isSet = Mutex(false)

  /// From now on a crash, a trap of Swift too, writes `text` to a descriptor and ends with `status`.
  ///
  /// The memory of `text` is never freed, so call it once or twice in a program, not in a loop.
  package static func set(_ text: String, to descriptor: CInt, status: CInt) {
    isSet.withLock { isSet in
      isSet = true
      let bytes = strdup(text)
      _ = cposix_set_last_words(descriptor, bytes, bytes.map { strlen($0) } ?? 0, status)
    }
  }

  /// A crash only ends with `status`: the answer has begun to be written.
  package static func clear(status: CInt) {
    isSet.withLock { isSet in
      guard isSet else { return }
      _ = cposix_set_last_words(STDERR_FILENO, nil, 0, status)
    }
  }
}
