import FileTracing
import Files

// What a replay needs of the engine. All of it is done with root's rights; no rule is asked.
extension DiskEngine {
  private static let replayer = Caller(thread: 0, user: 0, group: 0)

  /// Lets the next inode have this number.
  mutating func skipInodes(to number: UInt64) {
    inodes.skip(to: number)
  }

  /// Keeps an inode whatever becomes of its names.
  func pin(_ number: UInt64, _ pinned: inout Set<UInt64>) {
    guard let inode = try? inode(number), pinned.insert(number).inserted else { return }
    inode.openCount += 1
  }

  /// Lets it go again.
  mutating func unpin(_ number: UInt64, _ pinned: inout Set<UInt64>) {
    guard pinned.remove(number) != nil, let inode = try? inode(number) else { return }
    inode.openCount -= 1
    dropIfUnused(inode)
  }

  /// What a rename replaces.
  func target(of record: OperationRecord) -> Inode? {
    guard record.kind == .rename, let path = record.otherPath else { return nil }
    return try? inode(at: path, DiskEngine.replayer)
  }

  // MARK: - Set-up

  /// Makes what a set-up record tells.
  mutating func setUp(_ operation: LoggedOperation) throws(Errno) {
    let record = operation.record
    switch record.kind {
    case .mkdir where record.path.isRoot: setUpRoot(record)
    case .mkdir, .create, .symlink:
      guard let attributes = record.attributes, record.inode > rootInode, inodes[record.inode] == nil else {
        throw .einval
      }
      let inode = Inode(record.inode, attributes, configuration.names)
      if record.kind == .symlink { inode.text = record.otherPath ?? .root }
      inodes.insert(inode)
      budget.inodesUsed += 1
      try setUp(name: record.path, of: inode)
    case .link: try setUp(name: record.otherPath ?? .root, of: inode(record.inode))
    case .truncate: try inode(record.inode).content.size = record.offset
    case .write:
      let inode = try inode(record.inode)
      let (modified, changed) = (inode.modified, inode.changed)
      _ = try operation.data.storing { (bytes) throws(Errno) in try store(bytes, in: inode, at: record.offset) }
      (inode.modified, inode.changed) = (modified, changed)
    case .allocate:
      let inode = try inode(record.inode)
      let before = inode.content.extents.allocatedBytes
      inode.content.extents.reserve(from: record.offset, to: record.offset + record.lengthAsked)
      budget.bytesUsed += inode.content.extents.allocatedBytes - before
    case .setxattr: try inode(record.inode).extendedAttributes[record.otherPath ?? .root] = operation.data
    default: throw .einval
    }
  }

  private mutating func setUpRoot(_ record: OperationRecord) {
    guard let attributes = record.attributes else { return }
    let root = Inode(record.inode, attributes, configuration.names)
    root.directory?.isRoot = true
    inodes = InodeTable(first: record.inode)
    inodes.insert(root)
    rootInode = record.inode
  }

  private func setUp(name path: BytePath, of inode: Inode) throws(Errno) {
    let place = try place(of: path, DiskEngine.replayer)
    let parent = try self.inode(place.directory)
    let (modified, changed, own) = (parent.modified, parent.changed, inode.changed)
    attach(inode, place.name, to: parent, at: 0)
    (parent.modified, parent.changed, inode.changed) = (modified, changed, own)
  }

  // MARK: - Operations

  /// Does again what a record tells; says how the answer differs from the log's.
  mutating func replay(_ operation: LoggedOperation, _ plan: ReplayPlan) -> String? {
    let record = operation.record
    // Effects may draw from these numbers.
    recordCount = record.number - 1
    countedCount = (record.countedNumber ?? countedCount + 1) - 1
    var answer: Errno?
    if plan.performs {
      forcedDecision = plan.decision
      do throws(Errno) { try replay(operation) } catch { answer = error }
      if Self.writingKinds.contains(record.kind), let attributes = record.attributes {
        try? inode(record.inode).permissions = attributes.permissions
      }
      forcedDecision = .proceed
      // Which descriptor is told of a write-back error depends on when it was opened, and that is not replayed.
      let isOfWriteBack = record.kind == .fsync && plan.decision.effect == nil && answer == .eio
      if answer != plan.errno && !isOfWriteBack {
        return "\(record.line) was answered with \(answer?.name ?? "success") in the replay"
      }
      if let difference = difference(from: record) { return difference }
    }
    if let survivors = plan.cut { powerCut(survivors) }
    return nil
  }

  /// What takes set bits away from a file, where an ordinary user does it; the replay is done with root's rights.
  private static let writingKinds: Set<OperationKind> = [.write, .truncate, .allocate]

  private func difference(from record: OperationRecord) -> String? {
    guard let done = log.records.last, done.kind == record.kind, done.number == record.number else { return nil }
    if record.kind == .write && done.lengthTaken != record.lengthTaken {
      return "\(record.line) took \(done.lengthTaken) bytes in the replay"
    }
    if done.inode != record.inode { return "\(record.line) was inode \(done.inode) in the replay, not \(record.inode)" }
    return nil
  }

