import FileTracing
import Files
import Synchronization

/// A record of a log that cannot be followed, or that did something else than the log says.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The record's number; 0 for a set-up record or the whole log.
  package let number: UInt64
  /// What is wrong, without a full stop.
  package let reason: String

  /// "record 14: rename a -> b answered ENOENT, the log says success".
  package var description: String { number == 0 ? reason : "record \(number): \(reason)" }
}

/// Until which record each inode of a log is needed: a first reading of the log, before its replay.
///
/// A file can be written after its last name is gone. Without this, a replay would have to keep all of them to the end.
package struct InodeUses: Sendable {
  private(set) var last: [UInt64: Int] = [:]
  private var index = 0

  /// Before the first record.
  package init() {}

  /// Takes the next record.
  package mutating func note(_ record: OperationRecord) {
    if record.inode != 0 { last[record.inode] = index }
    index += 1
  }
}

/// The tree of a log, made again in a disk of its own.
///
/// It goes operation by operation, each with the fault that hit it then.
/// Rules are not asked and space is not limited: what failed then is not tried, what was short is given short. Whatever
/// is tried has to answer as the log says. Operations that only look are left out, but where a fault made them change
/// something.
package final class DiskReplay {
  /// The disk as the records so far have left it. It may be cut; `restart` then shows what survived.
  package let disk: FaultDisk

  /// The longest recording that is kept.
  private static let recordsMax = 1 << 24

  private let clock: ReplayClock
  private let header: OperationLogHeader
  private let lastUses: [UInt64: Int]
  private var index = 0
  private var isSetUp = false
  private var pinned: Set<UInt64> = []
  /// Files that had no name when the log began, and directories that were cut away: what happens to them is seen by
  /// nobody.
  private var strangers: ClosedRange<UInt64>?

  /// A replay of the log with this header.
  ///
  /// - Parameter keepsRecording: true where the disk's own `recording` is wanted too, which takes memory.
  /// - Throws: why the log does not suffice.
  package init(
    _ header: OperationLogHeader, uses: InodeUses, keepsRecording: Bool = false
  ) throws(ReplayError) {
    if header.droppedCount > 0 {
      throw ReplayError(number: 0, reason: "the first \(header.droppedCount) records of this log were let go")
    }
    if !header.hasTree || !header.hasData {
      throw ReplayError(number: 0, reason: "this log has no data; mount with --log, or with --keep-data")
    }
    self.header = header
    lastUses = uses.last
    let clock = ReplayClock(header.begun)
    self.clock = clock
    var configuration = DiskConfiguration(
      seed: header.seed, clock: { clock.time }, logRecordsMax: keepsRecording ? Self.recordsMax : 2,
      logKeepsData: keepsRecording)
    do throws(NameRules.UnknownWord) {
      try configuration.take(from: header)
    } catch {
      throw ReplayError(number: 0, reason: "the header of this log has a member that is not known: \(error)")
    }
    disk = FaultDisk(configuration)
    disk.withEngine { $0.forcedDecision = .proceed }
  }

  /// Follows the next record.
  package func apply(_ operation: LoggedOperation) throws(ReplayError) {
    let record = operation.record
    defer { index += 1 }
    if record.number == 0 {
      do throws(Errno) {
        try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in try engine.setUp(operation) }
      } catch {
        throw ReplayError(number: 0, reason: "the set-up of \(record.path) failed: \(error)")
      }
      return
    }
    finishSetUp()
    clock.time = record.time
    switch record.kind {
    case .mark: return
    case .control: return try follow(control: record)
    default: try perform(operation)
    }
  }

  /// Ends the set-up, where no record has done so.
  package func finishSetUp() {
    guard !isSetUp else { return }
    isSetUp = true
    let next = header.nextInode
    disk.withEngine { engine in
      engine.beginRecording()
      let first = engine.rootInode
      strangers = first < next ? first...(next - 1) : nil
      engine.skipInodes(to: next)
    }
  }

  private func follow(control record: OperationRecord) throws(ReplayError) {
    let request: ControlRequest
    do throws(ControlSyntaxError) {
      request = try ControlRequest.read(recordText: record.mark ?? "")
    } catch {
      throw ReplayError(number: record.number, reason: error.description)
    }
    switch request {
    case .powerCut(let survivors): disk.powerCut(survivors)
    case .restart:
      disk.restart()
      pinned = []
    case .beginRecording: disk.beginRecording()
    default: break
    }
  }

  private func perform(_ operation: LoggedOperation) throws(ReplayError) {
    let record = operation.record
    let plan = ReplayPlan(record)
    guard plan.isTried else { return }
    let last = lastUses[record.inode] ?? index
    let index = index
    var pinned = pinned
    defer { self.pinned = pinned }
    let strangers = strangers
    let failure: String? = disk.withEngine { engine in
      if plan.needsInode && (try? engine.inode(record.inode)) == nil {
        if let strangers, strangers.contains(record.inode) { return nil }
        return "inode \(record.inode) is not there"
      }
      if last > index { engine.pin(record.inode, &pinned) }
      if let target = engine.target(of: record), lastUses[target.number] ?? index > index {
        engine.pin(target.number, &pinned)
      }
      let failure = engine.replay(operation, plan)
      // What was just made can be pinned only now.
      if last > index { engine.pin(record.inode, &pinned) } else { engine.unpin(record.inode, &pinned) }
      return failure
    }
    if let failure { throw ReplayError(number: record.number, reason: failure) }
  }
}

