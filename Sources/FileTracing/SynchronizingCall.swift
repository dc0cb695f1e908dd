/// What made a file durable: the system call behind an `fsync` record.
package enum SynchronizingCall: Hashable, Sendable {
  /// fsync(2), or msync(2) of a mapped file.
  case fsync
  /// fdatasync(2).
  case fdatasync
  /// A write of this range through a descriptor opened with O_SYNC, or with O_DSYNC where it is for data only.
  case write(Range<UInt64>, dataOnly: Bool)

  /// The call of an `fsync` record.
  package init(_ record: OperationRecord) {
    let isData = record.argument & 1 != 0
    if record.argument & 2 != 0 {
      self = .write(record.offset..<record.offset + record.lengthAsked, dataOnly: isData)
    } else {
      self = isData ? .fdatasync : .fsync
    }
  }

  /// Tells it to a record.
  ///
  /// The argument is 1 for data only, 2 for a write, whose range stands in offset and length.
  package func tell(_ record: inout OperationRecord) {
    switch self {
    case .fsync: break
    case .fdatasync: record.argument = 1
    case .write(let range, let dataOnly):
      record.argument = dataOnly ? 3 : 2
      record.offset = range.lowerBound
      record.lengthAsked = range.upperBound - range.lowerBound
    }
  }
}
