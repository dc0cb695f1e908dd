import Files
import Synchronization
import TestSupport

/// A good volume that breaks one promise.
final class LyingVolume: VolumeLayer {
  enum Lie: String, Sendable {
    case followsLinks, normalisesPaths, cutsNames, removesRoot, copiesOnRename, replacesAlways, reversesEntries
    case dropsEntries, emptiesOnUnlink, closesGaps, tearsWrites, hidesLinks, forgetsTimes, isFull, ignoresLocks
    case writesThroughReaders, closesLate, namesOnce, namesFoldersOnce
  }

  private let lie: Lie?
  private let base: HostVolume
  var below: any Volume { base }
  private let name = ContentName.unused()
  private let readers = Mutex<[OpenFile: BytePath]>([:])

  init(_ lie: Lie?, over base: HostVolume) {
    self.lie = lie
    self.base = base
  }

  private func seen(_ path: BytePath) -> BytePath {
    switch lie {
    case .normalisesPaths:
      return path.components.filter { $0 != "." }.reduce(.root) { $0.appending($1) }
    case .cutsNames: return BytePath(bytes: path.bytes.prefix(255))
    case .followsLinks:
      var real = BytePath.root
      for name in path.components {
        real = real.appending(name)
        let isLink = (try? base.status(at: real))?.kind == .symbolicLink
        if isLink, let target = try? Host.linkTarget(of: base.rootPath.appending(real)) {
          real = real.parent.appending(target)
        }
      }
      return real
    default: return path
    }
  }

  func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    let file = try base.open(seen(path), for: purpose)
    if purpose == .reading { readers.withLock { $0[file] = path } }
    return file
  }

  func close(_ file: OpenFile) throws(FileCallError) { if lie != .closesLate { try base.close(file) } }

  func write(_ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileCallError) -> Int {
    switch lie {
    case .closesGaps: return try base.write(file, at: min(offset, try base.status(of: file).size), bytes)
    case .tearsWrites:
      _ = try base.write(file, at: offset, UnsafeRawBufferPointer(rebasing: bytes.prefix(4096)))
      return bytes.count
    case .writesThroughReaders:
      guard let path = readers.withLock({ $0[file] }) else { return try base.write(file, at: offset, bytes) }
      let writer = try base.open(path, for: .writing)
      defer { try? base.close(writer) }
      return try base.write(writer, at: offset, bytes)
    default: return try base.write(file, at: offset, bytes)
    }
  }

  func contentName(of file: OpenFile) -> ContentName? { lie == .namesOnce ? name : base.contentName(of: file) }

  func named(at path: BytePath) -> NamedContent? {
    guard lie == .namesFoldersOnce, let status = try? base.status(at: path), status.kind == .directory else {
      return base.named(at: path)
    }
    return NamedContent(status: status, name: name)
  }

  func status(at path: BytePath) throws(FileCallError) -> FileStatus {
    var status = try base.status(at: seen(path))
    if lie == .hidesLinks { status.links = 1 }
    return status
  }

  func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {
    if lie == .copiesOnRename, let old = try? base.bytes(of: to), let new = try? base.bytes(of: from) {
      let file = try base.open(to, for: .writing)
      defer { try? base.close(file) }
      try base.truncate(file, to: 0)
      try base.writeWhole(file, new)
      if old != new { try base.unlink(from) }
      return
    }
    if lie == .replacesAlways, (try? base.status(at: to))?.kind == .regular { try base.unlink(to) }
    try base.rename(seen(from), to: seen(to))
  }

  func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    if lie == .replacesAlways { return try base.rename(from, to: to) }
    try base.renameKeeping(seen(from), to: seen(to))
  }

  func link(_ from: BytePath, to: BytePath) throws(FileCallError) {
    if lie == .replacesAlways { try? base.unlink(to) }
    try base.link(seen(from), to: seen(to))
  }

  func unlink(_ path: BytePath) throws(FileCallError) {
    if lie == .emptiesOnUnlink, let file = try? base.open(path, for: .writing) {
      try base.truncate(file, to: 0)
      try base.close(file)
    }
    // The link itself goes in any case, so that the tree can be cleared.
    try base.unlink(lie == .followsLinks ? path : seen(path))
  }

  func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    try base.makeDirectory(seen(path), permissions: permissions)
  }

  func removeDirectory(_ path: BytePath) throws(FileCallError) {
    if lie == .removesRoot, path.isRoot { return }
    try base.removeDirectory(seen(path))
  }

  func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    switch lie {
    case .reversesEntries: return try base.entries(of: path, countMax: countMax).reversed()
    case .dropsEntries: return Array(try base.entries(of: path, countMax: .max).prefix(countMax))
    default: return try base.entries(of: seen(path), countMax: countMax)
    }
  }

  func lockExclusively(_ file: OpenFile) throws(FileCallError) {
    if lie != .ignoresLocks { try base.lockExclusively(file) }
  }

  func freeSpace() throws(FileCallError) -> FreeSpace {
    lie == .isFull ? FreeSpace(bytes: 0, inodes: 0) : try base.freeSpace()
  }

  func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    try base.setAttributes(file, permissions: permissions, modified: lie == .forgetsTimes ? nil : modified)
  }
}
