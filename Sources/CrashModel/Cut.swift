import FaultDisk
import Files

/// One choice of what a crash leaves of the metadata.
struct Cut: Sendable {
  var namespace: Namespace
  /// The number of the first metadata operation that is lost; the greatest number where none is.
  var firstLost: UInt64
  /// The number of the last metadata operation that is kept behind what was durable; 0 for none.
  var lastKept: UInt64 = 0
  /// The renames over a file that are kept, by the inode that was renamed.
  var replacements: [UInt64: UInt64] = [:]
  /// The file whose fsync is under way and counts as done.
  var fileInFlight: UInt64?
  /// The records whose changes are kept, where they are no prefix; nil for a prefix.
  var kept: [UInt64]?
}

extension CrashWindow {
  /// The cut that keeps everything, where there is an order; where there is none, the newest of each name.
  var newestCut: Cut {
    var cuts = Cuts(self, seed: 0)
    return cuts.cut(at: 0)
  }

  /// What the model allows of a file under a cut.
  func space(of inode: UInt64, in cut: Cut) -> FileSpace {
    FileSpace(
      files[inode] ?? FileWindow(), model, firstLost: cut.firstLost, lastKept: cut.lastKept,
      replacedAt: cut.replacements[inode],
      isLogged: cut.fileInFlight == inode)
  }
}
