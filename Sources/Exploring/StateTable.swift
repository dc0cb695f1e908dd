import Bytes
import CrashModel
import FaultDisk

/// The distinct states of several explorations of one recording, each once.
package struct StateTable: Sendable {
  /// A tree, and what each model that allows it says of it.
  package struct Entry: Sendable {
    /// The tree, as the first of the models makes it.
    package var tree: DiskTree { states[0].state.tree }
    /// Equal for equal trees.
    package let digest: Digest128
    /// By the place of the model among the explorations.
    package fileprivate(set) var states: [(model: Int, state: CrashState)]

    /// When a crash may leave it, under any of the models.
    package var moments: [ClosedRange<UInt64>] { states.flatMap { $0.state.moments.ranges } }
    /// The first moment.
    package var first: UInt64 { states.map(\.state.moments.first).min() ?? 0 }
  }

  /// The states, in the order in which they become possible.
  package private(set) var entries: [Entry]
  /// The places of the entries in the whole table.
  package private(set) var places: [Int]
  /// The names of the models, in the order of the explorations.
  package let models: [PersistenceModel]

  /// Puts equal states together.
  package init(_ explorations: [CrashExploration]) {
    models = explorations.map(\.model)
    var found: [Entry] = []
    var numbers: [Digest128: Int] = [:]
    for (model, exploration) in explorations.enumerated() {
      for state in exploration.states {
        if let number = numbers[state.digest] {
          found[number].states.append((model, state))
        } else {
          numbers[state.digest] = found.count
          found.append(Entry(digest: state.digest, states: [(model, state)]))
        }
      }
    }
    // Sorting keeps the order of equals out of the language's hands.
    entries = found.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
      .map(\.element)
    places = Array(entries.indices)
  }

  /// The same table with these of its entries only.
  package func only(_ places: [Int]) -> StateTable {
    var table = self
    table.entries = places.map { entries[$0] }
    table.places = places
    return table
  }

  /// The names of all entries; `moments` says at which of a model's moments a state is judged.
  package func names(
    in recording: Recording, mustStop: @escaping () -> Bool = { false },
    judgedAt moments: ([ClosedRange<UInt64>]) -> [UInt64]
  ) -> StateNames {
    let sighted = entries.map { entry in
      StateNames.Sighted(
        entry.states[0].state,
        moments: entry.states.flatMap { pair in moments(pair.state.moments.ranges).map { (pair.model, $0) } })
    }
    return StateNames(sighted, recording, models, mustStop: mustStop)
  }
}
