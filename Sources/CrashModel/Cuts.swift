import Files

/// All cuts of one moment, the newest first. Each is made when it is asked for.
///
/// The cuts of a journal are made by walking along it, a change done or undone at each step, so that the names are held
/// once however many changes wait for a sync. A cut that is no longer held costs nothing to walk on from.
struct Cuts {
  /// How many there are.
  let count: Int
  /// False where these stand for all.
  let isWhole: Bool

  private let window: CrashWindow
  /// Where nothing is ordered: a version of each slot for each cut.
  private let picks: FreePicks
  private let chains: [CrashWindow.Chain]
  /// Where there is an order: the names behind the first changes.
  private var namespace: Namespace
  private var replacements: [UInt64: UInt64] = [:]
  /// What those changes have replaced, in their order.
  private var replaced: [Replaced] = []
  /// What fsyncs behind those changes have logged.
  private var logged: LoggedSlots

  private struct Replaced {
    var values: [SlotChange] = []
    /// The file that a rename has put in the place of another, and the record of its rename before.
    var replacing: (inode: UInt64, before: UInt64?)?
  }

  /// Those of this moment; the seed decides which stand for all where nothing is ordered.
  init(_ window: CrashWindow, seed: UInt64) {
    self.window = window
    namespace = window.base
    logged = LoggedSlots(window.log.entries)
    if window.model.metadataOrder == .free {
      chains = window.chains
      picks = FreePicks(chains, window.pending.map(\.record), seed: seed)
      isWhole = picks.isWhole
      count = picks.count
    } else {
      (chains, isWhole) = ([], true)
      picks = FreePicks([], [], seed: seed)
      count = (window.pending.count + 1) * (window.hasChoiceOfFlight ? 2 : 1)
    }
  }

  /// The cut at a place, 0 for the newest.
  mutating func cut(at place: Int) -> Cut {
    if window.model.metadataOrder == .free { return window.cut(of: chains, picks[place]) }
    let (count, flight) = (count - 1 - place).quotientAndRemainder(dividingBy: window.hasChoiceOfFlight ? 2 : 1)
    walk(to: count)
    let pending = window.pending
    var cut = Cut(
      namespace: namespace, firstLost: count < pending.count ? pending[count].record : .max,
      lastKept: count > 0 ? pending[count - 1].record : 0, replacements: replacements)
    if window.model.metadataOrder == .commitAndLog {
      logged.replay(behind: cut.lastKept, into: &cut.namespace)
      if flight == 1, let entry = window.log.inFlight {
        if entry.record > cut.lastKept { for change in entry.changes { cut.namespace.apply(change) } }
        cut.fileInFlight = entry.inode
      }
    }
    return cut
  }

  /// Does or undoes changes until so many are done.
  private mutating func walk(to count: Int) {
    while replaced.count < count { step(window.pending[replaced.count]) }
    while replaced.count > count { stepBack() }
  }

  private mutating func step(_ change: MetadataChange) {
    var old = Replaced()
    for part in change.changes {
      old.values.append(SlotChange(slot: part.slot, value: namespace.value(of: part.slot)))
      namespace.apply(part)
    }
    if let inode = change.replacing, window.model.replacingRename == .startsFlush {
      old.replacing = (inode, replacements[inode])
      replacements[inode] = change.record
    }
    replaced.append(old)
  }

  private mutating func stepBack() {
    let old = replaced.removeLast()
    for value in old.values.reversed() { namespace.apply(value) }
    if let (inode, before) = old.replacing { replacements[inode] = before }
  }
}

extension CrashWindow {
  /// True where one of the cuts is like this.
  func hasCut(_ isFitting: (Cut) -> Bool) -> Bool {
    var cuts = Cuts(self, seed: 0)
    return (0..<cuts.count).contains { isFitting(cuts.cut(at: $0)) }
  }

  /// True where the fsync under way may count as done or not.
  fileprivate var hasChoiceOfFlight: Bool {
    model.metadataOrder == .commitAndLog && log.inFlight != nil && !log.mustCommit
  }
}
