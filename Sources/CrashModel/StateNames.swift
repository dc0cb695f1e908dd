import FaultDisk
import FileTracing

/// The names of the states of an exploration under several models, made when one is asked for.
package final class StateNames {
  /// A state, and the moments at which it is judged under each model that allows it.
  package struct Sighted {
    /// The state, under one of the models.
    package let state: CrashState
    /// The place of the model, and the moment.
    package let moments: [(model: Int, moment: UInt64)]

    /// A state of these values.
    package init(_ state: CrashState, moments: [(model: Int, moment: UInt64)]) {
      self.state = state
      self.moments = moments
    }
  }

  private let states: [Sighted]
  private let recording: Recording
  private let models: [PersistenceModel]
  private let spelling: (OperationRecord) -> String
  private let mustStop: () -> Bool
  /// By the place of the model.
  private var known: [Int: [Look: String]] = [:]

  /// A state at a moment.
  private struct Look: Hashable {
    let place: Int
    let moment: UInt64
  }

  /// The names of these states; `spelling` says how an operation is called.
  ///
  /// - Parameter mustStop: where it says so, states are left without a name.
  package init(
    _ states: [Sighted], _ recording: Recording, _ models: [PersistenceModel],
    spelling: @escaping (OperationRecord) -> String = CrashNames.spelling,
    mustStop: @escaping () -> Bool = { false }
  ) {
    self.states = states
    self.recording = recording
    self.models = models
    self.spelling = spelling
    self.mustStop = mustStop
  }

  /// The name of the state at a place, under a model and at a moment; nil where there is no such.
  package func name(of place: Int, under model: Int, at moment: UInt64) throws(HistoryError) -> String? {
    try names(under: model)[Look(place: place, moment: moment)]
  }

  /// The places of the states that have this name under any model.
  package func places(of name: String) throws(HistoryError) -> [Int] {
    var found: Set<Int> = []
    for model in models.indices {
      found.formUnion(try names(under: model).filter { $0.value == name }.keys.map(\.place))
    }
    return found.sorted()
  }

  /// The names that begin like this one, or else some of all; for who has mistyped one.
  package func near(_ name: String, countMax: Int) throws(HistoryError) -> [String] {
    var names: Set<String> = []
    for model in models.indices { names.formUnion(try self.names(under: model).values) }
    let ranked = names.map { (common: $0.commonPrefix(with: name), name: $0) }
    return ranked.sorted { ($1.common, $0.name) < ($0.common, $1.name) }.prefix(countMax).map(\.name)
  }

  private func names(under model: Int) throws(HistoryError) -> [Look: String] {
    if let known = known[model] { return known }
    var looks: [Look] = []
    for (place, state) in states.enumerated() {
      for (other, moment) in state.moments where other == model { looks.append(Look(place: place, moment: moment)) }
    }
    let sighted = looks.map { (state: states[$0.place].state, moment: $0.moment) }
    let names = try CrashNames(of: sighted, in: recording, models[model], spelling: spelling, mustStop: mustStop)
    let made = names.isStopped ? [:] : Dictionary(uniqueKeysWithValues: zip(looks, names.names))
    known[model] = made
    return made
  }
}

extension String {
  /// How many characters are the same at the beginning of both.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
