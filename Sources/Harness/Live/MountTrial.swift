import Files
import Processes

/// Whether a mount can be had here, found out by making one and taking it away again.
///
/// Looking at `/dev/fuse` is not enough: a container may have the device and not the right to mount.
enum MountTrial {
  /// How long the trial may take, in milliseconds.
  private static let millisecondsMax = 20_000

  /// Why none can be had, in sentences that say what to do; nil where one can.
  static func obstacle(_ programs: Programs) throws(HarnessError) -> String? {
    let folder = try MountFolder()
    let result = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      // Its input has ended already, so the mount ends as soon as it is there.
      try folder.launch(programs).run(limitMilliseconds: millisecondsMax)
    }
    folder.remove()
    return sentences(of: result)
  }

  /// What the program said, without its name in front and as one line.
  static func sentences(of result: ProgramResult) -> String? {
    if result.ending.isSuccess { return nil }
    if result.ranOutOfTime { return "mounting took longer than \(millisecondsMax / 1000) s" }
    let lines = result.errorText.split(separator: "\n").map { line in
      line.hasPrefix("faultfs: ") ? String(line.dropFirst("faultfs: ".count)) : String(line)
    }
    return lines.isEmpty ? "faultfs ended with \(result.ending)" : lines.joined(separator: ". ")
  }
}

/// A temporary folder with the mount point and the control socket of one mount.
struct MountFolder {
  /// The folder, which only its owner may enter.
  let path: BytePath
  /// Where to mount.
  var mountPoint: BytePath { path.appending("mount") }
  /// The control socket.
  var socket: BytePath { path.appending("control") }

  /// Makes the folder and the mount point in it.
  init() throws(HarnessError) {
    path = try HarnessError.onDisk { () throws(FileCallError) in try Host.makeTemporaryFolder(prefix: "lnote-") }
    do throws(FileCallError) {
      try HostVolume(root: path).makeDirectory("mount", permissions: 0o755)
    } catch {
      throw .disk("\(error)")
    }
  }

  /// The server of a mount here; it unmounts and cleans up when its input ends, so also where its caller is killed.
  func launch(_ programs: Programs) -> Launch {
    var launch = Launch(
      programs.faultfs,
      [
        "mount", "-f", "--until-input-ends", "--remove", "--keep-data", "--control", socket.description,
        mountPoint.description,
      ])
    launch.input = .pipe
    launch.output = .pipe
    launch.crashesQuietly = true
    return launch
  }

  /// Removes what the server has not removed; it may have been killed, or never started.
  func remove() {
    do throws(FileCallError) {
      let parent = try HostVolume(root: path.folderOnHost)
      try? parent.unlink(path.name.appending("control"))
      try parent.removeDirectory(path.name.appending("mount"))
      try parent.removeDirectory(path.name)
    } catch {}
  }
}
