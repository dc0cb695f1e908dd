import FaultDisk
import FileTracing
import Files
import Glibc
import JSON
import Processes

/// Serves one mount from beginning to end: the session on the kernel, the control socket, the signals.
///
/// All of it but the answering of requests runs on the thread that calls `run`. The process has no descriptor, map or
/// working directory on its own mount: it would wait for itself.
package final class MountServer {
  /// What a mount is made of.
  package struct Wishes: Sendable {
    /// Where to mount, absolute, without symbolic links.
    package var mountPoint: BytePath
    /// Where the control socket shall be, absolute; nil for none, and the plan is fixed then.
    package var controlSocket: BytePath?
    /// A descriptor at whose end of file the mount ends; nil for none.
    package var lifeline: Descriptor?

    /// A mount at this place.
    package init(mountPoint: BytePath, controlSocket: BytePath? = nil, lifeline: Descriptor? = nil) {
      self.mountPoint = mountPoint
      self.controlSocket = controlSocket
      self.lifeline = lifeline
    }
  }

  /// Why a mount has ended.
  package enum Ending: Hashable, Sendable {
    /// This signal came.
    case signalled(CInt)
    /// Somebody has unmounted it.
    case unmounted
    /// The control socket asked for it.
    case asked
    /// The lifeline came to its end.
    case lifelineEnded
    /// The device failed, or remounting did.
    case failed(String)
  }

  let disk: FaultDisk
  /// What it is made of.
  package let wishes: Wishes
  var session: FuseSession
  private let listener: SocketListener?
  private var clients: [LineChannel] = []
  private let cuts: Pipe
  private let killed = KilledProcesses()
  private var ending: Ending?

  /// Mounts; the mount and the socket can be used when this returns.
  ///
  /// - Throws: what stands in the way, with the sentence that says what to do.
  package init(serving disk: FaultDisk, as wishes: Wishes) throws(MountObstacle) {
    self.disk = disk
    self.wishes = wishes
    if let obstacle = mountObstacle(MountFacts(lookingAt: wishes.mountPoint), at: wishes.mountPoint) {
      throw obstacle
    }
    listener = try MountServer.listen(wishes.controlSocket)
    let cuts = try Pipe.make()
    self.cuts = cuts
    disk.withEngine { [killed] in $0.kill = { caller in killed.kill(processOf: caller.thread) } }
    do throws(MountObstacle) {
      session = try MountServer.newSession(disk, wishes, killed, cuts)
    } catch {
      listener?.removeName()
      throw error
    }
  }

  private static func listen(_ path: BytePath?) throws(MountObstacle) -> SocketListener? {
    guard let path else { return nil }
    do throws(ProcessCallError) {
      return try SocketListener(path: path.bytes)
    } catch {
      throw .noSocket(path, Errno(rawValue: error.errorNumber))
    }
  }

  private static func newSession(
    _ disk: FaultDisk, _ wishes: Wishes, _ killed: KilledProcesses, _ cuts: Pipe
  ) throws(MountObstacle) -> FuseSession {
    let requests = RequestHandler(
      disk: disk, planMayChange: wishes.controlSocket != nil, killed: killed, whenCut: { cuts.signal() })
    return try FuseSession(mountingAt: wishes.mountPoint, answering: requests)
  }

  /// Serves until something ends the mount; it is gone when this returns.
  package func run(_ signals: SignalWatch) -> Ending {
    while ending == nil {
      do throws(ProcessCallError) {
        try serveOnce(signals)
      } catch {
        ending = .failed("\(error)")
      }
    }
    clients = []
    listener?.removeName()
    session.unmount()
    return ending ?? .unmounted
  }

  private func serveOnce(_ signals: SignalWatch) throws(ProcessCallError) {
    var waits: [(CInt, () throws(ProcessCallError) -> Void)] = [
      (session.endedDescriptor, { [self] () throws(ProcessCallError) in noteSessionEnd() }),
      (cuts.reading, { [self] () throws(ProcessCallError) in noteCut() }),
      (signals.descriptor.number, { [self] () throws(ProcessCallError) in try noteSignal(signals) }),
    ]
    if let listener {
      waits.append((listener.descriptor.number, { [self] () throws(ProcessCallError) in try greet(listener) }))
    }
    if let lifeline = wishes.lifeline {
      waits.append((lifeline.number, { [self] () throws(ProcessCallError) in watch(lifeline) }))
    }
    for client in clients {
      waits.append((client.reading.number, { [self] () throws(ProcessCallError) in serve(client) }))
    }
    for place in try waitReadable(waits.map(\.0), until: .never) where ending == nil { try waits[place].1() }
  }

  private func noteSessionEnd() {
    switch session.endReached {
    case .running, .stopped: break
    case .unmounted: ending = .unmounted
    case .failed: ending = .failed("reading from /dev/fuse failed")
    }
  }

  private func noteCut() {
    cuts.drain()
    session.recallEverything()
  }

  private func noteSignal(_ signals: SignalWatch) throws(ProcessCallError) {
    if let signal = try signals.next(until: .after(milliseconds: 0)) { ending = .signalled(signal) }
  }

  private func watch(_ lifeline: Descriptor) {
    var bytes: [UInt8] = Array(repeating: 0, count: 4096)
    // What is written to it means nothing; only its end does.
    if read(lifeline.number, &bytes, bytes.count) <= 0 { ending = .lifelineEnded }
  }

  private func greet(_ listener: SocketListener) throws(ProcessCallError) {
    guard let client = try listener.accept(until: .after(milliseconds: 0)) else { return }
    let greeting = ControlGreeting(server: getpid(), mountPoint: wishes.mountPoint)
    guard send(greeting.json, to: client) else { return }
    clients.append(client)
  }

  /// Answers every whole line that a client has sent; a client that is gone, or sends nonsense, is let go.
  private func serve(_ client: LineChannel) {
    repeat {
      do throws(ProcessCallError) {
        guard let line = try client.receive(until: .after(milliseconds: 0)) else { return drop(client) }
        guard answer(line, of: client) else { return drop(client) }
      } catch {
        if !error.isTimeout { drop(client) }
        return
      }
    } while client.hasLineWaiting && ending == nil
  }

  private func drop(_ client: LineChannel) { clients.removeAll { $0 === client } }
}

