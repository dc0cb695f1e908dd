import CPosix
import Glibc

/// What happens to names.
extension HostVolume {
  /// fstatat(2) without following a link.
  package func status(at path: BytePath) throws(FileCallError) -> FileStatus {
    try check(path, "stat")
    var found = stat()
    if path.isRoot {
      _ = try root.withRoot { root in retrying { fstat(root, &found) } }.of("stat", [path])
    } else {
      _ = try root.withParent(of: path) { directory, name in
        retrying { fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) }
      }.of("stat", [path])
    }
    return FileStatus(found)
  }

  /// renameat(2), replacing what stands at `to`; EBUSY where one is the root.
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try inBoth("rename", from, to) { renameat($0, $1, $2, $3) }
  }

  /// renameat2(2) with RENAME_NOREPLACE; EEXIST where something stands at `to`.
  ///
  /// Where the file system lacks that flag, a file gets its new name by link and loses the old one by unlink.
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    do throws(FileCallError) {
      try inBoth("rename", from, to) { cposix_renameat2($0, $1, $2, $3, cposix_RENAME_NOREPLACE) }
    } catch {
      guard error.errno == .einval || error.errno == .enosys, from.refusal == nil, to.refusal == nil,
        try status(at: from).kind != .directory
      else { throw error }
      try link(from, to: to)
      do throws(FileCallError) {
        try unlink(from)
      } catch {
        try? unlink(to)
        throw error
      }
    }
  }

  /// linkat(2); a symbolic link is linked itself.
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try inBoth("link", from, to) { linkat($0, $1, $2, $3, 0) }
  }

  /// unlinkat(2).
  package func unlink(_ path: BytePath) throws(FileCallError) {
    try inParent("unlink", path) { unlinkat($0, $1, 0) }
  }

  /// mkdirat(2).
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    if path.isRoot { throw FileCallError("mkdir", [path], .eexist) }
    try inParent("mkdir", path) { mkdirat($0, $1, mode_t(permissions)) }
  }

  /// unlinkat(2) with AT_REMOVEDIR.
  package func removeDirectory(_ path: BytePath) throws(FileCallError) {
    try inParent("rmdir", path) { unlinkat($0, $1, AT_REMOVEDIR) }
  }

  /// symlinkat(2); the text is not looked at.
  package func makeSymbolicLink(_ path: BytePath, to text: BytePath) throws(FileCallError) {
    let words = text.bytes.map { CChar(bitPattern: $0) } + [0]
    try inParent("symlink", path) { symlinkat(words, $0, $1) }
  }

  /// readlinkat(2).
  package func linkText(at path: BytePath) throws(FileCallError) -> BytePath {
    try check(path, "readlink")
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = try root.withParent(of: path) { directory, name in
      retrying { CInt(readlinkat(directory, name, &buffer, buffer.count)) }
    }.of("readlink", [path])
    return BytePath(bytes: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) })
  }

  /// mknodat(2), then fchmodat(2), since the umask has cut the bits; devices are for root only.
  package func makeNode(
    _ path: BytePath, kind: FileKind, permissions: UInt16, device: UInt32
  ) throws(FileCallError) {
    let type: mode_t
    switch kind {
    case .fifo: type = S_IFIFO
    case .socket: type = S_IFSOCK
    case .blockDevice: type = S_IFBLK
    case .characterDevice: type = S_IFCHR
    default: throw FileCallError("mknod", [path], .einval)
    }
    try inParent("mknod", path) { mknodat($0, $1, type | mode_t(permissions), dev_t(device)) }
    try inParent("chmod", path) { fchmodat($0, $1, mode_t(permissions), 0) }
  }

  /// readdir(3); the names sorted by bytes, EOVERFLOW where there are more than `countMax`.
  package func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    try check(path, "readdir")
    let number = try openQuietly(path, flags: O_RDONLY | O_DIRECTORY)
    guard let stream = fdopendir(number) else {
      let errno = Errno.current
      Glibc.close(number)
      throw FileCallError("readdir", [path], errno)
    }
    defer { closedir(stream) }
    var found: [DirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let text = cposix_entry_name(entry)
      let bytes = UnsafeRawBufferPointer(start: text, count: text.map { strlen($0) } ?? 0)
      // "." and "..".
      if bytes.count <= 2 && bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { continue }
      let name = BytePath(bytes: Array(bytes))
      guard found.count < countMax else { throw FileCallError("readdir", [path], .eoverflow) }
      found.append(
        DirectoryEntry(name: name, kind: FileKind(entryType: entry.pointee.d_type), inode: UInt64(entry.pointee.d_ino)))
    }
    // Null means the end or a failure; only errno tells which.
    if errno != 0 { throw FileCallError("readdir", [path], .current) }
    return found.sorted { $0.name < $1.name }
  }

  /// fstatvfs(2): what a process that is not root may still use.
  package func freeSpace() throws(FileCallError) -> FreeSpace {
    var found = statvfs()
    _ = try root.withRoot { root in retrying { fstatvfs(root, &found) } }.of("statvfs", [.root])
    let (bytes, overflow) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
    // File systems that make inodes as they need them count none at all.
    let inodes = found.f_files == 0 ? UInt64.max : UInt64(found.f_favail)
    return FreeSpace(bytes: overflow ? .max : bytes, inodes: inodes)
  }

  private func inParent(
    _ call: String, _ path: BytePath, _ body: (CInt, UnsafePointer<CChar>) -> CInt
  ) throws(FileCallError) {
    try check(path, call)
    _ = try root.withParent(of: path) { directory, name in retrying { body(directory, name) } }.of(call, [path])
  }

  private func inBoth(
    _ call: String, _ from: BytePath, _ to: BytePath,
    _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
  ) throws(FileCallError) {
    try check(from, call, of: [from, to])
    try check(to, call, of: [from, to])
    _ = try root.withParent(of: from) { fromDirectory, fromName in
      root.withParent(of: to) { toDirectory, toName in
        retrying { body(fromDirectory, fromName, toDirectory, toName) }
      }
    }.of(call, [from, to])
  }
}
