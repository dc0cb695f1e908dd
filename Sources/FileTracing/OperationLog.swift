/// What happened on a disk, in the order of the answers; the oldest records go when there are too many.
package struct OperationLog: Hashable, Sendable {
  /// The records that are kept, oldest first.
  package private(set) var records: [OperationRecord] = []
  /// How many older records were let go.
  package private(set) var droppedCount: UInt64 = 0
  /// What all records were that it ever had, also those that it let go.
  package private(set) var tally = OperationTally()
  /// How many records are kept at the most.
  package let recordsMax: Int

  /// An empty log that keeps at most `recordsMax` records.
  package init(recordsMax: Int) {
    precondition(recordsMax > 0, "a log of \(recordsMax) records")
    self.recordsMax = recordsMax
  }

  /// Adds a record. Where the log is full, lets the older half go first, so that adding is cheap on average.
  package mutating func append(_ record: OperationRecord) {
    if records.count >= recordsMax {
      let gone = (records.count + 1) / 2
      records.removeFirst(gone)
      droppedCount += UInt64(gone)
    }
    records.append(record)
    tally.note(record)
  }

  /// Forgets all records.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    droppedCount = 0
    tally = OperationTally()
  }

  /// The records above this number that are kept, at most so many; a copy.
  package func records(after number: UInt64, countMax: Int) -> [OperationRecord] {
    let known = number > droppedCount ? Int(clamping: number - droppedCount) : 0
    return Array(records.dropFirst(known).prefix(countMax))
  }

  /// The counted operations among the records that are kept.
  package var counted: [OperationRecord] { records.filter { $0.countedNumber != nil } }
}
