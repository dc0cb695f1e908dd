import FaultDisk
import FaultFS
import FileTracing
import Files
import Glibc
import Options
import Processes
import Terminal

/// `faultfs mount`: reads its options into values, then either starts a server of its own or is the server.
struct MountCommand {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; `words` are those that a server started from here has to be given again. Returns the exit status.
  func run(_ words: [Word]) -> CInt {
    do throws(Refusal) {
      if reading.has("fixed-plan") && reading.has("control") {
        throw Refusal(ExitCode.usage, "--fixed-plan has no control socket, so --control means nothing with it.")
      }
      if reading.has("foreground") { return try serve(isDetached: ServerStart.isServer) }
      return try ServerStart.start(words)
    } catch {
      error.show()
      return error.status
    }
  }

  /// Mounts and serves until the mount ends.
  private func serve(isDetached: Bool) throws(Refusal) -> CInt {
    let signals = try watchSignals()
    for path in clearStaleMounts() {
      complain("cleared a mount that a dead faultfs had left at \(printable(path.bytes))")
    }
    let place = try absolute(reading.operands[0])
    let plan = try readPlan()
    let faults = try FaultText.read(reading.values("fault"))
    let export = try reading.value("export").map { (word) throws(Refusal) in try absoluteName(word) }
    let disk = try makeDisk()
    let log = try startLog(disk)
    if plan.freeSpace != nil && faults.freeSpace != nil {
      throw Refusal(ExitCode.usage, "the free space is given by --plan and by --fault; leave one out.")
    }
    try arm(
      FaultPlan(rules: plan.rules + faults.rules, freeSpace: plan.freeSpace ?? faults.freeSpace), on: disk)
    let server = try mount(disk, at: place)
    // The working directory may lie below the mount point, and would then hold the mount.
    _ = chdir("/")
    announce(server.wishes)
    if isDetached { ServerStart.letGoOfTerminal() }
    let ending = server.run(signals)
    if reading.has("remove") { removeEmpty(place) }
    var failures: [(file: BytePath, refusal: Refusal)] = []
    if let log { keep(&failures, log.file) { () throws(FileCallError) in try finish(log.sink) } }
    if let export {
      keep(&failures, export) { () throws(FileCallError) in try exportTree(of: disk, to: export) }
    }
    if isDetached { leaveWord(of: failures) }
    if let failure = failures.first { throw failure.refusal }
    if case .failed(let reason) = ending { throw Refusal(ExitCode.environment, reason) }
    return ExitCode.pass
  }

  private func watchSignals() throws(Refusal) -> SignalWatch {
    do throws(ProcessCallError) {
      return try SignalWatch()
    } catch {
      throw Refusal(ExitCode.environment, "\(error)")
    }
  }

  private func readPlan() throws(Refusal) -> FaultPlan {
    guard let file = reading.value("plan") else { return FaultPlan() }
    return try PlanFile.read(BytePath(bytes: file.bytes))
  }

  /// A disk filled from the tree, before its first record.
  private func makeDisk() throws(Refusal) -> FaultDisk {
    var configuration =
      DiskConfiguration(
        seed: UInt64(reading.number("seed") ?? 0), clock: realTime,
        // A log file gets the data at once; only "write-log" on the control socket asks for it later.
        logKeepsData: reading.has("keep-data"), rootOwner: geteuid(), rootGroup: getegid(),
        timeStepNanoseconds: Int64(reading.number("coarse-times") ?? 0) * 1_000_000, memoryBytesMax: try memoryMax(),
        names: try nameRules())
    configuration.unseen = unseenOperations
    configuration.seesSync = reading.has("see-sync")
    let disk = FaultDisk(configuration)
    if let tree = reading.value("from") {
      let path = BytePath(bytes: tree.bytes)
      do throws(FileCallError) {
        try disk.importTree(from: HostVolume(root: path))
      } catch {
        throw Refusal(ExitCode.usage, "\(path) cannot be copied: \(error)")
      }
    }
    for word in reading.values("copy") {
      do throws(FileCallError) {
        try NamedFiles.copy(BytePath(bytes: word.bytes), to: disk.volume())
      } catch {
        throw Refusal(ExitCode.usage, "\(printable(word.bytes)) cannot be copied: \(error)")
      }
    }
    disk.beginRecording()
    return disk
  }

  /// The most memory; less than two of the pieces that it is taken in could not be kept to.
  private func memoryMax() throws(Refusal) -> UInt64? {
    guard let size = try reading.value("memory").map({ (word) throws(Refusal) in try CtlNumbers.bytes(word) }) else {
      return nil
    }
    guard size >= 8 << 20 else { throw Refusal(ExitCode.usage, "--memory: a disk needs 8MiB or more.") }
    return size
  }

  private func nameRules() throws(Refusal) -> NameRules {
    guard let words = reading.value("names") else { return [] }
    do throws(NameRules.UnknownWord) {
      return try NameRules(text: String(decoding: words.bytes, as: UTF8.self))
    } catch {
      throw Refusal(ExitCode.usage, "--names: \(error).")
    }
  }

