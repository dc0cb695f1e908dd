import CrashModel
import FaultDisk

extension CrashExploration {
  /// The trees between the operations of the program, in their order; of an exploration under `strict`.
  ///
  /// What is possible only while one operation is under way, as half a write, is none of them.
  package var quietTrees: [DiskTree] {
    states.filter { $0.moments.ranges.contains { $0.lowerBound < $0.upperBound } }.map(\.tree)
  }
}
