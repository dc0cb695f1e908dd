import CPosix
import Glibc
import Synchronization

/// A directory of the host and everything below it, as a volume.
///
/// Files are the kernel's descriptors. Rules V1 to V11 of `Volume` hold as far as the file system below keeps them.
/// Permission bits given to `open` and `makeDirectory` go through the process's mask (umask).
package final class HostVolume: Volume {
  /// The most files that one volume holds open at a time, unless the caller says otherwise.
  package static let openFilesMax = 256

  /// The directory, as it was given.
  package let rootPath: BytePath
  let root: RootDirectory
  private let openFilesMax: Int
  // Each with the path it was opened by, for the sentences of errors.
  private let openFiles = Mutex<[Int32: BytePath]>([:])

  /// The directory at `path` of the host, absolute or relative to the current directory.
  ///
  /// - Parameter resolution: how paths are looked up; nil takes the better way that the kernel permits.
  /// - Throws: what open(2) says: ENOENT, ENOTDIR, EACCES, …
  package init(
    root path: BytePath, openFilesMax: Int = HostVolume.openFilesMax, resolution: PathResolution? = nil
  ) throws(FileCallError) {
    rootPath = path
    self.openFilesMax = openFilesMax
    root = try RootDirectory(path: path, resolution: resolution)
  }

  deinit {
    for number in openFiles.withLock({ $0.keys }) { Glibc.close(number) }
  }

  /// How paths are looked up here.
  package var resolution: PathResolution { root.resolution }

  /// How many files are open now.
  package var openFileCount: Int { openFiles.withLock { $0.count } }

  /// Opens what stands at `path`, or makes a file there, as `purpose` says. EMFILE beyond the volume's own limit.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    try check(path, "open")
    guard openFileCount < openFilesMax else { throw FileCallError("open", [path], .emfile) }
    let number =
      switch purpose {
      case .reading: try openQuietly(path, flags: O_RDONLY)
      case .directory: try openQuietly(path, flags: O_RDONLY | O_DIRECTORY)
      case .creating(let permissions):
        try root.open(path, flags: O_WRONLY | O_CREAT | O_EXCL, permissions: permissions).of("open", [path])
      case .writing: try root.open(path, flags: O_WRONLY).of("open", [path])
      case .overwriting(let permissions):
        try root.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC, permissions: permissions).of("open", [path])
      }
    openFiles.withLock { $0[number] = path }
    return OpenFile(number: number)
  }

  /// Ends an open file; EBADF where it is not open.
  package func close(_ file: OpenFile) throws(FileCallError) {
    guard let path = openFiles.withLock({ $0.removeValue(forKey: file.number) }) else {
      throw FileCallError("close", [], .ebadf)
    }
    // Linux has freed the descriptor also where it says EINTR: not to be called again.
    guard Glibc.close(file.number) == -1 else { return }
    let errno = Errno.current
    if errno != .eintr { throw FileCallError("close", [path], errno) }
  }

  /// The path that an open file was opened by; EBADF where it is not one of ours.
  func path(of file: OpenFile, for call: String) throws(FileCallError) -> BytePath {
    guard let path = openFiles.withLock({ $0[file.number] }) else { throw FileCallError(call, [], .ebadf) }
    return path
  }

  /// Refuses a path that no call of the kernel should see.
  func check(_ path: BytePath, _ call: String, of paths: [BytePath]? = nil) throws(FileCallError) {
    if let refusal = path.refusal { throw FileCallError(call, paths ?? [path], refusal) }
  }

  /// Opens for reading without touching the access time; only the owner and root may ask for that.
  func openQuietly(_ path: BytePath, flags: CInt) throws(FileCallError) -> CInt {
    var opened = root.open(path, flags: flags | cposix_O_NOATIME)
    if case .failure(.eperm) = opened { opened = root.open(path, flags: flags) }
    return try opened.of("open", [path])
  }
}
