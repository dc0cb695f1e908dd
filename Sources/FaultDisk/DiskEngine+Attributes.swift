import FileTracing
import Files

extension DiskEngine {
  /// Changes attributes; a change of size is a truncate, and counted.
  ///
  /// - Parameter handle: the open file by which a size is changed: it may, whatever the file's permission bits say.
  package mutating func setAttributes(
    of inode: UInt64, _ change: AttributeChange, by handle: UInt64? = nil, _ caller: Caller
  ) throws(Errno) -> InodeAttributes {
    try admit(caller)
    let inode = try self.inode(inode)
    if let size = change.size { try truncate(inode, to: size, caller, checksAccess: handle == nil) }
    var rest = change
    rest.size = nil
    rest.timesAreNow = false
    if rest != AttributeChange() {
      rest.timesAreNow = change.timesAreNow
      try setAttributes(of: inode, rest, caller)
    } else if change.size == nil {
      // chown(2) to nobody in particular.
      inode.changed = now()
    }
    return inode.attributes
  }

  private mutating func setAttributes(of inode: Inode, _ change: AttributeChange, _ caller: Caller) throws(Errno) {
    var draft = draft(.setattr, path(of: inode), caller)
    draft.inode = inode.number
    draft.argument = UInt64(change.permissions ?? inode.permissions)
    try refusing(draft) { engine throws(Errno) in try engine.check(change, of: inode, caller) }
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      let losesGroupBit = engine.losesGroupBit(inode, givenAwayBy: caller, change)
      if let owner = change.owner { inode.owner = owner }
      if let group = change.group { inode.group = group }
      if let permissions = change.permissions { inode.permissions = permissions & 0o7777 }
      if losesGroupBit { inode.permissions &= ~PermissionBits.setGroup }
      // Who is not in the file's group may not let others act for it.
      if let permissions = change.permissions, permissions & PermissionBits.setGroup != 0,
        !engine.belongs(caller, to: inode.group)
      {
        inode.permissions &= ~PermissionBits.setGroup
      }
      if let accessed = change.accessed { inode.accessed = accessed }
      if let modified = change.modified { inode.modified = modified }
      inode.changed = engine.now()
    }
  }

  /// What Linux refuses of a change of attributes, to whom.
  private func check(_ change: AttributeChange, of inode: Inode, _ caller: Caller) throws(Errno) {
    if caller.user == 0 { return }
    let isOwner = caller.user == inode.owner
    if let owner = change.owner, !isOwner || owner != inode.owner { throw Errno.eperm }
    if let group = change.group, !isOwner || (group != inode.group && !belongs(caller, to: group)) { throw Errno.eperm }
    if let permissions = change.permissions, !isOwner {
      // The kernel takes the set-user and set-group bits away from what is written to, in the writer's name.
      let taken = inode.permissions & ~permissions
      let given = permissions & ~inode.permissions
      guard given == 0, taken & ~(PermissionBits.setUser | PermissionBits.setGroup) == 0 else { throw Errno.eperm }
    }
    if change.accessed != nil || change.modified != nil, !isOwner {
      if !change.timesAreNow { throw Errno.eperm }
      try check(.write, to: inode, by: caller)
    }
  }

  /// Cuts or lengthens a regular file.
  ///
  /// Its times change also where its size does not, as on ext4.
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
    try perform(draft, caller) { engine, record, _ throws(Errno) in
      let before = inode.content.extents.allocatedBytes
      if size < inode.content.size { engine.cut(inode, to: size) }
      inode.content.size = size
      inode.noteResized()
      engine.budget.bytesUsed -= before - inode.content.extents.allocatedBytes
      inode.setTimes(engine.now())
      engine.dropSetBits(of: inode, writtenBy: caller, &record)
    }
  }
}
