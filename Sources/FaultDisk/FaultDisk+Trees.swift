import Files

extension FaultDisk {
  /// The most names of a directory that are copied.
  package static let entriesMax = 1 << 20
  /// Files are copied in pieces of this many bytes.
  static let pieceBytes = 1 << 20

  /// Copies the tree of another volume, with its permissions, to the root of this disk.
  ///
  /// A disk that answers extended attributes takes those that belong to users, too.
  ///
  /// What is copied is durable, is not recorded, and is hit by no rule. Hard links stay hard links; FIFOs, sockets
  /// and devices are left out. Directories that are there already are filled.
  /// - Throws: what the other volume's calls throw; EEXIST where another thing has the name, ENOSPC, EIO after a cut.
  package func importTree(from source: any Volume) throws(FileCallError) {
    let (root, takesAttributes) = withEngine { ($0.rootInode, $0.configuration.unseen[.setxattr] == nil) }
    var files: [[UInt64]: UInt64] = [:]
    var waiting: [(path: BytePath, directory: UInt64)] = [(.root, root)]
    while let (path, directory) = waiting.popLast() {
      for entry in try source.entries(of: path, countMax: FaultDisk.entriesMax) {
        let inner = path.appending(entry.name)
        let status = try source.status(at: inner)
        if status.kind == .directory {
          let inode = try place(inner, in: directory, status)
          if takesAttributes { try copyAttributes(of: inner, from: source, to: inode) }
          waiting.append((inner, inode))
        } else if status.kind == .symbolicLink {
          _ = try place(inner, in: directory, status, text: source.linkText(at: inner))
        } else if status.kind == .regular {
          let known = status.links > 1 ? files[[status.device, status.inode]] : nil
          let inode = try place(inner, in: directory, status, sameAs: known)
          if known == nil { try copyFile(inner, from: source, to: inode, takesAttributes) }
          if status.links > 1 { files[[status.device, status.inode]] = inode }
        }
      }
    }
  }

  /// Makes one thing of the other volume, without content, or another name of one; its inode number.
  private func place(
    _ path: BytePath, in directory: UInt64, _ status: FileStatus, text: BytePath = .root, sameAs known: UInt64? = nil
  ) throws(FileCallError) -> UInt64 {
    do throws(Errno) {
      return try withEngine { (engine: inout DiskEngine) throws(Errno) in
        if let known { return try engine.place(path.name, in: directory, sameAs: known) }
        let inode = try engine.place(path.name, in: directory, kind: status.kind, permissions: status.permissions)
        if status.kind == .symbolicLink { try engine.inode(inode).text = text }
        return inode
      }
    } catch {
      throw FileCallError("open", [path], error)
    }
  }

  private func copyFile(
    _ path: BytePath, from source: any Volume, to inode: UInt64, _ takesAttributes: Bool
  ) throws(FileCallError) {
    let file = try source.open(path, for: .reading)
    defer { try? source.close(file) }
    if takesAttributes { try copyAttributes(of: file, from: source, to: inode) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: FaultDisk.pieceBytes, alignment: 16)
    defer { piece.deallocate() }
    var offset: UInt64 = 0
    while true {
      let count = try source.read(file, at: offset, into: piece)
      if count == 0 { return }
      let taken = LockedPiece(bytes: UnsafeRawBufferPointer(rebasing: piece[..<count]))
      do throws(Errno) {
        try withEngine { (engine: inout DiskEngine) throws(Errno) in
          try engine.place(taken.bytes, in: inode, at: offset)
        }
      } catch {
        throw FileCallError("write", [path], error)
      }
      offset += UInt64(count)
    }
  }

  private func copyAttributes(
    of directory: BytePath, from source: any Volume, to inode: UInt64
  ) throws(FileCallError) {
    let file = try source.open(directory, for: .directory)
    defer { try? source.close(file) }
    try copyAttributes(of: file, from: source, to: inode)
  }

  private func copyAttributes(
    of file: OpenFile, from source: any Volume, to inode: UInt64
  ) throws(FileCallError) {
    let attributes = try source.userAttributes(of: file)
    if !attributes.isEmpty { withEngine { $0.place(attributes, on: inode) } }
  }

  /// Copies the tree of this disk, with permissions and extended attributes, to another volume.
  ///
  /// It goes to the root. Hard links stay hard links; symbolic links, FIFOs, sockets and device files are made where the
  /// volume can.
  /// The disk may be cut: what is copied is then what a `restart` would show. No rule is asked.
  /// - Throws: what the other volume's calls throw; EEXIST where a file is there already. Where only extended
  ///   attributes cannot be set, everything else is there when it throws the first of the reasons.
  package func exportTree(to target: any Volume) throws(FileCallError) {
    let tree = withEngine { $0.pinTree() }
    defer { withEngine { $0.unpinTree() } }
    for item in tree where item.kind == .directory && !item.path.isRoot {
      try FaultDisk.makeDirectory(item.path, in: target)
    }
    var failure: FileCallError?
    var files: [UInt64: BytePath] = [:]
    for item in tree where item.kind != .directory {
      if let first = files[item.inode] {
        try target.link(first, to: item.path)
        continue
      }
      files[item.inode] = item.path
      switch item.kind {
      case .regular, .unknown: try export(item, to: target, &failure)
      case .symbolicLink: try target.makeSymbolicLink(item.path, to: item.text)
      default:
        try target.makeNode(
          item.path, kind: item.kind, permissions: item.permissions, device: item.deviceNumber)
      }
    }
    // Directories last and innermost first: their bits may forbid to write into them.
    for item in tree.reversed() where item.kind == .directory && !item.path.isRoot {
      let directory = try target.open(item.path, for: .directory)
      defer { try? target.close(directory) }
      FaultDisk.setAttributes(of: directory, as: item, in: target, &failure)
      try target.setAttributes(directory, permissions: item.permissions, modified: nil)
    }
    if let failure { throw failure }
  }

