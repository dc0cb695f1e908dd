import CFuse
import FaultDisk
import FileTracing
import Files
import Glibc

// Requests about open files and directories.
extension RequestHandler {
  func create(
    _ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath, mode: mode_t,
    _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    answer(request) { (engine, caller) throws(Errno) in
      let access = FileAccess(flags: information.pointee.flags)
      let made = try engine.create(
        name, in: engine.inode(directory), permissions: UInt16(mode & 0o7777), access: access, caller)
      choose(information, made.attributes.number, handle: made.handle, access, engine)
      var entry = entryParameters(made.attributes, engine)
      kernelCache.remember(name, in: directory, inode: entry.ino)
      if fuse_reply_create(request, &entry, information) != 0 {
        kernelCache.forget(inode: entry.ino, lookups: 1)
        release(made.handle, &engine)
      }
    }
  }

  func open(_ request: fuse_req_t, _ inode: fuse_ino_t, _ information: UnsafeMutablePointer<fuse_file_info>) {
    answer(request) { (engine, caller) throws(Errno) in
      let flags = information.pointee.flags
      let access = FileAccess(flags: flags)
      let handle = try engine.open(engine.inode(inode), access: access, caller)
      if flags & O_TRUNC != 0 {
        do throws(Errno) {
          _ = try engine.setAttributes(of: engine.inode(inode), AttributeChange(size: 0), by: handle, caller)
        } catch {
          engine.release(handle)
          throw error
        }
      }
      choose(information, inode, handle: handle, access, engine)
      if fuse_reply_open(request, information) != 0 { release(handle, &engine) }
    }
  }

  /// Tells the kernel which way an open file goes.
  private func choose(
    _ information: UnsafeMutablePointer<fuse_file_info>, _ inode: UInt64, handle: UInt64, _ access: FileAccess,
    _ engine: borrowing DiskEngine
  ) {
    let readsAreHit = engine.rules.contains { $0.canHitReads }
    let way = ways.open(inode, handle: handle, access, readsAreHit: readsAreHit)
    information.pointee.fh = handle
    information.pointee.direct_io = way.isDirect ? 1 : 0
    information.pointee.keep_cache = way.keepsPages ? 1 : 0
  }

  /// Ends a handle that the kernel does not know, or knows no more.
  private func release(_ handle: UInt64, _ engine: inout DiskEngine) {
    ways.release(handle)
    engine.release(handle)
  }

  func read(
    _ request: fuse_req_t, size: Int, offset: off_t, _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    answer(request) { (engine, caller) throws(Errno) in
      // Not answered in there: a fault behind the operation may still turn the answer into an error. The pieces stay
      // where they are as long as the disk is locked.
      let pieces = try engine.read(handle, at: UInt64(offset), length: size, caller) { $0 }
      reply(request, pieces)
    }
  }

