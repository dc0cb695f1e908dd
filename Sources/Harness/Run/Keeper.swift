import FaultDisk
import Files

/// Keeps packages to look at, on the host: what a crash left, and what a repair made of it.
package final class Keeper {
  /// Which of a case's two states it is.
  package enum State: String {
    case crashed, repaired
  }

  private let root: BytePath
  private let host: HostVolume
  private var kept: Set<BytePath> = []
  /// What could not be kept, as sentences.
  package private(set) var troubles: [String] = []

  /// A keeper below `root`, an existing folder's absolute path on the host.
  package init(root: BytePath) throws(FileCallError) {
    self.root = root
    host = try HostVolume(root: root)
  }

  /// A keeper below `root`, which is made where it is missing; its parent folders too.
  package static func making(_ root: BytePath) throws(HarnessError) -> Keeper {
    try HarnessError.onDisk { () throws(FileCallError) in
      try Host.makeFolders(root)
      return try Keeper(root: root)
    }
  }

  /// Copies the tree to `<root>/[<case>/]<state>`; the first such state of a case is the one that is kept.
  func keep(_ volume: any Volume, as state: State, of name: String?) {
    var folder = BytePath.root
    do throws(FileCallError) {
      for part in [name, state.rawValue].compactMap({ $0 }) {
        folder = folder.appending(part)
        do throws(FileCallError) {
          try host.makeDirectory(folder, permissions: 0o755)
        } catch  where error.errno.name == "EEXIST" {
          guard part == state.rawValue else { continue }
          if kept.insert(folder).inserted {
            troubles.append("\(folder) is there from an earlier run; name another folder")
          }
          return
        }
      }
      kept.insert(folder)
      let copy = FaultDisk()
      try copy.importTree(from: volume)
      try copy.exportTree(to: HostVolume(root: root.appending(folder)))
    } catch {
      troubles.append("\(error)")
    }
  }
}
