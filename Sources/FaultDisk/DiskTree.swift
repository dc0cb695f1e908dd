import Bytes
import FileTracing
import Files

/// A whole tree as a value: what a crash may leave, or with what a recording begins.
///
/// Its bytes stand in the arena of the disk it was taken from.
package struct DiskTree: Hashable, Sendable {
  /// A file, directory or symbolic link, whatever its names.
  package struct Node: Hashable, Sendable {
    /// What it is, and its permissions, owner and times.
    package var attributes: RecordedAttributes
    /// The text of a symbolic link.
    package var text: BytePath
    /// The bytes of a file.
    package var content: FileContent
    /// Its extended attributes.
    package var extendedAttributes: [BytePath: [UInt8]]

    /// A node of these values.
    package init(
      attributes: RecordedAttributes, text: BytePath = .root, content: FileContent = FileContent(),
      extendedAttributes: [BytePath: [UInt8]] = [:]
    ) {
      self.attributes = attributes
      self.text = text
      self.content = content
      self.extendedAttributes = extendedAttributes
    }
  }

  /// The node of the root directory.
  package var root: UInt64
  /// The nodes, by the number of their inode.
  package var nodes: [UInt64: Node]
  /// What each directory holds.
  package var entries: [UInt64: [BytePath: UInt64]]

  /// A tree of these nodes and names.
  package init(root: UInt64, nodes: [UInt64: Node], entries: [UInt64: [BytePath: UInt64]]) {
    self.root = root
    self.nodes = nodes
    self.entries = entries
  }
}

/// What a disk recorded: the tree at the beginning, and every operation since.
package struct Recording: Sendable {
  /// The tree at the beginning.
  package var tree: DiskTree
  /// The operations in their order; the bytes of writes stand in the arena.
  package var records: [OperationRecord]
  /// The values of extended attributes that were set, by the number of the record.
  package var attributeValues: [UInt64: [UInt8]]

  /// A recording of these values.
  package init(tree: DiskTree, records: [OperationRecord], attributeValues: [UInt64: [UInt8]] = [:]) {
    self.tree = tree
    self.records = records
    self.attributeValues = attributeValues
  }
}

extension FaultDisk {
  /// What was recorded since the last `beginRecording` or `restart`.
  ///
  /// Nil where the log does not keep data or has let records go.
  package var recording: Recording? { withEngine { $0.recording } }

  /// The bytes of a content from `low` to `high`; what no extent covers is zeros.
  package func bytes(of content: FileContent, from low: UInt64, to high: UInt64) -> [UInt8] {
    withEngine { $0.bytes(of: content, from: low, to: high) }
  }

  /// The digest of a content's bytes from `low` to `high`, zeros included.
  package func digest(of content: FileContent, from low: UInt64, to high: UInt64) -> Digest128 {
    withEngine { engine in
      let stream = XXH3Stream()
      for piece in engine.pieces(of: content.extents, from: low, to: high) { stream.update(piece) }
      return stream.digest128
    }
  }

  /// Keeps the bytes of everything so far, for trees that are shown later. The disk is for looking from now on.
  ///
  /// It nests: what a program did in a shown tree is a recording too, whose own trees can be shown until `endShowing`.
  package func keepForShowing() { withEngine { $0.keepForShowing() } }

  /// Ends the last `keepForShowing`: bytes that were written since are no longer kept.
  package func endShowing() { withEngine { $0.endShowing() } }

  /// Makes `tree` the whole disk, durable and running, with a fresh log. All open files and volumes are dead.
  ///
  /// What was written since `keepForShowing` is forgotten, so that its memory is used again.
  ///
  /// - Parameter isRecorded: true where what is done then shall be a recording of its own.
  package func show(_ tree: DiskTree, isRecorded: Bool = true) { withEngine { $0.show(tree, isRecorded: isRecorded) } }

  /// A `restart` behind which this tree is there, whatever survived; it is of this disk's own recording.
  package func restart(with tree: DiskTree) { withEngine { $0.restart(with: tree) } }
}

extension DiskTree {
  init(_ tree: SetUpTree) {
    var nodes: [UInt64: Node] = [:]
    var entries: [UInt64: [BytePath: UInt64]] = [:]
    var directories: [BytePath: UInt64] = [:]
    for item in tree.items {
      if !item.path.isRoot, let directory = directories[item.path.parent] {
        entries[directory, default: [:]][item.path.name] = item.inode
      }
      if item.linkOf != nil { continue }
      if item.attributes.kind == .directory { directories[item.path] = item.inode }
      nodes[item.inode] = Node(
        attributes: item.attributes, text: item.text, content: item.content,
        extendedAttributes: item.extendedAttributes)
    }
    self.init(root: tree.items.first?.inode ?? 1, nodes: nodes, entries: entries)
  }
}

