import Files

/// Names for contents whose bytes stay where they are in the arena.
///
/// What is named reads the same for as long as the names are kept; names that are let go are never given again.
struct ContentNames {
  /// How many contents have a name at the most.
  static let namesMax = 1 << 15
  /// How many extents these contents have together at the most.
  static let extentsMax = 1 << 18

  private var names: [FileContent: ContentName] = [:]
  private var extentCount = 0

  /// No names.
  init() {}

  /// The content's name, the same as before where it has one.
  mutating func name(of content: FileContent) -> ContentName {
    if let known = names[content] { return known }
    let count = content.extents.extents.count
    if names.count >= ContentNames.namesMax || extentCount + count > ContentNames.extentsMax { forget() }
    let name = ContentName.unused()
    names[content] = name
    extentCount += count
    return name
  }

  /// Lets all names go, to make room.
  private mutating func forget() {
    names.removeAll()
    extentCount = 0
  }
}

extension DiskEngine {
  /// A name for what a handle reads; nil where bytes may go from where they are, or something may spoil the reading.
  ///
  /// Only what stood in the arena at a `keepForShowing` stays, until that ends. What was written since makes way for the next tree
  /// that is shown, and other bytes come to the same place.
  mutating func contentName(of handle: UInt64, _ caller: Caller) throws(Errno) -> ContentName? {
    try admit(caller)
    let open = try handles.handle(handle, volume: caller.volume)
    guard !arenaEndsKept.isEmpty, rules.isEmpty, imposed.isEmpty, open.access.reads else { return nil }
    let inode = open.inode
    guard inode.kind == .regular, inode.badBlocks.isEmpty, !inode.isPlaceholder else { return nil }
    let content = inode.content
    let end = content.extents.extents.reduce(0) { $1.isWritten ? max($0, $1.address + $1.length) : $0 }
    guard let level = arenaEndsKept.firstIndex(where: { end <= $0 }) else { return nil }
    return contentNames[level].name(of: content)
  }
}
