import CPosix
import FaultDisk
import FileTracing
import Files
import Glibc
import Processes

/// Makes the operations of a recording on a real directory, by system calls in their order.
struct RecordingPlayer {
  private let recording: Recording
  private let disk: FaultDisk
  private let volume: HostVolume
  private var files: PlayedFiles
  /// What was written last.
  private(set) var dirty: [DirtyRange] = []

  /// Ranges that were written longer ago are not written back on purpose.
  private static let dirtyMax = 64

  /// The directory at `root`, as a volume too, holds the tree with which the recording begins.
  init(
    _ recording: Recording, on disk: FaultDisk, in volume: HostVolume, root: Descriptor
  ) throws(FileCallError) {
    self.recording = recording
    self.disk = disk
    self.volume = volume
    var lastMentions: [UInt64: Int] = [:]
    for (index, record) in recording.records.enumerated() where record.inode != 0 {
      lastMentions[record.inode] = index
    }
    files = PlayedFiles(root: root, lastMentions: lastMentions)
    let tree = recording.tree
    var waiting: [(path: BytePath, inode: UInt64)] = [(.root, tree.root)]
    while let (path, inode) = waiting.popLast() {
      if files.isMentioned(inode) { try files.hold(inode, path) }
      for (name, child) in tree.entries[inode] ?? [:] { waiting.append((path.appending(name), child)) }
    }
  }

  /// Makes the operation at a place of the recording.
  mutating func make(_ index: Int) throws(FileCallError) {
    let record = recording.records[index]
    guard record.errno == nil else { return }
    switch record.kind {
    case .create:
      let wished = record.attributes?.permissions ?? UInt16(truncatingIfNeeded: record.argument & 0o7777)
      try files.create(record.inode, record.path, permissions: wished)
      try setPermissions(record.inode, wished)
    case .mkdir:
      let wished = record.attributes?.permissions ?? UInt16(truncatingIfNeeded: record.argument & 0o7777)
      try volume.makeDirectory(record.path, permissions: wished)
      if files.isMentioned(record.inode) { try files.hold(record.inode, record.path) }
      try setPermissions(record.inode, wished)
    case .symlink:
      try volume.makeSymbolicLink(record.path, to: record.otherPath ?? .root)
      if files.isMentioned(record.inode) { try files.hold(record.inode, record.path) }
    case .link: try volume.link(record.path, to: record.otherPath ?? .root)
    case .unlink: try volume.unlink(record.path)
    case .rmdir: try volume.removeDirectory(record.path)
    case .rename: try rename(record)
    case .open: try files.open(record.inode)
    case .close: files.close(record.inode)
    case .write: try write(record, at: index)
    case .truncate:
      let handle = try files.handle(record.inode)
      try called("ftruncate", record, ftruncate(handle.number, off_t(record.offset)))
    case .allocate: try allocate(record)
    case .setattr: try setAttributes(record)
    case .fsync: try synchronize(record, at: index)
    case .sync: try called("syncfs", record, cposix_syncfs(files.root.number))
    case .read, .readdir, .statfs, .getxattr, .setxattr, .listxattr, .removexattr, .lock, .mark, .control: break
    }
    switch record.kind {
    case .unlink, .rmdir, .rename, .close: files.letGo(behind: index)
    default: break
    }
  }

  /// Writes a range back, where its file still is.
  func writeBack(_ range: DirtyRange, waits: Bool) {
    guard let reader = files.reader(range.inode) else { return }
    let length = off_t(range.bytes.upperBound - range.bytes.lowerBound)
    _ = cposix_write_back(reader.number, off_t(range.bytes.lowerBound), length, waits ? 1 : 0)
  }

  private func rename(_ record: OperationRecord) throws(FileCallError) {
    let target = record.otherPath ?? .root
    guard record.argument == RenameMode.exchanging.rawValue else { return try volume.rename(record.path, to: target) }
    let root = files.root.number
    let result = cposix_renameat2(
      root, record.path.cString, root, target.cString, cposix_RENAME_EXCHANGE)
    if result != 0 { throw FileCallError("rename", [record.path, target], .current) }
  }

  // MARK: - Bytes