/// The clock of a replay: it shows the time of the record.
private final class ReplayClock: Sendable {
  private let now: Atomic<Int64>
  init(_ time: Int64) { now = Atomic(time) }
  var time: Int64 {
    get { now.load(ordering: .relaxed) }
    set { now.store(newValue, ordering: .relaxed) }
  }
}

/// What a replay does about a record.
struct ReplayPlan {
  /// The fault that is forced on the operation.
  let decision: FaultDecision
  /// False for what changed nothing.
  let isTried: Bool
  /// The power cut behind the operation.
  let cut: SurvivingState?
  /// The answer that the operation has to give.
  let errno: Errno?
  /// True where the inode of the record must be there before.
  let needsInode: Bool

  init(_ record: OperationRecord) {
    let effect = record.firedEffect
    var isForced = false
    var happened = record.errno == nil
    switch effect {
    case nil:
      // A write-back error that an fsync tells: it has made durable what it could.
      if record.kind == .fsync && record.countedNumber != nil && record.errno == .eio { happened = true }
    case .shortWrite, .slow, .hang, .shortRead, .staleRead, .shuffled: break
    // From then on much fails, and what failed is not tried; the tree stays as it is.
    case .remountReadOnly, .shutdown, .lockedDevice: break
    case .errno, .powerCut, .kill:
      // Of a single byte nothing is the first half, and a full disk or a bad block may have refused the write by itself.
      let tookNothing = [.write, .allocate].contains(record.kind) && record.lengthTaken == 0
      happened = record.firedPhase != .before && !tookNothing
    default:
      isForced = true
      happened = true
    }
    let looks: Set<OperationKind> = [.open, .read, .readdir, .statfs, .close, .getxattr, .listxattr, .lock]
    isTried = (happened && (isForced || !looks.contains(record.kind))) || effect?.cutSurvivors != nil
    var decision = FaultDecision.proceed
    if isForced {
      decision.effect = effect
      decision.phase = record.firedPhase ?? .during
      decision.rule = record.firedRule
    }
    self.decision = decision
    errno = isForced ? record.errno : nil
    cut = effect?.cutSurvivors ?? record.firedEnding?.effect.cutSurvivors
    let makes: Set<OperationKind> = [.create, .mkdir, .symlink, .statfs, .sync]
    needsInode = happened && !makes.contains(record.kind)
    performs = happened && (isForced || !looks.contains(record.kind))
  }

  /// False where only the cut is left of it.
  let performs: Bool
}

extension FaultEffect {
  fileprivate var cutSurvivors: SurvivingState? {
    if case .powerCut(let survivors) = self { survivors } else { nil }
  }
}
