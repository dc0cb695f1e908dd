import Exploring
import FaultDisk
import FaultFS
import FileTracing
import Files
import Glibc
import Options
import Processes
import Terminal

/// A program that ran to its good end on a disk that recorded it.
struct ExploredRun {
  /// How reports call it.
  let name: String
  /// The disk, with the bytes of all that was written.
  let disk: FaultDisk
  /// What happened from the end of the set-up to the end of the program.
  let recording: Recording
  /// What it printed, and when.
  let output: OutputTimeline
  /// False where sync(2) and syncfs(2) could not be watched.
  let isWatched: Bool
  /// True where it was recorded earlier.
  let isOfLog: Bool
  /// True where sync_file_range(2) was called.
  let callsRange: Bool

  /// Runs it on a mount at `place`, served by this process, which is gone when this returns.
  init(
    _ reading: OptionReading, _ settings: ExploreSettings, at place: BytePath, _ signals: SignalWatch
  ) throws(Refusal) {
    name = BytePath(bytes: reading.operands[0].bytes).name.description
    isOfLog = false
    disk = try ExploredRun.makeDisk(reading, settings.keeps)
    let supervision = try ExploredRun.run(reading, settings, on: disk, at: place, signals)
    switch supervision.outcome {
    case .success(let outcome):
      let name = outcome.isSetUp ? "the set-up" : reading.operands[0].text
      let isFull = disk.withEngine { $0.lackedMemory }
      let recorded = disk.recording
      guard !isFull, var recording = recorded, settings.keeps.firstOver(of: recording.records) == nil else {
        let count = Int(clamping: disk.log.records.last?.number ?? 0)
        throw Refusal(
          ExitCode.unknown,
          "\(name) did more than can be kept to explore it; it came to \(Figures.grouped(count)) operations. "
            + Self.advice(settings) + " What only prepares it can come with --from.")
      }
      guard outcome.ending.isSuccess else {
        throw Refusal(
          ExitCode.environment,
          "\(name) fails without any crash (\(outcome.ending)), so there is nothing to compare crashes with.")
      }
      recording.records.removeAll { $0.number > outcome.lastRecord }
      self.recording = recording
      output = supervision.output
      isWatched = outcome.isWatched
      callsRange = outcome.callsRange
    case .failure(let error): throw Refusal(ExitCode.usage, "\(error)")
    case nil: throw Refusal(ExitCode.environment, "somebody has unmounted the disk before the program ended")
    }
  }

