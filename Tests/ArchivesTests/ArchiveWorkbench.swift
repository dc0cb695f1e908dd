import Archives
import Files
import Processes
import TestSupport

/// A folder of the host in which Python makes archives, so that what is read was written by somebody else.
struct ArchiveWorkbench {
  let directory: TemporaryDirectory
  let volume: HostVolume

  init() throws {
    directory = try TemporaryDirectory("archives")
    volume = try directory.volume()
  }

  /// Runs a Python script in the folder.
  func python(_ script: String) throws {
    let imports = "import io, os, random, struct, tarfile, zipfile\n"
    var launch = Launch("python3", ["-c", imports + script])
    launch.workingDirectory = directory.path.bytes
    let result = try launch.run(limitMilliseconds: 60_000)
    if !result.ending.isSuccess { throw ScriptFailure(text: result.errorText) }
  }

  func read(_ name: BytePath, limits: ArchiveLimits = ArchiveLimits()) throws -> Archive? {
    try volume.makeDirectories("spool")
    return try Archive.read(name, in: volume, limits: limits, spoolFolder: directory.path.appending("spool"))
  }

  /// Every name with its kind, size and a digest of its bytes.
  func picture(_ archive: Archive?) throws -> [String] {
    guard let archive else { return ["no archive"] }
    return try ArchiveWorkbench.picture(of: archive.volume)
  }

  static func picture(of volume: any Volume) throws -> [String] {
    try volume.picture().map { line in
      // Without permissions and times, which a ZIP rounds or does not have.
      let words = line.split(separator: " ")
      return (words.dropLast(3) + words.suffix(1)).joined(separator: " ")
    }
  }
}

struct ScriptFailure: Error {
  let text: String
}
