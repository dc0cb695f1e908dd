import FaultFS
import FileTracing
import Files
import Glibc
import Options
import Processes
import Terminal

/// A mount in a temporary folder for one program, served by a process of its own.
///
/// The server ends when this process ends, whatever ends it, and removes the folder. It leads a process group of its
/// own, so that Control-C reaches the program and not its disk.
final class PrivateMount {
  /// Where it is mounted, absolute.
  let mountPoint: BytePath
  /// The socket of the server.
  let socket: BytePath
  /// The process that serves it.
  let server: ChildProcess
  private let control: ControlConnection
  private var isEnded = false

  /// Unmounting takes no longer, but what is exported may be large.
  private static let endMillisecondsMax = 600_000

  /// Makes it; `words` are options of `faultfs mount`.
  init(_ words: [[UInt8]]) throws(Refusal) {
    let folder = try PrivateMount.makeFolder()
    mountPoint = folder.appending("disk")
    let program: BytePath
    do throws(FileCallError) {
      program = try Host.programPath()
      try HostVolume(root: folder).makeDirectory("disk", permissions: 0o755)
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
    var launch = Launch(
      program: program.bytes,
      arguments: ["mount", "-f", "--until-input-ends", "--remove"].map { Array($0.utf8) } + words + [mountPoint.bytes])
    launch.input = .pipe
    launch.output = .pipe
    launch.hasOwnGroup = true
    do throws(ProcessCallError) {
      server = try ChildProcess(launch)
      socket = try PrivateMount.socket(announcedBy: server)
    } catch {
      PrivateMount.remove(folder)
      throw Refusal(ExitCode.environment, "the server cannot be started: \(error)")
    }
    guard !socket.isRoot else {
      let ending = try? server.wait(until: .never)
      PrivateMount.remove(folder)
      // It has said why on standard error.
      let status = if case .exited(let status)? = ending, status != 0 { CInt(status) } else { ExitCode.environment }
      throw Refusal(status, lines: "")
    }
    do throws(ControlFailure) {
      control = try ControlConnection([socket])
    } catch {
      server.closeInput()
      throw Refusal(ExitCode.environment, "the server does not answer: \(error)")
    }
  }

  /// Asks the server; nil where it is gone.
  func ask(_ request: ControlRequest) -> ControlAnswer? { try? control.ask(request) }

  /// Unmounts and waits for the server; false where it failed, and it has said why. A second call does nothing.
  @discardableResult
  func end() -> Bool {
    guard !isEnded else { return true }
    isEnded = true
    server.closeInput()
    if let ending = try? server.wait(milliseconds: Self.endMillisecondsMax) { return ending.isSuccess }
    complain("the server did not end, and was killed")
    _ = try? server.end()
    _ = clearStaleMounts()
    return false
  }

  /// The options of `faultfs mount` that a verb was given and passes on.
  static func words(of reading: OptionReading) -> [[UInt8]] {
    let names = Set(diskOptions.map(\.long))
    return reading.given.filter { names.contains($0.long) }.map { given in
      let name = Array("--\(given.long)".utf8)
      return given.value.map { name + [UInt8(ascii: "=")] + $0.bytes } ?? name
    }
  }

  /// Reads what the server says once it can be used; the root where it ended before.
  private static func socket(announcedBy server: ChildProcess) throws(ProcessCallError) -> BytePath {
    let lines = server.lines()
    let label = Array("control  ".utf8)
    while let line = try lines.receive() {
      if line.starts(with: label) { return BytePath(bytes: line.dropFirst(label.count)) }
    }
    return .root
  }

  private static func makeFolder() throws(Refusal) -> BytePath {
    do throws(FileCallError) {
      return try Host.makeTemporaryFolder(prefix: "faultfs-")
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }

  private static func remove(_ folder: BytePath) {
    do throws(FileCallError) {
      try? HostVolume(root: folder).removeDirectory("disk")
      try HostVolume(root: folder.parent).removeDirectory(folder.name)
    } catch {}
  }
}
