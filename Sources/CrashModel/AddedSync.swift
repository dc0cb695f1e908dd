import FaultDisk
import FileTracing
import Files

/// An fsync that a program could make, and does not.
package struct AddedSync: Hashable, Sendable, Comparable {
  /// The number of the record that it comes behind.
  package let record: UInt64
  /// The file or directory.
  package let inode: UInt64
  /// Its path then.
  package let path: BytePath

  /// Order by place, then by path.
  package static func < (left: AddedSync, right: AddedSync) -> Bool {
    (left.record, left.path, left.inode) < (right.record, right.path, right.inode)
  }
}

extension Recording {
  /// The recording as it were with these syncs. An added record has the number of the one that it follows.
  package func adding(_ syncs: [AddedSync]) -> Recording {
    var result = self
    result.records.removeAll(keepingCapacity: true)
    let byRecord = Dictionary(grouping: syncs.sorted(), by: \.record)
    for record in records {
      result.records.append(record)
      for sync in byRecord[record.number] ?? [] {
        result.records.append(
          OperationRecord(number: record.number, kind: .fsync, path: sync.path, inode: sync.inode))
      }
    }
    return result
  }
}

/// The search for the fewest syncs behind which no failing state is possible any more.
package struct FixSearch {
  /// So many syncs are tried together, all combinations; more are put together greedily.
  private static let togetherMax = 2
  /// So many places are considered.
  private static let candidatesMax = 24

  private let recording: Recording
  private let disk: FaultDisk
  private let model: PersistenceModel
  private let limits: ExplorationLimits
  private let isFailing: (CrashState) -> Bool

  /// A search on one recording; `isFailing` judges a state, also one that was not possible before.
  package init(
    _ recording: Recording, on disk: FaultDisk, _ model: PersistenceModel, _ limits: ExplorationLimits,
    isFailing: @escaping (CrashState) -> Bool
  ) {
    self.recording = recording
    self.disk = disk
    self.model = model
    self.limits = limits
    self.isFailing = isFailing
  }

  /// A smallest set of syncs that leaves none of the failing states possible, and makes no new one.
  ///
  /// Each set is explored anew before it is believed, since a sync may make states of its own. Nil where no set was
  /// found: where the order of operations is wrong, no sync mends it.
  package func smallest(for failing: [CrashState]) throws(HistoryError) -> [AddedSync]? {
    let candidates = try candidates(for: failing)
    for size in 1...Self.togetherMax {
      for set in Self.subsets(of: candidates, size: size) where try isMended(by: set) { return set }
    }
    return try greedy(candidates)
  }

  /// How many states are possible with these syncs, and how many of them fail.
  package func outcome(of syncs: [AddedSync]) throws(HistoryError) -> (states: Int, failing: Int) {
    let exploration = try CrashExploration(recording.adding(syncs), on: disk, model, limits)
    return (exploration.states.count, exploration.states.count(where: isFailing))
  }

  private func isMended(by syncs: [AddedSync]) throws(HistoryError) -> Bool {
    try outcome(of: syncs).failing == 0
  }

  /// All candidates together, and then one after the other is taken away where the rest suffices.
  private func greedy(_ candidates: [AddedSync]) throws(HistoryError) -> [AddedSync]? {
    guard try isMended(by: candidates) else { return nil }
    var kept = candidates
    for candidate in candidates {
      let rest = kept.filter { $0 != candidate }
      if try isMended(by: rest) { kept = rest }
    }
    return kept
  }

  /// Syncs behind what the failing states have lost: of the file, or of the directory.
  private func candidates(for failing: [CrashState]) throws(HistoryError) -> [AddedSync] {
    var votes: [AddedSync: Int] = [:]
    for state in failing {
      let account = try CrashAccount(
        of: state.tree, at: state.moments.last, in: recording, model, isPowerCut: limits.isPowerCut)
      for (inode, record) in account.losses {
        guard let sync = sync(of: inode, behind: record) else { continue }
        votes[sync, default: 0] += 1
      }
    }
    let ranked = votes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
    return ranked.prefix(Self.candidatesMax).map(\.key)
  }

  private func sync(of inode: UInt64, behind number: UInt64) -> AddedSync? {
    var reader = HistoryReader(recording)
    for record in recording.records {
      _ = try? reader.step(record)
      guard record.number == number else { continue }
      return reader.namespace.reachable.first { $0.inode == inode }.map {
        AddedSync(record: number, inode: inode, path: $0.path)
      }
    }
    return nil
  }

  private static func subsets(of candidates: [AddedSync], size: Int) -> [[AddedSync]] {
    if size == 1 { return candidates.map { [$0] } }
    return candidates.indices.flatMap { first in
      subsets(of: Array(candidates[(first + 1)...]), size: size - 1).map { [candidates[first]] + $0 }
    }
  }
}
