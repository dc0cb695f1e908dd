import FileTracing
import Files

/// What a new inode is.
private struct NewInode {
  var kind: FileKind
  var permissions: UInt16
  var deviceNumber: UInt32 = 0
  var text = BytePath.root

  /// The kind of operation that makes it.
  var operation: OperationKind {
    switch kind {
    case .directory: .mkdir
    case .symbolicLink: .symlink
    default: .create
    }
  }
}

extension DiskEngine {
  /// Makes a regular file and opens it; EEXIST where the name is taken.
  package mutating func create(
    _ name: BytePath, in directory: UInt64, permissions: UInt16, access: FileAccess, _ caller: Caller
  ) throws(Errno) -> (attributes: InodeAttributes, handle: UInt64) {
    let new = NewInode(kind: .regular, permissions: permissions)
    var opened: UInt64?
    do throws(Errno) {
      return try make(name, in: directory, new, caller) { engine, inode throws(Errno) in
        let handle = try engine.addHandle(to: inode, access, caller)
        opened = handle
        return (inode.attributes, handle)
      }
    } catch {
      // Made, but answered with an error: nobody will ever release it.
      if let opened { release(opened) }
      throw error
    }
  }

  /// Makes a regular file, FIFO, socket or device file and does not open it; it counts as a create.
  package mutating func makeNode(
    _ name: BytePath, in directory: UInt64, kind: FileKind, permissions: UInt16, deviceNumber: UInt32 = 0,
    _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    if kind == .directory || kind == .symbolicLink || kind == .unknown { throw Errno.einval }
    let new = NewInode(kind: kind, permissions: permissions, deviceNumber: deviceNumber)
    return try make(name, in: directory, new, caller) { _, inode throws(Errno) in inode.attributes }
  }

  /// Makes a symbolic link.
  package mutating func makeSymbolicLink(
    _ name: BytePath, in directory: UInt64, text: BytePath, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    if text.bytes.count > DiskEngine.pathBytesMax { throw Errno.enametoolong }
    let new = NewInode(kind: .symbolicLink, permissions: 0o777, text: text)
    return try make(name, in: directory, new, caller) { _, inode throws(Errno) in inode.attributes }
  }

  /// Makes a directory.
  package mutating func makeDirectory(
    _ name: BytePath, in directory: UInt64, permissions: UInt16, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    let new = NewInode(kind: .directory, permissions: permissions)
    return try make(name, in: directory, new, caller) { _, inode throws(Errno) in inode.attributes }
  }

  private mutating func make<R>(
    _ name: BytePath, in directory: UInt64, _ new: NewInode, _ caller: Caller,
    _ answer: (inout DiskEngine, Inode) throws(Errno) -> R
  ) throws(Errno) -> R {
    try admit(caller)
    let parent = try self.directory(directory)
    var draft = draft(new.operation, path(of: name, in: parent.inode), caller)
    draft.argument = UInt64(new.permissions)
    if new.kind == .symbolicLink { draft.otherPath = new.text }
    try refusing(draft) { engine throws(Errno) in try engine.checkFree(name, in: parent, caller) }
    return try perform(draft, caller) { engine, record, _ throws(Errno) in
      if engine.budget.inodesLeft == 0 { throw Errno.enospc }
      let time = engine.now()
      let inherits = parent.inode.permissions & PermissionBits.setGroup != 0
      let group = inherits ? parent.inode.group : caller.group
      let inode = Inode(
        number: engine.nextInodeNumber, kind: new.kind,
        permissions: engine.permissions(of: new, inheriting: inherits, group, caller), owner: caller.user,
        group: group, time: time, names: engine.configuration.names)
      inode.deviceNumber = new.deviceNumber
      inode.text = new.text
      let result = try engine.answer(answer, afterInserting: inode, name, in: parent.inode, at: time)
      record.inode = inode.number
      return result
    }
  }

  /// The bits of something new. What is made in a set-group directory has its group, and a directory its bit too.
  private func permissions(of new: NewInode, inheriting: Bool, _ group: UInt32, _ caller: Caller) -> UInt16 {
    let permissions = new.permissions & 0o7777
    if !inheriting { return permissions }
    if new.kind == .directory { return permissions | PermissionBits.setGroup }
    let runsAsGroup = PermissionBits.setGroup | 0o010
    if permissions & runsAsGroup == runsAsGroup && !belongs(caller, to: group) {
      return permissions & ~PermissionBits.setGroup
    }
    return permissions
  }

  private mutating func answer<R>(
    _ answer: (inout DiskEngine, Inode) throws(Errno) -> R, afterInserting inode: Inode, _ name: BytePath,
    in parent: Inode, at time: Int64
  ) throws(Errno) -> R {
    insert(inode)
    attach(inode, name, to: parent, at: time)
    do throws(Errno) {
      return try answer(&self, inode)
    } catch {
      detach(inode, name, from: parent, at: time)
      dropIfUnused(inode)
      throw error
    }
  }

  /// A second name for anything but a directory.
  package mutating func link(
    _ inode: UInt64, as name: BytePath, in directory: UInt64, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    try admit(caller)
    let inode = try self.inode(inode)
    let parent = try self.directory(directory)
    var draft = draft(.link, path(of: inode), to: path(of: name, in: parent.inode), caller)
    draft.inode = inode.number
    try refusing(draft) { engine throws(Errno) in
      try engine.checkFree(name, in: parent, caller)
      if inode.kind == .directory { throw Errno.eperm }
      if inode.names.isEmpty { throw Errno.enoent }
      if inode.names.count >= DiskEngine.linksMax { throw Errno.emlink }
    }
    return try perform(draft, caller) { engine, _, _ throws(Errno) in
      engine.attach(inode, name, to: parent.inode, at: engine.now())
      return inode.attributes
    }
  }

  /// How many names a file may have, as on ext4.
  package static let linksMax = 65_000

  /// EEXIST where the name is taken, and what forbids a new one.
  func checkFree(_ name: BytePath, in parent: (inode: Inode, names: Directory), _ caller: Caller) throws(Errno) {
    try check(.search, to: parent.inode, by: caller)
    try DiskEngine.check(name: name)
    if parent.names.inode(named: name) != nil { throw Errno.eexist }
    if parent.inode.names.isEmpty && !parent.names.isRoot { throw Errno.enoent }
    try check(.write, to: parent.inode, by: caller)
  }
}
