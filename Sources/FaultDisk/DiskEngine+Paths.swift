import Files

// The in-process door names things by path.
extension DiskEngine {
  /// What stands at a path; no symbolic link is followed.
  func inode(at path: BytePath, _ caller: Caller) throws(Errno) -> Inode {
    if path.isRoot { return try inode(rootInode) }
    let place = try place(of: path, caller)
    return try entry(place.name, in: place.directory, caller)
  }

  /// The directory in which a path ends, and the last name; EBUSY for the root. The path is well-formed.
  func place(of path: BytePath, _ caller: Caller) throws(Errno) -> (directory: UInt64, name: BytePath) {
    var directory = rootInode
    let names = path.components
    for (index, name) in names.enumerated() {
      if index == names.count - 1 { return (directory, name) }
      let inode = try entry(name, in: directory, caller)
      if inode.kind == .symbolicLink { throw Errno.eloop }
      if inode.kind != .directory { throw Errno.enotdir }
      directory = inode.number
    }
    throw Errno.ebusy
  }

  mutating func open(_ path: BytePath, for purpose: OpenPurpose, _ caller: Caller) throws(Errno) -> UInt64 {
    switch purpose {
    case .reading:
      let access = FileAccess(reads: true, writes: false)
      return try open(inode(at: path, caller), access: access, caller) { inode throws(Errno) in
        if inode.kind == .symbolicLink { throw Errno.eloop }
        if inode.kind == .socket { throw Errno.enxio }
      }
    case .directory: return try openDirectory(inode(at: path, caller).number, caller)
    case .writing: return try openToWrite(inode(at: path, caller), caller)
    case .creating(let permissions):
      let place = try place(of: path, caller)
      return try create(
        place.name, in: place.directory, permissions: permissions, access: FileAccess(reads: false, writes: true),
        caller
      ).handle
    case .overwriting(let permissions): return try overwrite(path, permissions: permissions, caller)
    }
  }

  private mutating func openToWrite(_ inode: Inode, _ caller: Caller) throws(Errno) -> UInt64 {
    try open(inode, access: FileAccess(reads: false, writes: true), caller) { inode throws(Errno) in
      if inode.kind == .directory { throw Errno.eisdir }
      if inode.kind == .symbolicLink { throw Errno.eloop }
      if inode.kind != .regular { throw Errno.enxio }
    }
  }

  private mutating func overwrite(
    _ path: BytePath, permissions: UInt16, _ caller: Caller
  ) throws(Errno) -> UInt64 {
    do throws(Errno) {
      let inode = try inode(at: path, caller)
      let handle = try openToWrite(inode, caller)
      do throws(Errno) {
        try truncate(inode, to: 0, caller)
      } catch {
        release(handle)
        throw error
      }
      return handle
    } catch {
      if error != .enoent { throw error }
    }
    return try open(path, for: .creating(permissions: permissions), caller)
  }

  func status(of inode: Inode) -> FileStatus {
    let attributes = inode.attributes
    return FileStatus(
      kind: attributes.kind, device: configuration.device, inode: attributes.number, size: attributes.size,
      links: attributes.links, permissions: attributes.permissions, owner: attributes.owner,
      modified: attributes.modified, changed: attributes.changed)
  }
}
