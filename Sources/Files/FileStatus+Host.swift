import Glibc

extension FileStatus {
  /// What stat(2) found.
  init(_ found: stat) {
    self.init(
      kind: FileKind(mode: found.st_mode), device: UInt64(found.st_dev), inode: UInt64(found.st_ino),
      size: UInt64(max(found.st_size, 0)), links: UInt64(found.st_nlink), permissions: UInt16(found.st_mode & 0o7777),
      owner: found.st_uid, modified: found.st_mtim.nanoseconds, changed: found.st_ctim.nanoseconds,
      allocated: UInt64(max(found.st_blocks, 0)) * 512)
  }
}

extension FileKind {
  /// The kind in a file's mode.
  package init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .directory
    case S_IFLNK: self = .symbolicLink
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    case S_IFBLK: self = .blockDevice
    case S_IFCHR: self = .characterDevice
    default: self = .unknown
    }
  }

  /// The kind in a directory entry, which is the mode's without its lower twelve bits.
  init(entryType: UInt8) { self.init(mode: mode_t(entryType) << 12) }
}

extension timespec {
  /// Nanoseconds since 1970, at the ends of Int64 for times beyond 1677 and 2262.
  fileprivate var nanoseconds: Int64 {
    let (product, overflow) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(Int64(tv_nsec))
    return overflow || carry ? (tv_sec < 0 ? .min : .max) : sum
  }
}
