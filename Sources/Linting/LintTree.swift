import FileTracing
import Files

/// The tree of a run, twice: as the program sees it, and as far as it is durable.
///
/// A node is a file or directory, whatever its names; its place in `nodes` never changes. The root is node 0.
struct LintTree {
  /// A file or directory.
  struct Node {
    var kind: FileKind
    /// The size as the program sees it.
    var size: UInt64 = 0
    /// The size that is durable; nil where the content never was.
    var durableSize: UInt64?
    /// The steps that no fsync covers: the first and the last.
    var unsynced: (first: LintStep, last: LintStep)?
    /// The step that emptied a durable file, until its next fsync.
    var emptied: LintStep?
    /// The record of its last fsync.
    var lastSync: UInt64 = 0
    /// Where its names are, in the order in which they were made.
    var names: [Place] = []
    /// What a directory holds as the program sees it.
    var entries: [BytePath: Int] = [:]
    /// What a directory holds durably.
    var durable: [BytePath: Int] = [:]
    /// The last step that changed a name since the directory's last fsync.
    var changes: [BytePath: Change] = [:]
  }

  /// A name in a directory.
  struct Place: Hashable {
    var directory: Int
    var name: BytePath
  }

  /// What happened to a name last.
  struct Change {
    var step: LintStep
    /// The other end of a rename.
    var partner: Place?
    /// The removal that came before, where the name was durable.
    var removal: LintStep?
  }

  private(set) var nodes = [Node(kind: .directory)]
  private var byInode: [UInt64: Int] = [:]
  /// Directories with names that changed since their last fsync.
  private(set) var changedDirectories: Set<Int> = []

  static let root = 0

  /// Adds something that is there, durable, when the run begins.
  mutating func begin(with entry: LintStart) {
    let directory = node(at: entry.path.parent) ?? LintTree.root
    let node = add(entry.kind)
    nodes[node].size = entry.size
    nodes[node].durableSize = entry.size
    nodes[directory].entries[entry.path.name] = node
    nodes[directory].durable[entry.path.name] = node
    nodes[node].names = [Place(directory: directory, name: entry.path.name)]
  }

  mutating func add(_ kind: FileKind) -> Int {
    nodes.append(Node(kind: kind))
    return nodes.count - 1
  }

  /// The node at a path, as the program sees it.
  func node(at path: BytePath) -> Int? {
    var place = LintTree.root
    for name in path.components {
      guard let next = nodes[place].entries[name] else { return nil }
      place = next
    }
    return place
  }

  /// Where a path leads: its directory must be there.
  func place(of path: BytePath) -> Place? {
    node(at: path.parent).map { Place(directory: $0, name: path.name) }
  }

  /// The node that a record is about; remembers the number of its inode, so that it is found without a name too.
  mutating func node(of record: OperationRecord) -> Int? {
    if record.inode != 0, let known = byInode[record.inode] { return known }
    guard let found = node(at: record.path) else { return nil }
    if record.inode != 0 { byInode[record.inode] = found }
    return found
  }

  mutating func know(_ node: Int, as inode: UInt64) {
    if inode != 0 { byInode[inode] = node }
  }

  mutating func change(_ node: Int, _ body: (inout Node) -> Void) { body(&nodes[node]) }

  /// Puts a node at a name, or nothing; what was there loses the name.
  mutating func set(_ place: Place, to node: Int?, _ change: Change) {
    if let old = nodes[place.directory].entries[place.name] { nodes[old].names.removeAll { $0 == place } }
    nodes[place.directory].entries[place.name] = node
    if let node { nodes[node].names.append(place) }
    nodes[place.directory].changes[place.name] = change
    changedDirectories.insert(place.directory)
  }

  /// An fsync of a directory: its names are durable.
  mutating func settleNames(of directory: Int) {
    nodes[directory].durable = nodes[directory].entries
    nodes[directory].changes = [:]
    changedDirectories.remove(directory)
  }

  /// An fsync of a file: its bytes and size are durable.
  mutating func settleData(of node: Int, at record: UInt64) {
    nodes[node].unsynced = nil
    nodes[node].emptied = nil
    nodes[node].durableSize = nodes[node].size
    nodes[node].lastSync = record
  }

  /// sync(2): everything is durable.
  mutating func settleEverything(at record: UInt64) {
    for node in nodes.indices {
      if nodes[node].kind == .directory { settleNames(of: node) } else { settleData(of: node, at: record) }
    }
  }

  /// True where the name stands for something else than it durably does.
  func isDoubtful(_ place: Place) -> Bool {
    nodes[place.directory].entries[place.name] != nodes[place.directory].durable[place.name]
  }

  /// The path of a node by its newest name; nil where it has none that leads to the root.
  func path(of node: Int) -> BytePath? {
    if node == LintTree.root { return .root }
    guard let place = nodes[node].names.last else { return nil }
    return path(of: place)
  }

  /// The path of a name; nil where its directory is gone.
  func path(of place: Place) -> BytePath? { path(of: place.directory)?.appending(place.name) }

  /// All files at or below a node.
  func files(below node: Int) -> [Int] {
    if nodes[node].kind != .directory { return [node] }
    return nodes[node].entries.sorted { $0.key < $1.key }.flatMap { files(below: $0.value) }
  }
}
