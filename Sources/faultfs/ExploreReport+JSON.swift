import CrashModel
import Exploring
import JSON

extension ExploreReport {
  /// The findings and what they rest on.
  var json: JSONValue {
    .object([
      "program": .string(program), "verdict": .string(conclusion.rawValue),
      "states": .integer(Int64(judging.table.entries.count)), "judged": .integer(Int64(judging.judgedCount)),
      "failing": .integer(Int64(judging.failing.count)), "unknown": .integer(Int64(judging.unknownCount)),
      "completeness": .string(completeness), "records": .integer(Int64(run.recording.records.count)),
      "syncsWatched": .bool(run.isWatched), "twoRunsAlike": .bool(differences.isEmpty),
      "models": .array(explorations.map(ExploreReport.json)), "failures": .array(examples.map(json)),
      "recovery": recovery?.json ?? .null, "fix": fix.map { .array($0.syncs.map(ExploreReport.json)) } ?? .null,
      "relations": .object(
        Dictionary(uniqueKeysWithValues: relations.map { ($0.key.rawValue, .integer(Int64($0.value))) })),
    ])
  }

  private static func json(_ exploration: CrashExploration) -> JSONValue {
    .object([
      "name": .string(exploration.model.name), "isMeasured": .bool(exploration.model.isMeasured),
      "states": .integer(Int64(exploration.states.count)), "made": .integer(Int64(exploration.madeCount)),
      "isWholeOverBlocks": .bool(exploration.isWholeOverBlocks),
      "isWholeOverFiles": .bool(exploration.isWholeOverFiles), "wasCut": .bool(exploration.wasCut),
      "isThinned": .bool(exploration.isThinned), "moments": .integer(Int64(exploration.momentCount)),
      "thinnedMoments": .integer(Int64(exploration.thinnedMoments.count)),
    ])
  }

  private static func json(_ sync: AddedSync) -> JSONValue {
    .object(["fsync": .string(sync.path.description), "behind": .integer(Int64(sync.record))])
  }

  private func json(_ example: ExploreExample) -> JSONValue {
    let failure = example.found.example
    let how = if case .failing(let how) = failure.outcome.verdict { how } else { "unknown" }
    return .object([
      "how": .string(how), "firstLine": .string(failure.outcome.firstLine), "said": .string(failure.outcome.text),
      "states": .integer(Int64(example.found.entries.count)),
      "models": .array(example.found.models.sorted().map { .string(settings.models[$0].name) }),
      "moment": failure.moment == .max ? .null : .integer(Int64(failure.moment)),
      "printedBytes": .integer(Int64(failure.outputCount)),
      "lost": .array(failure.losses.sorted().map { .string($0) }),
      "thisKernel": .array(example.answers.map { .string($0) }),
      "explanation": .array((example.explanation?.lines ?? []).map { .string($0) }),
      "name": example.name.map { .string($0) } ?? .null, "isOfRecovery": .bool(example.isOfRecovery),
      "finding": finding(of: example).json,
      "tree": example.kept.map { .string($0.description) } ?? .null,
    ])
  }
}
