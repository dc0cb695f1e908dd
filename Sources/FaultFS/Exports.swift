import FaultDisk
import FileTracing
import Files
import Glibc

/// Writes the tree of a disk as it is now into a directory of the host, absolute path.
///
/// The directory is made where it is missing; it must be empty, so that nothing of anybody is overwritten.
/// - Throws: ENOTEMPTY, and what the calls throw.
package func exportTree(of disk: FaultDisk, to path: BytePath) throws(FileCallError) {
  if mkdir(path.cString, 0o777) != 0 && errno != EEXIST { throw FileCallError("mkdir", [path], .current) }
  let target = try HostVolume(root: path)
  guard try isEmpty(target) else { throw FileCallError("export", [path], Errno(rawValue: ENOTEMPTY)) }
  try disk.exportTree(to: target)
}

private func isEmpty(_ volume: HostVolume) throws(FileCallError) -> Bool {
  do throws(FileCallError) {
    return try volume.entries(of: .root, countMax: 1).isEmpty
  } catch  where error.errno.rawValue == EOVERFLOW {
    return false
  }
}

/// Begins to write every operation of a disk, with its data, to a new file of the host, absolute path.
///
/// The file begins with the tree as it is, so that it can be replayed alone: one copy of the tree's data.
///
/// - Throws: EEXIST where the name is taken, and what the calls throw.
package func startLog(of disk: FaultDisk, to path: BytePath) throws(FileCallError) -> VolumeLogSink {
  let sink = try newLog(at: path)
  disk.withEngine { $0.beginLog(to: sink) }
  if let failure = sink.failure { throw failure }
  return sink
}

/// Writes the records that a disk still has, with their data, to a new file of the host, absolute path.
func writeLog(of disk: FaultDisk, to path: BytePath) throws(FileCallError) {
  let sink = try newLog(at: path)
  disk.withEngine { $0.writeLog(to: sink) }
  if let failure = sink.failure { throw failure }
  try sink.close()
}

private func newLog(at path: BytePath) throws(FileCallError) -> VolumeLogSink {
  let directory = path.folderOnHost
  return try VolumeLogSink(volume: try HostVolume(root: directory), path: path.name)
}
