import FaultDisk
import FileTracing
import Files

/// The search for the fewest syncs behind which no failing state is possible any more.
///
/// A set of syncs is first asked whether it forbids some of the failing states, which is quick; a set that forbids all of
/// them is explored anew before it is believed, since a sync may make states of its own.
package struct FixSearch {
  /// So many places are considered.
  private static let candidatesMax = 24
  /// So many failing states are asked about before a set is explored.
  private static let samplesMax = 48
  /// So many sets are explored at the most.
  private static let explorationsMax = 16

  private let recording: Recording
  private let disk: FaultDisk
  private let model: PersistenceModel
  private let limits: ExplorationLimits
  private let isFailing: (CrashState) -> Bool
  private let mustStop: @Sendable () -> Bool

  /// A search on one recording; `isFailing` judges a state, also one that was not possible before.
  ///
  /// - Parameter mustStop: where it says so, nothing is found.
  package init(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel, _ limits: ExplorationLimits,
    mustStop: @escaping @Sendable () -> Bool = { false }, isFailing: @escaping (CrashState) -> Bool
  ) {
    self.mustStop = mustStop
    self.recording = recording
    self.disk = disk
    self.model = model
    self.limits = limits
    self.isFailing = isFailing
  }

  /// A smallest set of syncs that leaves none of the failing states possible, and makes no new one.
  ///
  /// Of more than two it is one from which none can be taken away. Nil where no set was found: where the order of
  /// operations is wrong, no sync mends it.
  package func smallest(for failing: [CrashState]) throws(HistoryError) -> [AddedSync]? {
    let samples = Self.spread(failing, countMax: Self.samplesMax)
    let candidates = try candidates(for: samples)
    var explorations = 0
    var sets: [(syncs: [AddedSync], forbidden: Set<Int>)] = []
    for candidate in candidates { sets.append(([candidate], try forbidden([candidate], samples))) }
    for size in 1...2 {
      for syncs in size == 1 ? sets.filter({ $0.forbidden.count == samples.count }).map(\.syncs) : pairs(sets, samples)
      where explorations < Self.explorationsMax {
        if size == 2, try forbidden(syncs, samples).count < samples.count { continue }
        explorations += 1
        if try outcome(of: syncs).failing == 0 { return syncs }
      }
    }
    return try greedy(candidates)
  }

  /// How many states are possible with these syncs, and how many of them fail.
  ///
  /// What was left out counts as one that does.
  package func outcome(of syncs: [AddedSync]) throws(HistoryError) -> (states: Int, failing: Int) {
    let mustStop = mustStop
    let exploration = try CrashExploration.toTheEnd(recording.adding(syncs), on: disk, model, limits) {
      mustStop() ? 1 : 0
    }
    if mustStop() { return (exploration.states.count, 1) }
    let failing = exploration.states.count(where: isFailing)
    return (exploration.states.count, exploration.wasCut || exploration.isThinned ? failing + 1 : failing)
  }

  /// The first and the last of them, and others evenly between.
  private static func spread(_ states: [CrashState], countMax: Int) -> [CrashState] {
    if states.count <= countMax { return states }
    return (0..<countMax).map { states[$0 * (states.count - 1) / (countMax - 1)] }
  }

  /// Pairs that together may forbid everything; a pair may do less than its parts, and is asked again.
  private func pairs(
    _ sets: [(syncs: [AddedSync], forbidden: Set<Int>)], _ samples: [CrashState]
  ) -> [[AddedSync]] {
    sets.indices.flatMap { one in
      sets.indices.compactMap { other in
        other > one && sets[one].forbidden.union(sets[other].forbidden).count == samples.count
          ? sets[one].syncs + sets[other].syncs : nil
      }
    }
  }

  /// All candidates together, and then one after the other is taken away where the rest suffices, the least likely first.
  private func greedy(_ candidates: [AddedSync]) throws(HistoryError) -> [AddedSync]? {
    guard try outcome(of: candidates).failing == 0 else { return nil }
    var kept = candidates
    for candidate in candidates.reversed() {
      let rest = kept.filter { $0 != candidate }
      if try outcome(of: rest).failing == 0 { kept = rest }
    }
    return kept
  }

  /// Which of the states are not possible any more at their last moment.
  private func forbidden(_ syncs: [AddedSync], _ samples: [CrashState]) throws(HistoryError) -> Set<Int> {
    let amended = recording.adding(syncs)
    var byMoment: [UInt64: [Int]] = [:]
    for (index, state) in samples.enumerated() { byMoment[state.moments.last, default: []].append(index) }
    var forbidden = Set(samples.indices)
    var window = CrashWindow(amended, model, isPowerCut: limits.isPowerCut)
    func look(at moment: UInt64) {
      for index in byMoment[moment] ?? [] where forbidden.contains(index) {
        if window.allows(samples[index].tree) { forbidden.remove(index) }
      }
    }
    look(at: 0)
    for record in amended.records {
      _ = try window.begin(record)
      look(at: record.number)
      _ = window.finish()
      if mustStop() { return [] }
    }
    look(at: .max)
    return forbidden
  }

  /// Syncs behind what the failing states have lost: of the file, or of the directory; those of most states first.
  private func candidates(for failing: [CrashState]) throws(HistoryError) -> [AddedSync] {
    var votes: [AddedSync: Int] = [:]
    var losses: [Loss: Int] = [:]
    for state in failing {
      let account = try CrashAccount(
        of: state.tree, at: state.moments.last, in: recording, model, isPowerCut: limits.isPowerCut)
      for (inode, record) in account.losses { losses[Loss(inode: inode, record: record), default: 0] += 1 }
    }
    var reader = HistoryReader(recording)
    for record in recording.records {
      _ = try reader.step(record)
      for (loss, count) in losses where loss.record == record.number {
        guard let path = reader.namespace.reachable.first(where: { $0.inode == loss.inode })?.path else { continue }
        votes[AddedSync(record: record.number, inode: loss.inode, path: path)] = count
      }
    }
    let ranked = votes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    return ranked.prefix(Self.candidatesMax).map(\.key)
  }

  private struct Loss: Hashable {
    var inode: UInt64
    var record: UInt64
  }
}
