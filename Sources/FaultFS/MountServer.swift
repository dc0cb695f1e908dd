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
    /// A name for the socket by which it is found from the mount point; nil for none, or the socket itself.
    package var controlName: BytePath?
    /// A descriptor at whose end of file the mount ends; nil for none.
    package var lifeline: Descriptor?
    /// True where users other than the one who mounts may use the mount.
    package var allowsOthers = false
    /// True where locks are kept by the server, so that faults can hit them; else the kernel keeps them.
    package var keepsLocks = false
    /// True where sync(2) and syncfs(2) shall be seen.
    package var seesSync = false
    /// Reads the text of a fault; without it the control socket takes faults as JSON only.
    package var readFault: (@Sendable (String) -> FaultReading)?
    /// How threads take turns; nil where every request is answered as it comes.
    package var turns: TurnTaking?
    /// True where extended attributes are answered; the kernel then asks for one at every first write.
    package var hasExtendedAttributes = false

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
  /// Wakes this thread when a wait is over.
  private let happenings: Pipe
  private let killed = KilledProcesses()
  var ending: Ending?
  /// The names that the server has given to rules.
  var namesGiven: Set<String> = []
  /// Who waits for what.
  var waits: [ClientWait] = []
  let startNanoseconds = monotonicNanoseconds()

  /// Mounts; the mount and the socket can be used when this returns.
  ///
  /// - Throws: what stands in the way, with the sentence that says what to do.
  package init(serving disk: FaultDisk, as wishes: Wishes) throws(MountObstacle) {
    self.disk = disk
    self.wishes = wishes
    if let obstacle = mountObstacle(
      MountFacts(lookingAt: wishes.mountPoint, wantsOthers: wishes.allowsOthers, wantsSync: wishes.seesSync),
      at: wishes.mountPoint)
    {
      throw obstacle
    }
    listener = try MountServer.listen(wishes.controlSocket)
    let cuts = try Pipe.make()
    self.cuts = cuts
    let happenings = try Pipe.make()
    self.happenings = happenings
    disk.withEngine { [killed] engine in
      engine.kill = { caller in killed.kill(processOf: caller.thread) }
      engine.whenWaitEnds = { happenings.signal() }
    }
    do throws(MountObstacle) {
      session = try MountServer.newSession(disk, wishes, killed, cuts)
    } catch {
      listener?.removeName()
      throw error
    }
    if let name = linkedName, let socket = wishes.controlSocket { _ = symlink(socket.cString, name.cString) }
  }

  /// The symbolic link that leads to the socket.
  private var linkedName: BytePath? { wishes.controlName == wishes.controlSocket ? nil : wishes.controlName }

  private static func listen(_ path: BytePath?) throws(MountObstacle) -> SocketListener? {
    guard let path else { return nil }
    do throws(ProcessCallError) {
      return try SocketListener(path: path.bytes)
    } catch {
      throw .noSocket(path, Errno(rawValue: error.errorNumber))
    }
  }

  func newSession() throws(MountObstacle) -> FuseSession {
    try MountServer.newSession(disk, wishes, killed, cuts)
  }

  private static func newSession(
    _ disk: FaultDisk, _ wishes: Wishes, _ killed: KilledProcesses, _ cuts: Pipe
  ) throws(MountObstacle) -> FuseSession {
    let requests = RequestHandler(
      disk: disk, planMayChange: wishes.controlSocket != nil, turns: wishes.turns,
      hasExtendedAttributes: wishes.hasExtendedAttributes, keepsLocks: wishes.keepsLocks, seesSync: wishes.seesSync,
      killed: killed,
      whenCut: { cuts.signal() })
    return try FuseSession(
      mountingAt: wishes.mountPoint, allowingOthers: wishes.allowsOthers, answering: requests)
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
    if let name = linkedName { _ = unlink(name.cString) }
    session.unmount()
    return ending ?? .unmounted
  }

  /// Takes the mount away without having served it to its end.
  package func end() { session.unmount() }

  private func serveOnce(_ signals: SignalWatch) throws(ProcessCallError) {
    var sources: [(CInt, () throws(ProcessCallError) -> Void)] = [
      (session.endedDescriptor, { [self] () throws(ProcessCallError) in noteSessionEnd() }),
      (cuts.reading, { [self] () throws(ProcessCallError) in noteCut() }),
      (happenings.reading, { [self] () throws(ProcessCallError) in happenings.drain() }),
      (signals.descriptor.number, { [self] () throws(ProcessCallError) in try noteSignal(signals) }),
    ]
    if let listener {
      sources.append((listener.descriptor.number, { [self] () throws(ProcessCallError) in try greet(listener) }))
    }
    if let lifeline = wishes.lifeline {
      sources.append((lifeline.number, { [self] () throws(ProcessCallError) in watch(lifeline) }))
    }
    for client in clients {
      sources.append((client.reading.number, { [self] () throws(ProcessCallError) in serve(client) }))
    }
    let ready = try waitReadable(sources.map(\.0), until: nextDeadline)
    for place in ready where ending == nil { try sources[place].1() }
    answerWaits()
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

  private func drop(_ client: LineChannel) {
    clients.removeAll { $0 === client }
    endWaits(of: client)
  }
}
