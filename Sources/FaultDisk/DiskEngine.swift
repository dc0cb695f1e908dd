import FileTracing
import Files

/// The state of a fault disk, and one call for each request of a kernel. Only to be had inside `withEngine`.
///
/// Calls name inodes by number and files by handle, as FUSE does. They throw the errno for the answer. Every recorded
/// operation passes the fault hook before its effect; when the call returns, the log has it. Look-ups, status and
/// permission checks are not recorded.
package struct DiskEngine: ~Copyable, @unchecked Sendable {
  /// The size of a name, in bytes.
  package static let nameBytesMax = 255
  /// The size of a path and of the text of a symbolic link, in bytes.
  package static let pathBytesMax = 4095
  /// The size of a file, in bytes: 16 TiB.
  package static let fileBytesMax: UInt64 = 1 << 44

  /// The inode number of the root directory; another one after every `restart`.
  package internal(set) var rootInode: UInt64
  /// How the disk is.
  package internal(set) var condition = DiskCondition.running
  /// What happened.
  package internal(set) var log: OperationLog
  /// Which rule fired at which operation; of very many the older half is let go.
  package internal(set) var firings: [FaultFiring] = [] {
    didSet { if !waits.isEmpty, let firing = firings.last { waits.note(firing) } }
  }
  /// Kills a caller of the FUSE door with SIGKILL; called under the lock, before the answer.
  package var kill: (@Sendable (Caller) -> Void)?
  /// Tells the further groups of a caller of the FUSE door; nil where nobody has any.
  package var furtherGroups: (@Sendable (Caller) -> [UInt32])?
  /// Tells whether the kernel behind the FUSE door still knows an inode; nil where there is no kernel.
  package var kernelKnows: (@Sendable (UInt64) -> Bool)?
  /// Told before an operation has its effect which number its record will have; called under the lock.
  package var whenOperationBegins: (@Sendable (UInt64) -> Void)?
  /// Gets every record in its file form, before the answer; see `OperationLogWriter`.
  package var logSink: (any OperationLogSink)?

  /// While true, rules neither count an operation nor hit it.
  package var holdsFaults = false

  let configuration: DiskConfiguration
  let arena: LogArena
  var faults: FaultTable
  var waits = DiskWaits()
  /// The inodes that exist.
  var inodes = InodeTable(first: 1)
  var handles = HandleTable()
  var budget = SpaceBudget()
  /// What a replay says of the next operation, instead of the rules.
  var forcedDecision: FaultDecision?
  /// The tree with which the log begins; nil where the log does not keep its data.
  var treeAtBeginning: SetUpTree?
  /// What the last restart made; nil where there was none since the beginning.
  var treeAtRestart: Restart?
  /// Grows when a directory gets another name, so that paths below it are made anew.
  var pathGeneration: UInt64 = 0
  var recordCount: UInt64 = 0
  /// How many operations there were that may have changed something, or another tree was shown.
  package internal(set) var changeCount: UInt64 = 0
  var countedCount: UInt64 = 0
  /// The time of the counter that stands in for a clock.
  var ticks: Int64 = DiskEngine.firstTick
  var lastVolume: Int32 = 0
  /// Volumes with lower numbers ended with a restart.
  var firstLiveVolume: Int32 = 1
  var killedVolumes: Set<Int32> = []
  /// The slabs in use at which the next sweep for unused ones is worth its time.
  var slabsAtNextSweep = DiskEngine.slabsBeforeFirstSweep
  /// While above 0, no slab is used again: somebody reads outside the lock.
  var pinCount = 0

  /// How far the arena is kept for trees that are shown, the innermost last.
  var arenaEndsKept: [UInt64] = []
  /// The names of contents that stay where they are for as long, one by one as `arenaEndsKept`.
  var contentNames: [ContentNames] = []
  /// The states of the whole disk that rules have brought about.
  var imposed: [ImposedState] = []
  /// True where what a kernel was told may be wrong; see `takeKernelOutdated`.
  var kernelIsOutdated = false
  /// True once a write found too little memory; see `DiskConfiguration.memoryBytesMax`.
  package internal(set) var lackedMemory = false
  /// The sum of all delays of answers so far, nanoseconds.
  package internal(set) var delayedNanoseconds: Int64 = 0
  /// Lets the answer to the operation under way come later; called under the lock, before the answer.
  package var delayAnswer: (@Sendable (AnswerDelay) -> Void)?

  static let firingsMax = 1 << 16
  /// Few, so that what is written over and over stays in the processor's caches.
  static let slabsBeforeFirstSweep = 4
  /// A sweep looks at every inode, so many inodes make sweeps rarer by a slab.
  static let inodesPerSlab = 16_384
  /// 2026-01-01 00:00:00 UTC, in nanoseconds since 1970.
  static let firstTick: Int64 = 1_767_225_600_000_000_000
  static let tickNanoseconds: Int64 = 1_000_000

  init(_ configuration: DiskConfiguration, arena: LogArena = LogArena()) {
    self.configuration = configuration
    self.arena = arena
    log = OperationLog(recordsMax: configuration.logRecordsMax)
    faults = FaultTable(seed: configuration.seed)
    let root = Inode(
      number: 1, kind: .directory, permissions: configuration.rootPermissions, owner: configuration.rootOwner,
      group: configuration.rootGroup, time: DiskEngine.firstTick, names: configuration.names)
    root.directory?.isRoot = true
    rootInode = root.number
    inodes.insert(root)
    if let clock = configuration.clock { root.setTimes(clock()) }
    noteTreeAtBeginning()
  }

  /// When two names in a directory are the same name.
  package var nameRules: NameRules { configuration.names }

  /// The rules that are armed, in the order in which they are asked.
  package var rules: [FaultRule] { faults.rules }

  /// How many files and directories are open.
  package var openHandleCount: Int { handles.count }

  mutating func newVolumeNumber() -> Int32 {
    lastVolume += 1
    return lastVolume
  }

  mutating func arm(_ rule: FaultRule) throws(FaultRuleError) {
    if let reason = reasonNeverSeen(rule) { throw FaultRuleError(rule: rule.name, reason: reason) }
    try faults.arm(rule)
  }

  /// Why an operation that a rule names never comes to this disk; nil where all of them may.
  func reasonNeverSeen(_ rule: FaultRule) -> String? {
    for kind in OperationKind.allCases where rule.operations.contains(kind) {
      if let remedy = configuration.unseen[kind] { return "'\(kind.rawValue)' does not come to this disk; \(remedy)" }
    }
    return nil
  }

  mutating func clear(_ name: String) -> Bool {
    if imposed.contains(where: { $0.rule == name }) { kernelIsOutdated = true }
    imposed.removeAll { $0.rule == name }
    if name == SpaceBound.word, budget.bound != nil {
      setFreeSpace(bytes: nil, inodes: nil)
      return true
    }
    return faults.clear(name)
  }

  mutating func clearAll() {
    if !imposed.isEmpty { kernelIsOutdated = true }
    imposed.removeAll()
    faults.clearAll()
    setFreeSpace(bytes: nil, inodes: nil)
  }

  /// The time for a change, nanoseconds since 1970-01-01 UTC.
  mutating func now() -> Int64 {
    if configuration.clock == nil { ticks += DiskEngine.tickNanoseconds }
    let time = configuration.clock?() ?? ticks
    let step = max(1, configuration.timeStepNanoseconds)
    return step == 1 ? time : time - (time % step + step) % step
  }

  /// The bytes that a write took; empty for other operations and where the log does not keep them.
  package func data(of record: OperationRecord) -> [UInt8] {
    guard let address = record.dataAddress else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(record.lengthTaken)) { buffer, count in
      arena.forEachPiece(at: address, length: record.lengthTaken) { piece in
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]).copyMemory(from: piece)
        count += piece.count
      }
    }
  }
}

