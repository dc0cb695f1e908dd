import FaultDisk
import FileTracing
import Files

/// What each name stands for between the operations of a run: all of them, then what changes.
///
/// No tree is made anew, so a long run in a large tree takes as long as what it changes.
package struct FollowedNames {
  /// A name, and what it stands for now; nil where it is gone.
  package typealias Change = (path: BytePath, node: DiskTree.Node?)

  private struct Name: Hashable {
    let directory: UInt64
    let name: BytePath
  }

  private let root: UInt64
  private let records: [OperationRecord]
  private var place = 0
  private var reader: HistoryReader
  private var entries: [UInt64: [BytePath: UInt64]]
  private var names: [UInt64: Set<Name>] = [:]
  private var contents: [UInt64: FileContent]

  /// In front of the first operation.
  package init(_ recording: Recording) {
    root = recording.tree.root
    records = recording.records
    reader = HistoryReader(recording)
    entries = recording.tree.entries
    contents = recording.tree.nodes.mapValues(\.content)
    for (directory, children) in entries {
      for (name, inode) in children { names[inode, default: []].insert(Name(directory: directory, name: name)) }
    }
  }

  /// Everything as it is now, but the root.
  package var all: [Change] {
    var found: [Change] = []
    tell(root, at: .root, isThere: true, to: &found)
    return found.filter { !$0.path.isRoot }
  }

  /// What the next operation changes, in order; nil behind the last operation.
  package mutating func next() throws(HistoryError) -> [Change]? {
    guard place < records.count else { return nil }
    place += 1
    var found: [Change] = []
    switch try reader.step(records[place - 1]) {
    case .metadata(let change):
      for part in change.changes {
        guard case .name(let directory, let name) = part.slot else { continue }
        let inode: UInt64? = if case .inode(let inode) = part.value { inode } else { nil }
        put(inode, at: Name(directory: directory, name: name), tellingTo: &found)
      }
    case .content(let inode, let change):
      contents[inode, default: FileContent()].take(change)
      for name in names[inode] ?? [] {
        if let path = path(of: name) { found.append((path, node(inode))) }
      }
    case .synchronized, .synchronizedAll, .dropped, nil: break
    }
    return found
  }

  private mutating func put(_ inode: UInt64?, at name: Name, tellingTo found: inout [Change]) {
    let path = path(of: name)
    if let old = entries[name.directory]?[name.name] {
      if let path { tell(old, at: path, isThere: false, to: &found) }
      names[old]?.remove(name)
    }
    entries[name.directory, default: [:]][name.name] = inode
    guard let inode else { return }
    names[inode, default: []].insert(name)
    if let path { tell(inode, at: path, isThere: true, to: &found) }
  }

  private func tell(_ inode: UInt64, at path: BytePath, isThere: Bool, to found: inout [Change]) {
    found.append((path, isThere ? node(inode) : nil))
    for (name, child) in entries[inode] ?? [:] {
      tell(child, at: path.appending(name), isThere: isThere, to: &found)
    }
  }

  private func node(_ inode: UInt64) -> DiskTree.Node? {
    reader.namespace.nodes[inode].map { node in
      DiskTree.Node(
        attributes: node.attributes, text: node.text, content: contents[inode] ?? FileContent(),
        extendedAttributes: node.extendedAttributes)
    }
  }

  /// Nil for what is below a directory without a name.
  private func path(of name: Name) -> BytePath? {
    var components = [name.name]
    var directory = name.directory
    while directory != root {
      guard let above = names[directory]?.first else { return nil }
      components.append(above.name)
      directory = above.directory
    }
    return components.reversed().reduce(BytePath.root) { $0.appending($1) }
  }
}

extension Recording {
  /// The tree as the program has left it.
  package func treeAtEnd() throws(HistoryError) -> DiskTree {
    let window = try CrashWindow(self, .strict, isPowerCut: true, at: .max)
    let cut = window.newestCut
    var tree = window.tree(cut, cut.namespace.reachable, [:])
    for (inode, file) in window.files { tree.nodes[inode]?.content = file.current }
    return tree
  }
}