  private mutating func replay(_ operation: LoggedOperation) throws(Errno) {
    let record = operation.record
    let caller = DiskEngine.replayer
    switch record.kind {
    case .create, .mkdir, .symlink: try replayMaking(record)
    case .write:
      try onHandle(of: record) { engine, handle throws(Errno) in
        // What failed has no data; it fails again with any.
        let failed = record.errno != nil && operation.data.isEmpty
        let data = failed ? [UInt8](repeating: 0, count: Int(clamping: record.lengthAsked)) : operation.data
        _ = try data.storing { (bytes) throws(Errno) in
          try engine.write(handle, at: record.offset, bytes, caller)
        }
      }
    case .truncate: try truncate(inode(record.inode), to: record.offset, caller, checksAccess: false)
    case .allocate:
      try onHandle(of: record) { engine, handle throws(Errno) in
        try engine.allocate(
          handle, offset: record.offset, length: record.lengthAsked, AllocationWish(bits: record.argument), caller)
      }
    case .fsync: try onHandle(of: record) { engine, handle throws(Errno) in try engine.synchronize(handle, caller) }
    case .close: try onHandle(of: record) { engine, handle throws(Errno) in try engine.flush(handle, caller) }
    case .read:
      try onHandle(of: record) { engine, handle throws(Errno) in
        try engine.read(handle, at: record.offset, length: Int(clamping: record.lengthAsked), caller) { _ in }
      }
    case .open:
      let isDirectory = try inode(record.inode).kind == .directory
      let access = FileAccess(reads: true, writes: true)
      release(
        isDirectory ? try openDirectory(record.inode, caller) : try open(record.inode, access: access, caller))
    case .readdir:
      try onHandle(of: record) { engine, handle throws(Errno) in _ = try engine.entries(handle, from: 0, caller) }
    case .setattr: try inode(record.inode).take(record.attributes, at: now())
    case .rename, .link, .unlink, .rmdir: try replayNames(record)
    case .statfs: _ = try space(caller)
    case .setxattr:
      try operation.data.storing { (bytes) throws(Errno) in
        try setExtendedAttribute(
          record.otherPath ?? .root, of: record.inode, to: bytes, AttributeDemand(rawValue: record.argument), caller)
      }
    case .removexattr: try removeExtendedAttribute(record.otherPath ?? .root, of: record.inode, caller)
    case .sync: try synchronizeAll(DiskEngine.replayer)
    default: break
    }
  }

  private mutating func replayMaking(_ record: OperationRecord) throws(Errno) {
    let caller = DiskEngine.replayer
    guard let attributes = record.attributes else { return }
    let place = try place(of: record.path, caller)
    skipInodes(to: record.inode)
    switch record.kind {
    case .mkdir: _ = try makeDirectory(place.name, in: place.directory, permissions: attributes.permissions, caller)
    case .symlink:
      _ = try makeSymbolicLink(place.name, in: place.directory, text: record.otherPath ?? .root, caller)
    default:
      _ = try makeNode(
        place.name, in: place.directory, kind: attributes.kind, permissions: attributes.permissions,
        deviceNumber: attributes.deviceNumber, caller)
    }
    try? inode(record.inode).take(attributes, at: now())
  }

  private mutating func replayNames(_ record: OperationRecord) throws(Errno) {
    let caller = DiskEngine.replayer
    let place = try place(of: record.kind == .link ? record.otherPath ?? .root : record.path, caller)
    switch record.kind {
    case .link: _ = try link(record.inode, as: place.name, in: place.directory, caller)
    case .unlink: try unlink(place.name, in: place.directory, caller)
    case .rmdir: try removeDirectory(place.name, in: place.directory, caller)
    default:
      let target = try self.place(of: record.otherPath ?? .root, caller)
      try rename(
        place.name, in: place.directory, to: target.name, in: target.directory,
        mode: RenameMode(rawValue: record.argument) ?? .replacing, caller)
    }
  }

  private mutating func onHandle(
    of record: OperationRecord, _ body: (inout DiskEngine, UInt64) throws(Errno) -> Void
  ) throws(Errno) {
    let access = FileAccess(reads: true, writes: true)
    let handle = try addHandle(to: inode(record.inode), access, DiskEngine.replayer)
    defer { release(handle) }
    try body(&self, handle)
  }
}

extension Inode {
  /// An inode as the log tells it.
  convenience init(_ number: UInt64, _ attributes: RecordedAttributes, _ names: NameRules) {
    self.init(
      number: number, kind: attributes.kind, permissions: attributes.permissions, owner: attributes.owner,
      group: attributes.group, time: attributes.modified, names: names)
    deviceNumber = attributes.deviceNumber
  }

  /// Has the attributes that the log tells.
  fileprivate func take(_ attributes: RecordedAttributes?, at time: Int64) {
    guard let attributes else { return }
    permissions = attributes.permissions
    owner = attributes.owner
    group = attributes.group
    modified = attributes.modified
    changed = time
  }
}

extension [UInt8] {
  /// The bytes in place, with typed errors.
  func storing<R>(_ body: (UnsafeRawBufferPointer) throws(Errno) -> R) throws(Errno) -> R {
    var result: Result<R, Errno> = .failure(.einval)
    withUnsafeBytes { bytes in
      do throws(Errno) { result = .success(try body(bytes)) } catch { result = .failure(error) }
    }
    return try result.get()
  }
}
