import Synchronization

/// A name for the bytes of a file: equal names stand for equal bytes, as long as the process lives.
///
/// The opposite does not hold: equal bytes may have different names, or none.
package struct ContentName: Hashable, Sendable {
  private let number: UInt64

  private static let last = Atomic<UInt64>(0)

  /// A name that was never given before, and never will be again.
  package static func unused() -> ContentName {
    ContentName(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}
