import FileTracing
import Testing

@testable import FaultDisk

/// How much of a run is kept.
@Suite struct RecordingBudgetTests {
  private let budget = RecordingBudget(bytesMax: 3 << 10)

  private func record(_ number: UInt64, writes length: UInt64? = nil) -> OperationRecord {
    var record = OperationRecord(number: number, kind: length == nil ? .fsync : .write, path: "f")
    if let length { (record.dataAddress, record.lengthTaken) = (0, length) }
    return record
  }

  @Test func aDiskKeepsNoMoreOperationsThanThereIsRoomFor() {
    #expect(budget.operationsMax == 3)
    #expect(RecordingBudget(bytesMax: 0).operationsMax == 1)
  }

  @Test func theFirstThatDoesNotFitIsNamed() {
    #expect(budget.firstOver(of: [record(1), record(2), record(3)]) == nil)
    #expect(budget.firstOver(of: [record(1), record(2), record(3), record(4)]) == 4)
  }

  @Test func whatIsWrittenCounts() {
    #expect(budget.firstOver(of: [record(1, writes: 2048)]) == nil)
    #expect(budget.firstOver(of: [record(7, writes: 2049)]) == 7)
  }
}