  /// The operations that this mount does not pass on, with the options that let it.
  private var unseenOperations: [OperationKind: String] {
    let options: [(option: String, kinds: [OperationKind])] = [
      ("xattrs", [.getxattr, .setxattr, .listxattr, .removexattr]), ("locks", [.lock]), ("see-sync", [.sync]),
    ]
    var unseen: [OperationKind: String] = [:]
    for (option, kinds) in options where !reading.has(option) {
      for kind in kinds { unseen[kind] = "mount with --\(option)" }
    }
    return unseen
  }

  /// Arms the plan, each rule and the bound on space with its record in the log.
  private func arm(_ plan: FaultPlan, on disk: FaultDisk) throws(Refusal) {
    let bounds = plan.freeSpace.map { [ControlRequest.setFreeSpace(bytes: $0.bytes, inodes: $0.inodes)] } ?? []
    for request in plan.rules.map({ .arm($0) }) + bounds {
      do throws(ControlRefusal) {
        try disk.control(request)
      } catch {
        throw Refusal(ExitCode.usage, "\(error)")
      }
    }
  }

  private func startLog(_ disk: FaultDisk) throws(Refusal) -> (sink: VolumeLogSink, file: BytePath)? {
    guard let file = reading.value("log") else { return nil }
    let path = try absoluteName(file)
    do throws(FileCallError) {
      return (try FaultFS.startLog(of: disk, to: path), path)
    } catch {
      throw Refusal(ExitCode.usage, "the log cannot be written: \(path): \(error.errno)")
    }
  }

  private func finish(_ log: VolumeLogSink) throws(FileCallError) {
    if let failure = log.failure { throw failure }
    try log.close()
  }

  private func mount(_ disk: FaultDisk, at place: BytePath) throws(Refusal) -> MountServer {
    var wishes = MountServer.Wishes(mountPoint: place)
    wishes.hasExtendedAttributes = reading.has("xattrs")
    wishes.turns = reading.number("turns").map {
      TurnTaking(seed: UInt64(reading.number("seed") ?? 0), quietMilliseconds: $0)
    }
    if !reading.has("fixed-plan") {
      wishes.controlName = ControlPlace.forThisProcess()
      let asked = try reading.value("control").map { (word) throws(Refusal) in try absoluteName(word) }
      wishes.controlSocket = asked ?? wishes.controlName
      guard wishes.controlSocket != nil else {
        throw Refusal(
          ExitCode.environment,
          "there is no private place for the control socket. Name one with --control, or use --fixed-plan.")
      }
    }
    wishes.allowsOthers = reading.has("allow-other")
    wishes.keepsLocks = reading.has("locks")
    wishes.seesSync = reading.has("see-sync")
    wishes.readFault = FaultText.read
    if reading.has("until-input-ends") { wishes.lifeline = .standardInput }
    do throws(MountObstacle) {
      return try MountServer(serving: disk, as: wishes)
    } catch {
      throw Refusal(error.isEnvironment ? ExitCode.environment : ExitCode.usage, error.sentences)
    }
  }

  private func announce(_ wishes: MountServer.Wishes) {
    var lines = "mounted  \(printable(wishes.mountPoint.bytes))\nprocess  \(getpid())\n"
    if let socket = wishes.controlSocket { lines += "control  \(printable(socket.bytes))\n" }
    try? OutputStream.output.write(lines)
  }

  /// Removes the mount point and the directory around it; one that holds something stays.
  private func removeEmpty(_ place: BytePath) {
    do throws(FileCallError) {
      try HostVolume(root: place.parent).removeDirectory(place.name)
      try HostVolume(root: place.parent.parent).removeDirectory(place.parent.name)
    } catch {}
  }

  /// Does what is left to do at the end; what fails is kept, and the rest is done in spite of it.
  private func keep(
    _ failures: inout [(file: BytePath, refusal: Refusal)], _ file: BytePath, _ work: () throws(FileCallError) -> Void
  ) {
    do throws(FileCallError) {
      try work()
    } catch {
      failures.append((file, Refusal(ExitCode.environment, "\(error)")))
    }
  }

  /// A server without a terminal says beside the file that could not be written why it is not there.
  private func leaveWord(of failures: [(file: BytePath, refusal: Refusal)]) {
    for (file, refusal) in failures {
      do throws(FileCallError) {
        let volume = try HostVolume(root: file.folderOnHost)
        let open = try volume.open(
          BytePath(bytes: file.name.bytes + Array(".failed".utf8)), for: .overwriting(permissions: 0o600))
        try volume.writeWhole(open, Array((refusal.lines + "\n").utf8))
        try volume.close(open)
      } catch {}
    }
  }
}

/// Nanoseconds since 1970-01-01 UTC, as programs on a mount expect of a file's times.
@Sendable private func realTime() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}

/// A directory's path, absolute and without symbolic links; where it does not exist, only absolute.
private func absolute(_ word: Word) throws(Refusal) -> BytePath {
  let name = word.bytes.map { CChar(bitPattern: $0) } + [0]
  guard let resolved = realpath(name, nil) else { return try absoluteName(word) }
  defer { free(resolved) }
  return BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
}

/// A path made absolute by the working directory.
func absoluteName(_ word: Word) throws(Refusal) -> BytePath {
  do throws(FileCallError) {
    return try Host.absolutePath(of: BytePath(bytes: word.bytes))
  } catch {
    throw Refusal(ExitCode.environment, "\(error)")
  }
}
