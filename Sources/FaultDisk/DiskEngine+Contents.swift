import FileTracing
import Files

extension DiskEngine {
  /// A write takes at most this many bytes, 1020 KiB; so does a kernel's request.
  package static let writeBytesMax = Int(FaultRule.writeBytesMax)

  /// Opens a regular file; the handle is valid until `release`.
  package mutating func open(_ inode: UInt64, access: FileAccess, _ caller: Caller) throws(Errno) -> UInt64 {
    try admit(caller)
    return try open(self.inode(inode), access: access, caller) { inode throws(Errno) in
      if inode.kind == .directory { throw Errno.eisdir }
      if inode.kind == .symbolicLink { throw Errno.eloop }
      if inode.isGhost { throw Errno.estale }
    }
  }

  /// Opens a directory to list or sync it.
  package mutating func openDirectory(_ inode: UInt64, _ caller: Caller) throws(Errno) -> UInt64 {
    try admit(caller)
    let access = FileAccess(reads: true, writes: false)
    return try open(self.inode(inode), access: access, caller) { inode throws(Errno) in
      if inode.kind == .symbolicLink { throw Errno.eloop }
      if inode.kind != .directory { throw Errno.enotdir }
    }
  }

  /// Opens an inode of any kind that `check` lets pass.
  mutating func open(
    _ inode: Inode, access: FileAccess, _ caller: Caller, _ check: (Inode) throws(Errno) -> Void
  ) throws(Errno) -> UInt64 {
    var draft = draft(.open, path(of: inode), caller)
    draft.inode = inode.number
    draft.argument = (access.reads ? 1 : 0) | (access.writes ? 2 : 0) | (access.appends ? 4 : 0)
    try refusing(draft) { engine throws(Errno) in
      try check(inode)
      if access.reads { try engine.check(.read, to: inode, by: caller) }
      if access.writes { try engine.check(.write, to: inode, by: caller) }
    }
    var opened: UInt64?
    do throws(Errno) {
      return try perform(draft, caller) { engine, _, _ throws(Errno) in
        let handle = try engine.addHandle(to: inode, access, caller)
        opened = handle
        return handle
      }
    } catch {
      // Opened, but answered with an error: nobody will ever release it.
      if let opened { release(opened) }
      throw error
    }
  }

  mutating func addHandle(to inode: Inode, _ access: FileAccess, _ caller: Caller) throws(Errno) -> UInt64 {
    let handle = try handles.insert(
      Handle(inode: inode, access: access, volume: caller.volume, errorSeen: inode.writeBackError.sample))
    inode.openCount += 1
    return handle
  }

  /// Reads at most `length` bytes, without a copy: hands the pieces to `body` and returns what it does.
  ///
  /// The pieces are valid only inside `body`; no pieces is the end of the file. A read of nothing is not recorded.
  package mutating func read<R>(
    _ handle: UInt64, at offset: UInt64, length: Int, _ caller: Caller,
    _ body: ([UnsafeRawBufferPointer]) -> R
  ) throws(Errno) -> R {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    let inode = open.inode
    var draft = draft(.read, path(of: inode), caller)
    draft.inode = inode.number
    draft.offset = offset
    draft.lengthAsked = UInt64(max(length, 0))
    try refusing(draft) { _ throws(Errno) in
      if inode.kind == .directory { throw Errno.eisdir }
      if !open.access.reads { throw Errno.ebadf }
      if inode.kind != .regular { throw Errno.einval }
    }
    if length <= 0 { return body([]) }
    return try perform(draft, caller) { engine, record, extent throws(Errno) in
      let size = inode.content.size
      var end = offset < size ? offset + min(UInt64(length), size - offset) : offset
      end = try engine.readableEnd(of: inode, from: offset, to: end, canBeShort: caller.volume != 0)
      record.lengthTaken = end - offset
      guard let fault = extent.fault else {
        return body(engine.pieces(of: inode.content.extents, from: offset, to: end))
      }
      return body(try engine.spoiltPieces(of: inode, from: offset, to: end, &record, fault))
    }
  }

