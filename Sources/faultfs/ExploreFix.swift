import Bytes
import CrashModel
import Exploring

/// The fewest syncs that the program could make, behind which no state fails under any of the models.
struct ExploreFix {
  /// The syncs, in their order.
  let syncs: [AddedSync]
  /// How many states are left.
  let stateCount: Int

  /// So many further states are judged in the search for each that was judged before.
  private static let effortMax = 2

  /// Searches for it; nil where nothing fails, not all is known, or no syncs suffice.
  ///
  /// A fix is believed where all states that are then possible were judged, and are good.
  init?(
    _ judging: ExploreJudging, _ explorations: [CrashExploration], _ run: ExploredRun, _ settings: ExploreSettings,
    _ judge: ExploreJudge, _ time: ExploreTime
  ) {
    guard !judging.failing.isEmpty, judging.isWhole, settings.limits.isOfAllMoments,
      !explorations.contains(where: { $0.wasCut || $0.isThinned })
    else { return nil }
    let verdicts = Verdicts(judging.known, run.output, judge, effortMax: Self.effortMax * judging.judgedCount)
    let failing = explorations.enumerated().map { place, exploration in
      let entries = Set(judging.failures.filter { $0.models.contains(place) }.map(\.entry)).sorted()
      let states = entries.compactMap { entry in
        judging.table.entries[entry].states.first { $0.model == place }?.state
      }
      return (model: exploration.model, states: states)
    }
    let fix = try? CommonFix(
      for: failing, in: run.recording, on: run.disk, settings.limits, mustStop: { time.isOverdue },
      isFailing: { verdicts.isFailing($0) })
    guard let fix else { return nil }
    guard !verdicts.isOver else { return nil }
    syncs = fix.syncs
    stateCount = fix.stateCount
  }

  /// "fsync t behind #5, and fsync . behind #6: then none of 33 states fails."
  var text: String {
    let steps = syncs.map { "fsync \($0.path.isRoot ? "of the directory" : "\($0.path)") behind #\($0.record)" }
    return "\(steps.joined(separator: ", and ")): then none of \(stateCount) states on any of these models fails."
  }
}

/// Whether states fail, from what is known and, where it is not, by judging them.
private final class Verdicts {
  private var known: [Digest128: [Int: Bool]]
  private let output: OutputTimeline
  private let judge: ExploreJudge
  private var effortLeft: Int
  /// True where more would have had to be judged, or could not be.
  private(set) var isOver = false

  init(_ known: [Digest128: [Int: Bool]], _ output: OutputTimeline, _ judge: ExploreJudge, effortMax: Int) {
    self.known = known
    self.output = output
    self.judge = judge
    effortLeft = effortMax
  }

  func isFailing(_ state: CrashState) -> Bool {
    let counts =
      judge.looksAtOutput
      ? output.counts(during: state.moments.ranges, countMax: ExploreJudging.outputsMax).counts : [0]
    return counts.contains { !isGood(state, $0) }
  }

  private func isGood(_ state: CrashState, _ count: Int) -> Bool {
    if let isGood = known[state.digest]?[count] { return isGood }
    guard effortLeft > 0, !isOver, let outcome = (try? judge.judge(state.tree, outputCount: count)) ?? nil
    else {
      isOver = true
      return false
    }
    effortLeft -= 1
    known[state.digest, default: [:]][count] = outcome.isGood
    return outcome.isGood
  }
}
