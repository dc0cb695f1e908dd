import FaultFS
import Files
import Glibc
import Options
import Processes
import Terminal

/// A program on a private mount, from its start until nothing of it is left.
final class ProgramRun {
  private let mount: PrivateMount
  private let signals: SignalWatch

  /// How long the program has after a signal that ends programs, before its disk is taken away and it is killed.
  private static let goodbyeMilliseconds = 5_000
  /// How long what the program left running has to end by itself.
  private static let orphanMilliseconds = 1_000
  /// How long the dead take to be gone.
  private static let deathMilliseconds = 10_000

  init(_ mount: PrivateMount, _ signals: SignalWatch) {
    self.mount = mount
    self.signals = signals
  }

  /// Holds back the signals that are passed on; to be called before anything is started.
  static func watchSignals(orRefusing status: CInt = ExitCode.runFailed) throws(Refusal) -> SignalWatch {
    do throws(ProcessCallError) {
      try Orphans.becomeOurs()
      return try SignalWatch([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2])
    } catch {
      throw Refusal(status, "\(error)")
    }
  }

  /// Runs it to its end, with the mount as its working directory, and ends what it left running.
  func run(_ words: [Word]) throws(ProgramNotStarted) -> ProcessEnding {
    let program: ChildProcess
    let launch = try launch(words)
    do throws(ProcessCallError) {
      program = try ChildProcess(launch)
    } catch {
      let name = words[0].text
      if error.errorNumber == ENOENT {
        throw ProgramNotStarted(isMissing: true, sentence: "there is no program \(name)")
      }
      let reason = String(cString: strerror(error.errorNumber))
      throw ProgramNotStarted(isMissing: false, sentence: "\(name) cannot be run: \(reason)")
    }
    let ending = wait(for: program)
    endLeft()
    return ending
  }

  /// Kills what did not end by itself, now that the disk is gone and nothing can hang on it.
  func endRemaining() {
    LeftProcesses.send(signal: SIGKILL, to: LeftProcesses.now(except: []))
    let left = LeftProcesses.wait(milliseconds: Self.deathMilliseconds, except: [])
    if !left.isEmpty { complain("still running: \(ProgramRun.list(left))") }
  }

  private func launch(_ words: [Word]) throws(ProgramNotStarted) -> Launch {
    var program = words[0].bytes
    if program.contains(UInt8(ascii: "/")) {
      // Meant from where we are, and not from the mount.
      do throws(FileCallError) {
        program = try Host.absolutePath(of: BytePath(bytes: program)).bytes
      } catch {
        throw ProgramNotStarted(isMissing: false, sentence: "\(error)")
      }
    }
    var launch = Launch(program: program, arguments: words.dropFirst().map(\.bytes))
    let directory = mount.mountPoint.description
    launch.environment = [
      ("FAULTFS_DIR", directory), ("FAULTFS_CONTROL", mount.socket.description), ("TMPDIR", directory),
      ("PWD", directory),
    ]
    launch.workingDirectory = mount.mountPoint.bytes
    launch.input = .inherited
    return launch
  }

  private func wait(for program: ChildProcess) -> ProcessEnding {
    var deadline = Deadline.never
    while true {
      do throws(ProcessCallError) {
        let ready = try waitReadable([program.handle.number, signals.descriptor.number], until: deadline)
        if ready.contains(0), let ending = try program.wait(until: .never) { return ending }
        if ready.contains(1), let arrival = try signals.nextArrival(until: .after(milliseconds: 0)) {
          if !arrival.isFromTerminal { program.send(signal: arrival.signal) }
          if [SIGTERM, SIGHUP, SIGQUIT].contains(arrival.signal) {
            deadline = deadline.earlier(than: .after(milliseconds: Self.goodbyeMilliseconds))
          }
        }
        guard deadline.hasPassed else { continue }
      } catch {
        complain("\(error)")
      }
      return end(program)
    }
  }

  /// Ends a program that does not end by itself; where it hangs on the disk, only the end of the disk frees it.
  private func end(_ program: ChildProcess) -> ProcessEnding {
    program.send(signal: SIGKILL)
    mount.end()
    return (try? program.wait(milliseconds: Self.deathMilliseconds)) ?? .killed(signal: Int(SIGKILL))
  }

  private func endLeft() {
    let spared: Set<Int32> = [mount.server.id]
    let left = LeftProcesses.now(except: spared)
    guard !left.isEmpty else { return }
    complain("the program left \(ProgramRun.list(left)) running; ended with the disk")
    LeftProcesses.send(signal: SIGTERM, to: left)
    _ = LeftProcesses.wait(milliseconds: Self.orphanMilliseconds, except: spared)
  }

  /// "process 4711", "processes 4711 and 4712".
  private static func list(_ processes: [Int32]) -> String {
    let shown = processes.prefix(10).map(String.init).joined(separator: ", ")
    let rest = processes.count > 10 ? " and \(processes.count - 10) more" : ""
    return (processes.count == 1 ? "process " : "processes ") + shown + rest
  }
}
