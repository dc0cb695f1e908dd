import Files

/// Names for contents whose bytes stay where they are in the arena, and for the folders that hold them.
///
/// What is named reads the same for as long as the names are kept; names that are let go are never given again.
struct ContentNames {
  /// A thing in a folder, or the folder itself, without a name then; `content` is nil where it is told by its text.
  struct Entry: Hashable {
    var name: BytePath
    var kind: FileKind
    var permissions: UInt16
    var text: BytePath
    var content: ContentName?
  }

  /// How many contents have a name at the most.
  static let namesMax = 1 << 15
  /// How many extents and entries these contents have together at the most.
  static let partsMax = 1 << 18

  private var names: [FileContent: ContentName] = [:]
  private var folders: [[Entry]: ContentName] = [:]
  private var partCount = 0

  /// No names.
  init() {}

  /// The content's name, the same as before where it has one.
  mutating func name(of content: FileContent) -> ContentName {
    if let known = names[content] { return known }
    let name = newName(parts: content.extents.extents.count)
    names[content] = name
    return name
  }

  /// The name of a folder with these entries, which stand in order.
  mutating func name(of entries: [Entry]) -> ContentName {
    if let known = folders[entries] { return known }
    let name = newName(parts: entries.count)
    folders[entries] = name
    return name
  }

  /// Lets all names go where there are too many.
  private mutating func newName(parts: Int) -> ContentName {
    if names.count + folders.count >= ContentNames.namesMax || partCount + parts > ContentNames.partsMax {
      names.removeAll()
      folders.removeAll()
      partCount = 0
    }
    partCount += parts
    return ContentName.unused()
  }
}

// Only what stood in the arena at a `keepForShowing` has a name, until that ends. What was written since makes way for
// the next tree that is shown, and other bytes come to the same place.
extension DiskEngine {
  /// How deep folders within folders are named.
  private static let namedDepthMax = 16

  /// A name for what a handle reads; nil where bytes may go from where they are, or something may spoil the reading.
  mutating func contentName(of handle: UInt64, _ caller: Caller) throws(Errno) -> ContentName? {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    guard givesNames, open.access.reads, open.inode.kind == .regular else { return nil }
    return fileName(of: open.inode)?.name
  }

  /// What stands at a path, and its name; nil as for a handle.
  mutating func named(at path: BytePath, _ caller: Caller) throws(Errno) -> NamedContent? {
    try admit(caller)
    guard givesNames else { return nil }
    let inode = try inode(at: path, caller)
    let name = inode.kind == .directory ? folderName(of: inode, depth: 0)?.name : fileName(of: inode)?.name
    return name.map { NamedContent(status: status(of: inode), name: $0) }
  }

  private var givesNames: Bool { !arenaEndsKept.isEmpty && rules.isEmpty && imposed.isEmpty }

  /// The name of a file's bytes, and the level that keeps them; nil for anything but a sound file.
  private mutating func fileName(of inode: Inode) -> (name: ContentName, level: Int)? {
    guard inode.kind == .regular, inode.badBlocks.isEmpty, !inode.isPlaceholder else { return nil }
    let content = inode.content
    let end = content.extents.extents.reduce(0) { $1.isWritten ? max($0, $1.address + $1.length) : $0 }
    guard let level = arenaEndsKept.firstIndex(where: { end <= $0 }) else { return nil }
    return (contentNames[level].name(of: content), level)
  }

  /// The name of all that is below a folder; nil where something there has none. It lasts as long as the shortest of them.
  private mutating func folderName(of inode: Inode, depth: Int) -> (name: ContentName, level: Int)? {
    guard depth < DiskEngine.namedDepthMax, let directory = inode.directory else { return nil }
    var level = 0
    var entries = [
      ContentNames.Entry(name: .root, kind: .directory, permissions: inode.permissions, text: .root, content: nil)
    ]
    for (name, inner) in directory.sortedEntries {
      var entry = ContentNames.Entry(
        name: name, kind: inner.kind, permissions: inner.permissions, text: inner.text, content: nil)
      if inner.kind != .symbolicLink {
        let found = inner.kind == .directory ? folderName(of: inner, depth: depth + 1) : fileName(of: inner)
        guard let found else { return nil }
        entry.content = found.name
        level = max(level, found.level)
      }
      entries.append(entry)
    }
    return (contentNames[level].name(of: entries), level)
  }
}
