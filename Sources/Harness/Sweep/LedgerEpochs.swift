import LNoteStore

/// What the judge knew at each moment of a recording: an epoch for each command, and one in front of each.
///
/// A crash while a command is under way finds the ledger as it was before, with what the command would have made as a
/// version that may be there; what the command's answer acknowledged counts from the record behind it, which is the mark
/// that says so.
struct LedgerEpochs {
  /// The ledger during one command, in front of it, or behind the last.
  struct Epoch {
    /// The last record that belongs to it.
    let lastRecord: UInt64
    /// What was accepted and acknowledged, for a crash then.
    let ledger: Ledger
    /// The marks of `remember` then.
    let remembered: [String: [PageName: Int]]
    /// How many commands had been given.
    let number: UInt64
    /// How many answers had called something durable.
    let acknowledgements: Int
    /// How many documents had been opened behind a crash: what is shown then must not be lost any more.
    var openings = 0
    /// True where a repair may have changed something.
    var hasRepaired = false
    /// The line and words of the step that was performed.
    let step: (line: Int, words: String)?
  }

  /// True where the store has called something durable in the course of these epochs.
  var haveAcknowledged: Bool { (epochs.last?.acknowledgements ?? 0) > (epochs.first?.acknowledgements ?? 0) }

  /// The epochs in order; the last one has no end.
  private(set) var epochs: [Epoch] = []

  /// Adds the next epoch; one without a record of its own is no moment at which a crash can be told apart.
  mutating func add(_ epoch: Epoch) {
    if epoch.lastRecord > epochs.last?.lastRecord ?? 0 { epochs.append(epoch) }
  }

  /// The place of the epoch that a moment belongs to.
  func index(at moment: UInt64) -> Int {
    epochs.firstIndex { moment <= $0.lastRecord } ?? max(epochs.count - 1, 0)
  }

  /// The epochs at which a state that is possible in these ranges has to be judged.
  ///
  /// Those are the first of all, and each one behind an acknowledgement or an opening: what is allowed grows with every
  /// edit, and shrinks only where the store calls something durable, or shows what a crash has left.
  func judged(in ranges: [ClosedRange<UInt64>]) -> [Int] {
    var all: [Int] = []
    for range in ranges {
      for index in index(at: range.lowerBound)...index(at: range.upperBound) {
        if let last = all.last, last >= index || epochs[last].promises == epochs[index].promises { continue }
        all.append(index)
      }
    }
    return all
  }

  /// The first moment of these ranges that belongs to an epoch; nil where there is none.
  func moment(in ranges: [ClosedRange<UInt64>], of index: Int) -> UInt64? {
    let lowest = index == 0 ? 0 : epochs[index - 1].lastRecord + 1
    let range = ranges.first { $0.upperBound >= lowest && $0.lowerBound <= epochs[index].lastRecord }
    return range.map { max($0.lowerBound, lowest) }
  }
}

extension LedgerEpochs.Epoch {
  /// How many reasons there were to allow less.
  fileprivate var promises: Int { acknowledgements + openings }
}
