import Bytes
import CrashModel
import FaultDisk
import Scenarios

/// The states that a crash in the course of some steps may leave under several models, each tree once.
struct SweepStates {
  /// One tree, and under which models it is possible, and when.
  struct State {
    /// What is on the disk, as the first of these models makes it.
    let crash: CrashState
    /// For each model that allows it, the model's place and the moments, as ranges of records.
    var sightings: [(model: Int, ranges: [ClosedRange<UInt64>])]
    /// The same under the other models.
    fileprivate var others: [Int: CrashState] = [:]

    /// The state as a model has it, with its own moments; nil where that does not allow it.
    func crash(under model: Int) -> CrashState? { model == sightings.first?.model ? crash : others[model] }
  }

  /// How much of a model was gone through.
  struct Extent {
    /// The model's name.
    let model: String
    /// How many states it allows in the course of these steps.
    var count = 0
    /// "complete", or what stands for more.
    let completeness: Completeness
  }

  /// The states in the order in which they become possible, model by model.
  private(set) var states: [State] = []
  /// One for each model.
  private(set) var extents: [Extent] = []

  /// About how many bytes the states of all models take.
  private static let memoryMax = 1 << 30

  /// Explores each model of a plan; only moments from the record `first` on count.
  init(_ recording: Recording, on disk: FaultDisk, _ plan: CrashPlan, from first: UInt64) throws(HarnessError) {
    var limits = plan.limits
    limits.memoryMax = min(limits.memoryMax, Self.memoryMax / max(1, plan.models.count))
    var places: [Digest128: Int] = [:]
    for (place, model) in plan.models.enumerated() {
      let exploration = try SweepStates.explore(recording, disk, model, limits, plan.mustStop)
      var extent = Extent(model: model.name, completeness: Completeness(exploration))
      for state in exploration.states {
        let ranges = state.moments.ranges.compactMap { $0.from(first) }
        if ranges.isEmpty { continue }
        extent.count += 1
        if let known = places[state.digest] {
          states[known].sightings.append((place, ranges))
          states[known].others[place] = state
        } else {
          places[state.digest] = states.count
          states.append(State(crash: state, sightings: [(place, ranges)]))
        }
      }
      extents.append(extent)
    }
  }

  /// The names of all of them under these models, at each moment at which they are judged.
  func names(
    in recording: Recording, _ plan: CrashPlan, _ epochs: LedgerEpochs, _ roles: FileRoles
  ) -> StateNames {
    let sighted = states.map { state in
      StateNames.Sighted(
        state.crash,
        moments: state.sightings.flatMap { one in
          epochs.judged(in: one.ranges).compactMap { epochs.moment(in: one.ranges, of: $0) }.map { (one.model, $0) }
        })
    }
    return StateNames(sighted, recording, plan.models, spelling: roles.spelling(of:), mustStop: plan.mustStop)
  }

  private static func explore(
    _ recording: Recording, _ disk: FaultDisk, _ model: PersistenceModel, _ limits: ExplorationLimits,
    _ mustStop: @escaping @Sendable () -> Bool
  ) throws(HarnessError) -> CrashExploration {
    do throws(HistoryError) {
      return try CrashExploration.toTheEnd(recording, on: disk, model, limits) { mustStop() ? .infinity : 0 }
    } catch {
      throw .disk("no crash states can be made of this run: \(error)")
    }
  }
}

/// How much of what a model allows was made.
package enum Completeness: String, Sendable, Comparable {
  case complete
  case overBlockClasses
  case sampled

  init(_ exploration: CrashExploration) {
    if exploration.wasCut || exploration.isThinned || !exploration.isWholeOverFiles {
      self = .sampled
    } else {
      self = exploration.isWholeOverBlocks ? .complete : .overBlockClasses
    }
  }

  /// For a report.
  package var words: String {
    switch self {
    case .complete: "complete"
    case .overBlockClasses: "complete over block classes"
    case .sampled: "a sample"
    }
  }

  private var rank: Int {
    switch self {
    case .complete: 0
    case .overBlockClasses: 1
    case .sampled: 2
    }
  }

  /// What is less complete is greater.
  package static func < (left: Completeness, right: Completeness) -> Bool { left.rank < right.rank }
}

extension ClosedRange<UInt64> {
  /// The part from `first` on; nil where there is none.
  func from(_ first: UInt64) -> ClosedRange? {
    upperBound < first ? nil : Swift.max(lowerBound, first)...upperBound
  }
}
