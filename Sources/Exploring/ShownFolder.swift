import FaultDisk
import Files

/// A folder of the host that is made into one crash state after the other.
///
/// Only what differs from the state before is written. A check may write too: whatever it has touched is made anew.
/// Files and directories get the times of the recording, so a change by a check shows in its time, besides size and
/// inode.
package final class ShownFolder {
  /// What a name of the folder was when it had been made.
  private struct Made: Equatable {
    let kind: FileKind
    let inode: UInt64
    let size: UInt64
    let permissions: UInt16
    let links: UInt64
    let modified: Int64
    let changed: Int64

    init(_ status: FileStatus) {
      kind = status.kind
      inode = status.inode
      let isDirectory = status.kind == .directory
      size = isDirectory ? 0 : status.size
      permissions = status.permissions
      links = isDirectory ? 0 : status.links
      modified = isDirectory ? 0 : status.modified
      changed = isDirectory ? 0 : status.changed
    }
  }

  /// What stands at a name: the thing of the tree, and how it looked when it had been made.
  private struct Shown {
    let node: DiskTree.Node
    let inode: UInt64
    var made: Made
  }

  private static let entriesMax = 1 << 20
  private static let pieceBytes: UInt64 = 1 << 20
  private static let whileFilling: UInt16 = 0o700

  private let disk: FaultDisk
  private let volume: HostVolume
  private var shown: [BytePath: Shown] = [:]
  private var rootModified: Int64?

  /// An empty folder at this place; the bytes of the trees stand on `disk`.
  package init(_ place: BytePath, _ disk: FaultDisk) throws(FileCallError) {
    self.disk = disk
    volume = try HostVolume(root: place)
  }

  /// Makes the folder into this tree.
  package func show(_ tree: DiskTree) throws(FileCallError) {
    let wanted = tree.paths.filter { !$0.path.isRoot }
    var firstNames: [UInt64: BytePath] = [:]
    var names: [UInt64: Set<BytePath>] = [:]
    for (path, inode) in wanted where tree.nodes[inode]?.attributes.kind != .directory {
      names[inode, default: []].insert(path)
    }
    try clear(keeping: kept(wanted, names, tree))
    for (path, inode) in wanted {
      guard let node = tree.nodes[inode] else { continue }
      if shown[path] == nil {
        if let first = firstNames[inode] {
          try volume.link(first, to: path)
        } else {
          try make(path, node)
        }
        shown[path] = Shown(node: node, inode: inode, made: try Made(volume.status(at: path)))
      }
      if node.attributes.kind != .directory, firstNames[inode] == nil { firstNames[inode] = path }
    }
    try finish(wanted, tree)
  }

  /// True where something was written since the last `show`, also where nothing is left of it.
  ///
  /// A name that came and went has changed the time of its directory.
  package func hasChanged() throws(FileCallError) -> Bool {
    if try volume.status(at: .root).modified != rootModified { return true }
    for (path, thing) in shown {
      do throws(FileCallError) {
        guard let status = try status(at: path), Made(status) == thing.made else { return true }
        if status.kind == .directory, status.modified != thing.node.attributes.modified { return true }
      } catch  where error.errno == .eacces {
        // Where we may not look, a check of ours may not write.
        continue
      }
    }
    return false
  }

  /// The names that can stay as they are: the same thing, untouched, with the same other names.
  private func kept(
    _ wanted: [(path: BytePath, inode: UInt64)], _ names: [UInt64: Set<BytePath>], _ tree: DiskTree
  ) throws(FileCallError) -> Set<BytePath> {
    var before: [UInt64: Set<BytePath>] = [:]
    for (path, thing) in shown where thing.made.kind != .directory { before[thing.inode, default: []].insert(path) }
    var kept: Set<BytePath> = []
    var spoiled: Set<UInt64> = []
    for (path, inode) in wanted {
      guard let thing = shown[path], let node = tree.nodes[inode], path.parent.isRoot || kept.contains(path.parent)
      else { continue }
      let isDirectory = node.attributes.kind == .directory && thing.made.kind == .directory
      guard isDirectory || thing.node == node && thing.inode == inode && before[inode] == names[inode] else { continue }
      if let status = try status(at: path), Made(status) == thing.made {
        kept.insert(path)
      } else {
        spoiled.insert(inode)
      }
    }
    // Of a file with several names all stay or none.
    return kept.filter { path in shown[path].map { !spoiled.contains($0.inode) } ?? false }
  }

  private func status(at path: BytePath) throws(FileCallError) -> FileStatus? {
    do throws(FileCallError) {
      return try volume.status(at: path)
    } catch  where [Errno.enoent, .enotdir, .eloop].contains(error.errno) {
      return nil
    }
  }

  /// Removes everything from the folder but these names and the directories that lead to them.
  private func clear(keeping kept: Set<BytePath>) throws(FileCallError) {
    try clear(.root, kept)
    shown = shown.filter { kept.contains($0.key) }
  }

  private func clear(_ directory: BytePath, _ kept: Set<BytePath>) throws(FileCallError) {
    for entry in try volume.entries(of: directory, countMax: ShownFolder.entriesMax) {
      let path = directory.appending(entry.name)
      let status = try volume.status(at: path)
      if status.kind == .directory {
        if status.permissions & ShownFolder.whileFilling != ShownFolder.whileFilling {
          try setAttributes(of: path, permissions: ShownFolder.whileFilling, modified: status.modified)
        }
        // What is in a directory that goes cannot stay.
        try clear(path, kept.contains(path) ? kept : [])
        if !kept.contains(path) { try volume.removeDirectory(path) }
      } else if !kept.contains(path) {
        try volume.unlink(path)
      }
    }
  }

  private func make(_ path: BytePath, _ node: DiskTree.Node) throws(FileCallError) {
    switch node.attributes.kind {
    case .directory: try volume.makeDirectory(path, permissions: ShownFolder.whileFilling)
    case .symbolicLink: try volume.makeSymbolicLink(path, to: node.text)
    case .regular, .unknown: try makeFile(path, node)
    case .fifo, .socket, .blockDevice, .characterDevice:
      try volume.makeNode(
        path, kind: node.attributes.kind, permissions: node.attributes.permissions,
        device: node.attributes.deviceNumber)
    }
  }

  private func makeFile(_ path: BytePath, _ node: DiskTree.Node) throws(FileCallError) {
    let file = try volume.open(path, for: .creating(permissions: 0o600))
    defer { try? volume.close(file) }
    for extent in node.content.extents.extents where extent.isWritten && extent.start < node.content.size {
      var place = extent.start
      let end = min(extent.end, node.content.size)
      while place < end {
        let next = min(end, place + ShownFolder.pieceBytes)
        try volume.writeWhole(file, at: place, disk.bytes(of: node.content, from: place, to: next))
        place = next
      }
    }
    try volume.truncate(file, to: node.content.size)
    try volume.setAttributes(file, permissions: node.attributes.permissions, modified: node.attributes.modified)
  }

  /// Gives directories their bits and times, innermost first, and notes how everything looks now.
  private func finish(_ wanted: [(path: BytePath, inode: UInt64)], _ tree: DiskTree) throws(FileCallError) {
    for (path, inode) in wanted.reversed() {
      if let node = tree.nodes[inode], node.attributes.kind == .directory {
        try setAttributes(of: path, permissions: node.attributes.permissions, modified: node.attributes.modified)
      }
      shown[path]?.made = try Made(volume.status(at: path))
    }
    let modified = tree.nodes[tree.root]?.attributes.modified ?? 0
    try setAttributes(of: .root, permissions: volume.status(at: .root).permissions, modified: modified)
    rootModified = modified
  }

  private func setAttributes(
    of directory: BytePath, permissions: UInt16, modified: Int64
  ) throws(FileCallError) {
    let status = try volume.status(at: directory)
    guard status.permissions != permissions || status.modified != modified else { return }
    let file = try volume.open(directory, for: .directory)
    defer { try? volume.close(file) }
    try volume.setAttributes(file, permissions: permissions, modified: modified)
  }
}
