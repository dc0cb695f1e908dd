import Bytes
import FaultDisk
import Files

/// Moments at which a state is possible: the numbers of the records under way.
///
/// The greatest number of all is behind the last record.
package struct CrashMoments: Hashable, Sendable {
  /// Each with the first and the last record during which a crash may leave the state.
  package private(set) var ranges: [ClosedRange<UInt64>] = []

  /// Adds a moment; true where a range begins with it.
  @discardableResult
  mutating func add(_ moment: UInt64, after previous: UInt64) -> Bool {
    if let last = ranges.last, last.upperBound == previous || last.upperBound == moment {
      ranges[ranges.count - 1] = last.lowerBound...moment
      return false
    }
    ranges.append(moment...moment)
    return true
  }

  /// The last moment.
  package var last: UInt64 { ranges.last?.upperBound ?? 0 }

  /// The first moment.
  package var first: UInt64 { ranges.first?.lowerBound ?? 0 }
}

/// A tree that a crash may leave.
package struct CrashState: Sendable {
  /// Its number among the states of the exploration, from 1.
  package internal(set) var number: Int
  /// The tree; it is put together when it is asked for.
  package var tree: DiskTree { kept.tree }
  let kept: KeptTree
  /// When a crash may leave it.
  package internal(set) var moments: CrashMoments
  /// Equal for trees that are equal: names, kinds, permissions, bytes.
  package let digest: Digest128
}
