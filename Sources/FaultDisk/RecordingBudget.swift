import FileTracing

/// How much of a run is kept to be explored: the operations, and what they write.
package struct RecordingBudget: Hashable, Sendable {
  /// What one operation counts as; two copies of its record take less.
  package static let operationBytes: UInt64 = 1024

  /// How much may be kept in all.
  package let bytesMax: UInt64

  /// 1,000,000 operations, or 1 GiB in writes of a page each, and something besides.
  package static let usual = RecordingBudget(bytesMax: 1536 << 20)

  /// A budget of so many bytes.
  package init(bytesMax: UInt64) { self.bytesMax = bytesMax }

  /// How many operations that write nothing there is room for.
  package var operationsMax: Int { Int(clamping: max(1, bytesMax / Self.operationBytes)) }

  /// What an operation takes of it.
  package static func cost(of record: OperationRecord) -> UInt64 {
    operationBytes + (record.dataAddress == nil ? 0 : record.lengthTaken)
  }

  /// The number of the first record that there is no room for; nil where all fit.
  package func firstOver(of records: [OperationRecord]) -> UInt64? {
    var left = bytesMax
    for record in records {
      let cost = Self.cost(of: record)
      if cost > left { return record.number }
      left -= cost
    }
    return nil
  }
}

/// A log that holds more than a budget allows.
package struct RecordingTooLarge: Error, Hashable, Sendable {
  /// The number of the operation that there was no room for.
  package let number: UInt64
}
