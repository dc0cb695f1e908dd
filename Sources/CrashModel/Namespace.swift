import FaultDisk
import FileTracing
import Files

/// Names and attributes of a tree at one moment; the bytes of files are told elsewhere.
struct Namespace: Hashable, Sendable {
  /// What is known of an inode whatever its names.
  struct Node: Hashable, Sendable {
    var attributes: RecordedAttributes
    var text = BytePath.root
    var extendedAttributes: [BytePath: [UInt8]] = [:]
  }

  let root: UInt64
  /// What each directory holds; nothing for those that hold nothing.
  private(set) var entries: [UInt64: [BytePath: UInt64]]
  private(set) var nodes: [UInt64: Node]

  init(_ tree: DiskTree) {
    root = tree.root
    entries = tree.entries.filter { !$0.value.isEmpty }
    nodes = tree.nodes.mapValues {
      Node(attributes: $0.attributes, text: $0.text, extendedAttributes: $0.extendedAttributes)
    }
  }

  /// Knows an inode, which has no name by that.
  mutating func know(_ inode: UInt64, _ node: Node) { nodes[inode] = node }

  mutating func apply(_ change: SlotChange) {
    switch (change.slot, change.value) {
    case (.name(let directory, let name), .inode(let inode)): entries[directory, default: [:]][name] = inode
    case (.name(let directory, let name), _):
      entries[directory]?[name] = nil
      if entries[directory]?.isEmpty == true { entries[directory] = nil }
    case (.attributes(let inode), .attributes(let attributes)):
      nodes[inode, default: Node(attributes: attributes)].attributes = attributes
    case (.extendedAttribute(let inode, let name), .bytes(let bytes)):
      nodes[inode]?.extendedAttributes[name] = bytes
    case (.extendedAttribute(let inode, let name), _): nodes[inode]?.extendedAttributes[name] = nil
    case (.attributes(let inode), _): nodes[inode] = nil
    }
  }

  mutating func apply(_ change: MetadataChange) { for change in change.changes { apply(change) } }

  func value(of slot: Slot) -> SlotValue {
    switch slot {
    case .name(let directory, let name): return entries[directory]?[name].map { .inode($0) } ?? .none
    case .attributes(let inode): return nodes[inode].map { .attributes($0.attributes) } ?? .none
    case .extendedAttribute(let inode, let name):
      return nodes[inode]?.extendedAttributes[name].map { .bytes($0) } ?? .none
    }
  }

  /// What a path leads to.
  func inode(at path: BytePath) -> UInt64? {
    var place = root
    for name in path.components {
      guard let next = entries[place]?[name] else { return nil }
      place = next
    }
    return place
  }

  /// All names of an inode, in order.
  func names(of inode: UInt64) -> [Slot] {
    var found: [(UInt64, BytePath)] = []
    for (directory, names) in entries {
      for (name, other) in names where other == inode { found.append((directory, name)) }
    }
    return found.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map { .name(directory: $0.0, name: $0.1) }
  }

  /// Everything that a walk from the root finds, directories before what is in them, by path. A directory that is inside
  /// itself, as free orders can build it, is entered once.
  var reachable: [(path: BytePath, inode: UInt64)] {
    var found: [(path: BytePath, inode: UInt64)] = []
    var waiting: [(path: BytePath, inode: UInt64, above: [UInt64])] = [(.root, root, [])]
    while let (path, inode, above) = waiting.popLast() {
      found.append((path, inode))
      guard let names = entries[inode], !names.isEmpty else { continue }
      let within = above + [inode]
      for (name, child) in names.sorted(by: { $0.key > $1.key }) where !within.contains(child) {
        waiting.append((path.appending(name), child, within))
      }
    }
    return found
  }
}
