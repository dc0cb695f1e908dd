import FileTracing
import Files

/// How much of an operation happens.
enum EffectExtent: Hashable {
  case whole
  /// A write takes at most this many bytes.
  case atMost(UInt64)
  /// A rename goes wrong in this way.
  case torn(TornRename)
  /// An fsync, a write, a read or a listing goes wrong in this way.
  case spoiled(FaultEffect)

  /// What spoils it; nil where nothing does.
  var fault: FaultEffect? { if case .spoiled(let fault) = self { fault } else { nil } }
}

// Every recorded operation goes this way:
//   admit    EIO after a cut, the errors of dead volumes; nothing of that is recorded
//   refusing what the disk refuses by itself: recorded, not counted, seen by no rule
//   perform  the hook decides, the effect happens or not, the record is written, then cuts and kills
extension DiskEngine {
  /// Lets a caller in: EIO after a power cut, ENOTCONN for a volume from before a restart, ECANCELED for a killed one.
  func admit(_ caller: Caller) throws(Errno) {
    if caller.volume != 0 {
      if caller.volume < firstLiveVolume { throw Errno.enotconn }
      if killedVolumes.contains(caller.volume) { throw Errno.ecanceled }
    }
    if answersNothing { throw Errno.eio }
  }

  func draft(
    _ kind: OperationKind, _ path: BytePath, to otherPath: BytePath? = nil, _ caller: Caller
  ) -> OperationRecord {
    OperationRecord(number: 0, kind: kind, path: path, otherPath: otherPath, thread: caller.thread)
  }

  /// Runs checks whose errors are those of a sound disk; a refusal is recorded and not counted.
  mutating func refusing<R>(
    _ draft: OperationRecord, _ check: (inout DiskEngine) throws(Errno) -> R
  ) throws(Errno) -> R {
    do throws(Errno) {
      return try check(&self)
    } catch {
      var record = draft
      record.errno = error
      append(record)
      throw error
    }
  }

  /// Asks the rules, lets the operation happen as they say, records it.
  mutating func perform<R>(
    _ draft: OperationRecord, _ caller: Caller, canTear: Bool = false,
    _ effect: (inout DiskEngine, inout OperationRecord, EffectExtent) throws(Errno) -> R
  ) throws(Errno) -> R {
    var record = draft
    whenOperationBegins?(nextRecordNumber)
    if !imposed.isEmpty, let errno = imposedRefusal(record) { throw fail(&record, errno) }
    if OperationKind.counted.contains(record.kind) {
      countedCount += 1
      record.countedNumber = countedCount
    }
    let operation = FaultOperation(
      kind: record.kind, path: record.path, otherPath: record.otherPath, length: record.lengthAsked, canTear: canTear)
    let decision = forcedDecision ?? ask(operation)
    record.firedRule = decision.rule
    record.firedEffect = decision.effect
    record.firedPhase = decision.effect.map { _ in decision.phase }
    record.firedDelays = decision.delays
    record.firedEnding = decision.ending
    guard let fault = decision.effect else {
      return try finish(&record, extent: .whole, effect)
    }
    noteFiring(decision.rule, record)
    for delay in decision.delays { noteFiring(delay.rule, record) }
    delay(milliseconds: decision.delayMilliseconds)
    guard let ending = decision.ending else { return try perform(record, caller, fault, decision.phase, effect) }
    noteFiring(ending.rule, record)
    return try perform(record, caller, fault, decision.phase, effect, endingWith: ending.effect)
  }

  private mutating func ask(_ operation: FaultOperation) -> FaultDecision {
    holdsFaults ? .proceed : faults.decide(operation)
  }

  private mutating func noteFiring(_ rule: String?, _ record: OperationRecord) {
    if firings.count >= DiskEngine.firingsMax { firings.removeFirst(DiskEngine.firingsMax / 2) }
    let matched = faults.counts.first { $0.rule.name == rule }?.matched
    firings.append(
      FaultFiring(
        rule: rule ?? "", operation: recordCount + 1, countedNumber: record.countedNumber, matched: matched))
  }

  /// A spoiled operation with a power cut or kill right behind it.
  private mutating func perform<R>(
    _ draft: OperationRecord, _ caller: Caller, _ fault: FaultEffect, _ phase: FaultPhase,
    _ effect: (inout DiskEngine, inout OperationRecord, EffectExtent) throws(Errno) -> R, endingWith ending: FaultEffect
  ) throws(Errno) -> R {
    if case .powerCut(let survivors) = ending {
      defer { powerCut(survivors) }
      return try perform(draft, caller, fault, phase, effect)
    }
    defer { killCaller(caller) }
    let result = try perform(draft, caller, fault, phase, effect)
    if caller.volume != 0 { throw .ecanceled }
    return result
  }