extension DiskEngine {
  /// A tree that a restart made, and the last record in front of it.
  struct Restart {
    let tree: SetUpTree
    let lastRecord: UInt64
  }

  /// The records behind the last restart, or behind the beginning.
  fileprivate var recording: Recording? {
    guard let tree = treeAtRestart?.tree ?? treeAtBeginning, log.droppedCount == 0 else { return nil }
    let first = treeAtRestart?.lastRecord ?? 0
    // All of them are the log's own array, and no copy.
    let isWhole = log.records.first.map { $0.number > first } ?? true
    let records = isWhole ? log.records : log.records.filter { $0.number > first }
    var values: [UInt64: [UInt8]] = [:]
    for record in records where record.kind == .setxattr { values[record.number] = data(of: record) }
    return Recording(tree: DiskTree(tree), records: records, attributeValues: values)
  }

  mutating func keepForShowing() {
    pinCount += 1
    arenaEndsKept.append(arena.end)
    contentNames.append(ContentNames())
  }

  mutating func endShowing() {
    guard arenaEndsKept.popLast() != nil else { return }
    pinCount -= 1
    contentNames.removeLast()
  }

  /// Another engine with the tree as it is, behind the same bytes.
  func copyOfTree() -> DiskEngine {
    var copy = DiskEngine(
      DiskConfiguration(logKeepsData: false, names: configuration.names), arena: LogArena(behind: arena))
    var growth = TreeGrowth(DiskTree(setUpTree()), configuration.names, first: 1)
    let root = growth.grow()
    for (number, inode) in growth.inodes {
      guard let original = try? self.inode(number) else { continue }
      inode.badBlocks = original.badBlocks
      inode.isPlaceholder = original.isPlaceholder
    }
    copy.replaceTree(by: growth.made, root: root)
    copy.arenaEndsKept = arenaEndsKept
    copy.contentNames = contentNames
    copy.pinCount = 1
    return copy
  }

  mutating func restart(with tree: DiskTree) {
    var growth = TreeGrowth(tree, configuration.names, first: nextInodeNumber)
    let root = growth.grow()
    replaceTree(by: growth.made, root: root)
    noteTreeAtRestart()
  }

  mutating func show(_ tree: DiskTree, isRecorded: Bool) {
    if let end = arenaEndsKept.last { arena.forget(behind: end) }
    var growth = TreeGrowth(tree, configuration.names, first: 1)
    let root = growth.grow()
    replaceTree(by: growth.made, root: root)
    log.removeAll()
    firings.removeAll()
    recordCount = 0
    countedCount = 0
    lackedMemory = false
    if isRecorded { return noteTreeAtBeginning() }
    treeAtBeginning = nil
    treeAtRestart = nil
  }
}

/// The making of inodes from a tree that is a value, with new numbers, all of it durable.
private struct TreeGrowth {
  private let tree: DiskTree
  private let names: NameRules
  private let first: UInt64
  /// The new inodes in the order of their numbers.
  private(set) var made: [Inode] = []
  /// The same by the numbers of the tree's nodes.
  private(set) var inodes: [UInt64: Inode] = [:]

  init(_ tree: DiskTree, _ names: NameRules, first: UInt64) {
    self.tree = tree
    self.names = names
    self.first = first
  }

  mutating func grow() -> Inode {
    let root = inode(tree.root)
    root.directory?.isRoot = true
    var waiting = [tree.root]
    while let number = waiting.popLast() {
      guard let directory = inodes[number]?.directory else { continue }
      for (name, child) in tree.entries[number] ?? [:] where tree.nodes[child] != nil {
        let isNew = inodes[child] == nil
        let inode = inode(child)
        directory.set(name, inode)
        let inodeName = InodeName(directory: inodes[number]?.number ?? 0, name: name)
        inode.names.append(inodeName)
        inode.lastName = inodeName
        if isNew && inode.kind == .directory { waiting.append(child) }
      }
      directory.makeDurable()
    }
    return root
  }

  private mutating func inode(_ number: UInt64) -> Inode {
    if let known = inodes[number] { return known }
    let node =
      tree.nodes[number] ?? DiskTree.Node(attributes: RecordedAttributes(kind: .directory, permissions: 0o755))
    let inode = Inode(first + UInt64(made.count), node.attributes, names)
    inode.text = node.text
    inode.content = node.content
    inode.durableContent = node.content
    inode.extendedAttributes = node.extendedAttributes
    inode.durableExtendedAttributes = node.extendedAttributes
    inodes[number] = inode
    made.append(inode)
    return inode
  }
}