  private static func makeDirectory(_ path: BytePath, in target: any Volume) throws(FileCallError) {
    do throws(FileCallError) {
      try target.makeDirectory(path, permissions: 0o700)
    } catch {
      guard error.errno == .eexist, try target.status(at: path).kind == .directory else { throw error }
    }
  }

  /// Sets the extended attributes as long as the permission bits let it; many file systems have none.
  private static func setAttributes(
    of file: OpenFile, as item: TreeItem, in target: any Volume, _ failure: inout FileCallError?
  ) {
    for (name, value) in item.extendedAttributes where name.isUserAttribute {
      do throws(FileCallError) {
        try target.setExtendedAttribute(name, of: file, to: value)
      } catch {
        failure = failure ?? error
      }
    }
  }

  private func export(
    _ item: TreeItem, to target: any Volume, _ failure: inout FileCallError?
  ) throws(FileCallError) {
    let file = try target.open(item.path, for: .creating(permissions: 0o600))
    defer { try? target.close(file) }
    var offset: UInt64 = 0
    while offset < item.content.size {
      let end = min(item.content.size, offset + UInt64(FaultDisk.pieceBytes))
      let bytes = withEngine { $0.bytes(of: item.content, from: offset, to: end) }
      try target.writeWhole(file, at: offset, bytes)
      offset = end
    }
    FaultDisk.setAttributes(of: file, as: item, in: target, &failure)
    try target.setAttributes(file, permissions: item.permissions, modified: nil)
  }
}

/// Bytes on their way under the lock; they stay the caller's.
private struct LockedPiece: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
}

/// A thing in a tree as it was at one moment; its bytes stay in the arena while the tree is pinned.
struct TreeItem: Sendable {
  var path: BytePath
  var inode: UInt64
  var kind: FileKind
  var permissions: UInt16
  var deviceNumber: UInt32
  var text: BytePath
  var content: FileContent
  var extendedAttributes: ExtendedAttributes
}

// What copying needs of the engine: no rule is asked, nothing is recorded.
extension DiskEngine {
  /// Everything that a restart would show, sorted by path; its bytes stay until `unpinTree`.
  mutating func pinTree() -> [TreeItem] {
    pinCount += 1
    guard let root = try? inode(rootInode) else { return [] }
    var items = [treeItem(root, at: .root)]
    var paths: [UInt64: BytePath] = [root.number: .root]
    for survivor in survivingNames() {
      guard let parent = paths[survivor.directory.number] else { continue }
      let path = parent.appending(survivor.name)
      if survivor.inode.kind == .directory { paths[survivor.inode.number] = path }
      items.append(treeItem(survivor.inode, at: path))
    }
    return items.sorted { $0.path < $1.path }
  }

  mutating func unpinTree() { pinCount -= 1 }

  private func treeItem(_ inode: Inode, at path: BytePath) -> TreeItem {
    TreeItem(
      path: path, inode: inode.number, kind: inode.kind, permissions: inode.permissions,
      deviceNumber: inode.deviceNumber, text: inode.text, content: inode.content(after: survivors),
      extendedAttributes: inode.extendedAttributes(after: survivors))
  }

  func bytes(of content: FileContent, from low: UInt64, to high: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(high - low)) { buffer, count in
      for piece in pieces(of: content.extents, from: low, to: high) {
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]).copyMemory(from: piece)
        count += piece.count
      }
    }
  }

  /// Makes a durable directory or empty file; a directory that is there already is as good.
  mutating func place(
    _ name: BytePath, in number: UInt64, kind: FileKind, permissions: UInt16
  ) throws(Errno) -> UInt64 {
    if condition != .running { throw .eio }
    let parent = try directory(number)
    if let known = parent.names.inode(named: name) {
      guard known.kind == .directory, kind == .directory else { throw .eexist }
      return known.number
    }
    if budget.inodesLeft == 0 { throw .enospc }
    let time = now()
    let new = Inode(
      number: nextInodeNumber, kind: kind, permissions: permissions & 0o7777, owner: parent.inode.owner,
      group: parent.inode.group, time: time, names: configuration.names)
    insert(new)
    attach(new, name, to: parent.inode, at: time)
    parent.names.makeDurable(name)
    new.durableContent = new.content
    return new.number
  }

  /// Gives a file another durable name.
  mutating func place(_ name: BytePath, in number: UInt64, sameAs known: UInt64) throws(Errno) -> UInt64 {
    let parent = try directory(number)
    if parent.names.inode(named: name) != nil { throw .eexist }
    attach(try inode(known), name, to: parent.inode, at: now())
    parent.names.makeDurable(name)
    return known
  }

  /// Gives a file or directory durable extended attributes.
  func place(_ attributes: ExtendedAttributes, on number: UInt64) {
    guard let inode = try? inode(number) else { return }
    inode.extendedAttributes.merge(attributes) { $1 }
    inode.durableExtendedAttributes = inode.extendedAttributes
  }

  /// Adds durable bytes to a file.
  mutating func place(_ bytes: UnsafeRawBufferPointer, in number: UInt64, at offset: UInt64) throws(Errno) {
    if condition != .running { throw .eio }
    let inode = try inode(number)
    var done = 0
    while done < bytes.count {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += Int(try store(piece, in: inode, at: offset + UInt64(done)).length)
    }
    inode.durableContent = inode.content
    inode.isChanged = false
    inode.lastWrite = nil
  }
}
