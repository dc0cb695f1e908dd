import CFuse
import FaultDisk
import FileTracing
import Files
import Glibc

// Requests about what an inode is, and about the whole mount.
extension RequestHandler {
  func attributes(_ request: fuse_req_t, _ inode: fuse_ino_t) {
    answer(request) { (engine, _) throws(Errno) in
      var status = Glibc.stat(try engine.attributes(of: engine.inode(inode)), root: engine.rootInode)
      fuse_reply_attr(request, &status, engine.secondsAttributesHold)
    }
  }

  /// Changes what `chosen` names; `handle` where the program has the file open and changes it by that.
  func setAttributes(
    _ request: fuse_req_t, _ inode: fuse_ino_t, to wished: Glibc.stat, choosing chosen: CInt, by handle: UInt64?
  ) {
    answer(request) { (engine, caller) throws(Errno) in
      let change = AttributeChange(wished, choosing: chosen)
      var status = Glibc.stat(
        try engine.setAttributes(of: engine.inode(inode), change, by: handle, caller), root: engine.rootInode)
      fuse_reply_attr(request, &status, engine.secondsAttributesHold)
    }
  }

  func readLink(_ request: fuse_req_t, _ inode: fuse_ino_t) {
    answer(request) { (engine, caller) throws(Errno) in
      let text = try engine.readLink(engine.inode(inode), caller).bytes.map { CChar(bitPattern: $0) } + [0]
      fuse_reply_readlink(request, text)
    }
  }

  func access(_ request: fuse_req_t, _ inode: fuse_ino_t, wanted: CInt) {
    answer(request) { (engine, caller) throws(Errno) in
      try engine.checkAccess(to: engine.inode(inode), bits: UInt16(truncatingIfNeeded: wanted), caller)
      fuse_reply_err(request, 0)
    }
  }

  func space(_ request: fuse_req_t) {
    answer(request) { (engine, caller) throws(Errno) in
      var status = statvfs(try engine.space(caller))
      fuse_reply_statfs(request, &status)
    }
  }
}

extension AttributeChange {
  /// The members of `wished` that the bits of SETATTR choose.
  init(_ wished: Glibc.stat, choosing chosen: CInt) {
    self.init()
    func has(_ bit: CInt) -> Bool { chosen & bit != 0 }
    if has(FUSE_SET_ATTR_SIZE) { size = UInt64(max(0, wished.st_size)) }
    if has(FUSE_SET_ATTR_MODE) { permissions = UInt16(wished.st_mode & 0o7777) }
    if has(FUSE_SET_ATTR_UID) { owner = wished.st_uid }
    if has(FUSE_SET_ATTR_GID) { group = wished.st_gid }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    if has(FUSE_SET_ATTR_ATIME) { accessed = wished.st_atim.nanoseconds }
    if has(FUSE_SET_ATTR_ATIME_NOW) { accessed = now.nanoseconds }
    if has(FUSE_SET_ATTR_MTIME) { modified = wished.st_mtim.nanoseconds }
    if has(FUSE_SET_ATTR_MTIME_NOW) { modified = now.nanoseconds }
    timesAreNow =
      has(FUSE_SET_ATTR_ATIME) == has(FUSE_SET_ATTR_ATIME_NOW)
      && has(FUSE_SET_ATTR_MTIME) == has(FUSE_SET_ATTR_MTIME_NOW)
  }
}

extension statvfs {
  /// What statfs(2) tells of the disk, in blocks of 4096 bytes.
  init(_ space: DiskSpace) {
    self.init()
    f_bsize = 4096
    f_frsize = 4096
    f_blocks = fsblkcnt_t(space.bytesTotal / 4096)
    f_bfree = fsblkcnt_t(space.bytesFree / 4096)
    f_bavail = f_bfree
    f_files = fsfilcnt_t(space.inodesTotal)
    f_ffree = fsfilcnt_t(space.inodesFree)
    f_favail = f_ffree
    f_namemax = 255
  }
}