// MARK: - Inodes

extension DiskEngine {
  /// The inode of this number; ESTALE for one that is gone.
  func inode(_ number: UInt64) throws(Errno) -> Inode {
    guard let inode = inodes[number] else { throw Errno.estale }
    return inode
  }

  /// The inode of this number and its names; ENOTDIR for anything but a directory.
  func directory(_ number: UInt64) throws(Errno) -> (inode: Inode, names: Directory) {
    let inode = try inode(number)
    guard let names = inode.directory else { throw Errno.enotdir }
    return (inode, names)
  }

  var nextInodeNumber: UInt64 { inodes.next }

  /// Puts a new inode into the table; its number must be `nextInodeNumber`.
  mutating func insert(_ inode: Inode) {
    precondition(inode.number == nextInodeNumber, "inode \(inode.number) is not the next, \(nextInodeNumber)")
    inodes.insert(inode)
    budget.inodesUsed += 1
    budget.bytesUsed += inode.content.extents.allocatedBytes
  }

  /// Lets a thing go that has neither names nor handles; its number is never used again.
  ///
  /// Its space is free at once. What the kernel still knows stays as a ghost that tells its attributes.
  mutating func dropIfUnused(_ inode: Inode) {
    guard inode.names.isEmpty, inode.openCount == 0, inode.number != rootInode,
      inodes[inode.number] != nil
    else { return }
    if !inode.isGhost {
      budget.inodesUsed -= 1
      budget.bytesUsed -= inode.content.extents.allocatedBytes
    }
    // A working directory, a FIFO or a descriptor with O_PATH: the kernel asks for them and has not opened them here.
    inode.isGhost = kernelKnows?(inode.number) ?? false
    if !inode.isGhost { inodes.remove(inode.number) }
  }

  /// The kernel has forgotten an inode: one that was kept for it alone goes.
  package mutating func forget(_ number: UInt64) {
    if let inode = try? inode(number), inode.isGhost { dropIfUnused(inode) }
  }

  /// Gives an inode a name.
  func attach(_ inode: Inode, _ name: BytePath, to directory: Inode, at time: Int64) {
    directory.directory?.set(name, inode)
    let inodeName = InodeName(directory: directory.number, name: name)
    inode.names.append(inodeName)
    inode.lastName = inodeName
    inode.cachedPath = nil
    inode.changed = time
    directory.setTimes(time)
  }

  /// Takes a name away.
  func detach(_ inode: Inode, _ name: BytePath, from directory: Inode, at time: Int64) {
    directory.directory?.set(name, nil)
    let inodeName = InodeName(directory: directory.number, name: name)
    inode.names.removeAll { $0 == inodeName }
    inode.lastName = inode.names.last ?? inodeName
    inode.cachedPath = nil
    inode.changed = time
    directory.setTimes(time)
  }

  /// The path of an inode, by the name given last; where it has none any more, the one it had last.
  func path(of inode: Inode) -> BytePath {
    if let cached = inode.cachedPath, cached.generation == pathGeneration { return cached.path }
    guard let name = inode.lastName else { return .root }
    let path = path(of: name)
    inode.cachedPath = (path, pathGeneration)
    return path
  }

  private func path(of name: InodeName) -> BytePath {
    guard let directory = try? inode(name.directory) else { return name.name }
    return path(of: directory).appending(name.name)
  }

  /// The path of a name in a directory.
  func path(of name: BytePath, in directory: Inode) -> BytePath { path(of: directory).appending(name) }
}

extension Inode {
  /// Sets the times of the last change of content and inode.
  func setTimes(_ time: Int64) {
    modified = time
    changed = time
  }
}
