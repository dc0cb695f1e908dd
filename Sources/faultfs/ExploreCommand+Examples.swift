import CrashModel
import Exploring
import Files

// One example of each kind of failure.
extension ExploreCommand {
  func example(
    of found: FailureClass, _ number: Int, _ judging: ExploreJudging, _ run: ExploredRun, _ settings: ExploreSettings,
    _ judge: ExploreJudge, _ confirming: ExploreConfirming?, _ time: ExploreTime
  ) throws(Refusal) -> ExploreExample {
    let entry = judging.table.entries[found.example.entry]
    var kept: BytePath?
    if let directory = settings.keep {
      let place = directory.appending("\(number)")
      try judge.keep(entry.tree, at: place, run.disk)
      kept = place
    }
    var explanation: CrashExplanation?
    var name: String?
    do throws(HistoryError) {
      if !time.isOverdue { explanation = try ExploreExample.explanation(of: entry, found.example, run, settings) }
      if let model = found.example.models.first {
        name = try judging.names.name(
          of: judging.table.places[found.example.entry], under: model, at: found.example.moment)
      }
    } catch {}
    let answers = try confirming?.answers(about: entry, on: found.models) ?? []
    return ExploreExample(found: found, kept: kept, name: name, explanation: explanation, answers: answers)
  }

  /// A failure behind a second crash; what is told is the crash of the check.
  func example(
    of found: FailureClass, _ number: Int, _ recovery: ExploreRecovery, _ judging: ExploreJudging,
    _ run: ExploredRun, _ settings: ExploreSettings, _ judge: ExploreJudge, _ time: ExploreTime
  ) throws(Refusal) -> ExploreExample {
    let failing = recovery.failing[found.example.entry]
    guard let (check, entry) = failing.crashed else {
      return ExploreExample(found: found, kept: nil, name: nil, explanation: nil, isOfRecovery: true)
    }
    var kept: BytePath?
    if let directory = settings.keep {
      let place = directory.appending("\(number)")
      try judge.keep(check.table.entries[entry].tree, at: place, run.disk)
      kept = place
    }
    var explanation: CrashExplanation?
    var name: String?
    do throws(HistoryError) {
      if !time.isOverdue { explanation = try check.explanation(of: entry) }
      let first = judging.table.entries[failing.place].states.lazy.compactMap { pair in
        run.output.firstMoment(withCount: check.outputCount, during: pair.state.moments.ranges).map { (pair.model, $0) }
      }.first
      if let (model, moment) = first,
        let before = try judging.names.name(of: judging.table.places[failing.place], under: model, at: moment),
        let then = try check.name(of: entry)
      {
        name = RecoveryName.name(of: then, behind: before)
      }
    } catch {}
    return ExploreExample(found: found, kept: kept, name: name, explanation: explanation, isOfRecovery: true)
  }
}
