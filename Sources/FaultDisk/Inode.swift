import Files

/// The bytes of a file: its size and where they stand.
struct FileContent: Hashable, Sendable {
  var extents = ExtentList()
  var size: UInt64 = 0
}

/// A name of an inode: in which directory, and how it is called there.
struct InodeName: Hashable {
  var directory: UInt64
  var name: BytePath
}

/// A file, directory or other thing on the disk. Confined to the disk's lock.
final class Inode {
  let number: UInt64
  let kind: FileKind
  var permissions: UInt16
  var owner: UInt32
  var group: UInt32
  /// Set by utimensat(2) only, as on a mount with noatime.
  var accessed: Int64
  var modified: Int64
  var changed: Int64
  /// The device number of a device file.
  var deviceNumber: UInt32 = 0
  /// The text of a symbolic link.
  var text = BytePath.root
  /// The bytes of a regular file.
  var content = FileContent()
  /// The bytes that fsync made durable; nil where it was never called: then nothing of them is.
  var durableContent: FileContent?
  /// The names of a directory; nil for anything else.
  let directory: Directory?
  /// The names it has; the last one given is the one that the log calls it by.
  var names: [InodeName] = []
  /// The name that it had last.
  var lastName: InodeName?
  /// True where it has neither names nor handles, and is kept because the kernel still knows it.
  var isGhost = false
  /// How many handles are open on it.
  var openCount = 0
  /// The handle that holds its lock.
  var lockHandle: UInt64?
  /// Its path, and the generation of paths to which that belongs.
  var cachedPath: (path: BytePath, generation: UInt64)?

  init(
    number: UInt64, kind: FileKind, permissions: UInt16, owner: UInt32, group: UInt32, time: Int64
  ) {
    self.number = number
    self.kind = kind
    self.permissions = permissions
    self.owner = owner
    self.group = group
    accessed = time
    modified = time
    changed = time
    directory = kind == .directory ? Directory() : nil
  }

  /// A copy with another number, without names, content and directory.
  func likeness(number: UInt64) -> Inode {
    let copy = Inode(
      number: number, kind: kind, permissions: permissions, owner: owner, group: group, time: modified)
    copy.accessed = accessed
    copy.changed = changed
    copy.deviceNumber = deviceNumber
    copy.text = text
    return copy
  }

  var attributes: InodeAttributes {
    InodeAttributes(
      number: number, kind: kind, size: kind == .symbolicLink ? UInt64(text.bytes.count) : content.size,
      allocatedBytes: content.extents.allocatedBytes,
      links: directory.map { UInt64($0.subdirectoryCount) + (names.isEmpty && !$0.isRoot ? 0 : 2) }
        ?? UInt64(names.count),
      permissions: permissions, owner: owner, group: group, deviceNumber: deviceNumber, accessed: accessed,
      modified: modified,
      changed: changed)
  }
}

/// The names in a directory, as they are and as fsync made them durable. Confined to the disk's lock.
final class Directory {
  private(set) var entries: [BytePath: Inode] = [:]
  /// What a power cut leaves at the least.
  private(set) var durableEntries: [BytePath: Inode] = [:]
  /// The names in which `entries` and `durableEntries` may differ, so that fsync costs what changed.
  private var changedNames: Set<BytePath> = []
  private(set) var subdirectoryCount = 0
  var isRoot = false

  /// Lets a name stand for an inode, or for nothing.
  func set(_ name: BytePath, _ inode: Inode?) {
    let old = inode.map { entries.updateValue($0, forKey: name) } ?? entries.removeValue(forKey: name)
    if old?.kind == .directory { subdirectoryCount -= 1 }
    if inode?.kind == .directory { subdirectoryCount += 1 }
    changedNames.insert(name)
  }

  /// Makes one name durable as it is.
  func makeDurable(_ name: BytePath) {
    durableEntries[name] = entries[name]
    changedNames.remove(name)
  }

  /// Makes all names durable as they are.
  func makeDurable() {
    for name in changedNames { durableEntries[name] = entries[name] }
    changedNames.removeAll(keepingCapacity: true)
  }

  /// The names as they are, sorted by bytes.
  var sortedEntries: [(name: BytePath, inode: Inode)] { Directory.sorted(entries) }

  /// The durable names, sorted by bytes.
  var sortedDurableEntries: [(name: BytePath, inode: Inode)] { Directory.sorted(durableEntries) }

  /// Sorts by the first eight bytes as one number where they differ: comparing names costs references, numbers do not.
  private static func sorted(_ entries: [BytePath: Inode]) -> [(name: BytePath, inode: Inode)] {
    let all = entries.map { (name: $0.key, inode: $0.value) }
    var keys = all.indices.map { (head: head(of: all[$0].name), place: $0) }
    keys.sort { $0.head == $1.head ? all[$0.place].name < all[$1.place].name : $0.head < $1.head }
    return keys.map { all[$0.place] }
  }

  private static func head(of name: BytePath) -> UInt64 {
    var head: UInt64 = 0
    for place in 0..<8 { head = head << 8 | (place < name.bytes.count ? UInt64(name.bytes[place]) : 0) }
    return head
  }
}
