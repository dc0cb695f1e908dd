import Bytes
import CrashModel
import FaultDisk

/// The distinct states of several explorations of one recording, each once.
package struct StateTable: Sendable {
  /// A tree, and what each model that allows it says of it.
  package struct Entry: Sendable {
    /// The tree.
    package let tree: DiskTree
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
  package let entries: [Entry]
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
          found.append(Entry(tree: state.tree, digest: state.digest, states: [(model, state)]))
        }
      }
    }
    // Sorting keeps the order of equals out of the language's hands.
    entries = found.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
      .map(\.element)
  }
}
