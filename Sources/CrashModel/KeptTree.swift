import FaultDisk
import Files

/// A tree as what differs from another one, which many have in common.
struct KeptTree: Sendable {
  fileprivate final class Whole: Sendable {
    let tree: DiskTree
    init(_ tree: DiskTree) { self.tree = tree }
  }

  private let whole: Whole
  /// The nodes that are others; nil for those that are not there.
  private let nodes: [UInt64: DiskTree.Node?]
  /// The names that stand for others; nil for those that are not there.
  private let names: [UInt64: [BytePath: UInt64?]]

  /// The tree that `whole` is, or what differs from it.
  fileprivate init(_ tree: DiskTree, from whole: Whole) {
    self.whole = whole
    nodes = Self.differences(tree.nodes, whole.tree.nodes)
    var names: [UInt64: [BytePath: UInt64?]] = [:]
    for directory in Set(tree.entries.keys).union(whole.tree.entries.keys) {
      let found = Self.differences(tree.entries[directory] ?? [:], whole.tree.entries[directory] ?? [:])
      if !found.isEmpty { names[directory] = found }
    }
    self.names = names
  }

  private static func differences<Key, Value: Equatable>(
    _ some: [Key: Value], _ others: [Key: Value]
  ) -> [Key: Value?] {
    var found: [Key: Value?] = [:]
    for (key, value) in some where others[key] != value { found[key] = value }
    for key in others.keys where some[key] == nil { found[key] = .some(nil) }
    return found
  }

  /// All of it.
  var tree: DiskTree {
    var tree = whole.tree
    for (inode, node) in nodes { tree.nodes[inode] = node }
    for (directory, names) in names {
      for (name, inode) in names { tree.entries[directory, default: [:]][name] = inode }
      if tree.entries[directory]?.isEmpty == true { tree.entries[directory] = nil }
    }
    return tree
  }

  /// About how many bytes it takes besides what it has in common with others.
  var bytes: Int {
    Self.bytesAtLeast + nodes.reduce(0) { $0 + (($1.value).map(Self.bytes) ?? Self.bytesOfName) }
      + names.reduce(0) { $0 + Self.bytesOfName * (1 + $1.value.count) }
  }

  /// About how many bytes a whole tree takes.
  fileprivate static func bytes(of tree: DiskTree) -> Int {
    bytesAtLeast + tree.nodes.values.reduce(0) { $0 + bytes(of: $1) }
      + tree.entries.values.reduce(0) { $0 + bytesOfName * (1 + $1.count) }
  }

  private static func bytes(of node: DiskTree.Node) -> Int {
    2 * MemoryLayout<DiskTree.Node>.stride + node.content.extents.extents.count * MemoryLayout<Extent>.stride
      + node.extendedAttributes.reduce(0) { $0 + bytesOfName + $1.value.count }
  }

  private static let bytesOfName = 64
  fileprivate static let bytesAtLeast = 512
}

/// Where trees are kept that follow each other and are alike: a whole one now and then, and differences.
struct TreeShelf: Sendable {
  private var whole: KeptTree.Whole?
  private var bytesOfWhole = 0
  /// About how many bytes all that was kept takes.
  private(set) var bytes = 0
  /// A tree of which more than one part in so many differs is kept whole.
  private static let partsOfWhole = 4

  mutating func keep(_ tree: DiskTree) -> KeptTree {
    if let whole, whole.tree.root == tree.root {
      let kept = KeptTree(tree, from: whole)
      if kept.bytes <= max(bytesOfWhole / Self.partsOfWhole, KeptTree.bytesAtLeast) {
        bytes += kept.bytes
        return kept
      }
    }
    let whole = KeptTree.Whole(tree)
    self.whole = whole
    bytesOfWhole = KeptTree.bytes(of: tree)
    bytes += bytesOfWhole
    return KeptTree(tree, from: whole)
  }
}
