import FaultDisk
import Files

extension DiskTree {
  /// Everything that a walk from the root finds, by path, directories before what is in them.
  ///
  /// A directory that is inside itself is entered once.
  package var paths: [(path: BytePath, inode: UInt64)] {
    var found: [(path: BytePath, inode: UInt64)] = []
    var waiting: [(path: BytePath, inode: UInt64, above: [UInt64])] = [(.root, root, [])]
    while let (path, inode, above) = waiting.popLast() {
      found.append((path, inode))
      let within = above + [inode]
      for (name, child) in (entries[inode] ?? [:]).sorted(by: { $0.key > $1.key }) {
        guard nodes[child] != nil, !within.contains(child) else { continue }
        waiting.append((path.appending(name), child, within))
      }
    }
    return found
  }
}
