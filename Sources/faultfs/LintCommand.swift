import FaultDisk
import FaultFS
import FileTracing
import Files
import Glibc
import Linting
import Options
import Processes
import Terminal

let lintVerb = Verb(
  "lint", "run a program and say what it left unsynced, without a crash",
  options: [
    Option("marker", value: .text("TEXT"), "judge when it prints a line with this text, as 'saved', not when it ends"),
    Option("from", value: .directory("TREE"), "begin with a copy of this tree, instead of the files that CMD names"),
    Option("json", value: .file("FILE"), "write the findings to this file, too"),
    Option("log", value: .file("FILE"), "write every operation with its data to this file, for 'faultfs trace'"),
    Option("all", "show every finding, not only the first ten of a kind"),
  ],
  operands: Operands(
    "-- CMD [WORD...]", count: 1...Operands.countMax, endOptions: true,
    "CMD runs in an empty directory of a disk in memory, which is also in FAULTFS_DIR; files of your working directory "
      + "that CMD names are copied there first. What it writes elsewhere, as in TMPDIR, is not looked at"),
  examples: [
    Example("faultfs lint -- python3 save.py", "what did it leave unsynced when it ended?"),
    Example("faultfs lint --marker saved -- ./server", "... and when it said that it had saved?"),
    Example("faultfs lint --from ~/notes -- ./editor a.txt", "on a copy of your notes"),
  ])

