import Files
import Glibc
import Terminal

/// The folder of an exploration: the place of the disk, which shows the states later, and what the program printed.
final class ExploreWorkshop: Sendable {
  private let folder: BytePath
  /// Where the program runs, and later the check.
  let place: BytePath

  /// Memory is much faster than a disk, and a check should not wear one out.
  private static let memory: BytePath = "/dev/shm"

  init() throws(Refusal) {
    do throws(FileCallError) {
      let isWritable = access(Self.memory.cString, W_OK | X_OK) == 0
      folder = try Host.makeTemporaryFolder(prefix: "faultfs-explore-", below: isWritable ? Self.memory : nil)
      place = folder.appending("disk")
      try HostVolume(root: folder).makeDirectory("disk", permissions: 0o755)
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }

  /// The folder in which a bench shows states; that of the first is where the program ran.
  func folder(ofBench number: Int) throws(FileCallError) -> BytePath {
    guard number > 0 else { return place }
    let own = folder.appending("disk-\(number)")
    do throws(FileCallError) {
      try HostVolume(root: folder).makeDirectory(own.name, permissions: 0o755)
    } catch  where error.errno == .eexist {
      // An earlier bench of this number is done with it.
    }
    return own
  }

  /// What the check of a bench reads.
  func input(ofBench number: Int) -> BytePath { folder.appending("output-\(number)") }

  /// Lets the check of a bench read these bytes from now on.
  func put(_ bytes: [UInt8], atBench number: Int) throws(FileCallError) {
    let volume = try HostVolume(root: folder)
    let file = try volume.open(input(ofBench: number).name, for: .overwriting(permissions: 0o644))
    defer { try? volume.close(file) }
    try volume.writeWhole(file, bytes)
  }

  /// Removes all of it.
  func remove() {
    do throws(FileCallError) {
      let volume = try HostVolume(root: folder)
      try volume.removeAll(below: .root)
      try HostVolume(root: folder.parent).removeDirectory(folder.name)
    } catch {
      complain("\(printable(folder.bytes)) cannot be removed: \(error)")
    }
  }
}