  private func reply(_ request: fuse_req_t, _ pieces: [UnsafeRawBufferPointer]) {
    if pieces.count < RequestHandler.piecesMax {
      let vectors = pieces.map { iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count) }
      fuse_reply_iov(request, vectors, CInt(vectors.count))
      return
    }
    var whole: [UInt8] = []
    whole.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { whole += piece }
    _ = whole.withUnsafeBytes { bytes in
      fuse_reply_buf(request, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  /// writev(2) takes 1024 pieces at the most, and libfuse needs one of them.
  private static let piecesMax = 1000

  func write(
    _ request: fuse_req_t, _ bytes: UnsafeRawBufferPointer, offset: off_t,
    _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    let flags = information.pointee.flags
    let isSynchronous = flags & (O_SYNC | O_DSYNC) != 0
    let syncsDataOnly = flags & O_SYNC != O_SYNC
    let appends = flags & O_APPEND != 0 && information.pointee.writepage == 0
    defer { payload.forget() }
    answer(request) { (engine, caller) throws(Errno) in
      let taken = try payload.withBytes(bytes, &engine) { (engine, bytes) throws(Errno) in
        try engine.write(handle, at: UInt64(offset), bytes, appends: appends, caller)
      }
      // A file opened with O_SYNC or O_DSYNC gets no FSYNC request of its own: the flag on the write is all there is.
      if isSynchronous {
        let written = UInt64(offset)..<UInt64(offset) + UInt64(taken)
        try engine.synchronize(handle, as: .write(written, dataOnly: syncsDataOnly), caller)
      }
      fuse_reply_write(request, taken)
    }
  }

  func flush(_ request: fuse_req_t, _ information: UnsafeMutablePointer<fuse_file_info>) {
    let handle = information.pointee.fh
    defer { if keepsLocks { answerLockWaiters() } }
    answer(request) { (engine, caller) throws(Errno) in
      // Whatever becomes of the close: a process has lost its locks with it.
      if keepsLocks { engine.releaseLocks(ofOwner: information.pointee.lock_owner, by: handle) }
      // ENOSYS is for good: the kernel never asks again on this mount. Only right where no rule can come that asks.
      if !planMayChange && !keepsLocks && !engine.rules.contains(where: { $0.operations.contains(.close) }) {
        throw Errno(rawValue: ENOSYS)
      }
      try engine.flush(handle, caller)
      fuse_reply_err(request, 0)
    }
  }

  func release(_ request: fuse_req_t, _ information: UnsafeMutablePointer<fuse_file_info>) {
    let handle = information.pointee.fh
    // Not an operation of anybody: it has to happen, whoever was killed.
    disk.withEngine { engine in
      release(handle, &engine)
      _ = fuse_reply_err(request, 0)
    }
    answerLockWaiters()
  }

  func synchronize(
    _ request: fuse_req_t, dataOnly: Bool, _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    answer(request) { (engine, caller) throws(Errno) in
      try engine.synchronize(handle, as: dataOnly ? .fdatasync : .fsync, caller)
      fuse_reply_err(request, 0)
    }
  }

  func openDirectory(_ request: fuse_req_t, _ inode: fuse_ino_t, _ information: UnsafeMutablePointer<fuse_file_info>) {
    answer(request) { (engine, caller) throws(Errno) in
      let handle = try engine.openDirectory(engine.inode(inode), caller)
      information.pointee.fh = handle
      if fuse_reply_open(request, information) != 0 { engine.release(handle) }
    }
  }

  func readDirectory(
    _ request: fuse_req_t, size: Int, from place: off_t, _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    answer(request) { (engine, caller) throws(Errno) in
      let entries = try engine.entries(handle, from: Int(place), caller)
      let root = engine.rootInode
      withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
        let used = fill(buffer, with: entries, from: place, root: root, request)
        fuse_reply_buf(request, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), used)
      }
    }
  }

  /// Puts as many entries into the buffer as fit; each carries the place of the one behind it.
  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, with entries: ArraySlice<DirectoryEntry>, from place: off_t, root: UInt64,
    _ request: fuse_req_t
  ) -> Int {
    guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
    var used = 0
    var next = place
    for entry in entries {
      next += 1
      var status = Glibc.stat()
      status.st_ino = ino_t(entry.inode == root ? UInt64(FUSE_ROOT_ID) : entry.inode)
      status.st_mode = entry.kind.modeBits
      let name = entry.name.bytes.map { CChar(bitPattern: $0) } + [0]
      let room = buffer.count - used
      let needed = fuse_add_direntry(request, start + used, room, name, &status, next)
      if needed > room { break }
      used += needed
    }
    return used
  }

  func allocate(
    _ request: fuse_req_t, mode: CInt, offset: off_t, length: off_t,
    _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    answer(request) { (engine, caller) throws(Errno) in
      guard let wish = AllocationWish(mode: mode) else { throw Errno(rawValue: EOPNOTSUPP) }
      try engine.allocate(handle, offset: UInt64(offset), length: UInt64(length), wish, caller)
      fuse_reply_err(request, 0)
    }
  }

  func seek(
    _ request: fuse_req_t, from offset: off_t, whence: CInt, _ information: UnsafeMutablePointer<fuse_file_info>
  ) {
    let handle = information.pointee.fh
    answer(request) { (engine, _) throws(Errno) in
      guard whence == seekData || whence == seekHole else { throw Errno(rawValue: EINVAL) }
      let found = try engine.seek(handle, from: UInt64(offset), toData: whence == seekData)
      fuse_reply_lseek(request, off_t(clamping: found))
    }
  }
}

/// SEEK_DATA and SEEK_HOLE of linux/fs.h, which Glibc shows only to GNU sources.
private let seekData: CInt = 3
private let seekHole: CInt = 4

extension AllocationWish {
  /// What a mode of fallocate(2) asks for, in the numbers of linux/falloc.h; nil for collapsing and inserting.
  init?(mode: CInt) {
    let keepsSize = mode & 1 != 0
    switch mode {
    case 0, 1: self.init(.reserve, keepsSize: keepsSize)
    case 3: self.init(.punch, keepsSize: true)
    case 16, 17: self.init(.zero, keepsSize: keepsSize)
    default: return nil
    }
  }
}

extension FileAccess {
  /// The access that the flags of open(2) ask for.
  init(flags: CInt) {
    let mode = flags & O_ACCMODE
    self.init(reads: mode != O_WRONLY, writes: mode != O_RDONLY, appends: flags & O_APPEND != 0)
  }
}
