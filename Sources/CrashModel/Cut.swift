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
  /// All cuts of an ordered model, the earliest first.
  var cuts: [Cut] {
    var cuts: [Cut] = []
    var namespace = base
    var replacements: [UInt64: UInt64] = [:]
    for count in 0...pending.count {
      if count > 0 {
        let change = pending[count - 1]
        namespace.apply(change)
        if let replacing = change.replacing, model.replacingRename == .startsFlush {
          replacements[replacing] = change.record
        }
      }
      var cut = Cut(
        namespace: namespace, firstLost: count < pending.count ? pending[count].record : .max,
        lastKept: count > 0 ? pending[count - 1].record : 0, replacements: replacements)
      if model.metadataOrder == .commitAndLog {
        replay(log.entries, into: &cut, behind: count)
        cuts.append(cut)
        guard let flight = log.inFlight, !log.mustCommit else { continue }
        replay([flight], into: &cut, behind: count)
        cut.fileInFlight = flight.inode
      }
      cuts.append(cut)
    }
    return cuts
  }

  /// The cut that keeps everything, where there is an order; where there is none, the newest of each name.
  var cutOfAll: Cut? { model.metadataOrder == .free ? freeCuts(seed: 0).cuts.first : cuts.last }

  private func replay(_ entries: [FsyncLog.Entry], into cut: inout Cut, behind count: Int) {
    let committed = count > 0 ? pending[count - 1].record : 0
    for entry in entries where entry.record > committed {
      for change in entry.changes { cut.namespace.apply(change) }
    }
  }

  /// What the model allows of a file under a cut.
  func space(of inode: UInt64, in cut: Cut) -> FileSpace {
    FileSpace(
      files[inode] ?? FileWindow(), model, firstLost: cut.firstLost, lastKept: cut.lastKept,
      replacedAt: cut.replacements[inode],
      isLogged: cut.fileInFlight == inode)
  }
}
