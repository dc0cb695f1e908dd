/// What happened on a disk, in the order of the answers; the oldest records go when there are too many.
package struct OperationLog: Hashable, Sendable {
  /// The records that are kept, oldest first.
  package private(set) var records: [OperationRecord] = []
  /// How many older records were let go.
  package private(set) var droppedCount: UInt64 = 0
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
  }

  /// Forgets all records.
  package mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    droppedCount = 0
  }

  /// The counted operations among the records that are kept.
  package var counted: [OperationRecord] { records.filter { $0.countedNumber != nil } }
}
