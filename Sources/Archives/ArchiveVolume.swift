import Files
import Synchronization

/// What an archive holds, as a volume that nobody can write.
///
/// Every call that would change something is refused with EROFS. Nothing of it stands anywhere under a name.
package final class ArchiveVolume: Volume {
  /// A number that no file system of the host has.
  private static let device: UInt64 = .max

  private let tree: ArchiveTree
  private let spool: ArchiveSpool?
  private let openFiles = Mutex<(next: Int32, nodes: [Int32: Int])>((1, [:]))

  init(tree: ArchiveTree, spool: ArchiveSpool?) {
    self.tree = tree
    self.spool = spool
  }

  /// The same with everything below a folder of this name.
  package func wrapped(in name: BytePath) -> ArchiveVolume { ArchiveVolume(tree: tree.wrapped(in: name), spool: spool) }

  /// Opens what stands at `path`; EROFS for whoever wants to write.
  package func open(_ path: BytePath, for purpose: OpenPurpose) throws(FileCallError) -> OpenFile {
    switch purpose {
    case .reading, .directory: break
    default: throw FileCallError("open", [path], .erofs)
    }
    let node = try node(at: path, "open")
    let kind = tree.nodes[node].kind
    if purpose == .directory {
      if kind != .directory { throw FileCallError("open", [path], .enotdir) }
    } else {
      if kind == .symbolicLink { throw FileCallError("open", [path], .eloop) }
      if kind != .regular && kind != .directory { throw FileCallError("open", [path], .enxio) }
      if case .refused(let errno) = tree.nodes[node].content { throw FileCallError("open", [path], errno) }
    }
    return openFiles.withLock { files in
      let number = files.next
      files.next += 1
      files.nodes[number] = node
      return OpenFile(number: number)
    }
  }

  /// Ends an open file; EBADF where it is not open.
  package func close(_ file: OpenFile) throws(FileCallError) {
    if openFiles.withLock({ $0.nodes.removeValue(forKey: file.number) }) == nil {
      throw FileCallError("close", [], .ebadf)
    }
  }

  /// Reads up to the buffer's size from `offset` on.
  package func read(
    _ file: OpenFile, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileCallError) -> Int {
    let node = tree.nodes[try node(of: file, "read")]
    if node.kind == .directory { throw FileCallError("read", [], .eisdir) }
    guard offset < node.size else { return 0 }
    let count = Int(min(UInt64(buffer.count), node.size - offset))
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    switch node.content {
    case .memory(let bytes):
      bytes.withUnsafeBytes { part.copyMemory(from: .init(rebasing: $0[Int(offset)..<(Int(offset) + count)])) }
      return count
    case .spooled(let start): return try spool?.read(at: start + offset, into: part) ?? 0
    case .refused(let errno): throw FileCallError("read", [], errno)
    case .none: return 0
    }
  }

  /// What an open file is.
  package func status(of file: OpenFile) throws(FileCallError) -> FileStatus { status(try node(of: file, "fstat")) }

  /// What stands at the path.
  package func status(at path: BytePath) throws(FileCallError) -> FileStatus { status(try node(at: path, "stat")) }

  /// The names in a folder, sorted by bytes.
  package func entries(of path: BytePath, countMax: Int) throws(FileCallError) -> [DirectoryEntry] {
    let folder = tree.nodes[try node(at: path, "readdir")]
    if folder.kind != .directory { throw FileCallError("readdir", [path], .enotdir) }
    if folder.children.count > countMax { throw FileCallError("readdir", [path], .eoverflow) }
    return folder.children.map { DirectoryEntry(name: $0, kind: tree.nodes[$1].kind, inode: UInt64($1) + 1) }
      .sorted { $0.name < $1.name }
  }

  /// Nobody else has an archive's documents open.
  package func lockExclusively(_ file: OpenFile) throws(FileCallError) { _ = try node(of: file, "flock") }

  /// Nobody.
  package func lockHolder(of file: OpenFile) -> Int32? { nil }

  /// Nothing.
  package func freeSpace() throws(FileCallError) -> FreeSpace { FreeSpace(bytes: 0, inodes: 0) }

  /// The text of a symbolic link.
  package func linkText(at path: BytePath) throws(FileCallError) -> BytePath {
    let node = tree.nodes[try node(at: path, "readlink")]
    if node.kind != .symbolicLink { throw FileCallError("readlink", [path], .einval) }
    return node.link
  }

  // MARK: What would change something

  /// EROFS.
  package func write(
    _ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileCallError) -> Int {
    throw FileCallError("write", [], .erofs)
  }

  /// EROFS.
  package func truncate(_ file: OpenFile, to size: UInt64) throws(FileCallError) {
    throw FileCallError("ftruncate", [], .erofs)
  }

  /// Nothing to do.
  package func synchronize(_ file: OpenFile) throws(FileCallError) { _ = try node(of: file, "fsync") }

  /// EROFS.
  package func rename(_ from: BytePath, to: BytePath) throws(FileCallError) {
    throw FileCallError("rename", [from, to], .erofs)
  }

  /// EROFS.
  package func renameKeeping(_ from: BytePath, to: BytePath) throws(FileCallError) {
    throw FileCallError("rename", [from, to], .erofs)
  }

  /// EROFS.
  package func link(_ from: BytePath, to: BytePath) throws(FileCallError) {
    throw FileCallError("link", [from, to], .erofs)
  }

  /// EROFS.
  package func unlink(_ path: BytePath) throws(FileCallError) { throw FileCallError("unlink", [path], .erofs) }

  /// EROFS.
  package func makeDirectory(_ path: BytePath, permissions: UInt16) throws(FileCallError) {
    throw FileCallError("mkdir", [path], .erofs)
  }

  /// EROFS.
  package func removeDirectory(_ path: BytePath) throws(FileCallError) {
    throw FileCallError("rmdir", [path], .erofs)
  }

  /// EROFS.
  package func setAttributes(_ file: OpenFile, permissions: UInt16?, modified: Int64?) throws(FileCallError) {
    throw FileCallError("fchmod", [], .erofs)
  }

  // MARK: Finding

  private func node(at path: BytePath, _ call: String) throws(FileCallError) -> Int {
    if let refusal = path.refusal { throw FileCallError(call, [path], refusal) }
    guard let node = tree.find(path) else { throw FileCallError(call, [path], .enoent) }
    return node
  }

  private func node(of file: OpenFile, _ call: String) throws(FileCallError) -> Int {
    guard let node = openFiles.withLock({ $0.nodes[file.number] }) else { throw FileCallError(call, [], .ebadf) }
    return node
  }

  private func status(_ place: Int) -> FileStatus {
    let node = tree.nodes[place]
    return FileStatus(
      kind: node.kind, device: ArchiveVolume.device, inode: UInt64(place) + 1, size: node.size, links: 1,
      permissions: node.permissions, owner: 0, modified: node.modified, changed: node.modified)
  }
}
