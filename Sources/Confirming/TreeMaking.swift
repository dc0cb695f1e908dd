import FaultDisk
import Files

extension DiskTree {
  /// Makes it in an empty directory, with the permissions and hard links that it has.
  func make(in volume: HostVolume, from disk: FaultDisk) throws(FileCallError) {
    var names: [UInt64: BytePath] = [:]
    var directories: [(path: BytePath, permissions: UInt16)] = []
    var waiting: [(path: BytePath, inode: UInt64)] = [(.root, root)]
    while let (directory, number) = waiting.popLast() {
      for (name, inode) in entries[number]?.sorted(by: { $0.key < $1.key }) ?? [] {
        guard let node = nodes[inode] else { continue }
        let path = directory.appending(name)
        if let first = names[inode] {
          try volume.link(first, to: path)
          continue
        }
        names[inode] = path
        switch node.attributes.kind {
        case .directory:
          try volume.makeDirectory(path, permissions: 0o700)
          directories.append((path, node.attributes.permissions))
          waiting.append((path, inode))
        case .symbolicLink: try volume.makeSymbolicLink(path, to: node.text)
        case .regular, .unknown: try make(node, path, in: volume, from: disk)
        default:
          try volume.makeNode(
            path, kind: node.attributes.kind, permissions: node.attributes.permissions,
            device: node.attributes.deviceNumber)
        }
      }
    }
    for directory in directories.reversed() {
      let file = try volume.open(directory.path, for: .directory)
      defer { try? volume.close(file) }
      try volume.setAttributes(file, permissions: directory.permissions, modified: nil)
    }
  }

  private func make(
    _ node: Node, _ path: BytePath, in volume: HostVolume, from disk: FaultDisk
  ) throws(FileCallError) {
    let file = try volume.open(path, for: .creating(permissions: 0o600))
    defer { try? volume.close(file) }
    var offset: UInt64 = 0
    while offset < node.content.size {
      let end = min(node.content.size, offset + Self.pieceBytes)
      try volume.writeWhole(file, at: offset, disk.bytes(of: node.content, from: offset, to: end))
      offset = end
    }
    try volume.setAttributes(file, permissions: node.attributes.permissions, modified: nil)
  }

  private static let pieceBytes: UInt64 = 1 << 20
}
