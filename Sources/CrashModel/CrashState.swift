import Bytes
import FaultDisk
import Files

/// Moments at which a state is possible: the numbers of the records under way.
///
/// The greatest number of all is behind the last record.
package struct CrashMoments: Hashable, Sendable {
  /// Each with the first and the last record during which a crash may leave the state.
  package private(set) var ranges: [ClosedRange<UInt64>] = []

  mutating func add(_ moment: UInt64, after previous: UInt64) {
    if let last = ranges.last, last.upperBound == previous || last.upperBound == moment {
      ranges[ranges.count - 1] = last.lowerBound...moment
    } else {
      ranges.append(moment...moment)
    }
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
  /// The tree.
  package let tree: DiskTree
  /// When a crash may leave it.
  package internal(set) var moments: CrashMoments
  /// Equal for trees that are equal: names, kinds, permissions, bytes.
  package let digest: Digest128
}
