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

  /// Copies the tree to `<root>/[<case>/]<state>`, unless that state is kept already.
  func keep(_ volume: any Volume, as state: State, of name: String?) {
    var folder = BytePath.root
    do throws(FileCallError) {
      for part in [name, state.rawValue].compactMap({ $0 }) {
        folder = folder.appending(part)
        do throws(FileCallError) {
          try host.makeDirectory(folder, permissions: 0o755)
        } catch  where error.errno.name == "EEXIST" {
          if part == state.rawValue { return }
        }
      }
      let copy = FaultDisk()
      try copy.importTree(from: volume)
      try copy.exportTree(to: HostVolume(root: root.appending(folder)))
    } catch {
      troubles.append("\(error)")
    }
  }
}
