import FaultDisk
import Files
import Glibc
import Processes

/// What a sync(2) or syncfs(2) that was seen does to a disk that this process serves.
struct MountSyncs {
  /// The disk.
  let disk: FaultDisk
  /// Where it is mounted.
  let mountPoint: BytePath

  /// Lets a call have its effect; true where it is a sync_file_range(2) on the mount, which has none.
  func take(_ call: SyncWatch.Call) -> Bool {
    switch call.kind {
    case .everything: synchronize(call)
    case .fileSystem: if isOnMount(call) { synchronize(call) }
    case .range: return isOnMount(call)
    }
    return false
  }

  private func synchronize(_ call: SyncWatch.Call) {
    disk.withEngine { engine in
      try? engine.synchronizeAll(Caller(thread: call.thread, user: geteuid(), group: getegid()))
    }
  }

  /// True where the caller's descriptor leads to our mount; asked without opening it.
  private func isOnMount(_ call: SyncWatch.Call) -> Bool {
    let link = BytePath("/proc/\(call.thread)/fd/\(call.descriptor)")
    var (theirs, ours) = (stat(), stat())
    return stat(link.cString, &theirs) == 0 && stat(mountPoint.cString, &ours) == 0 && theirs.st_dev == ours.st_dev
  }
}