  /// A run that was recorded earlier into this log. What the program printed is in no log.
  init(log path: BytePath, _ settings: ExploreSettings) throws(Refusal) {
    var damage: String?
    let run: RecordedRun
    do {
      let header = try LogFile(path).header
      run = try RecordedRun(header, within: settings.keeps) { () throws(Refusal) in
        var log = try LogFile(path)
        return { () throws(Refusal) in
          let operation = try log.next()
          damage = log.damage
          return operation
        }
      }
      isWatched = header.number(DiskConfiguration.seesSyncMember) == 1
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as RecordingTooLarge {
      throw Refusal(
        ExitCode.unknown,
        "\(path): more than can be kept to explore it, from operation \(Figures.grouped(Int(clamping: error.number))) on. "
          + Self.advice(settings) + " A log may begin later, too, behind what only prepares.")
    } catch {
      throw Refusal(ExitCode.usage, "\(path): \(error)")
    }
    if let damage { complain("\(damage). What is before it is explored") }
    name = path.name.description
    disk = run.disk
    recording = run.recording.untilCut.recording
    output = OutputTimeline()
    callsRange = false
    isOfLog = true
  }

  /// What to do where a run is too large.
  private static func advice(_ settings: ExploreSettings) -> String {
    "Each operation takes 1 KiB, and what it writes besides; of --memory \(settings.memoryMax >> 20)MiB there are "
      + "\(settings.keeps.bytesMax >> 20) MiB for a run. Let it do less, or give more."
  }

  /// What two runs of one program have in common: what changed something, or made it durable, with its data.
  ///
  /// One after the other, so that no more than one is there at a time.
  var changes: some IteratorProtocol<LoggedOperation> {
    var number: UInt64 = 0
    let looks: Set<OperationKind> = [
      .open, .read, .readdir, .statfs, .close, .getxattr, .listxattr, .lock, .mark, .control,
    ]
    return recording.records.lazy.filter { $0.errno == nil && !looks.contains($0.kind) }.map { record in
      number += 1
      let data = disk.data(of: record)
      var record = record
      record.number = number
      record.countedNumber = nil
      record.dataAddress = nil
      return LoggedOperation(record: record, data: data)
    }.makeIterator()
  }

  private static func makeDisk(_ reading: OptionReading, _ keeps: RecordingBudget) throws(Refusal) -> FaultDisk {
    let disk = FaultDisk(
      DiskConfiguration(
        clock: exploreClock, logRecordsMax: keeps.operationsMax, logKeepsData: true, rootOwner: geteuid(),
        rootGroup: getegid(), memoryBytesMax: keeps.bytesMax))
    do throws(FileCallError) {
      if let tree = reading.value("from") {
        try disk.importTree(from: HostVolume(root: BytePath(bytes: tree.bytes)))
      } else {
        for file in try NamedFiles.all(in: reading.operands.dropFirst()) {
          try NamedFiles.copy(file, to: disk.volume())
        }
      }
    } catch {
      throw Refusal(ExitCode.usage, "\(error)")
    }
    return disk
  }

  private static func run(
    _ reading: OptionReading, _ settings: ExploreSettings, on disk: FaultDisk, at place: BytePath,
    _ signals: SignalWatch
  ) throws(Refusal) -> WorkloadSupervision {
    let program = try launch(reading, in: place)
    let setUp = settings.setUp.map { command in
      var launch = Launch(program: Array("sh".utf8), arguments: [Array("-c".utf8), command])
      settle(&launch, in: place)
      launch.output = .nothing
      return launch
    }
    let lifeline: Lifeline
    let server: MountServer
    do throws(ProcessCallError) { lifeline = try Lifeline() } catch { throw Refusal(ExitCode.environment, "\(error)") }
    do throws(MountObstacle) {
      server = try MountServer(serving: disk, as: MountServer.Wishes(mountPoint: place, lifeline: lifeline.reading))
    } catch {
      throw Refusal(ExitCode.environment, error.sentences)
    }
    let supervision = WorkloadSupervision(setUp: setUp, program, disk, mountPoint: place, lifeline: lifeline)
    do throws(ProcessCallError) {
      try startThread { supervision.follow() }
    } catch {
      server.end()
      throw Refusal(ExitCode.environment, "\(error)")
    }
    switch server.run(signals) {
    case .signalled(let signal):
      supervision.stop()
      throw Refusal(128 + signal, "a signal ended it before the program did")
    case .failed(let reason):
      supervision.stop()
      throw Refusal(ExitCode.environment, reason)
    case .unmounted, .asked, .lifelineEnded:
      if supervision.outcome == nil { supervision.stop() }
      return supervision
    }
  }

  private static func launch(_ reading: OptionReading, in place: BytePath) throws(Refusal) -> Launch {
    let program = BytePath(bytes: reading.operands[0].bytes)
    var launch = Launch(program: program.bytes, arguments: reading.operands.dropFirst().map(\.bytes))
    if program.bytes.contains(UInt8(ascii: "/")) {
      do throws(FileCallError) {
        launch.program = try Host.absolutePath(of: program).bytes
      } catch {
        throw Refusal(ExitCode.usage, "\(error)")
      }
    }
    settle(&launch, in: place)
    return launch
  }

  /// In the disk, and with nothing to read.
  private static func settle(_ launch: inout Launch, in place: BytePath) {
    let name = place.description
    launch.environment = [("FAULTFS_DIR", name), ("TMPDIR", name), ("PWD", name)]
    launch.workingDirectory = place.bytes
    launch.input = .nothing
  }
}

/// Nanoseconds since 1970-01-01 UTC, as programs expect of a file's times.
@Sendable private func exploreClock() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
