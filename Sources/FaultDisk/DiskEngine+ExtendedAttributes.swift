import FileTracing
import Files

/// The extended attributes of an inode: values by name.
typealias ExtendedAttributes = [BytePath: [UInt8]]

/// What setxattr(2) demands of the attribute that it sets.
package struct AttributeDemand: OptionSet, Sendable {
  /// The bits of setxattr(2).
  package let rawValue: UInt64
  /// XATTR_CREATE: there must be none of this name.
  package static let isNew = AttributeDemand(rawValue: 1)
  /// XATTR_REPLACE: there must be one.
  package static let isThere = AttributeDemand(rawValue: 2)

  /// The demands with these bits.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

// Names as on tmpfs: user.* on regular files and directories, trusted.* for root; the rest is EOPNOTSUPP. What has
// no such name never reaches the disk and is not recorded: the kernel itself asks for security.* again and again.
extension DiskEngine {
  /// The size of the name of an extended attribute, in bytes.
  package static let attributeNameBytesMax = 255
  /// The size of the value of an extended attribute, and of a list of names, in bytes.
  package static let attributeBytesMax = 65_536

  /// The value of an extended attribute; ENODATA where there is none.
  package mutating func extendedAttribute(
    _ name: BytePath, of inode: UInt64, _ caller: Caller
  ) throws(Errno) -> [UInt8] {
    try admit(caller)
    let inode = try self.inode(inode)
    let space = try DiskEngine.space(of: name)
    let draft = attributeDraft(.getxattr, name, inode, caller)
    try refusing(draft) { engine throws(Errno) in
      try engine.check(.read, space, inode, caller)
      if inode.extendedAttributes[name] == nil { throw Errno.enodata }
    }
    return try perform(draft, caller) { _, record, _ throws(Errno) in
      let value = inode.extendedAttributes[name] ?? []
      record.lengthTaken = UInt64(value.count)
      return value
    }
  }

  /// The names of the extended attributes that the caller may see, sorted.
  package mutating func extendedAttributeNames(of inode: UInt64, _ caller: Caller) throws(Errno) -> [BytePath] {
    try admit(caller)
    let inode = try self.inode(inode)
    return try perform(attributeDraft(.listxattr, nil, inode, caller), caller) { _, _, _ throws(Errno) in
      let names = inode.extendedAttributes.keys.sorted().filter {
        caller.user == 0 || !$0.bytes.starts(with: AttributeSpace.trusted.prefix)
      }
      if names.reduce(0, { $0 + $1.bytes.count + 1 }) > DiskEngine.attributeBytesMax { throw Errno.e2big }
      return names
    }
  }

  /// Sets an extended attribute: EEXIST or ENODATA where it is not as demanded.
  package mutating func setExtendedAttribute(
    _ name: BytePath, of inode: UInt64, to value: UnsafeRawBufferPointer, _ demand: AttributeDemand, _ caller: Caller
  ) throws(Errno) {
    try admit(caller)
    let inode = try self.inode(inode)
    let space = try DiskEngine.space(of: name)
    var draft = attributeDraft(.setxattr, name, inode, caller)
    draft.argument = demand.rawValue
    draft.lengthAsked = UInt64(value.count)
    try refusing(draft) { engine throws(Errno) in
      if value.count > DiskEngine.attributeBytesMax { throw Errno.e2big }
      try engine.check(.write, space, inode, caller)
      let isThere = inode.extendedAttributes[name] != nil
      if isThere && demand.contains(.isNew) { throw Errno.eexist }
      if !isThere && demand.contains(.isThere) { throw Errno.enodata }
    }
    try perform(draft, caller) { engine, record, _ throws(Errno) in
      inode.extendedAttributes[name] = Array(value)
      inode.changed = engine.now()
      record.lengthTaken = record.lengthAsked
      if !value.isEmpty { record.dataAddress = engine.arena.append(value) }
    }
  }

  /// Takes an extended attribute away; ENODATA where there is none.
  package mutating func removeExtendedAttribute(
    _ name: BytePath, of inode: UInt64, _ caller: Caller
  ) throws(Errno) {
    try admit(caller)
    let inode = try self.inode(inode)
    let space = try DiskEngine.space(of: name)
    let draft = attributeDraft(.removexattr, name, inode, caller)
    try refusing(draft) { engine throws(Errno) in
      try engine.check(.write, space, inode, caller)
      if inode.extendedAttributes[name] == nil { throw Errno.enodata }
    }
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      inode.extendedAttributes[name] = nil
      inode.changed = engine.now()
    }
  }

  private func attributeDraft(
    _ kind: OperationKind, _ name: BytePath?, _ inode: Inode, _ caller: Caller
  ) -> OperationRecord {
    var draft = draft(kind, path(of: inode), to: name, caller)
    draft.inode = inode.number
    return draft
  }

  private static func space(of name: BytePath) throws(Errno) -> AttributeSpace {
    if name.bytes.isEmpty || name.bytes.count > attributeNameBytesMax { throw .erange }
    guard let space = AttributeSpace.allCases.first(where: { name.bytes.starts(with: $0.prefix) }) else {
      throw .enotsup
    }
    if name.bytes.count == space.prefix.count { throw .einval }
    return space
  }

  /// What Linux refuses of an extended attribute, to whom; the answer to who only reads is that there is none.
  private func check(
    _ wanted: WantedAccess, _ space: AttributeSpace, _ inode: Inode, _ caller: Caller
  ) throws(Errno) {
    let refusal = wanted == .write ? Errno.eperm : .enodata
    switch space {
    case .trusted: if caller.user != 0 { throw refusal }
    case .user:
      if inode.kind != .regular && inode.kind != .directory { throw refusal }
      let isSticky = inode.kind == .directory && inode.permissions & PermissionBits.sticky != 0
      if isSticky && wanted == .write && caller.user != 0 && caller.user != inode.owner { throw refusal }
      try check(wanted, to: inode, by: caller)
    }
  }
}

/// To whom an extended attribute belongs, as its name says.
private enum AttributeSpace: String, CaseIterable {
  case user = "user."
  case trusted = "trusted."

  var prefix: String.UTF8View { rawValue.utf8 }
}
