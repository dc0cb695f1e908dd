import CrashModel
import Exploring
import FaultDisk
import Files
import Glibc
import Processes

/// Says of a state and an output whether they go together.
///
/// With a check it is asked in a folder that shows the state; without, the names are compared with those of the run.
final class ExploreJudge {
  /// Nil where there is no check.
  let bench: ExploreBench?
  let time: ExploreTime
  private var reader: PathReader
  /// Nil where there is a check.
  private let history: HistoryOfNames?
  /// How the states relate to the run, where there is no check.
  private(set) var relations: [HistoryOfNames.Relation: Int] = [:]

  init(
    _ settings: ExploreSettings, _ run: ExploredRun, _ workshop: ExploreWorkshop, _ time: ExploreTime
  ) throws(Refusal) {
    self.time = time
    bench = try settings.check.map { (check) throws(Refusal) in
      try ExploreBench(0, check, settings, run, workshop, time)
    }
    var reader = PathReader(run.disk)
    do throws(HistoryError) {
      history = try bench == nil ? HistoryOfNames(run.recording, &reader) { time.used(byModel: 0, of: 1) >= 1 } : nil
    } catch {
      throw Refusal(ExitCode.unknown, "the recording cannot be explored: \(error)")
    }
    self.reader = reader
  }

  /// True where there is nothing to compare states with, since that was not known in time.
  var lacksHistory: Bool { history.map { !$0.isWhole } ?? false }

  /// True where the same state may be judged otherwise when more had been printed.
  var looksAtOutput: Bool { bench != nil }

  /// Judges a tree with the first so many bytes of the output; nil where a signal came before.
  func judge(_ tree: DiskTree, outputCount: Int) throws(Refusal) -> Outcome? {
    if let bench { return try bench.outcome(of: tree, outputCount: outputCount) }
    return time.isInterrupted ? nil : history.map { compare(tree, $0) }
  }

  private func compare(_ tree: DiskTree, _ history: HistoryOfNames) -> Outcome {
    let (relation, strange) = history.relation(of: reader.values(of: tree))
    relations[relation, default: 0] += 1
    guard relation == .never else { return Outcome(.good) }
    let text = strange.map { "\($0.path) \($0.words)" }.joined(separator: "\n")
    return Outcome(.failing("as it never was"), output: Array(text.utf8))
  }

  /// Writes a tree into a new directory.
  func keep(_ tree: DiskTree, at place: BytePath, _ disk: FaultDisk) throws(Refusal) {
    try refusing { () throws(FileCallError) in
      try Host.makeFolders(place)
      try ShownFolder(place, disk).show(tree)
    }
  }
}

/// What files refuse is the environment's fault here.
func refusing<R>(_ work: () throws(FileCallError) -> R) throws(Refusal) -> R {
  do throws(FileCallError) {
    return try work()
  } catch {
    throw Refusal(ExitCode.environment, "\(error)")
  }
}
