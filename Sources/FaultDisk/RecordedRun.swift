import FileTracing

/// A recording that was made of a log: a disk that holds its bytes, and what happened on it.
package struct RecordedRun: Sendable {
  /// The disk, as the last operation has left it.
  package let disk: FaultDisk
  /// What happened since the log was begun, or since its last restart.
  package let recording: Recording

  /// Follows a log; `reading` is asked twice for a reader of it, which gives its operations in order.
  ///
  /// - Throws: why the log does not suffice, what in it cannot be followed, `RecordingTooLarge`, or what the reader throws.
  package init<Failure: Error>(
    _ header: OperationLogHeader, within budget: RecordingBudget = .usual,
    reading: () throws(Failure) -> (() throws(Failure) -> LoggedOperation?)
  ) throws {
    var uses = InodeUses()
    let first = try reading()
    var bytesLeft = budget.bytesMax
    while let operation = try first() {
      let cost = RecordingBudget.operationBytes + UInt64(operation.data.count)
      if cost > bytesLeft { throw RecordingTooLarge(number: operation.record.number) }
      bytesLeft -= cost
      uses.note(operation.record)
    }
    let replay = try DiskReplay(header, uses: uses, keepsRecording: true)
    let second = try reading()
    while let operation = try second() { try replay.apply(operation) }
    replay.finishSetUp()
    guard let recording = replay.disk.recording else {
      throw ReplayError(number: 0, reason: "this log is too long to be explored")
    }
    disk = replay.disk
    self.recording = recording
  }

  /// Follows the log of these bytes.
  package init(_ bytes: [UInt8]) throws {
    var reader = OperationLogReader()
    reader.append(bytes)
    guard let header = try reader.readHeader() else {
      throw ReplayError(number: 0, reason: "the header of this log is cut off")
    }
    var operations: [LoggedOperation] = []
    while let operation = try reader.next() { operations.append(operation) }
    try self.init(header) { () throws(Never) in
      var place = 0
      return { () throws(Never) in
        guard place < operations.count else { return nil }
        defer { place += 1 }
        return operations[place]
      }
    }
  }
}
