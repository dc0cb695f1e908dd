import FileTracing
import Files

/// The bytes of a file: its size and where they stand.
package struct FileContent: Hashable, Sendable {
  /// Where its bytes stand.
  package var extents = ExtentList()
  /// Its size in bytes.
  package var size: UInt64 = 0

  /// A file of these bytes; an empty one.
  package init(extents: ExtentList = ExtentList(), size: UInt64 = 0) {
    self.extents = extents
    self.size = size
  }
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
  /// What the medium would hold once everything dirty is written; nil where that is `content`.
  var medium: FileContent?
  /// The version before the last changes that were made durable, or before the file took this name.
  var earlier: FileContent?
  /// True where something was changed since the last fsync.
  var isChanged = false
  /// What the last write took the place of; nil where nothing is known of one.
  var lastWrite: OverwrittenPart?
  /// The blocks of 4096 bytes that cannot be read.
  var badBlocks: Set<UInt64> = []
  /// True for a file that has a size, no blocks, and cannot be read.
  var isPlaceholder = false
  /// The write-back error that somebody may still have to be told of.
  var writeBackError = WriteBackError()
  /// The extended attributes.
  var extendedAttributes: ExtendedAttributes = [:]
  /// Those that fsync made durable.
  var durableExtendedAttributes: ExtendedAttributes = [:]
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
  /// The locks of fcntl(2) and flock(2) that a mount leaves to the disk.
  var locks = FileLocks()
  /// The handle that holds its lock at the in-process door.
  var lockHandle: UInt64?
  /// Its path, and the generation of paths to which that belongs.
  var cachedPath: (path: BytePath, generation: UInt64)?

  init(
    number: UInt64, kind: FileKind, permissions: UInt16, owner: UInt32, group: UInt32, time: Int64, names: NameRules
  ) {
    self.number = number
    self.kind = kind
    self.permissions = permissions
    self.owner = owner
    self.group = group
    accessed = time
    modified = time
    changed = time
    directory = kind == .directory ? Directory(names) : nil
  }

  /// A copy with another number, without names, content and directory.
  func likeness(number: UInt64) -> Inode {
    let copy = Inode(
      number: number, kind: kind, permissions: permissions, owner: owner, group: group, time: modified,
      names: directory?.rules ?? [])
    copy.accessed = accessed
    copy.changed = changed
    copy.deviceNumber = deviceNumber
    copy.text = text
    copy.extendedAttributes = extendedAttributes
    copy.durableExtendedAttributes = durableExtendedAttributes
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
  /// When two names are the same.
  let rules: NameRules
  private(set) var entries: [BytePath: Inode] = [:]
  /// What a power cut leaves at the least.
  private(set) var durableEntries: [BytePath: Inode] = [:]
  /// The names in which `entries` and `durableEntries` may differ, so that fsync costs what changed.
  private var changedNames: Set<BytePath> = []
  /// The names whose change was lost on its way to the medium, and is believed to be there.
  private var droppedNames: Set<BytePath> = []
  private(set) var subdirectoryCount = 0
  var isRoot = false
  /// The names in `entries` by what they are compared by; empty where that is their bytes.
  private var spellings: [NameKey: BytePath] = [:]

  init(_ rules: NameRules) { self.rules = rules }

  /// What a name stands for, in whatever spelling it is asked for; nil for nothing.
  func inode(named name: BytePath) -> Inode? { entries[spelling(of: name)] }

  /// A name as it is stored; as it is asked for, where it stands for nothing.
  func spelling(of name: BytePath) -> BytePath { rules.isEmpty ? name : spellings[rules.key(of: name)] ?? name }

  /// The names that are the same as this one and may differ in `entries` and `durableEntries`, with this one.
  private func changedSpellings(of name: BytePath) -> Set<BytePath> {
    if rules.isEmpty { return [name] }
    let key = rules.key(of: name)
    return changedNames.union(droppedNames).filter { rules.key(of: $0) == key }.union([name])
  }

  /// Lets a name stand for an inode, or for nothing.
  func set(_ name: BytePath, _ inode: Inode?) {
    let old = inode.map { entries.updateValue($0, forKey: name) } ?? entries.removeValue(forKey: name)
    if old?.kind == .directory { subdirectoryCount -= 1 }
    if inode?.kind == .directory { subdirectoryCount += 1 }
    if !rules.isEmpty { spellings[rules.key(of: name)] = inode.map { _ in name } }
    if droppedNames.isEmpty {
      changedNames.insert(name)
    } else {
      let same = changedSpellings(of: name)
      changedNames.formUnion(same)
      droppedNames.subtract(same)
    }
  }

  /// The changes since the last fsync count as clean and were not written.
  func dropDirtyNames() {
    droppedNames.formUnion(changedNames)
    changedNames.removeAll()
  }

  /// Makes all names durable as they show, also those that were lost.
  func settle() {
    changedNames.formUnion(droppedNames)
    droppedNames.removeAll()
    makeDurable()
  }

  /// The names that are there after a restart, sorted by bytes.
  func sortedEntries(after survivors: SurvivingState) -> [(name: BytePath, inode: Inode)] {
    if survivors == .keepNone { return sortedDurableEntries }
    if droppedNames.isEmpty { return sortedEntries }
    var written = entries
    for name in droppedNames { written[name] = durableEntries[name] }
    return Directory.sorted(written)
  }

  /// What a name stands for after a restart; nil for nothing.
  func inode(named name: BytePath, after survivors: SurvivingState) -> Inode? {
    survivors == .keepNone || droppedNames.contains(name) ? durableEntries[name] : entries[name]
  }

  /// Makes one name durable as it is.
  func makeDurable(_ name: BytePath) {
    for name in changedSpellings(of: name) {
      durableEntries[name] = entries[name]
      changedNames.remove(name)
      droppedNames.remove(name)
    }
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
  fileprivate static func sorted(_ entries: [BytePath: Inode]) -> [(name: BytePath, inode: Inode)] {
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
