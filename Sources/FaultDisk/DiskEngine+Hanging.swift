import FileTracing
import Files

/// An operation that hangs: nothing of it has happened, and nothing of it is recorded.
package struct HungOperation: Sendable {
  /// The rule that it waits for.
  package let rule: String
  let kind: OperationKind
  let decision: FaultDecision
}

// A door that can let a caller wait sets `holdsHung`, asks `takeHung` after a request that failed with `Errno.hung`, and
// runs the request again with `resume` when the rule is gone. The rule has counted and fired when the operation came; the
// record is written, and the operation gets its number, when it happens.
//
// Nobody in this process could clear the rule while its one thread waits. The only way out of a call that never returns
// is the end of the process: on the in-process door an operation that hangs kills its caller before anything happens.
extension DiskEngine {
  mutating func hang<R>(
    _ record: inout OperationRecord, _ decision: FaultDecision, _ caller: Caller
  ) throws(Errno) -> R {
    firings.append(
      FaultFiring(rule: decision.rule ?? "", operation: recordCount + 1, countedNumber: record.countedNumber))
    guard caller.volume == 0, holdsHung, let rule = decision.rule else {
      record.firedRule = decision.rule
      record.firedEffect = .kill
      record.firedPhase = .before
      defer { killCaller(caller) }
      record.errno = caller.volume == 0 ? .eintr : .ecanceled
      append(record)
      throw caller.volume == 0 ? .eintr : .ecanceled
    }
    if record.countedNumber != nil { countedCount -= 1 }
    hung = HungOperation(rule: rule, kind: record.kind, decision: decision)
    throw .hung
  }

  /// What the operation that hung was decided to be, where it goes on now.
  func resumedDecision(of kind: OperationKind) -> FaultDecision? {
    guard let resumed, resumed.kind == kind else { return nil }
    return resumed.decision
  }

  /// The operation that has just been left hanging; nil where none was.
  package mutating func takeHung() -> HungOperation? {
    defer { hung = nil }
    return hung
  }

  /// Lets an operation that hung go on: the next one of its kind is it, and no rule is asked again.
  package mutating func resume(_ operation: HungOperation?) { resumed = operation }
}

extension Errno {
  /// No error: there is no answer yet. No system has this number.
  package static let hung = Errno(rawValue: -1)
}
