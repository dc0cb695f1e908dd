import Exploring
import JSON
import Terminal

extension ExploreRecovery {
  /// How much of what is possible the states are.
  var completeness: String {
    if isEndedEarly { return "not all: there are more than there was time for" }
    if judgedCount < stateCount || wasCut || isThinned { return "not all: there are more than the budget" }
    if isSampled { return "not all: of many files, all pairs of versions and a sample" }
    return isWholeOverBlocks ? "complete" : "complete over block classes"
  }

  /// True where states may fail that were to be judged, for another reason than that the budget left some of them out.
  var isOpen: Bool {
    unknownCount > 0 || wasCut || checkCount > 0 && crashedCount == 0 || stateCount > 0 && judgedCount == 0
  }

  /// ", then 23 of 23 crash states of recovery (complete)".
  func words(isSignalled: Bool) -> String {
    if checkCount == 0 { return "; the check writes nothing that a second crash could hit" }
    if stateCount == 0, crashedCount == checkCount { return ", and crashes of the check leave no others" }
    let extent = isSignalled ? "not all: a signal ended it" : completeness
    return
      ", then \(Figures.grouped(judgedCount)) of \(Figures.grouped(stateCount)) crash states of recovery (\(extent))"
  }

  /// What else has to be known.
  var notes: [String] {
    var notes: [String] = []
    if checkCount > 0 {
      notes.append(
        "Runs of the check that wrote: \(Figures.grouped(checkCount)), crashed: \(Figures.grouped(crashedCount)). "
          + "States of recovery that are equal, or were checked before, count once.")
    }
    if unknownCount > 0 { notes.append("Unknown, \(Figures.counted(unknownCount, "time")): \(firstUnknown ?? "").") }
    if !isWatched && !failing.isEmpty {
      notes.append("Unknown: sync(2) and syncfs(2) of the check cannot be watched here.")
    }
    return notes
  }

  /// What it found, in figures.
  var json: JSONValue {
    .object([
      "checks": .integer(Int64(checkCount)), "crashed": .integer(Int64(crashedCount)),
      "states": .integer(Int64(stateCount)), "judged": .integer(Int64(judgedCount)),
      "failing": .integer(Int64(failing.count)), "unknown": .integer(Int64(unknownCount)),
      "completeness": .string(completeness), "syncsWatched": .bool(isWatched),
    ])
  }
}
