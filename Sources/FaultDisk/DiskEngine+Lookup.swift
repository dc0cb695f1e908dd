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

  /// A name in a directory as it is stored; as it is asked for, where it stands for nothing.
  package func spelling(of name: BytePath, in directory: UInt64) -> BytePath {
    (try? self.directory(directory))?.names.spelling(of: name) ?? name
  }

  /// What an inode is now; ESTALE for one that is gone.
  package mutating func attributes(of inode: UInt64) throws(Errno) -> InodeAttributes {
    if answersNothing { throw Errno.eio }
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
    guard let inode = parent.names.inode(named: name) else { throw Errno.enoent }
    return inode
  }
}
