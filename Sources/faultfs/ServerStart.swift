import Files
import Glibc
import Options
import Processes
import Terminal

/// Starting the server as a process of its own, which outlives the command and its terminal.
///
/// It is this program again with `-f`, and not a fork: a Swift program that has threads cannot go on in a forked copy.
/// It says on a pipe that the mount is ready, then lets go of the pipe, and that is what the command waits for.
enum ServerStart {
  private static let mark = "FAULTFS_IS_SERVER"

  /// True in a process that `start` has started.
  static var isServer: Bool { getenv(mark) != nil }

  /// Starts the server with the same words and waits until its mount is ready; returns the exit status.
  static func start(_ words: [Word]) throws(Refusal) -> CInt {
    let program = try ownPath()
    do throws(ProcessCallError) {
      var launch = Launch(program: program.bytes, arguments: words.map(\.bytes))
      // Behind the verb, so that no "--" can make an operand of it.
      launch.arguments.insert(Array("-f".utf8), at: 1)
      launch.environment = [(mark, "1")]
      launch.output = .pipe
      let server = try ChildProcess(launch)
      guard let output = server.output else { return ExitCode.environment }
      let lines = LineChannel(reading: output, writing: output)
      var announced = ""
      while let line = try lines.receive() { announced += String(decoding: line, as: UTF8.self) + "\n" }
      if announced.isEmpty { return status(try server.wait(until: .never)) }
      try? OutputStream.output.write(announced)
      return ExitCode.pass
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }

  private static func ownPath() throws(Refusal) -> BytePath {
    do throws(FileCallError) {
      return try Host.programPath()
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }

  private static func status(_ ending: ProcessEnding?) -> CInt {
    if case .exited(let status)? = ending, status != 0 { return CInt(status) }
    complain("the server ended before the mount was ready")
    return ExitCode.environment
  }

  /// Leaves the terminal, and lets go of the pipes that others wait on.
  static func letGoOfTerminal() {
    _ = setsid()
    let nothing = open("/dev/null", O_RDWR)
    guard nothing >= 0 else { return }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { _ = dup2(nothing, stream) }
    if nothing > STDERR_FILENO { _ = close(nothing) }
  }
}
