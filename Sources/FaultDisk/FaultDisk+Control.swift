import FileTracing

/// A request that a disk cannot follow; nothing was changed.
package struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, a sentence for a person without its full stop.
  package let description: String

  /// A refusal for this reason.
  package init(_ description: String) { self.description = description }
}

extension FaultDisk {
  /// Changes the disk as a control request says, and records the request at the same moment.
  ///
  /// A replay of the log does the same again at the same place. Marks are recorded as marks. Requests that only ask, or
  /// are about the mount and the host, do nothing here and are not recorded.
  package func control(_ request: ControlRequest) throws(ControlRefusal) {
    try withEngine { (engine: inout DiskEngine) throws(ControlRefusal) in try engine.control(request) }
  }
}

extension DiskEngine {
  /// Does what a request asks of the disk, and records it.
  package mutating func control(_ request: ControlRequest) throws(ControlRefusal) {
    switch request {
    case .arm(let rule): try armOrRefuse(rule)
    case .clear(let name):
      guard clear(name) else {
        throw ControlRefusal(name == SpaceBound.word ? "space is not bounded" : "no rule '\(name)' is armed")
      }
      waits.noteCleared { $0 == name }
    case .clearAll:
      clearAll()
      waits.noteCleared { _ in true }
    case .holdFaults(let holds): holdsFaults = holds
    case .powerCut(let survivors): powerCut(survivors)
    case .restart: restart()
    case .setFreeSpace(let bytes, let inodes): setFreeSpace(bytes: bytes, inodes: inodes)
    case .mark(let text): return mark(text)
    case .beginRecording:
      // The record belongs to what was before: with it the numbers begin anew.
      recordControl(request)
      return beginRecording()
    case .armText, .status, .list, .stats, .wait, .log, .writeLog, .export, .unmount: return
    }
    recordControl(request)
  }

  private mutating func armOrRefuse(_ rule: FaultRule) throws(ControlRefusal) {
    do throws(FaultRuleError) {
      try arm(rule)
    } catch {
      throw ControlRefusal(error.description)
    }
  }

  private mutating func recordControl(_ request: ControlRequest) {
    append(OperationRecord(number: 0, kind: .control, path: .root, mark: request.recordText))
  }
}
