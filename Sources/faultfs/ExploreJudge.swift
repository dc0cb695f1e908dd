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
  private let bench: ExploreBench?
  private let signals: SignalWatch
  private var reader: PathReader
  private let history: HistoryOfNames
  /// How the states relate to the run, where there is no check.
  private(set) var relations: [HistoryOfNames.Relation: Int] = [:]

  init(
    _ settings: ExploreSettings, _ run: ExploredRun, quiet: [DiskTree], _ workshop: ExploreWorkshop,
    _ signals: SignalWatch
  ) throws(Refusal) {
    self.signals = signals
    bench = try settings.check.map { (check) throws(Refusal) in
      try ExploreBench(0, check, settings, run, workshop, signals)
    }
    var reader = PathReader(run.disk)
    history = HistoryOfNames(bench == nil ? quiet.map { reader.values(of: $0) } : [])
    self.reader = reader
  }

  /// True where the same state may be judged otherwise when more had been printed.
  var looksAtOutput: Bool { bench != nil }

  /// Judges a tree with the first so many bytes of the output.
  func judge(_ tree: DiskTree, outputCount: Int) throws(Refusal) -> Outcome {
    guard let bench else { return compare(tree) }
    if let outcome = try bench.outcome(of: tree, outputCount: outputCount) { return outcome }
    throw ExploreJudge.interruption(signals)
  }

  /// What to end with where a signal came.
  static func interruption(_ signals: SignalWatch) -> Refusal {
    let signal = (try? signals.next(until: .after(milliseconds: 0))) ?? nil
    return Refusal(128 + (signal ?? SIGINT), "a signal ended it before all were judged")
  }

  private func compare(_ tree: DiskTree) -> Outcome {
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
