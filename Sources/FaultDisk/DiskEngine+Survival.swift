import FileTracing
import Files

// What survives a power cut:
//   keep-all   everything that was issued: the tree as it is
//   keep-none  only what is durable: from the root on, the names that an fsync of their directory made durable; a file
//              with the bytes and size that its last fsync saw, or empty where there was none; a directory with its own
//              durable names; both with the extended attributes that their last fsync saw. Permissions, owners and
//              times come along as they are.
// A directory has one place after a restart, whatever its durable names: `survivingNames` says which.
extension DiskEngine {
  mutating func powerCut(_ survivors: SurvivingState) {
    if condition == .running { condition = .cut(survivors) }
  }

  /// What a restart would show.
  var survivors: SurvivingState {
    if case .cut(let survivors) = condition { survivors } else { .keepAll }
  }

  mutating func restart() {
    let survivors = survivors
    guard let oldRoot = try? inode(rootInode) else { return }
    var regrowth = Regrowth(survivors: survivors, nextNumber: nextInodeNumber)
    let root = regrowth.copy(ofRoot: oldRoot, survivingNames())
    replaceTree(by: regrowth.made, root: root)
    noteTreeAtRestart()
  }

  /// Makes these inodes, in the order of their numbers, the whole disk, and lets it run.
  mutating func replaceTree(by made: [Inode], root: Inode) {
    changeCount += 1
    unlinkAll()
    inodes = InodeTable(first: root.number)
    handles.removeAll()
    let before = budget
    budget = SpaceBudget()
    for inode in made { insert(inode) }
    budget.inodesUsed -= 1
    (budget.bytesMax, budget.inodesMax, budget.bound) = (before.bytesMax, before.inodesMax, before.bound)
    rootInode = root.number
    condition = .running
    firstLiveVolume = lastVolume + 1
    killedVolumes.removeAll()
    imposed.removeAll()
    pathGeneration += 1
  }

  mutating func beginRecording() {
    for inode in inodes.all { inode.settle() }
    log.removeAll()
    firings.removeAll()
    recordCount = 0
    countedCount = 0
    noteTreeAtBeginning()
  }

  /// Breaks the circles of directories that hold each other, so that their memory is free.
  private func unlinkAll() {
    for inode in inodes.all { inode.directory?.removeAll() }
  }
}

/// The making of a new tree from what survived, with new inode numbers, all of it durable.
struct Regrowth {
  let survivors: SurvivingState
  var nextNumber: UInt64
  /// The new inodes in the order of their numbers.
  private(set) var made: [Inode] = []
  /// The new inodes by old number, so that hard links stay hard links.
  private var copies: [UInt64: Inode] = [:]

  init(survivors: SurvivingState, nextNumber: UInt64) {
    self.survivors = survivors
    self.nextNumber = nextNumber
  }

  mutating func copy(ofRoot old: Inode, _ names: [SurvivingName]) -> Inode {
    let root = copy(of: old)
    root.directory?.isRoot = true
    for survivor in names {
      let directory = copy(of: survivor.directory)
      let copy = copy(of: survivor.inode)
      directory.directory?.set(survivor.name, copy)
      let name = InodeName(directory: directory.number, name: survivor.name)
      copy.names.append(name)
      copy.lastName = name
    }
    for inode in made { inode.directory?.makeDurable() }
    return root
  }

  private mutating func copy(of old: Inode) -> Inode {
    if let known = copies[old.number] { return known }
    let new = newInode(like: old)
    if old.kind != .directory {
      new.content = old.content(after: survivors)
      new.fallIll(like: old)
      new.durableContent = new.content
    }
    copies[old.number] = new
    return new
  }

  private mutating func newInode(like old: Inode) -> Inode {
    let new = old.likeness(number: nextNumber)
    nextNumber += 1
    new.extendedAttributes = old.extendedAttributes(after: survivors)
    new.durableExtendedAttributes = new.extendedAttributes
    made.append(new)
    return new
  }
}

extension Directory {
  /// Forgets all names.
  func removeAll() {
    for name in Array(entries.keys) { set(name, nil) }
    makeDurable()
  }
}
