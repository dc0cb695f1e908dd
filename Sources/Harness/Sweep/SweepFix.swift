import Bytes
import CrashModel
import FaultDisk
import Scenarios

/// The fewest fsyncs that the store could make, behind which no crash state of a sweep fails.
package struct SweepFix: Sendable {
  /// A sync, and the operation that it comes behind.
  package struct Sync: Sendable, Equatable {
    /// What is synced: "page p1", "the directory pages".
    package let subject: String
    /// "write of page p1".
    package let behind: String
    /// The number of that operation.
    package let record: UInt64
  }

  /// The syncs, in their order.
  package let syncs: [Sync]
  /// How many states are left, of the model that has the most.
  package let stateCount: Int

  /// So many further judgements are made for each that was made before.
  private static let effortMax = 4

  /// Searches for it; nil where no syncs suffice, or more would have had to be judged.
  init?(_ bench: CrashBench, _ states: SweepStates, failing: [Int: Set<Int>], judgements: Int) {
    let verdicts = FixVerdicts(bench, states, failing, effortMax: Self.effortMax * judgements)
    let models = bench.plan.models.enumerated().map { model, value in
      let places = failing.keys.sorted().filter { failing[$0]?.contains(model) == true }
      return (model: value, states: places.compactMap { states.states[$0].crash(under: model) })
    }
    let fix = try? CommonFix(
      for: models, in: bench.recording, on: bench.disk.disk, bench.plan.limits, mustStop: bench.plan.mustStop,
      isFailing: { verdicts.isFailing($0) })
    guard let fix, !verdicts.isOver else { return nil }
    let roles = FileRoles(bench.run.scenario)
    let records = Dictionary(bench.recording.records.map { ($0.number, $0) }) { first, _ in first }
    syncs = fix.syncs.map { sync in
      let behind = records[sync.record].map { roles.spelling(of: $0) } ?? "#\(sync.record)"
      let role = roles.target(for: sync.path)?.spelling
      let isFile = records.values.contains { $0.inode == sync.inode && $0.kind == .create }
      let path = bench.run.scenario.withNames(sync.path.isRoot ? "of the documents" : sync.path.description)
      return Sync(subject: isFile ? role ?? path : "the directory \(path)", behind: behind, record: sync.record)
    }
    stateCount = fix.stateCount
  }

  /// "fsync page p1 behind #12, write of page p1: then none of 33 states on any of these models fails".
  package var text: String {
    let steps = syncs.map { "fsync \($0.subject) behind #\($0.record), \($0.behind)" }
    return "\(steps.joined(separator: "; ")): then none of \(stateCount) states on any of these models fails"
  }
}

/// Whether states fail, from what the sweep has judged and, where it has not, by judging them.
private final class FixVerdicts {
  private let bench: CrashBench
  private var known: [Digest128: [Int: Bool]] = [:]
  private var effortLeft: Int
  private(set) var isOver = false

  init(_ bench: CrashBench, _ states: SweepStates, _ failing: [Int: Set<Int>], effortMax: Int) {
    self.bench = bench
    effortLeft = effortMax
    // What has failed under no model is good whenever it was judged.
    for (place, state) in states.states.enumerated() where failing[place] == nil {
      for sighting in state.sightings {
        for epoch in bench.epochs.judged(in: sighting.ranges) {
          known[state.crash.digest, default: [:]][epoch] = true
        }
      }
    }
  }

  func isFailing(_ state: CrashState) -> Bool {
    let ranges = state.moments.ranges.compactMap { $0.from(bench.first) }
    return bench.epochs.judged(in: ranges).contains { !isGood(state, $0) }
  }

  private func isGood(_ state: CrashState, _ epoch: Int) -> Bool {
    if let isGood = known[state.digest]?[epoch] { return isGood }
    guard effortLeft > 0, !isOver else {
      isOver = true
      return false
    }
    effortLeft -= 1
    let isGood = bench.verdict(of: state.tree, epoch) == .passed
    known[state.digest, default: [:]][epoch] = isGood
    return isGood
  }
}
