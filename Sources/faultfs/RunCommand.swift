import FaultFS
import FileTracing
import Files
import Glibc
import Options
import Processes
import Terminal

let runVerb = Verb(
  "run", "run a program on a disk of its own that fails as you say",
  options: diskOptions + [
    Option("report", value: .file("FILE"), "write what the faults did to this file, and not to standard error")
  ],
  operands: Operands(
    "COMMAND [ARGUMENT]...", count: 1...Operands.countMax, endOptions: true,
    "COMMAND starts in the disk, which FAULTFS_DIR and TMPDIR name too, so paths in its ARGUMENTs are on the disk "
      + "unless they begin with a slash; without --from, files of your working directory that an ARGUMENT names are "
      + "copied there first. 'faultfs ctl . ...' arms and waits from inside. What COMMAND leaves running is "
      + "ended with the disk"),
  examples: [
    Example("faultfs run --fault 'EIO on fsync nth 3' -- python3 save.py", "the third fsync fails"),
    Example("faultfs run --fault 'ENOSPC on write after-bytes 1MiB' -- make", "a disk of one megabyte"),
    Example("faultfs run --from ~/notes --export after -- ./migrate", "on a copy; see what it did"),
  ],
  exitStatuses: [
    ExitStatus(0, "0 to 124 and 128 to 255: that of COMMAND; 128 and its number where a signal ended it"),
    ExitStatus(125, "faultfs itself failed, and says why"),
    ExitStatus(126, "COMMAND cannot be run"),
    ExitStatus(127, "COMMAND was not found"),
  ])

/// `faultfs run`: a mount, a program on it, a report.
///
/// This process never has a descriptor, map or working directory on the mount, so that it cannot hang with it.
struct RunCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; returns the exit status.
  func run() -> CInt {
    do throws(Refusal) {
      return try runProgram()
    } catch {
      error.show()
      return ExitCode.runFailed
    }
  }

  private func runProgram() throws(Refusal) -> CInt {
    let report = try reading.value("report").map { (word) throws(Refusal) in try absoluteName(word) }
    let signals = try ProgramRun.watchSignals()
    let mount = try PrivateMount(PrivateMount.words(of: reading) + copies())
    let run = ProgramRun(mount, signals)
    let ending: ProcessEnding
    do throws(ProgramNotStarted) {
      ending = try run.run(reading.operands)
    } catch {
      mount.end()
      complain(printable(error.sentence))
      return error.isMissing ? ExitCode.programNotFound : ExitCode.programNotStarted
    }
    let text = FaultReport(asking: mount).text
    let isSound = mount.end()
    run.endRemaining()
    try write(text, to: report)
    guard isSound else { return ExitCode.runFailed }
    switch ending {
    case .exited(let status): return CInt(status)
    case .killed(let signal): return CInt(128 + signal)
    }
  }

  /// What brings the files onto the disk that the command names, as `faultfs lint` does.
  private func copies() throws(Refusal) -> [[UInt8]] {
    guard !reading.has("from") else { return [] }
    do throws(FileCallError) {
      return try NamedFiles.all(in: reading.operands.dropFirst()).map { Array("--copy=".utf8) + $0.bytes }
    } catch {
      throw Refusal(ExitCode.runFailed, "\(error)")
    }
  }

  private func write(_ text: String, to file: BytePath?) throws(Refusal) {
    guard let file else {
      try? OutputStream.error.write(text)
      return
    }
    do throws(FileCallError) {
      let volume = try HostVolume(root: file.folderOnHost)
      let open = try volume.open(file.name, for: .overwriting(permissions: 0o644))
      try volume.writeWhole(open, Array(text.utf8))
      try volume.close(open)
    } catch {
      throw Refusal(ExitCode.runFailed, "the report cannot be written: \(error)")
    }
  }
}

/// Why a program did not start.
struct ProgramNotStarted: Error {
  /// True where there is no such program.
  let isMissing: Bool
  /// What is wrong.
  let sentence: String
}
