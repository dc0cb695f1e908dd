import Files

/// A folder of documents as a value: what stands at each path.
package struct PackageTree: Hashable, Sendable {
  /// What stands at one path.
  package enum Node: Hashable, Sendable {
    case directory
    case file([UInt8])
    /// A FIFO, socket, device or symbolic link.
    case special(FileKind)
    /// A second name of the file at this path.
    case secondName(of: BytePath)
  }

  private var nodes: [BytePath: Node] = [:]

  /// An empty folder.
  package init() {}

  /// Every path, a folder before what is in it.
  package var paths: [BytePath] { nodes.keys.sorted() }

  /// What stands at a path; nil for nothing.
  package subscript(path: BytePath) -> Node? { nodes[path] }

  /// The bytes of the file at a path, also by its second name; nil where there is none.
  package func bytes(at path: BytePath) -> [UInt8]? {
    switch nodes[path] {
    case .file(let bytes): bytes
    case .secondName(let other): bytes(at: other)
    default: nil
    }
  }

  /// Puts something at a path, in the place of what stood there, and makes the folders above it.
  package mutating func put(_ node: Node, at path: BytePath) {
    if !path.parent.isRoot, nodes[path.parent] != .directory { put(.directory, at: path.parent) }
    keepSecondNames(of: path)
    nodes[path] = node
  }

  /// Takes away what stands at a path, and all below it.
  package mutating func remove(_ path: BytePath) {
    for other in paths where other.isWithin(path) {
      keepSecondNames(of: other)
      nodes[other] = nil
    }
  }

  /// What is a second name of the file at a path stays what it is when that goes.
  private mutating func keepSecondNames(of path: BytePath) {
    for (other, node) in nodes where node == .secondName(of: path) {
      nodes[other] = bytes(at: path).map { .file($0) }
    }
  }

  /// Gives what stands at a path, and all below it, another place.
  package mutating func rename(_ path: BytePath, to place: BytePath) {
    for (other, node) in copies(of: path, at: place) { put(node, at: other) }
    remove(path)
  }

  /// Copies what stands at a path, and all below it.
  package mutating func copy(_ path: BytePath, to place: BytePath) {
    for (other, node) in copies(of: path, at: place) { put(node, at: other) }
  }

  private func copies(of path: BytePath, at place: BytePath) -> [(BytePath, Node)] {
    paths.filter { $0.isWithin(path) }.compactMap { other in
      nodes[other].map { (BytePath(bytes: place.bytes + other.bytes.dropFirst(path.bytes.count)), $0) }
    }
  }

  /// Makes all of it on an empty volume.
  package func write(to volume: some Volume) throws(FileCallError) {
    for path in paths {
      switch nodes[path] {
      case .directory: try volume.makeDirectory(path, permissions: 0o755)
      case .file(let bytes):
        let file = try volume.open(path, for: .creating(permissions: 0o644))
        defer { try? volume.close(file) }
        try volume.writeWhole(file, bytes)
      case .special(.symbolicLink): try volume.makeSymbolicLink(path, to: "elsewhere")
      case .special(let kind): try volume.makeNode(path, kind: kind, permissions: 0o644, device: 0)
      case .secondName, nil: break
      }
    }
    for path in paths {
      if case .secondName(let other) = nodes[path] { try volume.link(other, to: path) }
    }
  }
}