  private mutating func write(_ record: OperationRecord, at index: Int) throws(FileCallError) {
    let bytes = disk.data(of: record)
    let handle = try files.handle(record.inode)
    let call = synchronizing(index)
    var done = 0
    while done < bytes.count {
      let place = off_t(record.offset) + off_t(done)
      let count = bytes.withUnsafeBytes { bytes in
        let start = bytes.baseAddress.map { $0 + done }
        return switch call {
        case .write(_, let dataOnly):
          cposix_pwrite_through(handle.number, start, bytes.count - done, place, dataOnly ? 1 : 0)
        default: pwrite(handle.number, start, bytes.count - done, place)
        }
      }
      if count <= 0 { throw FileCallError("pwrite", [record.path], count == 0 ? .eio : .current) }
      done += count
    }
    guard !bytes.isEmpty else { return }
    if dirty.count == Self.dirtyMax { dirty.removeFirst() }
    dirty.append(DirtyRange(inode: record.inode, bytes: record.offset..<record.offset + UInt64(bytes.count)))
  }

  /// The synchronous write that the record behind this one tells of, where that is of this very write.
  private func synchronizing(_ index: Int) -> SynchronizingCall? {
    guard index + 1 < recording.records.count else { return nil }
    let (record, next) = (recording.records[index], recording.records[index + 1])
    guard next.kind == .fsync, next.errno == nil, next.inode == record.inode else { return nil }
    let call = SynchronizingCall(next)
    guard case .write(let range, _) = call, range.lowerBound == record.offset, UInt64(range.count) == record.lengthTaken
    else { return nil }
    return call
  }

  private func synchronize(_ record: OperationRecord, at index: Int) throws(FileCallError) {
    if record.firedEffect == .fsyncLie { return }
    let call = SynchronizingCall(record)
    if case .write = call, index > 0, synchronizing(index - 1) != nil { return }
    let handle = try files.handle(record.inode)
    switch call {
    case .fdatasync, .write(_, dataOnly: true): try called("fdatasync", record, fdatasync(handle.number))
    case .fsync, .write: try called("fsync", record, fsync(handle.number))
    }
  }

  private func allocate(_ record: OperationRecord) throws(FileCallError) {
    let wish = AllocationWish(bits: record.argument)
    var mode: CInt = wish.keepsSize ? Self.keepsSize : 0
    if wish.kind == .punch { mode = Self.keepsSize | Self.punches }
    if wish.kind == .zero { mode |= Self.zeroes }
    let handle = try files.handle(record.inode)
    try called(
      "fallocate", record,
      cposix_fallocate(handle.number, mode, off_t(record.offset), off_t(record.lengthAsked)))
  }

  // The flags of fallocate(2).
  private static let keepsSize: CInt = 1
  private static let punches: CInt = 2
  private static let zeroes: CInt = 16

  // MARK: - Attributes

  private func setAttributes(_ record: OperationRecord) throws(FileCallError) {
    guard let attributes = record.attributes else { return }
    try setPermissions(record.inode, attributes.permissions)
    let way = try files.way(to: record.inode)
    if attributes.kind == .symbolicLink { return }
    let status = try status(record.inode)
    if status.st_uid != attributes.owner || status.st_gid != attributes.group {
      try called("chown", record, chown(way.cString, attributes.owner, attributes.group))
    }
    let times = [attributes.accessed, attributes.modified].map { time in
      let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
      return rest < 0
        ? timespec(tv_sec: Int(seconds) - 1, tv_nsec: Int(rest) + 1_000_000_000)
        : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    }
    try called("utimensat", record, utimensat(files.root.number, way.cString, times, 0))
  }

  /// Sets them where the mask of this process, or the recording, has others.
  private func setPermissions(_ inode: UInt64, _ permissions: UInt16) throws(FileCallError) {
    guard files.isMentioned(inode) else { return }
    let status = try status(inode)
    if status.st_mode & S_IFMT == S_IFLNK || UInt16(status.st_mode & 0o7777) == permissions { return }
    let way = try files.way(to: inode)
    if chmod(way.cString, mode_t(permissions)) != 0 { throw FileCallError("chmod", [way], .current) }
  }

  private func status(_ inode: UInt64) throws(FileCallError) -> stat {
    var status = stat()
    let way = try files.way(to: inode)
    if stat(way.cString, &status) != 0 { throw FileCallError("stat", [way], .current) }
    return status
  }

  private func called(_ call: String, _ record: OperationRecord, _ result: CInt) throws(FileCallError) {
    if result != 0 { throw FileCallError(call, [record.path], .current) }
  }
}
