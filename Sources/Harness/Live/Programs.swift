import Files
import Processes

/// The programs that a live run starts: the file system's server and the store's driver.
package struct Programs: Sendable {
  /// The path of `faultfs`.
  package var faultfs: String
  /// The driver and its words.
  package var driver: [String]
  /// How long the driver may take for one step, in seconds.
  package var stepSecondsMax: Int

  /// The limit of a step where nothing else is said, in seconds.
  package static let stepSecondsMaxUsual = 30

  /// These programs.
  package init(faultfs: String, driver: [String], stepSecondsMax: Int = stepSecondsMaxUsual) {
    self.faultfs = faultfs
    self.driver = driver
    self.stepSecondsMax = stepSecondsMax
  }

  /// The programs beside this one, or for an installed one in `../libexec/lnote`.
  ///
  /// - Parameters:
  ///   - driver: a command line that takes the place of our driver; nil for ours.
  ///   - stepSecondsMax: how long the driver may take for one step.
  package static func beside(
    driver: [String]? = nil, stepSecondsMax: Int = stepSecondsMaxUsual
  ) throws(HarnessError) -> Programs {
    let directory = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      BytePath(bytes: try OwnProgram.directory())
    }
    var words = driver ?? []
    if words.isEmpty { words = [try find("lnote-driver", from: directory)] }
    return Programs(
      faultfs: try find("faultfs", from: directory), driver: words, stepSecondsMax: stepSecondsMax)
  }

  /// The path of `faultfs` beside this program.
  package static func faultfsBeside() throws(HarnessError) -> String {
    let directory = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      BytePath(bytes: try OwnProgram.directory())
    }
    return try find("faultfs", from: directory)
  }

  private static func find(_ name: String, from directory: BytePath) throws(HarnessError) -> String {
    for folder in [directory, directory.parent.appending("libexec/lnote")] {
      do throws(FileCallError) {
        let path = folder.appending(name)
        if try HostVolume(root: folder).status(at: BytePath(name)).kind == .regular { return path.description }
      } catch {}
    }
    throw .program(name: name, reason: "is not installed beside this program; build it with 'make build'")
  }
}
