import FileTracing
import Files

extension DiskEngine {
  /// What `name` in a directory stands for; ENOENT where it stands for nothing.
  package mutating func lookup(
    _ name: BytePath, in directory: UInt64, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    try admit(caller)
    return try entry(name, in: directory, caller).attributes
  }

  /// What an inode is now; ESTALE for one that is gone.
  package mutating func attributes(of inode: UInt64) throws(Errno) -> InodeAttributes {
    if condition != .running { throw Errno.eio }
    return try self.inode(inode).attributes
  }

  /// The text of a symbolic link.
  package mutating func readLink(_ inode: UInt64, _ caller: Caller) throws(Errno) -> BytePath {
    try admit(caller)
    let inode = try self.inode(inode)
    guard inode.kind == .symbolicLink else { throw Errno.einval }
    return inode.text
  }

  /// The inode that a name stands for.
  func entry(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) -> Inode {
    let parent = try self.directory(directory)
    try check(.search, to: parent.inode, by: caller)
    if name.bytes.count > DiskEngine.nameBytesMax { throw Errno.enametoolong }
    guard let inode = parent.names.entries[name] else { throw Errno.enoent }
    return inode
  }

  /// Changes attributes; a change of size is a truncate, and counted.
  package mutating func setAttributes(
    of inode: UInt64, _ change: AttributeChange, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    try admit(caller)
    let inode = try self.inode(inode)
    if let size = change.size { try truncate(inode, to: size, caller) }
    var rest = change
    rest.size = nil
    if rest != AttributeChange() { try setAttributes(of: inode, rest, caller) }
    return inode.attributes
  }

  private mutating func setAttributes(of inode: Inode, _ change: AttributeChange, _ caller: Caller) throws(Errno) {
    var draft = draft(.setattr, path(of: inode), caller)
    draft.inode = inode.number
    draft.argument = UInt64(change.permissions ?? inode.permissions)
    try refusing(draft) { engine throws(Errno) in
      try engine.checkOwner(of: inode, caller)
      if caller.user != 0 && change.owner ?? inode.owner != inode.owner { throw Errno.eperm }
    }
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      if let permissions = change.permissions { inode.permissions = permissions & 0o7777 }
      if let owner = change.owner { inode.owner = owner }
      if let group = change.group { inode.group = group }
      if let modified = change.modified { inode.modified = modified }
      inode.changed = engine.now()
    }
  }

  /// Cuts or lengthens a regular file.
  mutating func truncate(_ inode: Inode, to size: UInt64, _ caller: Caller, checksAccess: Bool = true) throws(Errno) {
    var draft = draft(.truncate, path(of: inode), caller)
    draft.inode = inode.number
    draft.offset = size
    try refusing(draft) { engine throws(Errno) in
      if inode.kind == .directory { throw Errno.eisdir }
      if inode.kind != .regular { throw Errno.einval }
      if size > DiskEngine.fileBytesMax { throw Errno.efbig }
      if checksAccess { try engine.check(.write, to: inode, by: caller) }
    }
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      let before = inode.content.extents.allocatedBytes
      if size < inode.content.size { inode.content.extents.remove(from: size, to: .max) }
      inode.content.size = size
      engine.budget.bytesUsed -= before - inode.content.extents.allocatedBytes
      inode.setTimes(engine.now())
    }
  }
}
