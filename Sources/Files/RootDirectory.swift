import CPosix
import Glibc

/// How paths below a root directory are looked up.
package enum PathResolution: Hashable, Sendable {
  /// By openat2(2), the whole path in one call; Linux 5.6 and newer.
  case inKernel
  /// By openat(2), name by name.
  case byName
}

/// An open directory, and the things below it by path; never through a symbolic link, never above it.
final class RootDirectory: Sendable {
  private let descriptor: CInt
  let resolution: PathResolution

  /// Opens the directory at `path` of the host; links on the way to it are followed, the user chose them.
  ///
  /// `resolution` is for tests; nil takes the better one that the kernel permits.
  init(path: BytePath, resolution: PathResolution?) throws(FileCallError) {
    guard !path.isRoot, !path.bytes.contains(0) else { throw FileCallError("open", [path], .einval) }
    let flags = cposix_O_PATH | O_DIRECTORY | O_CLOEXEC
    let descriptor = try path.withCString { path in retrying { Glibc.open(path, flags) } }.of("open", [path])
    self.descriptor = descriptor
    self.resolution = resolution ?? RootDirectory.probe(descriptor)
  }

  deinit { Glibc.close(descriptor) }

  /// Kernels before 5.6 answer ENOSYS, some containers EPERM.
  private static func probe(_ descriptor: CInt) -> PathResolution {
    let flags = UInt64(cposix_O_PATH | O_CLOEXEC)
    let probe = BytePath(".").withCString { path in
      retrying { cposix_openat2(descriptor, path, flags, 0, cposix_RESOLVE_WITHIN) }
    }
    guard case .success(let opened) = probe else { return .byName }
    Glibc.close(opened)
    return .inKernel
  }

  /// Opens what stands at `path`, which is well-formed; the root itself for an empty one.
  func open(_ path: BytePath, flags: CInt, permissions: UInt16 = 0) -> Result<CInt, Errno> {
    // Whatever stands there: do not wait for a FIFO's other end, do not become a terminal's owner.
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    if path.isRoot {
      return BytePath(".").withCString { path in retrying { openat(descriptor, path, flags) } }
    }
    switch resolution {
    case .inKernel:
      return path.withCString { openInKernel($0, flags: flags, permissions: permissions) }
    case .byName:
      return withParent(of: path) { directory, name in
        retrying { openat(directory, name, flags, mode_t(permissions)) }
      }
    }
  }

  /// Hands the directory that `path` lies in, and the path's last name, to `body`.
  ///
  /// EBUSY for the root, which lies in no directory of this tree.
  func withParent<Answer>(
    of path: BytePath, _ body: (CInt, UnsafePointer<CChar>) -> Result<Answer, Errno>
  ) -> Result<Answer, Errno> {
    if path.isRoot { return .failure(.ebusy) }
    let parent = path.parent
    if parent.isRoot { return path.withCString { body(descriptor, $0) } }
    return path.withCStrings { folder, name in
      let opened =
        switch resolution {
        case .inKernel: openInKernel(folder, flags: RootDirectory.folderFlags, permissions: 0)
        case .byName: openByName(parent)
        }
      return opened.flatMap { directory in
        defer { Glibc.close(directory) }
        return body(directory, name)
      }
    }
  }

  /// Hands the root's own descriptor to `body`, for calls on the file system as a whole.
  func withRoot<Answer>(_ body: (CInt) -> Answer) -> Answer { body(descriptor) }

  private func openInKernel(
    _ path: UnsafePointer<CChar>, flags: CInt, permissions: UInt16
  ) -> Result<CInt, Errno> {
    // openat2 refuses a mode where nothing is made.
    let mode = flags & O_CREAT == 0 ? 0 : UInt64(permissions)
    return retrying {
      cposix_openat2(descriptor, path, UInt64(UInt32(bitPattern: flags)), mode, cposix_RESOLVE_WITHIN)
    }
  }

  private static let folderFlags = cposix_O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW

  private func openByName(_ path: BytePath) -> Result<CInt, Errno> {
    var directory = descriptor
    for name in path.components {
      let next = name.withCString { name in retrying { openat(directory, name, RootDirectory.folderFlags) } }
      if directory != descriptor { Glibc.close(directory) }
      guard case .success(let opened) = next else { return next }
      directory = opened
    }
    return .success(directory)
  }
}
