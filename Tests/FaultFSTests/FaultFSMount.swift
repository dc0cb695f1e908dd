import FileTracing
import Files
import Glibc
import JSON
import Processes
import TestSupport
import Testing

/// A mount of the built `faultfs` for one test, in a process of its own; unmounted when the last reference goes.
///
/// The server ends with its standard input, so that it also ends where the tests crash.
final class FaultFSMount {
  let directory: TemporaryDirectory
  let mountPoint: BytePath
  let server: ChildProcess
  let control: LineChannel
  let greeting: ControlGreeting
  private var lastNumber = 0

  /// No test waits longer for the server.
  static let answerMillisecondsMax = 20_000

  init(_ options: [String] = [], in given: TemporaryDirectory? = nil) throws {
    directory = try given ?? TemporaryDirectory("mount")
    mountPoint = directory.path.appending("disk")
    let socket = directory.path.appending("control")
    _ = mkdir(mountPoint.description, 0o755)
    var launch = Launch(
      try builtProgram("faultfs").description,
      ["mount", "-f", "--until-input-ends", "--control", socket.description] + options + [mountPoint.description])
    launch.input = .pipe
    launch.output = .pipe
    launch.crashesQuietly = true
    server = try ChildProcess(launch)
    let lines = server.lines()
    let deadline = Deadline.after(milliseconds: Self.answerMillisecondsMax)
    for word in ["mounted", "process", "control"] {
      let line = try lines.receive(until: deadline) ?? Array("nothing".utf8)
      guard line.starts(with: word.utf8) else {
        throw MountFailure("the server said \(String(decoding: line, as: UTF8.self))")
      }
    }
    control = try LineChannel.connect(path: socket.bytes)
    greeting = try ControlGreeting.read(try FaultFSMount.receive(control))
  }

  deinit {
    server.closeInput()
    if (try? server.wait(milliseconds: Self.answerMillisecondsMax)) == nil { _ = try? server.end() }
    _ = umount2(mountPoint.description, CInt(MNT_DETACH))
  }

  /// The mount as a volume of this process, which does not serve it.
  func volume() throws -> HostVolume { try HostVolume(root: mountPoint) }

  /// Sends a request and waits for its answer.
  func ask(_ request: ControlRequest) throws -> ControlAnswer {
    lastNumber += 1
    try control.send(request.json(number: lastNumber).serialized())
    let (number, answer) = try ControlAnswer.read(try Self.receive(control))
    guard number == lastNumber else { throw MountFailure("answer \(number) to request \(lastNumber)") }
    return answer
  }

  func status() throws -> ControlStatus {
    guard case .status(let status) = try ask(.status) else { throw MountFailure("no status") }
    return status
  }

  /// Runs a program with the mount as its working directory.
  func run(_ program: String, _ arguments: [String], limitMilliseconds: Int = 60_000) throws -> ProgramResult {
    var launch = Launch(program, arguments)
    launch.workingDirectory = mountPoint.bytes
    return try launch.run(limitMilliseconds: limitMilliseconds)
  }

  private static func receive(_ channel: LineChannel) throws -> JSONValue {
    guard let line = try channel.receive(until: .after(milliseconds: answerMillisecondsMax)) else {
      throw MountFailure("the server hung up")
    }
    return try JSONValue.parse(line)
  }
}

struct MountFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Everything that mounts, one test after the other; skipped with its reason where nothing can be mounted.
@Suite(.serialized, .enabled(if: FuseHere.isUsable, "\(FuseHere.reason)"))
enum MountTests {}

/// Whether this machine lets the tests mount; where not, the suites are skipped and say so.
enum FuseHere {
  static let reason = "needs /dev/fuse and the right to mount (root or fusermount3)"

  static let isUsable: Bool = {
    let descriptor = open("/dev/fuse", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    var status = stat()
    return geteuid() == 0 || (stat("/usr/bin/fusermount3", &status) == 0 && status.st_mode & S_ISUID != 0)
  }()
}
