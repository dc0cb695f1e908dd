import Bytes
import FaultDisk
import Files

/// A tree as it looks from outside: names, kinds, permissions, texts of links, bytes.
///
/// What a disk says in other words on each file system is not in it: times, owners, the root's own permissions.
package struct SeenTree: Hashable, Sendable {
  /// A file, directory or symbolic link.
  package struct Thing: Hashable, Sendable {
    /// What it is.
    package var kind: FileKind
    /// The permission bits; 0 for a symbolic link, which has none.
    package var permissions: UInt16
    /// The text of a symbolic link.
    package var text = BytePath.root
    /// The size of a file.
    package var size: UInt64 = 0
    /// The digest of each block of a file.
    package var blocks: [Digest128] = []
    /// The first of its names, where this is a further one.
    package var sameAs: BytePath?
  }

  /// The size of a block; the last one of a file may be shorter.
  package static let blockBytes: UInt64 = 4096

  /// All things by their path.
  package private(set) var things: [BytePath: Thing] = [:]

  /// The tree of a crash state or recording, whose bytes are on `disk`.
  package init(_ tree: DiskTree, on disk: FaultDisk) {
    var paths: [(path: BytePath, inode: UInt64)] = []
    var waiting: [(path: BytePath, inode: UInt64)] = [(.root, tree.root)]
    var known: Set<UInt64> = [tree.root]
    while let (path, directory) = waiting.popLast() {
      for (name, inode) in tree.entries[directory] ?? [:] {
        guard let node = tree.nodes[inode] else { continue }
        paths.append((path.appending(name), inode))
        if node.attributes.kind == .directory, known.insert(inode).inserted {
          waiting.append((path.appending(name), inode))
        }
      }
    }
    var names: [UInt64: BytePath] = [:]
    for (path, inode) in paths.sorted(by: { $0.path < $1.path }) {
      guard let node = tree.nodes[inode] else { continue }
      let isLink = node.attributes.kind == .symbolicLink
      var thing = Thing(kind: node.attributes.kind, permissions: isLink ? 0 : node.attributes.permissions)
      if isLink { thing.text = node.text }
      if node.attributes.kind != .directory {
        thing.sameAs = names[inode]
        names[inode] = names[inode] ?? path
      }
      if node.attributes.kind == .regular && thing.sameAs == nil {
        thing.size = node.content.size
        thing.blocks = stride(from: 0, to: thing.size, by: Int(Self.blockBytes)).map { low in
          XXH3.digest128(of: disk.bytes(of: node.content, from: low, to: min(low + Self.blockBytes, thing.size)))
        }
      }
      things[path] = thing
    }
  }

  /// The tree of a volume.
  package init(of volume: any Volume) throws(FileCallError) {
    var paths: [(path: BytePath, status: FileStatus)] = []
    var waiting: [BytePath] = [.root]
    while let directory = waiting.popLast() {
      for entry in try volume.entries(of: directory, countMax: FaultDisk.entriesMax) {
        let path = directory.appending(entry.name)
        let status = try volume.status(at: path)
        paths.append((path, status))
        if status.kind == .directory { waiting.append(path) }
      }
    }
    var names: [UInt64: BytePath] = [:]
    for (path, status) in paths.sorted(by: { $0.path < $1.path }) {
      let isLink = status.kind == .symbolicLink
      var thing = Thing(kind: status.kind, permissions: isLink ? 0 : status.permissions)
      if isLink { thing.text = try volume.linkText(at: path) }
      if status.kind != .directory {
        thing.sameAs = names[status.inode]
        names[status.inode] = names[status.inode] ?? path
      }
      if status.kind == .regular && thing.sameAs == nil {
        thing.size = status.size
        thing.blocks = try Self.blocks(of: path, in: volume)
      }
      things[path] = thing
    }
  }

  private static func blocks(of path: BytePath, in volume: any Volume) throws(FileCallError) -> [Digest128] {
    let file = try volume.open(path, for: .reading)
    defer { try? volume.close(file) }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(blockBytes), alignment: 16)
    defer { block.deallocate() }
    var blocks: [Digest128] = []
    while true {
      var count = 0
      while count < block.count {
        let offset = UInt64(blocks.count * block.count + count)
        let piece = try volume.read(file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: block[count...]))
        if piece == 0 { break }
        count += piece
      }
      if count > 0 { blocks.append(XXH3.digest128(of: UnsafeRawBufferPointer(rebasing: block[..<count]))) }
      if count < block.count { return blocks }
    }
  }
}

extension SeenTree: CustomStringConvertible {
  /// One line a thing, sorted: "a regular 644 5 [1a2b…]".
  package var description: String {
    things.sorted { $0.key < $1.key }.map { path, thing in
      var line = "\(path) \(thing.kind.rawValue) \(String(thing.permissions, radix: 8))"
      if let first = thing.sameAs { return line + " is \(first)" }
      if thing.kind == .symbolicLink { line += " -> \(thing.text)" }
      if thing.kind == .regular {
        line += " \(thing.size) [\(thing.blocks.map { String("\($0)".prefix(4)) }.joined(separator: " "))]"
      }
      return line
    }.joined(separator: "\n")
  }
}
