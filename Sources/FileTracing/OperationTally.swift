/// Counts over the operations of a disk.
package struct OperationTally: Hashable, Sendable {
  /// How many there were of each kind; kinds without any are left out.
  package private(set) var operations: [OperationKind: Int] = [:]
  /// How many of them are counted ones.
  package private(set) var counted: [OperationKind: Int] = [:]
  /// The bytes that writes took.
  package private(set) var bytesWritten: UInt64 = 0
  /// The bytes that reads gave.
  package private(set) var bytesRead: UInt64 = 0

  /// Counts one more.
  mutating func note(_ record: OperationRecord) {
    operations[record.kind, default: 0] += 1
    if record.countedNumber != nil { counted[record.kind, default: 0] += 1 }
    if record.kind == .write { bytesWritten += record.lengthTaken }
    if record.kind == .read { bytesRead += record.lengthTaken }
  }
}
