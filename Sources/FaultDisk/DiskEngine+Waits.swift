import FileTracing
import Files

/// What somebody waits for on a disk.
package enum DiskEvent: Hashable, Sendable {
  /// The rule of this name has fired since it was armed.
  case fired(rule: String)
  /// A mark of this text is in the log.
  case mark(String)
  /// An operation that this rule would count, its `nth`, with a record above this number; nil is what comes from now on.
  case operation(FaultRule, since: UInt64?)
}

/// A wait that is over.
package struct DiskWaitEnd: Hashable, Sendable {
  /// Which wait.
  package let wait: UInt64
  /// The number of the operation at which it happened; nil where it cannot happen any more.
  package let operation: UInt64?
}

/// The waits on a disk; decided where the log is written, so that nobody has to look again and again.
struct DiskWaits {
  private struct Pending {
    let id: UInt64
    let event: DiskEvent
    /// How many matching operations are still to come.
    var left: UInt64
  }

  private var pending: [Pending] = []
  private var lastID: UInt64 = 0
  /// Those that are over and that nobody has been told of.
  private(set) var ended: [DiskWaitEnd] = []
  /// Told, under the lock, that `ended` has something.
  var whenEnded: (@Sendable () -> Void)?

  var isEmpty: Bool { pending.isEmpty }

  mutating func add(_ event: DiskEvent) -> UInt64 {
    lastID += 1
    var left: UInt64 = 1
    if case .operation(let rule, _) = event { left = rule.occurrence.nth ?? 1 }
    pending.append(Pending(id: lastID, event: event, left: left))
    return lastID
  }

  mutating func remove(_ id: UInt64) {
    pending.removeAll { $0.id == id }
    ended.removeAll { $0.wait == id }
  }

  mutating func takeEnded() -> [DiskWaitEnd] {
    defer { ended = [] }
    return ended
  }

  /// Holds a record against the waits, or against one of them.
  mutating func note(_ record: OperationRecord, only id: UInt64? = nil) {
    for index in pending.indices where id == nil || pending[index].id == id {
      switch pending[index].event {
      case .mark(let text): if record.kind == .mark && record.mark == text { pending[index].left = 0 }
      case .operation(let rule, _): if rule.matches(FaultOperation(record)) { pending[index].left -= 1 }
      case .fired: continue
      }
      if pending[index].left == 0 { end(pending[index].id, at: record.number) }
    }
    pending.removeAll { $0.left == 0 }
  }

  /// Holds a firing against the waits.
  mutating func note(_ firing: FaultFiring) {
    for wait in pending where wait.event == .fired(rule: firing.rule) { end(wait.id, at: firing.operation) }
    pending.removeAll { $0.event == .fired(rule: firing.rule) }
  }

  /// A rule is gone: who waits for it waits in vain.
  mutating func noteCleared(_ isGone: (String) -> Bool) {
    for wait in pending {
      if case .fired(let rule) = wait.event, isGone(rule) { end(wait.id, at: nil) }
    }
    pending.removeAll { if case .fired(let rule) = $0.event { isGone(rule) } else { false } }
  }

  private mutating func end(_ id: UInt64, at operation: UInt64?) {
    ended.append(DiskWaitEnd(wait: id, operation: operation))
    whenEnded?()
  }
}

extension FaultOperation {
  /// The operation that a record tells of.
  fileprivate init(_ record: OperationRecord) {
    self.init(kind: record.kind, path: record.path, otherPath: record.otherPath, length: record.lengthAsked)
  }
}

extension DiskEngine {
  /// Called under the lock when a wait is over; `takeEndedWaits` says which.
  package var whenWaitEnds: (@Sendable () -> Void)? {
    get { waits.whenEnded }
    set { waits.whenEnded = newValue }
  }

  /// Begins to wait; what has happened already ends it at once. Returns its number.
  package mutating func beginWait(_ event: DiskEvent) throws(ControlRefusal) -> UInt64 {
    if case .fired(let name) = event { return try beginWait(forRule: name) }
    if case .operation(let rule, _) = event, let reason = reasonNeverSeen(rule) { throw ControlRefusal(reason) }
    let wait = waits.add(event)
    var since: UInt64 = 0
    if case .operation(_, let asked) = event { since = asked ?? recordCount }
    for record in log.records where record.number > since { waits.note(record, only: wait) }
    return wait
  }

  private mutating func beginWait(forRule name: String) throws(ControlRefusal) -> UInt64 {
    guard let counts = faults.counts.first(where: { $0.rule.name == name }) else {
      throw ControlRefusal("no rule '\(name)' is armed")
    }
    let wait = waits.add(.fired(rule: name))
    if counts.fired > 0, let firing = firings.last(where: { $0.rule == name }) { waits.note(firing) }
    return wait
  }

  /// Gives a wait up.
  package mutating func endWait(_ wait: UInt64) { waits.remove(wait) }

  /// The waits that are over, each told once.
  package mutating func takeEndedWaits() -> [DiskWaitEnd] { waits.takeEnded() }

  /// The memory that holds the bytes of files and log.
  package var dataBytes: UInt64 { UInt64(arena.slabsInUse * LogArena.slabBytes) }

  /// How many files and directories there are, the root not counted.
  package var inodeCount: UInt64 { budget.inodesUsed }

  /// What each rule that is armed has seen, in the order in which they are asked.
  package var faultCounts: [FaultCounts] { faults.counts }

  /// The record of this number; nil where the log has let it go or does not have it yet.
  package func record(_ number: UInt64) -> OperationRecord? {
    guard let first = log.records.first?.number, number >= first else { return nil }
    let index = Int(number - first)
    return index < log.records.count ? log.records[index] : nil
  }
}
