import Glibc
import Options
import Terminal

/// What the program's exit statuses say.
enum ExitCode {
  static let pass: CInt = 0
  /// Two recordings differ, or a recording is damaged; a program left something unsynced.
  static let difference: CInt = 1
  /// A wait that timed out, or nothing of that name.
  static let nothing: CInt = 1
  static let usage: CInt = 2
  /// What a judgement rests on could not be seen.
  static let unknown: CInt = 3
  static let environment: CInt = 4
  /// `run` passes the status of its program on, so its own are those of env(1) and timeout(1).
  static let runFailed: CInt = 125
  static let programNotStarted: CInt = 126
  static let programNotFound: CInt = 127
}

/// Writes a complaint to standard error, with the program's name before it.
func complain(_ text: String) { try? OutputStream.error.write("faultfs: \(text)\n") }

/// Everything that `faultfs` takes.
let faultfsOptions = OptionTable(
  program: "faultfs", sentence: "a file system in memory that fails on purpose", version: "0.1", options: [],
  verbs: [lintVerb, exploreVerb, runVerb, mountVerb, ctlVerb, traceVerb],
  examples: [
    Example("faultfs lint -- python3 save.py", "what did it leave unsynced?"),
    Example("faultfs explore --check 'test -s a.txt' -- ./save", "is a.txt there after any crash?"),
    Example("faultfs run --fault 'EIO on fsync nth 3' -- ./save", "what does it do when the third fsync fails?"),
    Example("faultfs mount /tmp/disk", "an empty disk in memory, for any program"),
    Example("faultfs ctl /tmp/disk arm 'ENOSPC on write of \"*.db\"'", "and now its disk is full"),
  ],
  exitStatuses: [
    ExitStatus(0, "it was done"),
    ExitStatus(
      1,
      "lint: something was left unsynced; explore: states fail; ctl: a wait timed out, or no such fault; trace: the recordings differ, or one is damaged"
    ),
    ExitStatus(2, "the command line, a fault or a directory is not right"),
    ExitStatus(3, "lint, explore: it cannot be known; the last lines say why"),
    ExitStatus(4, "this machine cannot mount, or there is no such mount; the message says what to do"),
  ])
