import Files

/// The in-process door of a fault disk: it speaks for one process with root's rights.
///
/// After a kill every call fails with ECANCELED, after a power cut with EIO, after a `restart` with ENOTCONN.
package final class FaultVolume: Volume {
  /// The disk behind the door.
  package let disk: FaultDisk
  /// The number of the volume; its operations carry it as thread.
  package let number: Int32

  private let caller: Caller

  init(disk: FaultDisk, number: Int32) {
    self.disk = disk
    self.number = number
    caller = Caller(volume: number)
  }

  /// Kills the process that this door stands for; its files are closed.
  ///
  /// Every later call fails with ECANCELED.
  package func kill() { disk.withEngine { $0.killCaller(caller) } }

  /// Opens what stands at `path`, or makes a file there; ENFILE where the disk has too many open.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    try call("open", [path]) { engine, caller throws(Errno) in
      let handle = try engine.open(path, for: purpose, caller)
      engine.handles.setPath(handle, path)
      return OpenFile(number: Int32(truncatingIfNeeded: handle))
    }
  }

  /// The operation "close", then the end of the file: also when a fault makes it fail.
  package func close(_ file: OpenFile) throws(FileCallError) {
    try call("close", on: file) { engine, caller throws(Errno) in
      // The handle must be the caller's own; only then is it ended, and it is also when close reports an error.
      _ = try engine.handles.handle(file.handle, volume: caller.volume)
      defer { engine.release(file.handle) }
      try engine.flush(file.handle, caller)
    }
  }

  /// Reads up to the buffer's size from `offset` on; 0 at the end of the file.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    let buffer = BufferForLock(bytes: buffer)
    return try call("pread", on: file) { engine, caller throws(Errno) in
      try engine.read(file.handle, at: offset, length: buffer.bytes.count, caller) { pieces in
        var count = 0
        for piece in pieces {
          UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[count...]).copyMemory(from: piece)
          count += piece.count
        }
        return count
      }
    }
  }

  /// Writes at `offset` in pieces of `writeBytesMax`, as a kernel does. Short or ENOSPC where space runs out.
  ///
  /// A piece that is short or fails behind one that was taken ends the write, and what was taken is the answer.
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int {
    try call("pwrite", on: file) { engine, caller throws(Errno) in
      // As the host's volume: nothing to write is no call.
      if bytes.isEmpty {
        _ = try engine.handles.handle(file.handle, volume: caller.volume)
        return 0
      }
      var done = 0
      while done < bytes.count {
        do throws(Errno) {
          let piece = bytes[done...].prefix(DiskEngine.writeBytesMax)
          let taken = try engine.write(
            file.handle, at: offset + UInt64(done), UnsafeRawBufferPointer(rebasing: piece), caller)
          done += taken
          if taken < piece.count { break }
        } catch {
          if done == 0 || error == .ecanceled { throw error }
          break
        }
      }
      return done
    }
  }

  /// Cuts or lengthens the file; EINVAL where it is not open for writing.
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {
    try call("ftruncate", on: file) { engine, caller throws(Errno) in
      let handle = try engine.handles.handle(file.handle, volume: caller.volume)
      if !handle.access.writes { throw Errno.einval }
      try engine.truncate(handle.inode, to: size, caller)
    }
  }

  /// fsync: data and size of the file, or the names of the directory, are durable.
  package func synchronize(_ file: OpenFile) throws(FileCallError) {
    try call("fsync", on: file) { engine, caller throws(Errno) in try engine.synchronize(file.handle, caller) }
  }

  /// What an open file is now.
  package func status(of file: OpenFile) throws(FileCallError) -> FileStatus {
    try call("fstat", on: file) { engine, caller throws(Errno) in
      engine.status(of: try engine.handles.handle(file.handle, volume: caller.volume).inode)
    }
  }

  /// A name for what an open file holds, while trees are shown and no rule is armed.
  package func contentName(of file: OpenFile) -> ContentName? {
    disk.withEngine { engine in try? engine.contentName(of: file.handle, caller) }
  }

  /// What stands at the path, and a name for what it holds; nil as for an open file.
  package func named(at path: BytePath) -> NamedContent? {
    if path.refusal != nil { return nil }
    return disk.withEngine { engine in try? engine.named(at: path, caller) }
  }

  /// What stands at the path, a symbolic link itself.
  package func status(at path: BytePath) throws(FileCallError) -> FileStatus {
    try call("stat", [path]) { engine, caller throws(Errno) in engine.status(of: try engine.inode(at: path, caller)) }
  }

  /// Renames, replacing what stands at `to`; EBUSY for the root.
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try rename(from, to, .replacing)
  }

  /// Renames where nothing stands at `to`; EEXIST otherwise.
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try rename(from, to, .keeping)
  }

  private func rename(_ from: BytePath, _ to: BytePath, _ mode: RenameMode) throws(FileCallError) {
    try call("rename", [from, to]) { engine, caller throws(Errno) in
      let source = try engine.place(of: from, caller)
      let target = try engine.place(of: to, caller)
      try engine.rename(source.name, in: source.directory, to: target.name, in: target.directory, mode: mode, caller)
    }
  }

  /// A second name for a file; EPERM for a directory.
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) {
    try call("link", [from, to]) { engine, caller throws(Errno) in
      let source = try engine.place(of: from, caller)
      let target = try engine.place(of: to, caller)
      let inode = try engine.entry(source.name, in: source.directory, caller)
      _ = try engine.link(inode.number, as: target.name, in: target.directory, caller)
    }
  }

  /// Removes a name of a file; EISDIR for a directory.
  package func unlink(_ path: BytePath) throws(FileCallError) {
    try call("unlink", [path]) { engine, caller throws(Errno) in
      let place = try engine.place(of: path, caller)
      try engine.unlink(place.name, in: place.directory, caller)
    }
  }

  /// Makes a directory with exactly these permission bits.
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    try call("mkdir", [path]) { engine, caller throws(Errno) in
      if path.isRoot { throw Errno.eexist }
      let place = try engine.place(of: path, caller)
      _ = try engine.makeDirectory(place.name, in: place.directory, permissions: permissions, caller)
    }
  }

  /// Removes an empty directory; ENOTEMPTY otherwise.
  package func removeDirectory(_ path: BytePath) throws(FileCallError) {
    try call("rmdir", [path]) { engine, caller throws(Errno) in
      let place = try engine.place(of: path, caller)
      try engine.removeDirectory(place.name, in: place.directory, caller)
    }
  }

  /// Makes a symbolic link.
  package func makeSymbolicLink(_ path: BytePath, to text: BytePath) throws(FileCallError) {
    try call("symlink", [path]) { engine, caller throws(Errno) in
      let place = try engine.place(of: path, caller)
      _ = try engine.makeSymbolicLink(place.name, in: place.directory, text: text, caller)
    }
  }

  /// The text of a symbolic link; EINVAL for anything else.
  package func linkText(at path: BytePath) throws(FileCallError) -> BytePath {
    try call("readlink", [path]) { engine, caller throws(Errno) in
      try engine.readLink(engine.inode(at: path, caller).number, caller)
    }
  }

  /// Makes a FIFO, socket or device file with exactly these permission bits; it counts as a create.
  package func makeNode(
    _ path: BytePath, kind: FileKind, permissions: UInt16, device: UInt32
  ) throws(FileCallError) {
    try call("mknod", [path]) { engine, caller throws(Errno) in
      let place = try engine.place(of: path, caller)
      _ = try engine.makeNode(
        place.name, in: place.directory, kind: kind, permissions: permissions, deviceNumber: device, caller)
    }
  }

  /// The names in a directory, sorted by bytes; EOVERFLOW where there are more than `countMax`.
  package func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    let handle = try call("open", [path]) { engine, caller throws(Errno) in
      try engine.openDirectory(try engine.inode(at: path, caller).number, caller)
    }
    let all = try call("readdir", [path]) { engine, caller throws(Errno) in
      defer { engine.release(handle) }
      return try engine.entries(handle, from: 0, caller)
    }
    let names = all.dropFirst(2)
    if names.count > countMax { throw FileCallError("readdir", [path], Errno.eoverflow) }
    return Array(names)
  }

  /// Takes the lock of the file; EAGAIN where another open file holds it.
  package func lockExclusively(_ file: OpenFile) throws(FileCallError) {
    try call("flock", on: file) { engine, caller throws(Errno) in
      let inode = try engine.handles.handle(file.handle, volume: caller.volume).inode
      if let holder = inode.lockHandle, holder != file.handle { throw Errno.eagain }
      // Recorded only where a rule names it: on most mounts the kernel keeps locks by itself.
      if engine.rules.contains(where: { $0.operations.contains(.lock) }) {
        try engine.performLock(of: inode, caller)
      }
      inode.lockHandle = file.handle
    }
  }

  /// The number of the volume that holds the lock.
  package func lockHolder(of file: OpenFile) -> Int32? {
    disk.withEngine { engine in
      guard let inode = try? engine.handles.handle(file.handle, volume: caller.volume).inode,
        let holder = inode.lockHandle
      else { return nil }
      return engine.handles.volume(of: holder)
    }
  }

  /// What a writer may still use; 1 TiB and 2^32 inodes less what is used where there is no limit.
  package func freeSpace() throws(FileCallError) -> FreeSpace {
    try call("statvfs", [.root]) { engine, caller throws(Errno) in
      let space = try engine.space(caller)
      return FreeSpace(bytes: space.bytesFree, inodes: space.inodesFree)
    }
  }

  /// Sets the permission bits and the modification time, in nanoseconds since 1970-01-01 UTC.
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    try call("fchmod", on: file) { engine, caller throws(Errno) in
      let inode = try engine.handles.handle(file.handle, volume: caller.volume).inode
      let change = AttributeChange(permissions: permissions, modified: modified)
      _ = try engine.setAttributes(of: inode.number, change, caller)
    }
  }

  /// A call on an open file, whose path stands in the error, as on the host's volume.
  func call<R: Sendable>(
    _ name: String, on file: OpenFile, _ body: (inout DiskEngine, Caller) throws(Errno) -> R
  ) throws(FileCallError) -> R {
    try disk.withEngine { (engine: inout DiskEngine) throws(FileCallError) -> R in
      let path = try? engine.handles.handle(file.handle, volume: caller.volume).path
      do throws(Errno) {
        try engine.admit(caller)
        return try body(&engine, caller)
      } catch {
        throw FileCallError(name, path.map { [$0] } ?? [], error)
      }
    }
  }

  private func call<R: Sendable>(
    _ name: String, _ paths: [BytePath], _ body: (inout DiskEngine, Caller) throws(Errno) -> R
  ) throws(FileCallError) -> R {
    do throws(Errno) {
      return try disk.withEngine { (engine: inout DiskEngine) throws(Errno) -> R in
        try engine.admit(caller)
        for path in paths { if let refusal = path.refusal { throw refusal } }
        return try body(&engine, caller)
      }
    } catch {
      throw FileCallError(name, paths, error)
    }
  }
}

/// A caller's buffer on its way under the lock; it stays the caller's.
private struct BufferForLock: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
}

extension OpenFile {
  /// The handle behind it; no handle at all for a negative number.
  var handle: UInt64 { number < 0 ? .max : UInt64(number) }
}
