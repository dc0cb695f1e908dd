import CPosix
import Glibc

/// What happens to open files.
extension HostVolume {
  /// pread(2): up to the buffer's size from `offset` on; 0 at the end of the file.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    let path = try path(of: file, for: "pread")
    guard let offset = off_t(exactly: offset) else { throw FileCallError("pread", [path], .einval) }
    guard let start = buffer.baseAddress else { return 0 }
    return try retrying { pread(file.number, start, buffer.count, offset) }.of("pread", [path])
  }

  /// pwrite(2): takes some of the bytes at `offset`; EIO where the kernel takes none without saying why.
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int {
    let path = try path(of: file, for: "pwrite")
    guard let offset = off_t(exactly: offset) else { throw FileCallError("pwrite", [path], .efbig) }
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    let taken = try retrying { pwrite(file.number, start, bytes.count, offset) }.of("pwrite", [path])
    guard taken > 0 else { throw FileCallError("pwrite", [path], .eio) }
    return taken
  }

  /// ftruncate(2).
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {
    let path = try path(of: file, for: "ftruncate")
    guard let size = off_t(exactly: size) else { throw FileCallError("ftruncate", [path], .efbig) }
    _ = try retrying { ftruncate(file.number, size) }.of("ftruncate", [path])
  }

  /// fsync(2).
  package func synchronize(_ file: OpenFile) throws(FileCallError) {
    let path = try path(of: file, for: "fsync")
    _ = try retrying { fsync(file.number) }.of("fsync", [path])
  }

  /// fstat(2).
  package func status(of file: OpenFile) throws(FileCallError) -> FileStatus {
    let path = try path(of: file, for: "fstat")
    var found = stat()
    _ = try retrying { fstat(file.number, &found) }.of("fstat", [path])
    return FileStatus(found)
  }

  /// flock(2), exclusive, without waiting; EAGAIN where another holds it.
  package func lockExclusively(_ file: OpenFile) throws(FileCallError) {
    let path = try path(of: file, for: "flock")
    _ = try retrying { cposix_flock(file.number, LOCK_EX | LOCK_NB) }.of("flock", [path])
  }

  /// The process that /proc/locks names for this file; nil for none, or one that this process cannot see.
  package func lockHolder(of file: OpenFile) -> Int32? {
    guard let status = try? status(of: file), let table = LockTable.ofHost() else { return nil }
    return table.holder(device: status.device, inode: status.inode)
  }

  /// fchmod(2) and futimens(2).
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    let path = try path(of: file, for: "fchmod")
    if let permissions {
      _ = try retrying { fchmod(file.number, mode_t(permissions & 0o7777)) }.of("fchmod", [path])
    }
    if let modified {
      let (seconds, nanoseconds) = modified.dividedDown(by: 1_000_000_000)
      _ = try retrying { cposix_utimens(file.number, seconds, nanoseconds) }.of("futimens", [path])
    }
  }
}

extension Int64 {
  /// Quotient and remainder with the remainder never negative, as times before 1970 need it.
  fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