  private mutating func perform<R>(
    _ draft: OperationRecord, _ caller: Caller, _ fault: FaultEffect, _ phase: FaultPhase,
    _ effect: (inout DiskEngine, inout OperationRecord, EffectExtent) throws(Errno) -> R
  ) throws(Errno) -> R {
    var record = draft
    switch fault {
    case .errno(let errno):
      if phase == .before { throw fail(&record, errno) }
      return try finish(&record, extent: .whole, failingWith: errno, effect)
    case .shortWrite(let bytesMax):
      return try finish(&record, extent: .atMost(bytesMax), effect)
    case .tornRename(let way):
      let errno = way == .doneButError ? Errno.eio : nil
      return try finish(&record, extent: .torn(way), failingWith: errno, effect)
    case .powerCut(let survivors):
      defer { powerCut(survivors) }
      return try interrupted(&record, phase, Errno.eio, effect)
    case .kill:
      // The process never sees an answer; a volume stands for one, so its call ends as all later ones will.
      defer { killCaller(caller) }
      let errno = caller.volume == 0 ? Errno.eintr : .ecanceled
      let result = try interrupted(&record, phase, errno, effect)
      if caller.volume != 0 { throw errno }
      return result
    case .fsyncFail, .fsyncLie, .tornWrite, .flip, .zeroBlock, .misplacedBlock, .staleRead, .shortRead, .badSector,
      .asyncError, .shuffled:
      return try finish(&record, extent: .spoiled(fault), effect)
    case .slow: return try finish(&record, extent: .whole, effect)
    case .hang:
      guard caller.volume != 0 else {
        delayAnswer?(.untilCleared(rule: record.firedRule ?? ""))
        return try finish(&record, extent: .whole, effect)
      }
      // Nobody in this process could clear the rule while its one thread waits; the only way out is the process's end.
      record.firedEffect = .kill
      record.firedPhase = .before
      defer { killCaller(caller) }
      throw fail(&record, .ecanceled)
    case .remountReadOnly, .shutdown, .lockedDevice, .rolledBack, .placeholder:
      if phase == .before { turn(fault, record) }
      if let errno = imposedRefusal(record) { throw fail(&record, errno) }
      defer { if phase != .before { turn(fault, record) } }
      return try finish(&record, extent: .whole, effect)
    }
  }

  /// The disk, or the file of an operation, is another one from now on.
  private mutating func turn(_ fault: FaultEffect, _ record: OperationRecord) {
    switch fault {
    case .rolledBack, .placeholder: afflict(record.inode, fault)
    default: impose(fault, by: record.firedRule)
    }
  }

  /// An operation that a cut or a kill meets. Before: nothing happened. During: it happened (half of a write was taken),
  /// and nobody was told. After: it happened and was answered.
  private mutating func interrupted<R>(
    _ record: inout OperationRecord, _ phase: FaultPhase, _ errno: Errno,
    _ effect: (inout DiskEngine, inout OperationRecord, EffectExtent) throws(Errno) -> R
  ) throws(Errno) -> R {
    switch phase {
    case .before: throw fail(&record, errno)
    case .during:
      let half = record.lengthAsked / 2
      let extent = EffectExtent.atMost(half >= 512 ? half & ~511 : half)
      return try finish(&record, extent: record.kind == .write ? extent : .whole, failingWith: errno, effect)
    case .after: return try finish(&record, extent: .whole, effect)
    }
  }

  private mutating func finish<R>(
    _ record: inout OperationRecord, extent: EffectExtent, failingWith errno: Errno? = nil,
    _ effect: (inout DiskEngine, inout OperationRecord, EffectExtent) throws(Errno) -> R
  ) throws(Errno) -> R {
    let result: R
    do throws(Errno) {
      result = try effect(&self, &record, extent)
    } catch {
      throw fail(&record, error)
    }
    if let errno { throw fail(&record, errno) }
    append(record)
    return result
  }

  private mutating func fail(_ record: inout OperationRecord, _ errno: Errno) -> Errno {
    record.errno = errno
    append(record)
    return errno
  }

  /// Gives a record its number and writes it down.
  mutating func append(_ draft: OperationRecord) {
    var record = draft
    recordCount += 1
    if record.mayChangeTree { changeCount += 1 }
    record.number = recordCount
    record.time = configuration.clock?() ?? ticks
    record.attributes = recordedAttributes(after: record)
    if let logSink { write(record, to: logSink) }
    if !configuration.logKeepsData { record.dataAddress = nil }
    log.append(record)
    if !waits.isEmpty { waits.note(record) }
  }

  /// The number that the next record will have.
  package var nextRecordNumber: UInt64 { recordCount + 1 }

  mutating func mark(_ text: String) {
    append(OperationRecord(number: 0, kind: .mark, path: .root, mark: text))
  }

  /// Ends a process: a volume is dead from now on, and its files are closed; the FUSE door sends the signal itself.
  mutating func killCaller(_ caller: Caller) {
    guard caller.volume != 0 else { return kill?(caller) ?? () }
    killedVolumes.insert(caller.volume)
    for number in handles.numbers(ofVolume: caller.volume) { release(number) }
  }
}

extension OperationRecord {
  /// False for what only looks, or makes durable what is there; what fires a rule may do anything.
  fileprivate var mayChangeTree: Bool {
    if firedRule != nil { return true }
    return switch kind {
    case .open: argument & 2 != 0
    case .read, .fsync, .readdir, .statfs, .close, .getxattr, .listxattr, .lock, .sync, .mark: false
    default: true
    }
  }
}