/// `faultfs lint`: mounts, runs the program, unmounts, and judges what was recorded.
///
/// This process serves the mount itself, on threads of its own, and has no descriptor or working directory on it.
struct LintCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; returns the exit status.
  func run() -> CInt {
    do throws(Refusal) {
      return try judge()
    } catch {
      error.show()
      return error.status
    }
  }

  private func judge() throws(Refusal) -> CInt {
    let signals = try refusingCalls { () throws(ProcessCallError) in try SignalWatch() }
    _ = clearStaleMounts()
    let json = try reading.value("json").map { (word) throws(Refusal) in try newFile(word) }
    let (disk, start) = try makeDisk()
    let log = try startLog(disk)
    let run = try runProgram(on: disk, signals)
    if let log { try refusing { () throws(FileCallError) in try finish(log) } }
    let report = LintReport(run, start, disk.log, showsAll: reading.has("all"))
    if let json { try refusing { () throws(FileCallError) in try json.write(report.json.fileBytes()) } }
    do throws(OutputError) {
      try OutputStream.output.write(report.text)
    } catch {
      throw Refusal(ExitCode.environment, error.description)
    }
    return run.interruption.map { 128 + $0 } ?? report.status
  }

  // MARK: - The disk

  private func makeDisk() throws(Refusal) -> (FaultDisk, [LintStart]) {
    let disk = FaultDisk(
      DiskConfiguration(
        clock: lintClock, logRecordsMax: 1 << 24, logKeepsData: false, rootOwner: geteuid(), rootGroup: getegid()))
    let volume = disk.volume()
    try refusing { () throws(FileCallError) in
      if let tree = reading.value("from") {
        try disk.importTree(from: HostVolume(root: BytePath(bytes: tree.bytes)))
      } else {
        for file in try NamedFiles.all(in: reading.operands.dropFirst()) { try NamedFiles.copy(file, to: volume) }
      }
    }
    let start = try refusing { () throws(FileCallError) in try LintCommand.everything(on: volume) }
    disk.beginRecording()
    return (disk, start)
  }

  /// All that is on a disk, directories before what they hold.
  private static func everything(on volume: FaultVolume) throws(FileCallError) -> [LintStart] {
    var all: [LintStart] = []
    var waiting = [BytePath.root]
    while let directory = waiting.popLast() {
      for entry in try volume.entries(of: directory, countMax: FaultDisk.entriesMax) {
        let path = directory.appending(entry.name)
        let status = try volume.status(at: path)
        all.append(LintStart(path, status.kind, size: status.size))
        if status.kind == .directory { waiting.append(path) }
      }
    }
    return all
  }

  private func startLog(_ disk: FaultDisk) throws(Refusal) -> VolumeLogSink? {
    guard let file = reading.value("log") else { return nil }
    return try refusing { () throws(FileCallError) in
      try FaultFS.startLog(of: disk, to: Host.absolutePath(of: BytePath(bytes: file.bytes)))
    }
  }

  private func finish(_ log: VolumeLogSink) throws(FileCallError) {
    if let failure = log.failure { throw failure }
    try log.close()
  }

  // MARK: - The run

  private func runProgram(on disk: FaultDisk, _ signals: SignalWatch) throws(Refusal) -> LintedRun {
    let place = try refusing { () throws(FileCallError) in try Host.makeTemporaryFolder(prefix: "faultfs-lint-") }
    defer { rmdir(place.cString) }
    let lifeline = try refusingCalls { () throws(ProcessCallError) in try Lifeline() }
    let server: MountServer
    do throws(MountObstacle) {
      server = try MountServer(serving: disk, as: MountServer.Wishes(mountPoint: place, lifeline: lifeline.reading))
    } catch {
      throw Refusal(ExitCode.environment, error.sentences)
    }
    let launch = try launch(in: place)
    let supervision: LintSupervision
    do throws(ProcessCallError) {
      supervision = try LintSupervision(
        launch, disk, mountPoint: place, marker: reading.value("marker")?.bytes, lifeline: lifeline)
      try startThread { supervision.follow() }
    } catch {
      server.end()
      throw Refusal(ExitCode.usage, "\(error)")
    }
    switch server.run(signals) {
    case .signalled(let signal):
      return supervision.interrupt(signal)
    case .failed(let reason):
      supervision.stop(SIGTERM)
      throw Refusal(ExitCode.environment, reason)
    case .unmounted, .asked, .lifelineEnded:
      guard let run = supervision.outcome else {
        supervision.stop(SIGTERM)
        throw Refusal(ExitCode.environment, "somebody has unmounted the disk before the program ended")
      }
      return run
    }
  }

  private func launch(in place: BytePath) throws(Refusal) -> Launch {
    let program = BytePath(bytes: reading.operands[0].bytes)
    var launch = Launch(program: program.bytes, arguments: reading.operands.dropFirst().map(\.bytes))
    if program.bytes.contains(UInt8(ascii: "/")) {
      launch.program = try refusing { () throws(FileCallError) in try Host.absolutePath(of: program) }.bytes
    }
    launch.environment = [("FAULTFS_DIR", place.description), ("PWD", place.description)]
    launch.workingDirectory = place.bytes
    launch.input = .inherited
    if reading.has("marker") { launch.output = .pipe }
    return launch
  }

  /// A new file for a result, made before the program runs, so that a wrong name is told at once.
  private func newFile(_ word: Word) throws(Refusal) -> LintResultFile {
    try refusing { () throws(FileCallError) in try LintResultFile(BytePath(bytes: word.bytes)) }
  }

  private func refusing<R>(_ work: () throws(FileCallError) -> R) throws(Refusal) -> R {
    do throws(FileCallError) {
      return try work()
    } catch {
      throw Refusal(ExitCode.usage, "\(error)")
    }
  }

  private func refusingCalls<R>(_ work: () throws(ProcessCallError) -> R) throws(Refusal) -> R {
    do throws(ProcessCallError) {
      return try work()
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }
}

/// A file that gets a result; made at once, written at the end.
struct LintResultFile {
  private let descriptor: Descriptor
  private let path: BytePath

  init(_ path: BytePath) throws(FileCallError) {
    let number = open(path.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw FileCallError("open", [path], .current) }
    descriptor = Descriptor(number)
    self.path = path
  }

  func write(_ bytes: [UInt8]) throws(FileCallError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { throw FileCallError("write", [path], .current) }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

/// Nanoseconds since 1970-01-01 UTC, as programs expect of a file's times.
@Sendable private func lintClock() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
