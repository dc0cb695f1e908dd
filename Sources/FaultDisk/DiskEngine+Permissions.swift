import FileTracing
import Files

/// What a caller wants to do with an inode, as the bits of a permission digit.
struct WantedAccess: OptionSet {
  let rawValue: UInt16
  static let search = WantedAccess(rawValue: 1)
  static let write = WantedAccess(rawValue: 2)
  static let read = WantedAccess(rawValue: 4)
}

/// The permission bits beyond reading, writing and searching.
enum PermissionBits {
  static let setUser: UInt16 = 0o4000
  static let setGroup: UInt16 = 0o2000
  static let sticky: UInt16 = 0o1000
  static let anyExecute: UInt16 = 0o111
}

extension DiskEngine {
  /// EACCES where the permission bits forbid it; root may do everything, but execute what nobody may.
  func check(_ wanted: WantedAccess, to inode: Inode, by caller: Caller) throws(Errno) {
    if caller.user == 0 {
      guard wanted.contains(.search), inode.kind != .directory, inode.kind != .symbolicLink,
        inode.permissions & PermissionBits.anyExecute == 0
      else { return }
      throw Errno.eacces
    }
    let shift: UInt16
    if inode.owner == caller.user {
      shift = 6
    } else {
      // The groups of a caller cost a look into /proc, so they are asked only where the answer matters.
      let groupBits = (inode.permissions >> 3) & wanted.rawValue
      let otherBits = inode.permissions & wanted.rawValue
      shift = groupBits != otherBits && belongs(caller, to: inode.group) ? 3 : 0
    }
    guard (inode.permissions >> shift) & wanted.rawValue == wanted.rawValue else { throw Errno.eacces }
  }

  /// True for root, and for who has this group as his own or among his further ones.
  func belongs(_ caller: Caller, to group: UInt32) -> Bool {
    caller.user == 0 || caller.group == group || (furtherGroups?(caller).contains(group) ?? false)
  }

  /// Whether a caller may read, write or search an inode, the bits of access(2); EACCES where not.
  package func checkAccess(to number: UInt64, bits: UInt16, _ caller: Caller) throws(Errno) {
    try admit(caller)
    try check(WantedAccess(rawValue: bits & 7), to: inode(number), by: caller)
  }

  /// Takes away the right to run a file as somebody else, when an ordinary user has written to it.
  ///
  /// The kernel does it for writes that go through its cache; for those that go past it, nobody else does. Whose groups
  /// decided is not in the log, so the record tells what came of it.
  func dropSetBits(of inode: Inode, writtenBy caller: Caller, _ record: inout OperationRecord) {
    let before = inode.permissions
    defer { if inode.permissions != before { record.attributes = inode.recordedAttributes } }
    let groupBits = PermissionBits.setGroup | 0o010
    if caller.user == 0 || inode.permissions & (PermissionBits.setUser | PermissionBits.setGroup) == 0 { return }
    inode.permissions &= ~PermissionBits.setUser
    if inode.permissions & PermissionBits.setGroup == 0 { return }
    if inode.permissions & groupBits == groupBits || !belongs(caller, to: inode.group) {
      inode.permissions &= ~PermissionBits.setGroup
    }
  }

  /// Whether a chown takes the set-group-ID bit away from a file, because the caller was not in its group.
  ///
  /// The other cases of chown(2), and the set-user-ID bit, the kernel sees to by itself.
  func losesGroupBit(_ inode: Inode, givenAwayBy caller: Caller, _ change: AttributeChange) -> Bool {
    guard change.owner != nil || change.group != nil, inode.kind != .directory else { return false }
    return inode.permissions & PermissionBits.setGroup != 0 && !belongs(caller, to: inode.group)
  }

  /// EPERM where a name may not be taken away: in a sticky directory only by the owner of what it names or of it.
  func checkSticky(_ inode: Inode, in directory: Inode, _ caller: Caller) throws(Errno) {
    if caller.user == 0 || directory.permissions & PermissionBits.sticky == 0 { return }
    if caller.user != inode.owner && caller.user != directory.owner { throw Errno.eperm }
  }

  /// EINVAL or ENAMETOOLONG for what cannot be a name in a directory.
  static func check(name: BytePath) throws(Errno) {
    let bytes = name.bytes
    if bytes.count > nameBytesMax { throw Errno.enametoolong }
    if bytes.isEmpty || bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")]
      || bytes.contains(UInt8(ascii: "/")) || bytes.contains(0)
    {
      throw Errno.einval
    }
  }
}
