import Files

/// What a caller wants to do with an inode, as the bits of a permission digit.
struct WantedAccess: OptionSet {
  let rawValue: UInt16
  static let search = WantedAccess(rawValue: 1)
  static let write = WantedAccess(rawValue: 2)
  static let read = WantedAccess(rawValue: 4)
}

extension DiskEngine {
  /// EACCES where the permission bits forbid it; root may do everything.
  func check(_ wanted: WantedAccess, to inode: Inode, by caller: Caller) throws(Errno) {
    if caller.user == 0 { return }
    let shift: UInt16 = inode.owner == caller.user ? 6 : inode.group == caller.group ? 3 : 0
    guard (inode.permissions >> shift) & wanted.rawValue == wanted.rawValue else { throw Errno.eacces }
  }

  /// Whether a caller may read, write or search an inode, the bits of access(2); EACCES where not.
  package func checkAccess(to number: UInt64, bits: UInt16, _ caller: Caller) throws(Errno) {
    try admit(caller)
    try check(WantedAccess(rawValue: bits & 7), to: inode(number), by: caller)
  }

  /// EPERM where the caller is neither the owner nor root.
  func checkOwner(of inode: Inode, _ caller: Caller) throws(Errno) {
    if caller.user != 0 && caller.user != inode.owner { throw Errno.eperm }
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
