import Exploring
import FaultDisk
import FaultFS
import Files
import Glibc
import Processes

/// The check on a disk that records what it does: a recovery is a run as well.
///
/// The disk is that of the recorded program, which shows the state and is mounted where the program ran.
struct RecordedCheck {
  /// What came of one check.
  struct Course {
    /// What it said.
    let outcome: Outcome
    /// What it did; nil where that was more than can be kept.
    let recording: Recording?
    /// False where sync(2) and its like could not be watched.
    let isWatched: Bool
  }

  private let check: StateCheck
  private let run: ExploredRun
  private let settings: ExploreSettings
  private let workshop: ExploreWorkshop
  private let time: ExploreTime
  /// No bench reads what lies there.
  private let number: Int

  init(
    _ check: [UInt8], _ settings: ExploreSettings, _ run: ExploredRun, _ workshop: ExploreWorkshop, _ time: ExploreTime
  ) {
    self.run = run
    self.settings = settings
    self.workshop = workshop
    self.time = time
    number = settings.benchCount + 1
    self.check = StateCheck(
      check, in: workshop.place, reading: workshop.input(ofBench: number),
      limitMilliseconds: settings.checkMilliseconds)
  }

  /// Runs it in this tree, with the first so many bytes of the output; nil where a signal came before its end.
  ///
  /// The folder has to be empty. Nothing is mounted when this returns.
  func course(in tree: DiskTree, outputCount: Int) throws(Refusal) -> Course? {
    try refusing { () throws(FileCallError) in
      try workshop.put(Array(run.output.bytes.prefix(outputCount)), atBench: number)
    }
    let disk = run.disk
    disk.show(tree, isRecorded: true)
    let server: MountServer
    do throws(MountObstacle) {
      server = try MountServer(serving: disk, as: MountServer.Wishes(mountPoint: workshop.place))
    } catch {
      throw Refusal(ExitCode.environment, "--depth 2 records what the check does: \(error.sentences)")
    }
    defer { server.end() }
    let syncs = MountSyncs(disk: disk, mountPoint: workshop.place)
    let (found, isWatched): (Outcome?, Bool)
    do throws(ProcessCallError) {
      (found, isWatched) = try check.run(interrupt: time.interrupt) { _ = syncs.take($0) }
    } catch {
      throw Refusal(ExitCode.environment, "the check cannot be run: \(error)")
    }
    let last = disk.withEngine { $0.nextRecordNumber - 1 }
    LeftOvers.end()
    guard let outcome = found else { return nil }
    var recording = disk.withEngine { $0.lackedMemory } ? nil : disk.recording
    recording?.records.removeAll { $0.number > last }
    if let records = recording?.records, settings.keeps.firstOver(of: records) != nil { recording = nil }
    return Course(outcome: outcome, recording: recording, isWatched: isWatched)
  }
}
