import Files

/// The bytes of an entry, wherever they are held.
enum ArchiveContent: Sendable {
  /// A folder, a link, a device: nothing to read.
  case none
  case memory([UInt8])
  /// In the unnamed file, from an offset on.
  case spooled(at: UInt64)
  /// Not held: why reading fails.
  case refused(Errno)
}

/// One file, folder or other thing of an archive.
struct ArchiveNode: Sendable {
  var kind: FileKind
  var size: UInt64 = 0
  var permissions: UInt16 = 0o755
  var modified: Int64 = 0
  var content = ArchiveContent.none
  /// False where the end of its content is missing.
  var isWhole = true
  /// The text of a symbolic link.
  var link = BytePath.root
  /// What is in a folder, by name.
  var children: [BytePath: Int] = [:]
}

/// The names of an archive as a tree, made entry by entry; nothing in a name can lead out of it.
struct ArchiveTree: Sendable {
  /// All nodes; the first is the root.
  private(set) var nodes = [ArchiveNode(kind: .directory)]

  /// How a name was taken in.
  enum Outcome: Hashable {
    case added
    /// Another entry had the name; the better one is kept.
    case doubled
  }

  /// Where a path leads; nil where nothing is.
  func find(_ path: BytePath) -> Int? {
    var place = 0
    for name in path.components {
      guard let next = nodes[place].children[name] else { return nil }
      place = next
    }
    return place
  }

  /// Takes an entry in, with the folders above it.
  mutating func add(_ node: ArchiveNode, at path: BytePath) -> Outcome {
    var place = 0
    for name in path.components.dropLast() {
      place = child(name, of: place) ?? make(ArchiveNode(kind: .directory), name, in: place)
      if nodes[place].kind != .directory { return .doubled }
    }
    guard let there = child(path.name, of: place) else {
      _ = make(node, path.name, in: place)
      return .added
    }
    let old = nodes[there]
    if old.kind == .directory && node.kind == .directory {
      // A folder may follow what is in it.
      nodes[there].permissions = node.permissions
      nodes[there].modified = node.modified
      return .added
    }
    if old.kind != .directory && node.kind != .directory && (node.isWhole || !old.isWhole) { nodes[there] = node }
    return .doubled
  }

  /// The same tree below a folder of this name.
  func wrapped(in name: BytePath) -> ArchiveTree {
    var tree = self
    let top = tree.nodes[0]
    tree.nodes[0] = ArchiveNode(kind: .directory, children: [name: tree.nodes.count])
    tree.nodes.append(top)
    return tree
  }

  private func child(_ name: BytePath, of place: Int) -> Int? { nodes[place].children[name] }

  private mutating func make(_ node: ArchiveNode, _ name: BytePath, in place: Int) -> Int {
    nodes.append(node)
    nodes[place].children[name] = nodes.count - 1
    return nodes.count - 1
  }
}
