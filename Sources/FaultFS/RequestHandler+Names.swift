import CFuse
import FaultDisk
import FileTracing
import Files
import Glibc

// Requests about names: what stands there, make it, remove it, rename it.
extension RequestHandler {
  func lookup(_ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath) {
    answer(request) { (engine, caller) throws(Errno) in
      do throws(Errno) {
        let found = try engine.lookup(name, in: engine.inode(directory), caller)
        if !engine.nameRules.isEmpty {
          let stored = engine.spelling(of: name, in: engine.inode(directory))
          let call = RenameCall(of: caller.thread)
          if respelling.isTarget(name, storedAs: stored, in: directory, caller.thread, in: call) { throw Errno.enoent }
        }
        reply(request, entry: found, named: name, in: directory, engine)
      } catch {
        guard error.rawValue == ENOENT, engine.secondsNamesHold > 0 else { throw error }
        // An entry of inode 0 says "nothing there" and may be believed; an error would be asked again every time.
        var entry = fuse_entry_param()
        entry.entry_timeout = engine.secondsNamesHold
        kernelCache.remember(name, in: directory, inode: 0)
        fuse_reply_entry(request, &entry)
      }
    }
  }

  func forget(_ request: fuse_req_t, _ inode: fuse_ino_t, lookups: UInt64) {
    if kernelCache.forget(inode: inode, lookups: lookups) { disk.withEngine { $0.forget($0.inode(inode)) } }
    fuse_reply_none(request)
  }

  func makeNode(_ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath, mode: mode_t, device: dev_t) {
    answer(request) { (engine, caller) throws(Errno) in
      guard let kind = FileKind(modeBits: mode) else { throw Errno(rawValue: EINVAL) }
      let made = try engine.makeNode(
        name, in: engine.inode(directory), kind: kind, permissions: UInt16(mode & 0o7777),
        deviceNumber: UInt32(truncatingIfNeeded: device), caller)
      reply(request, entry: made, named: name, in: directory, engine)
    }
  }

  func makeDirectory(_ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath, mode: mode_t) {
    answer(request) { (engine, caller) throws(Errno) in
      let made = try engine.makeDirectory(
        name, in: engine.inode(directory), permissions: UInt16(mode & 0o7777), caller)
      reply(request, entry: made, named: name, in: directory, engine)
    }
  }

  func makeSymbolicLink(_ request: fuse_req_t, text: BytePath, in directory: fuse_ino_t, _ name: BytePath) {
    answer(request) { (engine, caller) throws(Errno) in
      let made = try engine.makeSymbolicLink(name, in: engine.inode(directory), text: text, caller)
      reply(request, entry: made, named: name, in: directory, engine)
    }
  }

  func link(_ request: fuse_req_t, _ inode: fuse_ino_t, in directory: fuse_ino_t, _ name: BytePath) {
    answer(request) { (engine, caller) throws(Errno) in
      let linked = try engine.link(engine.inode(inode), as: name, in: engine.inode(directory), caller)
      reply(request, entry: linked, named: name, in: directory, engine)
    }
  }

  func unlink(_ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath) {
    answer(request) { (engine, caller) throws(Errno) in
      try engine.unlink(name, in: engine.inode(directory), caller)
      kernelCache.drop(name, in: directory)
      fuse_reply_err(request, 0)
    }
  }

  func removeDirectory(_ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath) {
    answer(request) { (engine, caller) throws(Errno) in
      try engine.removeDirectory(name, in: engine.inode(directory), caller)
      kernelCache.drop(name, in: directory)
      fuse_reply_err(request, 0)
    }
  }

  func rename(
    _ request: fuse_req_t, in directory: fuse_ino_t, _ name: BytePath, to newName: BytePath,
    in newDirectory: fuse_ino_t, flags: UInt32
  ) {
    answer(request) { (engine, caller) throws(Errno) in
      respelling.noteRename(by: caller.thread)
      guard let mode = RenameMode(rawValue: UInt64(flags)) else { throw Errno(rawValue: EINVAL) }
      // The kernel moves its own memory of the name, whatever really happened on the disk. While a rule can make
      // names lie it has believed nothing since that rule was armed, so nothing has to be recalled here.
      kernelCache.remember(newName, in: newDirectory, inode: 0)
      if mode != .exchanging { kernelCache.drop(name, in: directory) }
      try engine.rename(
        name, in: engine.inode(directory), to: newName, in: engine.inode(newDirectory), mode: mode, caller)
      fuse_reply_err(request, 0)
    }
  }
}
