import FaultDisk
import FileTracing
import Files

/// What is durable, and what is not yet, at one moment of a recording under one model.
///
/// The moment moves: `begin` lets a record take effect, and while its call has not returned all that it asked to be
/// durable may or may not be; `finish` lets it return.
struct CrashWindow: Sendable {
  let model: PersistenceModel
  /// False for a power cut on a disk whose fsync only orders.
  let fsyncEndures: Bool
  private(set) var reader: HistoryReader
  /// The metadata that is durable whatever happens.
  private(set) var base: Namespace
  /// The metadata that was issued since, in order.
  private(set) var pending: [MetadataChange] = []
  private(set) var files: [UInt64: FileWindow]
  /// The files that have changed since they were durable last.
  private var changed: Set<UInt64> = []
  /// How many files were looked at to make them durable, or to order them, so far.
  private(set) var settledCount = 0
  private(set) var log = FsyncLog()
  private var step: HistoryStep?

  init(_ recording: Recording, _ model: PersistenceModel, isPowerCut: Bool = true) {
    let tree = recording.tree
    self.model = model
    fsyncEndures = model.fsyncEndures || !isPowerCut
    reader = HistoryReader(recording)
    base = Namespace(tree)
    files = tree.nodes.filter { $0.value.attributes.kind == .regular }.mapValues { FileWindow($0.content) }
  }

  /// Lets a record take effect; true where more or other states are possible than before.
  mutating func begin(_ record: OperationRecord) throws(HistoryError) -> Bool {
    step = try reader.step(record)
    switch step {
    case nil: return false
    case .metadata(let change): pending.append(change)
    case .content(let inode, let change):
      files[inode, default: FileWindow()].add(change, record: record.number, model)
      changed.insert(inode)
      if files[inode]?.events.last?.isOrdered == true {
        pending.append(
          MetadataChange(record: record.number, changes: [], touched: [inode], isForData: true))
      }
    case .dropped(let inode):
      files[inode]?.taint()
      changed.insert(inode)
    case .synchronized(let inode, _):
      if model.metadataOrder == .commitAndLog {
        log.begin(inode, at: record.number, now: reader.namespace, base: base, pending: pending)
      }
    case .synchronizedAll: break
    }
    return true
  }

  /// Lets the call of the last record return; true where what it asked for is durable now.
  mutating func finish() -> Bool {
    defer { step = nil }
    guard let step else { return false }
    if model.metadataOrder == .immediate {
      settleEverything()
      return true
    }
    guard fsyncEndures else {
      order(step)
      return false
    }
    switch step {
    case .synchronized(let inode, let call): settle(inode, call)
    case .synchronizedAll: settleEverything()
    default: return false
    }
    return true
  }

  /// A sync that does not endure a power cut is a wall between what was before and what comes.
  private mutating func order(_ step: HistoryStep) {
    let record = reader.lastRecord
    switch step {
    case .synchronized(let inode, _): files[inode]?.order(at: record)
    case .synchronizedAll:
      settledCount += changed.count
      for inode in changed { files[inode]?.order(at: record) }
    default: break
    }
  }

  private mutating func settleEverything() {
    advance(by: pending.count)
    settledCount += changed.count
    for inode in changed { settle(inode) }
    log = FsyncLog()
  }

  private mutating func settle(_ inode: UInt64, _ call: SynchronizingCall) {
    let durable = durableCount(after: call, of: inode)
    let isDirectory = reader.namespace.nodes[inode]?.attributes.kind == .directory
    switch model.metadataOrder {
    case .immediate: break
    case .total: advance(by: durable)
    case .free: keepSlots(of: inode, isDirectory: isDirectory)
    case .commitAndLog:
      if log.mustCommit { advance(by: pending.count) }
      if log.endFlight() { log = FsyncLog() }
    }
    if isDirectory { return }
    if case .write(let range, _) = call, !model.synchronousWriteKeepsFile {
      files[inode]?.keep(range)
    } else {
      settledCount += 1
      settle(inode)
    }
  }

  private mutating func settle(_ inode: UInt64) {
    files[inode]?.settle()
    if files[inode]?.isTainted != true { changed.remove(inode) }
  }

  /// How many of the pending operations a journal writes where this inode is synced: up to the last that it is part of.
  private func durableCount(after call: SynchronizingCall, of inode: UInt64) -> Int {
    // A directory has no data: fdatasync(2) of one writes its names.
    let isDirectory = reader.namespace.nodes[inode]?.attributes.kind == .directory
    let isForData = call.isForDataOnly && !isDirectory && !model.fdatasyncKeepsRename
    var count = (pending.lastIndex { $0.touched.contains(inode) && ($0.isForData || !isForData) } ?? -1) + 1
    guard let window = files[inode], let last = window.events.last else { return count }
    let allocated = window.base.extents.allocatedBytes
    let isLonger = window.events.contains { $0.size > window.base.size }
    let hasNewBlocks = window.events.contains { $0.allocatedBytes > allocated }
    let upTo = hasNewBlocks ? UInt64.max : isForData && !isLonger ? 0 : last.record
    count = max(count, pending.count { $0.record < upTo })
    return count
  }

  /// The first operations are durable.
  private mutating func advance(by count: Int) {
    for change in pending.prefix(count) {
      base.apply(change)
      if let replacing = change.replacing, model.replacingRename == .startsFlush {
        files[replacing]?.noteFlush(at: change.record)
      }
    }
    pending.removeFirst(count)
  }

  /// An fsync makes the slots of one inode durable, and no others.
  private mutating func keepSlots(of inode: UInt64, isDirectory: Bool) {
    func isKept(_ slot: Slot) -> Bool {
      switch slot {
      case .name(let directory, _): isDirectory && directory == inode
      case .attributes(let other), .extendedAttribute(let other, _): other == inode
      }
    }
    for index in pending.indices {
      for change in pending[index].changes where isKept(change.slot) { base.apply(change) }
      pending[index].changes.removeAll { isKept($0.slot) }
    }
    pending.removeAll { $0.changes.isEmpty }
  }
}

extension SynchronizingCall {
  /// True for fdatasync(2) and writes through O_DSYNC.
  var isForDataOnly: Bool {
    switch self {
    case .fsync: false
    case .fdatasync: true
    case .write(_, let dataOnly): dataOnly
    }
  }
}
