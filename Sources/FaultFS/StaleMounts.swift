import Files
import Glibc
import Processes

/// Takes away the mounts of ours whose server is dead, wherever they lie; returns where they lay.
///
/// A server that was killed leaves a mount that answers ENOTCONN to everybody, and no later one can lie there. A mount
/// that another PID namespace serves looks dead by its number, but it answers, so it is left alone.
package func clearStaleMounts() -> [BytePath] {
  MountTable.now.stale { !ProcessFile.isGone($0) }.map(\.mountPoint).filter { isDisconnected($0) && unmountLazily($0) }
}

/// Takes the mounts of faultfs out of the calling thread's own view, so that their servers can end.
///
/// - Parameter view: makes it; what is mounted until then is taken out.
package func leaveMounts<E: Error>(afterMaking view: () throws(E) -> Void) throws(E) {
  let ours = MountTable.now.entries.filter(\.isOurs)
  try view()
  for entry in ours.reversed() { _ = umount2(entry.mountPoint.cString, CInt(MNT_DETACH) | CInt(UMOUNT_NOFOLLOW)) }
}

/// Takes away what this process has mounted at an absolute path and libfuse has left there.
func clearOwnMounts(at path: BytePath) {
  while MountTable.now.top(at: path)?.server == getpid(), unmountLazily(path) {}
}

extension MountTable {
  /// The kernel's table as it is now; empty where there is no /proc.
  static var now: MountTable {
    guard let volume = try? HostVolume(root: "/proc/self"),
      let text = try? volume.readWhole("mountinfo", sizeMax: tableBytesMax)
    else { return MountTable(text: []) }
    return MountTable(text: text)
  }

  /// More than a machine with a hundred thousand mounts shows.
  private static let tableBytesMax = 64 << 20
}

/// True where a mount lies whose server is gone. statfs(2) is the one call that no cache answers.
private func isDisconnected(_ path: BytePath) -> Bool {
  var status = statvfs()
  return statvfs(path.cString, &status) != 0 && errno == ENOTCONN
}

/// Detaches what lies at an absolute path; false where that is not permitted.
private func unmountLazily(_ path: BytePath) -> Bool {
  if umount2(path.cString, CInt(MNT_DETACH) | CInt(UMOUNT_NOFOLLOW)) == 0 { return true }
  guard errno == EPERM else { return false }
  // Who is not root has the set-user-id tool, which unmounts what its user has mounted.
  let tool = Launch(
    program: Array("fusermount3".utf8), arguments: ["-u", "-z", "-q", "--"].map { Array($0.utf8) } + [path.bytes])
  guard let result = try? tool.run(limitMilliseconds: 10_000) else { return false }
  return result.ending.isSuccess
}
