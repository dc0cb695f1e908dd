import CrashModel
import FaultDisk
import FileTracing
import Files
import LNoteStore
import Processes

/// The fault disk through its FUSE door: a real mount, served by a process of its own.
final class MountedDisk: TestDisk {
  private let programs: Programs
  private let control: ControlClient
  private let server: ChildProcess
  private let folder: MountFolder
  private var host: HostVolume
  /// What fired, and how much was counted, before the log was last begun anew.
  private var firingsBefore: [FaultFiring] = []
  private var operationsBefore: UInt64 = 0

  /// Mounts an empty disk in a temporary folder of its own.
  init(programs: Programs) throws(HarnessError) {
    self.programs = programs
    folder = try MountFolder()
    do throws(ProcessCallError) {
      server = try ChildProcess(folder.launch(programs))
    } catch {
      folder.remove()
      throw .program(name: "faultfs", reason: "\(error)")
    }
    do throws(HarnessError) {
      control = try MountedDisk.connect(to: folder.socket, server: server)
      host = try MountedDisk.open(folder.mountPoint)
    } catch {
      server.closeInput()
      do throws(ProcessCallError) { _ = try server.wait(milliseconds: 5_000) } catch {}
      throw error
    }
  }

  var door: String { "live mount" }
  /// Where it is mounted.
  var root: BytePath { folder.mountPoint }
  var volume: any Volume { host }

  func startSubject(_ configuration: StoreConfiguration) throws(HarnessError) -> any Subject {
    let subject = try DriverSubject(programs)
    try subject.begin(configuration, root: folder.mountPoint.description)
    return subject
  }

  func arm(_ rule: FaultRule) throws(HarnessError) { try control.ask(.arm(rule)) }
  func clear(_ name: String) throws(HarnessError) { try control.ask(.clear(name: name)) }
  func clearAll() throws(HarnessError) { try control.ask(.clearAll) }
  func holdFaults(_ holds: Bool) throws(HarnessError) { try control.ask(.holdFaults(holds)) }
  func setFreeSpace(_ bytes: UInt64?) throws(HarnessError) { try control.ask(.setFreeSpace(bytes: bytes)) }
  func powerCut(_ surviving: SurvivingState) throws(HarnessError) { try control.ask(.powerCut(surviving)) }

  func restart() throws(HarnessError) {
    try control.ask(.restart)
    host = try MountedDisk.open(folder.mountPoint)
  }

  /// The server writes its log, the state is made of that here, and is copied onto the mount that was made again.
  func restart(
    leaving chosen: ChosenState, among models: [PersistenceModel]
  ) throws(HarnessError) -> [String] {
    let run = try recordedRun()
    let (recording, moment) = run.recording.untilCut
    let found: ChosenTree
    do throws(ChoiceError) {
      found = try ChosenTree(chosen, of: recording, at: moment, among: models)
    } catch {
      throw .disk("'power-cut \(chosen.spelling)': \(error)")
    }
    run.disk.restart(with: found.tree)
    try restart()
    let status = try status()
    try holdFaults(true)
    try HarnessError.onDisk { () throws(FileCallError) in
      try host.removeAll(below: .root)
      try run.disk.exportTree(to: host)
    }
    try beginRecording()
    (firingsBefore, operationsBefore) = (status.firings, status.operations)
    try holdFaults(false)
    return found.models.map(\.name)
  }

  private func recordedRun() throws(HarnessError) -> RecordedRun {
    let place = folder.path.appending("log")
    try control.ask(.writeLog(place))
    do {
      let parent = try HostVolume(root: folder.path)
      let bytes = try parent.readWhole("log", sizeMax: MountedDisk.logBytesMax)
      try parent.unlink("log")
      return try RecordedRun(bytes)
    } catch {
      throw .disk("the log of the mount cannot be read: \(error)")
    }
  }

  /// The largest log of a run that a state is made of.
  private static let logBytesMax = 1 << 30

  func status() throws(HarnessError) -> DiskStatus {
    guard case .status(let status) = try control.ask(.status) else {
      throw .program(name: "faultfs", reason: "answered a request for its status with something else")
    }
    let operations = OperationKind.counted.reduce(0) { $0 + (status.counts[$1] ?? 0) }
    return DiskStatus(
      isCut: status.condition == .cut, firings: firingsBefore + status.firings.map { $0.later(by: operationsBefore) },
      operations: operationsBefore + UInt64(operations),
      delayedMilliseconds: status.delayedMilliseconds)
  }

  func mark(_ text: String) throws(HarnessError) { try control.ask(.mark(text)) }
  func beginRecording() throws(HarnessError) { try control.ask(.beginRecording) }

  func finish() {
    do throws(HarnessError) { try control.ask(.unmount) } catch { server.closeInput() }
    do throws(ProcessCallError) {
      if try server.wait(milliseconds: 10_000) == nil { _ = try server.end() }
    } catch {}
    folder.remove()
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

extension FaultFiring {
  /// The same with as many operations before it.
  fileprivate func later(by count: UInt64) -> FaultFiring {
    var firing = self
    firing.countedNumber = countedNumber.map { $0 + count }
    return firing
  }
}
