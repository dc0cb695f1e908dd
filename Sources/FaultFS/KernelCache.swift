import Files
import Synchronization

/// What the kernel has been told of names and inodes, so that it can be made to ask again.
///
/// The kernel is the only writer, so it may believe an answer for an hour. That ends when the truth can change behind
/// its back: when a rule is armed that makes names lie, when reads can fail, when the power is cut. Then everything it
/// was told is recalled, from a thread that answers no request, before the change is acknowledged.
final class KernelCache: Sendable {
  /// How long the kernel may believe a name or attributes that nobody but itself changes.
  static let secondsBelieved = 3600.0

  /// A name as the kernel knows it.
  struct Name: Hashable, Sendable {
    /// The directory's inode number, as told to the kernel.
    let directory: UInt64
    /// The name in it.
    let name: BytePath
  }

  private struct Memory {
    var names: Set<Name> = []
    var lookups: [UInt64: UInt64] = [:]
  }

  private let memory = Mutex(Memory())

  /// The kernel has been told what this name stands for; `inode` 0 for nothing.
  func remember(_ name: BytePath, in directory: UInt64, inode: UInt64) {
    memory.withLock {
      $0.names.insert(Name(directory: directory, name: name))
      if inode != 0 { $0.lookups[inode, default: 0] += 1 }
    }
  }

  /// The kernel believes nothing of this name any more: it is gone, and a look-up will ask again.
  func drop(_ name: BytePath, in directory: UInt64) {
    memory.withLock { _ = $0.names.remove(Name(directory: directory, name: name)) }
  }

  /// The kernel has let go of so many answers about an inode; true where it knows nothing of it any more.
  @discardableResult
  func forget(inode: UInt64, lookups: UInt64) -> Bool {
    memory.withLock {
      guard let known = $0.lookups[inode] else { return true }
      $0.lookups[inode] = known > lookups ? known - lookups : nil
      return known <= lookups
    }
  }

  /// True where the kernel has been told of an inode and has not let go of it.
  func knows(inode: UInt64) -> Bool { memory.withLock { $0.lookups[inode] != nil } }

  /// All names that the kernel may remember, and all inodes, sorted.
  var everything: (names: [Name], inodes: [UInt64]) {
    let (names, inodes) = memory.withLock { (Array($0.names), Array($0.lookups.keys)) }
    return (
      names.sorted { ($0.directory, $0.name) < ($1.directory, $1.name) },
      inodes.sorted()
    )
  }
}
