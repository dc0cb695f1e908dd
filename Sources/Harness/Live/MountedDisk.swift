import FileTracing
import Files
import LNoteStore
import Processes

/// The fault disk through its FUSE door: a real mount, served by a process of its own.
final class MountedDisk: TestDisk {
  private let programs: Programs
  private let control: ControlClient
  private let server: ChildProcess
  private let mountPoint: BytePath
  private let folder: BytePath
  private var host: HostVolume

  /// Mounts an empty disk in a temporary folder of its own.
  init(programs: Programs) throws(HarnessError) {
    self.programs = programs
    folder = try HarnessError.onDisk { () throws(FileCallError) in try Host.makeTemporaryFolder(prefix: "lnote-") }
    mountPoint = folder.appending("mount")
    let socket = folder.appending("control")
    do throws(FileCallError) {
      try HostVolume(root: folder).makeDirectory("mount", permissions: 0o755)
    } catch {
      throw .disk("\(error)")
    }
    var launch = Launch(programs.faultfs, ["mount", mountPoint.description, "--control", socket.description, "-f"])
    launch.output = .pipe
    launch.crashesQuietly = true
    do throws(ProcessCallError) {
      server = try ChildProcess(launch)
    } catch {
      throw .program(name: "faultfs", reason: "\(error)")
    }
    do throws(HarnessError) {
      control = try MountedDisk.connect(to: socket, server: server)
      host = try MountedDisk.open(mountPoint)
    } catch {
      server.send(signal: 15)
      do throws(ProcessCallError) { _ = try server.wait(milliseconds: 5_000) } catch {}
      throw error
    }
  }

  var door: String { "live mount" }
  var volume: any Volume { host }

  func startSubject(_ configuration: StoreConfiguration) throws(HarnessError) -> any Subject {
    try DriverSubject(programs.driver, configuration: configuration, root: mountPoint.description)
  }

  func arm(_ rule: FaultRule) throws(HarnessError) { try control.ask(.arm(rule)) }
  func clear(_ name: String) throws(HarnessError) { try control.ask(.clear(name: name)) }
  func clearAll() throws(HarnessError) { try control.ask(.clearAll) }
  func setFreeSpace(_ bytes: UInt64?) throws(HarnessError) { try control.ask(.setFreeSpace(bytes: bytes)) }
  func powerCut(_ surviving: SurvivingState) throws(HarnessError) { try control.ask(.powerCut(surviving)) }

  func restart() throws(HarnessError) {
    try control.ask(.restart)
    host = try MountedDisk.open(mountPoint)
  }

  func status() throws(HarnessError) -> DiskStatus {
    guard case .status(let status) = try control.ask(.status) else {
      throw .program(name: "faultfs", reason: "answered a request for its status with something else")
    }
    let operations = OperationKind.counted.reduce(0) { $0 + (status.counts[$1] ?? 0) }
    return DiskStatus(
      isCut: status.condition == .cut, firings: status.firings, operations: UInt64(operations))
  }

  func mark(_ text: String) throws(HarnessError) { try control.ask(.mark(text)) }
  func beginRecording() throws(HarnessError) { try control.ask(.beginRecording) }

  func finish() {
    do throws(HarnessError) { try control.ask(.unmount) } catch { server.send(signal: 15) }
    do throws(ProcessCallError) {
      if try server.wait(milliseconds: 10_000) == nil { _ = try server.end() }
    } catch {}
    do throws(FileCallError) {
      let parent = try HostVolume(root: folder.parent)
      try? parent.unlink(folder.name.appending("control"))
      try parent.removeDirectory(folder.name.appending("mount"))
      try parent.removeDirectory(folder.name)
    } catch {}
  }

  /// Why no mount can be had here, as a sentence that says what to do; nil where one can.
  static var obstacle: String? {
    guard let reason = Host.obstacle(toOpening: "/dev/fuse") else { return nil }
    switch reason.name {
    case "ENOENT", "ENODEV", "ENXIO":
      return "there is no /dev/fuse here: load it with 'sudo modprobe fuse', or in a container pass it in"
        + " (--device /dev/fuse --cap-add SYS_ADMIN)"
    default:
      return "/dev/fuse cannot be opened (\(reason)): run as root, or let your user read and write it"
    }
  }

  /// Connects once the server says on its standard output that it is ready.
  private static func connect(to socket: BytePath, server: ChildProcess) throws(HarnessError) -> ControlClient {
    guard let output = server.output else { throw .program(name: "faultfs", reason: "has no output") }
    let ready = try HarnessError.inProgram("faultfs") { () throws(ProcessCallError) in
      try LineChannel(reading: output, writing: output).receive(until: .after(milliseconds: 20_000))
    }
    if ready == nil { throw .program(name: "faultfs", reason: "could not mount; its message stands above") }
    return try ControlClient(socket: socket.bytes)
  }

  private static func open(_ mountPoint: BytePath) throws(HarnessError) -> HostVolume {
    try HarnessError.onDisk { () throws(FileCallError) in try HostVolume(root: mountPoint) }
  }
}
