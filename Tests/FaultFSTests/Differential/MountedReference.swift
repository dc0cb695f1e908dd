import Files
import Glibc
import Processes
import TestSupport

/// A file system of the kernel, mounted for one test; gone with the last reference.
final class MountedReference {
  let mountPoint: BytePath
  private let directory: TemporaryDirectory

  private init(_ directory: TemporaryDirectory) {
    self.directory = directory
    mountPoint = directory.path.appending("reference")
    _ = mkdir(mountPoint.description, 0o755)
  }

  deinit { _ = umount2(mountPoint.description, CInt(MNT_DETACH)) }

  /// An empty tmpfs.
  static func tmpfs() throws -> MountedReference {
    let made = MountedReference(try TemporaryDirectory("reference"))
    let flags = UInt(MS_NOSUID | MS_NODEV | MS_NOATIME)
    guard mount("tmpfs", made.mountPoint.description, "tmpfs", flags, nil) == 0 else {
      throw FileCallError("mount", [made.mountPoint], .current)
    }
    return made
  }

  /// An empty ext4 in a file of 64 MiB; its loop device goes by itself when it is unmounted.
  static func ext4() throws -> MountedReference {
    let made = MountedReference(try TemporaryDirectory("reference"))
    let script = """
      set -e
      truncate -s 64M "$1"; mkfs.ext4 -q -F -b 4096 "$1"
      mount -t ext4 -o loop,nosuid,nodev,noatime "$1" "$2"; rmdir "$2/lost+found"
      """
    let image = made.directory.path.appending("image").description
    let result = try Launch("sh", ["-c", script, "sh", image, made.mountPoint.description])
      .run(limitMilliseconds: 30_000)
    guard result.ending == .exited(0) else { throw MountFailure("no ext4: \(result.errorText)") }
    return made
  }

  /// Whether an ext4 can be mounted here; tried once.
  static let hasExt4 = geteuid() == 0 && (try? ext4()) != nil
}
