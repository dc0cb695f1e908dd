import Files

/// What must be known before a mount is tried, so that a refusal can say what to do.
struct MountFacts: Equatable {
  /// How the device for FUSE answers.
  enum Device: Equatable {
    /// It can be opened for reading and writing.
    case usable
    /// There is none.
    case missing
    /// It is there, and opening it fails.
    case refused(Errno)
  }

  /// What stands at the mount point.
  enum Place: Equatable {
    case emptyDirectory
    case missing
    case notDirectory
    case notEmpty
    /// A mount lies there whose server answers no more.
    case disconnected
    case unreadable(Errno)
    /// A directory of a mount of ours.
    case onOurs
  }

  /// How `/dev/fuse` answers.
  var device: Device
  /// True where this process may mount by itself.
  var isRoot: Bool
  /// True where `fusermount3` is on the path and set-user-id root.
  var hasMountTool: Bool
  /// What stands at the mount point.
  var place: Place
  /// False for root without CAP_SYS_ADMIN, as in a container.
  var hasMountRight = true
  /// True where `fusermount3` lets this user mount there: it may write, and owns it where others' files are protected.
  var placeIsOurs = true
  /// True where other users shall see the mount.
  var wantsOthers = false
  /// True where /etc/fuse.conf lets ordinary users ask for that.
  var mayAllowOthers = false
  /// True where sync(2) shall be seen.
  var wantsSync = false
  /// What the kernel calls its version: "6.18.2-arch1".
  var kernelRelease = ""

  /// The first kernel that tells a server of sync(2), if it stands on a block device.
  private static let firstTellingSync = (6, 18)

  /// True where the kernel tells of sync(2).
  var kernelTellsSync: Bool {
    let numbers = kernelRelease.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
    return numbers.count == 2 && (numbers[0], numbers[1]) >= MountFacts.firstTellingSync
  }
}

/// Why a mount cannot be made here, with the sentence that says what to do.
package enum MountObstacle: Error, Equatable, Sendable {
  case noDevice
  case deviceRefused(Errno)
  case noMountTool
  case placeMissing(BytePath)
  case placeNotDirectory(BytePath)
  case placeNotEmpty(BytePath)
  case placeDisconnected(BytePath)
  case placeUnreadable(BytePath, Errno)
  case placeOnOurs(BytePath)
  case placeNotYours(BytePath)
  case noMountRight
  case othersNotAllowed
  case syncNeedsRoot
  /// The kernel of this release does not tell of sync(2).
  case syncUntold(String)
  /// All checks passed, and the kernel or libfuse still said no; libfuse has printed why.
  case mountFailed(BytePath)
  /// The control socket cannot be made there.
  case noSocket(BytePath, Errno)
  /// A thread, pipe or session could not be made.
  case system(FileCallError)

  /// True where the machine, not the request, has to change.
  package var isEnvironment: Bool {
    switch self {
    case .noDevice, .deviceRefused, .noMountTool, .noMountRight, .othersNotAllowed, .mountFailed, .noSocket, .system,
      .syncNeedsRoot, .syncUntold:
      true
    case .placeMissing, .placeNotDirectory, .placeNotEmpty, .placeDisconnected, .placeUnreadable, .placeOnOurs,
      .placeNotYours:
      false
    }
  }

  /// What is wrong and what to do about it, in two sentences.
  package var sentences: String {
    switch self {
    case .noDevice:
      """
      /dev/fuse is missing, so nothing can be mounted here. \
      Load the module (modprobe fuse); in a container pass the device and the right to mount \
      (docker run --device /dev/fuse --cap-add SYS_ADMIN).
      """
    case .deviceRefused(let errno):
      """
      /dev/fuse cannot be opened: \(errno). \
      Run as root, or give your user access to it (ls -l /dev/fuse shows who has it).
      """
    case .noMountTool:
      """
      Only root can mount, and the program that mounts for others, fusermount3, is missing or not set-user-id root. \
      Install it (apt-get install fuse3) or run as root.
      """
    case .placeMissing(let path): "\(path) does not exist. Make it first (mkdir -p \(path))."
    case .placeNotDirectory(let path): "\(path) is not a directory. Name an empty directory to mount on."
    case .placeNotEmpty(let path):
      "\(path) is not empty, and a mount would hide what is in it. Name an empty directory; --from TREE fills the mount."
    case .placeDisconnected(let path):
      "At \(path) lies a mount whose server is gone. Unmount it first (umount -l \(path), or fusermount3 -uz \(path))."
    case .placeUnreadable(let path, let errno): "\(path) cannot be read: \(errno). Name another directory."
    case .placeOnOurs(let path):
      "\(path) lies on a mount of faultfs, whose faults would hit this one too. Name a directory elsewhere."
    case .placeNotYours(let path):
      """
      \(path) is not yours to mount on: fusermount3 wants a directory that you may write, and own where it is sticky. \
      Name one of your own (mkdir ~/disk).
      """
    case .noMountRight:
      """
      This is root without the right to mount (CAP_SYS_ADMIN), as containers have it. \
      Start the container with it (docker run --device /dev/fuse --cap-add SYS_ADMIN \
      --security-opt apparmor=unconfined).
      """
    case .othersNotAllowed:
      """
      Only root may open a mount to other users here. \
      Put a line 'user_allow_other' into /etc/fuse.conf, or leave --allow-other out.
      """
    case .syncNeedsRoot:
      "Only root can see sync(2), because the mount then needs a block device. Run as root, or leave --see-sync out."
    case .syncUntold(let release):
      "Linux tells a file system like this one of sync(2) since 6.18, and this is \(release). Leave --see-sync out."
    case .mountFailed(let path):
      """
      Mounting at \(path) failed, for the reason said before. \
      In a container the right to mount is needed as well (docker run --cap-add SYS_ADMIN).
      """
    case .noSocket(let path, let errno):
      "The control socket cannot be made at \(path): \(errno). Name another place for it, of at most 107 bytes."
    case .system(let error): "The server cannot start: \(error)."
    }
  }
}

/// Decides from the facts whether a mount can be tried at `path`; nil where nothing speaks against it.
func mountObstacle(_ facts: MountFacts, at path: BytePath) -> MountObstacle? {
  switch facts.device {
  case .missing: return .noDevice
  // Also for others than root: the set-user-id tool opens the device with its user's rights.
  case .refused(let errno): return .deviceRefused(errno)
  case .usable: break
  }
  if !facts.isRoot && !facts.hasMountTool { return .noMountTool }
  if !facts.hasMountRight { return .noMountRight }
  if !facts.isRoot && facts.wantsOthers && !facts.mayAllowOthers { return .othersNotAllowed }
  if facts.wantsSync && !facts.isRoot { return .syncNeedsRoot }
  if facts.wantsSync && !facts.kernelTellsSync { return .syncUntold(facts.kernelRelease) }
  switch facts.place {
  case .emptyDirectory: return facts.isRoot || facts.placeIsOurs ? nil : .placeNotYours(path)
  case .onOurs: return .placeOnOurs(path)
  case .missing: return .placeMissing(path)
  case .notDirectory: return .placeNotDirectory(path)
  case .notEmpty: return .placeNotEmpty(path)
  case .disconnected: return .placeDisconnected(path)
  case .unreadable(let errno): return .placeUnreadable(path, errno)
  }
}
