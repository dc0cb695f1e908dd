import FaultDisk
import FileTracing

/// The records of a recording by their number, without a copy of them.
package struct NumberedRecords: Sendable {
  private let records: [OperationRecord]

  /// Those of a recording, whose numbers ascend.
  package init(_ recording: Recording) { records = recording.records }

  /// The first record of this number; nil where there is none.
  package subscript(number: UInt64) -> OperationRecord? {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].number == number ? records[low] : nil
  }
}
