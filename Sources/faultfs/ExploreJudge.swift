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
  private let workshop: ExploreWorkshop
  private let folder: ShownFolder
  private let check: StateCheck?
  private let output: OutputTimeline
  private let signals: SignalWatch
  private var reader: PathReader
  private let history: HistoryOfNames
  private var putCount: Int?
  /// How the states relate to the run, where there is no check.
  private(set) var relations: [HistoryOfNames.Relation: Int] = [:]
  /// How many times the check has run.
  private(set) var runCount = 0

  init(
    _ settings: ExploreSettings, _ run: ExploredRun, quiet: [DiskTree], _ workshop: ExploreWorkshop,
    _ signals: SignalWatch
  ) throws(Refusal) {
    self.workshop = workshop
    self.signals = signals
    output = run.output
    check = settings.check.map {
      StateCheck($0, in: workshop.place, reading: workshop.input, limitMilliseconds: settings.checkMilliseconds)
    }
    folder = try refusing { () throws(FileCallError) in try ShownFolder(workshop.place, run.disk) }
    var reader = PathReader(run.disk)
    history = HistoryOfNames(check == nil ? quiet.map { reader.values(of: $0) } : [])
    self.reader = reader
  }

  /// True where the same state may be judged otherwise when more had been printed.
  var looksAtOutput: Bool { check != nil }

  /// Judges a tree with the first so many bytes of the output.
  func judge(_ tree: DiskTree, outputCount: Int) throws(Refusal) -> Outcome {
    guard let check else { return compare(tree) }
    try refusing { () throws(FileCallError) in
      try folder.show(tree)
      if putCount != outputCount { try workshop.put(Array(output.bytes.prefix(outputCount))) }
    }
    putCount = outputCount
    runCount += 1
    let outcome: Outcome?
    let signal: CInt?
    do throws(ProcessCallError) {
      outcome = try check.run(interrupt: signals.descriptor.number)
      signal = outcome == nil ? try signals.next(until: .after(milliseconds: 0)) : nil
    } catch {
      throw Refusal(ExitCode.environment, "the check cannot be run: \(error)")
    }
    guard let outcome else { throw Refusal(128 + (signal ?? SIGINT), "a signal ended it before all were judged") }
    return outcome
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
