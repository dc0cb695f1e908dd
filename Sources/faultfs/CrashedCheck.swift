import CrashModel
import Exploring
import FaultDisk

/// A check that was recorded in a state, and the states that a crash in the course of it may leave.
final class CrashedCheck {
  /// The place of the first state in the table of the run.
  let place: Int
  /// How many bytes of output the check read.
  let outputCount: Int
  /// The states; models have the places that they have in `models`.
  let table: StateTable
  /// What could be explored of it, model by model.
  let explorations: [CrashExploration]

  private let recording: Recording
  /// The places of the models among those of the run.
  private let models: [Int]
  private lazy var names = table.names(in: recording, judgedAt: { [$0.first?.lowerBound ?? 0] })

  /// Explores what a check did in the state at a place, under the models that allow this state at this output.
  init(
    _ recording: Recording, at place: Int, _ outputCount: Int, of first: StateTable, _ run: ExploredRun,
    _ settings: ExploreSettings, _ limits: ExplorationLimits, _ time: ExploreTime
  ) throws(HistoryError) {
    self.recording = recording
    self.place = place
    self.outputCount = outputCount
    models = first.entries[place].states.compactMap { pair in
      run.output.firstMoment(withCount: outputCount, during: pair.state.moments.ranges).map { _ in pair.model }
    }
    var explorations: [CrashExploration] = []
    for model in models {
      explorations.append(
        try CrashExploration.toTheEnd(recording, on: run.disk, settings.models[model], limits) {
          time.isInterrupted ? .infinity : time.isOver ? 1 : 0
        })
    }
    self.explorations = explorations
    table = StateTable(explorations)
  }

  /// The places, among the models of the run, of those that allow a state.
  func models(of entry: Int) -> [Int] { table.entries[entry].states.map { models[$0.model] } }

  /// When a state is possible under the first model that allows it.
  func moment(of entry: Int) -> UInt64 { table.entries[entry].states[0].state.moments.first }

  /// The places of the states of this name.
  func places(of name: String) throws(HistoryError) -> [Int] { try names.places(of: name) }

  /// Names that begin like this one.
  func near(_ name: String, countMax: Int) throws(HistoryError) -> [String] {
    try names.near(name, countMax: countMax)
  }

  /// The name of a state, within this check.
  func name(of entry: Int) throws(HistoryError) -> String? {
    try names.name(of: entry, under: table.entries[entry].states[0].model, at: moment(of: entry))
  }

  /// Why a state is possible.
  func explanation(of entry: Int) throws(HistoryError) -> CrashExplanation {
    let (model, state) = table.entries[entry].states[0]
    return try CrashExplanation(of: state, at: moment(of: entry), in: recording, table.models[model])
  }

  /// What the states at these places lose of what the check did; nothing where there was no time.
  func losses(of entries: [Int], _ time: ExploreTime) -> [Set<String>] {
    var losses = [Set<String>](repeating: [], count: entries.count)
    for model in table.models.indices {
      let places = entries.indices.filter { table.entries[entries[$0]].states[0].model == model }
      if places.isEmpty { continue }
      let states = places.map { (state: table.entries[entries[$0]].states[0].state, moment: moment(of: entries[$0])) }
      let accounts = try? CrashAccount.all(of: states, in: recording, table.models[model]) { time.isOverdue }
      for (place, account) in zip(places, accounts ?? []) { losses[place] = account?.losses ?? [] }
    }
    return losses
  }
}