// The control socket's requests, each answered after it took effect.
extension MountServer {
  /// Does what a line asks and answers; false where the client cannot be answered.
  private func answer(_ line: [UInt8], of client: LineChannel) -> Bool {
    guard let value = try? JSONValue.parse(line) else {
      return send(ControlAnswer.refused("this is no JSON").json(number: 0), to: client)
    }
    let number = value["number"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    do throws(ControlSyntaxError) {
      let request = try ControlRequest.read(value).request
      let answer = perform(request)
      // The lock of the last goodbye: the mount is gone before the answer, as for everything else.
      if request == .unmount {
        ending = .asked
        session.unmount()
      }
      return send(answer.json(number: number), to: client)
    } catch {
      return send(ControlAnswer.refused(error.description).json(number: number), to: client)
    }
  }

  private func send(_ value: JSONValue, to client: LineChannel) -> Bool {
    do throws(ProcessCallError) {
      try client.send(value.serialized(), until: .after(milliseconds: MountServer.answerMillisecondsMax))
      return true
    } catch {
      return false
    }
  }

  /// A client that takes no answer for so long is let go.
  private static let answerMillisecondsMax = 10_000

  private func perform(_ request: ControlRequest) -> ControlAnswer {
    switch request {
    case .status: return .status(ControlStatus(of: disk))
    case .log(let number):
      return .records(Array(disk.log.records.lazy.filter { $0.number > number }.prefix(ControlAnswer.recordsMax)))
    case .writeLog(let path):
      return attempt(at: path) { () throws(FileCallError) in try writeLog(of: disk, to: path) }
    case .export(let path):
      return attempt(at: path) { () throws(FileCallError) in try exportTree(of: disk, to: path) }
    case .restart: return restart()
    case .arm, .clear, .clearAll, .holdFaults, .powerCut, .setFreeSpace, .mark, .beginRecording, .unmount:
      return change(request)
    }
  }

  /// Changes the disk; what the kernel was told before and is not right any more is recalled before the answer.
  private func change(_ request: ControlRequest) -> ControlAnswer {
    do throws(ControlRefusal) {
      try disk.control(request)
    } catch {
      return .refused(error.description)
    }
    switch request {
    case .powerCut: session.recallEverything()
    case .arm(let rule) where rule.makesNamesDoubtful || rule.canHitReads: session.recallEverything()
    default: break
    }
    return .done
  }

  /// Writes something to the host. Not onto our own mount: we would wait for ourselves.
  private func attempt(at path: BytePath, _ work: () throws(FileCallError) -> Void) -> ControlAnswer {
    for place in [path, path.parent.isRoot ? "/" : path.parent] {
      var status = stat()
      guard stat(place.cString, &status) == 0 else { continue }
      if status.st_dev == session.device { return .refused("\(path) lies on the mount itself; name another place") }
    }
    do throws(FileCallError) {
      try work()
      return .done
    } catch {
      return .refused(error.description)
    }
  }

  private func restart() -> ControlAnswer {
    session.unmount()
    let answer = change(.restart)
    do throws(MountObstacle) {
      session = try MountServer.newSession(disk, wishes, killed, cuts)
      return answer
    } catch {
      ending = .failed(error.sentences)
      return .refused(error.sentences)
    }
  }
}

extension ControlStatus {
  /// How this disk stands now.
  init(of disk: FaultDisk) {
    self = disk.withEngine { engine in
      var counts: [OperationKind: Int] = [:]
      for record in engine.log.counted { counts[record.kind, default: 0] += 1 }
      return ControlStatus(
        condition: engine.condition == .running ? .running : .cut, firings: engine.firings, counts: counts,
        lastRecord: engine.log.records.last?.number ?? engine.log.droppedCount)
    }
  }
}
