import FileTracing
import Files

extension DiskEngine {
  /// Removes a name of anything but a directory.
  package mutating func unlink(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) {
    try remove(.unlink, name, in: directory, caller) { inode throws(Errno) in
      // Linux's answer; POSIX says EPERM.
      if inode.kind == .directory { throw Errno.eisdir }
    }
  }

  /// Removes an empty directory.
  package mutating func removeDirectory(_ name: BytePath, in directory: UInt64, _ caller: Caller) throws(Errno) {
    try remove(.rmdir, name, in: directory, caller) { inode throws(Errno) in
      guard let names = inode.directory else { throw Errno.enotdir }
      if !names.entries.isEmpty { throw Errno.enotempty }
    }
  }

  private mutating func remove(
    _ kind: OperationKind, _ name: BytePath, in directory: UInt64, _ caller: Caller,
    _ check: (Inode) throws(Errno) -> Void
  ) throws(Errno) {
    try admit(caller)
    let parent = try self.directory(directory)
    let name = parent.names.spelling(of: name)
    var draft = draft(kind, path(of: name, in: parent.inode), caller)
    let inode = try refusing(draft) { engine throws(Errno) in
      let inode = try engine.entry(name, in: directory, caller)
      try engine.check(.write, to: parent.inode, by: caller)
      try engine.checkSticky(inode, in: parent.inode, caller)
      try check(inode)
      return inode
    }
    draft.inode = inode.number
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      engine.detach(inode, name, from: parent.inode, at: engine.now())
      engine.dropIfUnused(inode)
    }
  }
}
