import Testing

@testable import Harness

/// At which moments a crash state is judged.
@Suite struct LedgerEpochsTests {
  /// Epochs that end with these records, each with how many acknowledgements there were in front of it.
  private static func epochs(_ rows: [(lastRecord: UInt64, acknowledgements: Int)]) -> LedgerEpochs {
    var epochs = LedgerEpochs()
    for row in rows {
      epochs.add(
        LedgerEpochs.Epoch(
          lastRecord: row.lastRecord, ledger: Ledger(), remembered: [:], number: 0,
          acknowledgements: row.acknowledgements, step: nil))
    }
    return epochs
  }

  static let rows: [(ranges: [ClosedRange<UInt64>], judged: [Int])] = [
    ([1...3], [0]), ([4...4], [0]), ([5...5], [1]), ([2...9], [0]), ([2...10], [0, 2]), ([2...UInt64.max], [0, 2, 3]),
    ([9...12], [1, 2]), ([20...UInt64.max], [3]), ([1...2, 11...12], [0, 2]), ([5...6, 7...8], [1]),
  ]

  /// The first epoch of a range and each behind an acknowledgement; a moment is that of the record under way.
  @Test(arguments: rows) func judgesWhereThePromiseGrows(ranges: [ClosedRange<UInt64>], judged: [Int]) {
    let epochs = Self.epochs([(4, 0), (9, 0), (15, 1), (.max, 2)])
    #expect(epochs.judged(in: ranges) == judged)
  }

  /// What is shown behind a crash must not be lost any more, so that it is judged behind an opening, too.
  @Test func judgesBehindAnOpening() {
    var epochs = Self.epochs([(4, 0)])
    epochs.add(
      LedgerEpochs.Epoch(
        lastRecord: .max, ledger: Ledger(), remembered: [:], number: 0, acknowledgements: 0, openings: 1, step: nil))
    #expect(epochs.judged(in: [2...7]) == [0, 1])
    #expect(!epochs.haveAcknowledged && Self.epochs([(4, 0), (9, 1)]).haveAcknowledged)
  }

  @Test func theMomentOfAnEpochIsTheFirstOfIts() {
    let epochs = Self.epochs([(4, 0), (9, 0), (.max, 2)])
    #expect(epochs.moment(in: [2...7], of: 0) == 2)
    #expect(epochs.moment(in: [2...7], of: 1) == 5)
    #expect(epochs.moment(in: [2...3, 7...20], of: 1) == 7)
    #expect(epochs.moment(in: [2...7], of: 2) == nil)
  }

  @Test func aCommandWithoutARecordIsNoMoment() {
    #expect(Self.epochs([(4, 0), (4, 0), (9, 1)]).epochs.map(\.lastRecord) == [4, 9])
  }
}
