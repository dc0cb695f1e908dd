import Synchronization

/// A name for what a file or folder holds: equal names, the same, as long as the process lives.
///
/// The opposite does not hold: the same may have different names, or none.
package struct ContentName: Hashable, Sendable {
  private let number: UInt64

  private static let last = Atomic<UInt64>(0)

  /// A name that was never given before, and never will be again.
  package static func unused() -> ContentName {
    ContentName(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

/// What stands at a path, and the name of what it holds.
package struct NamedContent: Sendable {
  /// What it is.
  package let status: FileStatus
  /// The name.
  package let name: ContentName

  /// A thing of this status with this name.
  package init(status: FileStatus, name: ContentName) {
    self.status = status
    self.name = name
  }
}