  func pieces(of extents: ExtentList, from low: UInt64, to high: UInt64) -> [UnsafeRawBufferPointer] {
    var pieces: [UnsafeRawBufferPointer] = []
    extents.forEachPart(from: low, to: high) { address, length in
      arena.forEachPiece(at: address ?? LogArena.zeros, length: length) { pieces.append($0) }
    }
    return pieces
  }

  /// Writes at most `writeBytesMax` bytes; returns how many were taken. A write of nothing is not recorded.
  ///
  /// - Parameter appends: whether it goes to the end of the file, where that is no matter of the handle alone: a mapped
  ///   page that is written back goes where it belongs, and a program may change its mind with fcntl(2).
  package mutating func write(
    _ handle: UInt64, at offset: UInt64, _ bytes: UnsafeRawBufferPointer, appends: Bool? = nil, _ caller: Caller
  ) throws(Errno) -> Int {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    let inode = open.inode
    let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(DiskEngine.writeBytesMax))
    var draft = draft(.write, path(of: inode), caller)
    draft.inode = inode.number
    draft.offset = appends ?? open.access.appends ? inode.content.size : offset
    draft.lengthAsked = UInt64(bytes.count)
    let start = draft.offset
    try refusing(draft) { _ throws(Errno) in
      if !open.access.writes { throw Errno.ebadf }
      if inode.kind != .regular { throw Errno.einval }
      if start > DiskEngine.fileBytesMax - UInt64(bytes.count) { throw Errno.efbig }
    }
    if bytes.isEmpty { return 0 }
    return try perform(draft, caller) { engine, record, extent throws(Errno) in
      var length = UInt64(bytes.count)
      if case .atMost(let bytesMax) = extent { length = min(length, bytesMax) }
      if length == 0 { return 0 }
      try engine.healBlocks(of: inode, from: start, to: start + length)
      let before = extent.fault.map { _ in inode.written }
      let taken = try engine.store(UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]), in: inode, at: start)
      record.lengthTaken = taken.length
      record.dataAddress = taken.address
      engine.dropSetBits(of: inode, writtenBy: caller, &record)
      if let fault = extent.fault, let before { engine.spoilWrite(inode, record, fault, before: before) }
      return Int(taken.length)
    }
  }

  /// Puts bytes into the arena and into a file, as many as there is space for; ENOSPC where there is none.
  mutating func store(
    _ bytes: UnsafeRawBufferPointer, in inode: Inode, at offset: UInt64
  ) throws(Errno) -> (address: UInt64, length: UInt64) {
    var length = UInt64(bytes.count)
    if let left = budget.bytesLeft {
      length = inode.content.extents.lengthThatFits(from: offset, length: length, newBytesMax: left)
      if length == 0 { throw Errno.enospc }
    }
    try holdToMemory(&length)
    sweepIfWorthIt()
    let before = inode.content.extents.allocatedBytes
    inode.lastWrite = OverwrittenPart(
      low: offset, high: offset + length, extents: inode.content.extents.parts(from: offset, to: offset + length),
      size: inode.content.size)
    let address = arena.append(UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]))
    inode.content.extents.store(start: offset, length: length, address: address)
    budget.bytesUsed += inode.content.extents.allocatedBytes - before
    inode.content.size = max(inode.content.size, offset + length)
    inode.noteWritten(from: offset, to: offset + length)
    inode.setTimes(now())
    return (address, length)
  }

  /// The operation "close": what close(2) asks (FLUSH), its answer is close's answer. The handle stays valid.
  package mutating func flush(_ handle: UInt64, _ caller: Caller) throws(Errno) {
    try admit(caller)
    let inode = try handles.handle(handle, volume: caller.volume).inode
    var draft = draft(.close, path(of: inode), caller)
    draft.inode = inode.number
    try perform(draft, caller) { engine, _, _ throws(Errno) in
      if engine.handles.mustTellErrorAtClose(handle) { throw .eio }
    }
  }

  /// Ends a handle; never fails, is not recorded, does nothing for an unknown handle.
  package mutating func release(_ handle: UInt64) {
    guard let inode = handles.remove(handle)?.inode else { return }
    inode.openCount -= 1
    if inode.lockHandle == handle { inode.lockHandle = nil }
    if !inode.locks.held.isEmpty { inode.locks.release(handle: handle) }
    dropIfUnused(inode)
  }
}
