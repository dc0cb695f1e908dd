import Files
import Scenarios

extension ScenarioFiles {
  /// The files in the folder of a scenario, and below and beside it.
  package static func beside(_ scenario: BytePath) -> ScenarioFiles {
    ScenarioFiles { path, bytesMax in
      do throws(FileCallError) {
        let wanted = BytePath(path)
        let isWhole = path.hasPrefix("/")
        let file = try Host.absolutePath(
          of: isWhole || scenario.parent == .root ? wanted : scenario.parent.appending(wanted))
        return .success(try HostVolume(root: file.folderOnHost).readWhole(file.name, sizeMax: bytesMax))
      } catch {
        return .failure(Refusal(reason: "\(error.errno)"))
      }
    }
  }
}
