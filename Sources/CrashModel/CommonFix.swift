import FaultDisk

/// The fewest syncs that a program could make, behind which no state fails under any of several models.
package struct CommonFix: Sendable {
  /// The syncs, in their order.
  package let syncs: [AddedSync]
  /// How many states are left, of the model that has the most.
  package let stateCount: Int

  /// Searches for it; nil where no syncs suffice.
  ///
  /// All states that are then possible have been judged by `isFailing`, and are good.
  ///
  /// - Parameter failing: every model that counts, each with its states that fail.
  package init?(
    for failing: [(model: PersistenceModel, states: [CrashState])], in recording: Recording, on disk: FaultDisk,
    _ limits: ExplorationLimits, mustStop: @escaping @Sendable () -> Bool = { false },
    isFailing: @escaping (CrashState) -> Bool
  ) throws(HistoryError) {
    func search(_ model: PersistenceModel) -> FixSearch {
      FixSearch(recording, on: disk, model, limits, mustStop: mustStop, isFailing: isFailing)
    }
    var found: Set<AddedSync> = []
    for (model, states) in failing where !states.isEmpty {
      guard let syncs = try search(model).smallest(for: states) else { return nil }
      found.formUnion(syncs)
    }
    // What mends one model must not harm another.
    var count = 0
    for (model, _) in failing {
      let outcome = try search(model).outcome(of: found.sorted())
      if outcome.failing > 0 { return nil }
      count = max(count, outcome.states)
    }
    syncs = found.sorted()
    stateCount = count
  }
}
