import FileTracing
import Files

/// A name that is there after a restart.
struct SurvivingName {
  let directory: Inode
  let name: BytePath
  let inode: Inode
}

extension DiskEngine {
  /// Every name that is there after a restart, directories before what they hold.
  ///
  /// Renames may leave a directory with several durable names, and it can have but one place. That is the name it has
  /// now, where that survives: whoever synced it was promised it. Among former names none is better than another, and
  /// the first that is met counts. So a directory that is in itself by its names is met by no way, and lost.
  func survivingNames() -> [SurvivingName] {
    guard let root = inodes[rootInode] else { return [] }
    var walk = SurvivalWalk(survivors: survivors, inodes: inodes)
    walk.begin(at: root)
    return walk.names
  }
}

/// The search for a place for every directory.
private struct SurvivalWalk {
  let survivors: SurvivingState
  let inodes: InodeTable
  private(set) var names: [SurvivingName] = []
  private var placed: Set<UInt64> = []
  /// Former names of directories whose present name is lost.
  private var formerNames = Queue()
  /// Former names of directories whose present name survives, should the directory that holds it be met.
  private var lastResorts = Queue()

  private struct Queue {
    private var names: [SurvivingName] = []
    private var takenCount = 0

    /// In the order in which directories were made: how names are spelled must decide nothing.
    mutating func append(_ found: [SurvivingName]) {
      names += found.sorted { ($0.directory.number, $0.inode.number) < ($1.directory.number, $1.inode.number) }
    }

    mutating func next() -> SurvivingName? {
      guard takenCount < names.count else { return nil }
      takenCount += 1
      return names[takenCount - 1]
    }
  }

  init(survivors: SurvivingState, inodes: InodeTable) {
    self.survivors = survivors
    self.inodes = inodes
  }

  mutating func begin(at root: Inode) {
    placed.insert(root.number)
    follow(root)
    while let name = formerNames.next() ?? lastResorts.next() {
      if place(name) { follow(name.inode) }
    }
  }

  /// Goes down by present names, without recursion, so that no depth of a tree is too much.
  private mutating func follow(_ start: Inode) {
    var waiting = [start]
    var found: [SurvivingName] = []
    while let directory = waiting.popLast() {
      for (name, inode) in directory.directory?.sortedEntries(after: survivors) ?? [] {
        let survivor = SurvivingName(directory: directory, name: name, inode: inode)
        if inode.kind != .directory {
          names.append(survivor)
        } else if !inode.names.contains(InodeName(directory: directory.number, name: name)) {
          found.append(survivor)
        } else if place(survivor) {
          waiting.append(inode)
        }
      }
    }
    formerNames.append(found.filter { !keepsItsName($0.inode) })
    lastResorts.append(found.filter { keepsItsName($0.inode) })
  }

  /// False for a directory that has its place already.
  private mutating func place(_ name: SurvivingName) -> Bool {
    guard placed.insert(name.inode.number).inserted else { return false }
    names.append(name)
    return true
  }

  private func keepsItsName(_ inode: Inode) -> Bool {
    inode.names.contains { inodes[$0.directory]?.directory?.inode(named: $0.name, after: survivors) === inode }
  }
}
