import CPosix
import CrashModel
import FaultDisk
import FileTracing
import Files
import Glibc
import Processes

/// A recording on a file system of the running kernel, to be crashed there as often as one likes.
///
/// Each try makes the recorded operations again, up to a moment, on a copy of a disk that holds the tree at the
/// beginning, lets the kernel do between them what it may do at any time, shuts the file system down, mounts it again
/// and looks. The disk is in memory, the mount at no place: nothing is left behind, however the program ends.
package struct Confirmation {
  /// What came of the tries.
  package enum Answer: Hashable, Sendable, CustomStringConvertible {
    /// The kernel left the state in this try, counted from 1.
    case realised(tries: Int)
    /// It did not in so many.
    case notRealised(tries: Int)

    /// "realised in try 4".
    package var description: String {
      switch self {
      case .realised(let tries): "realised in try \(tries)"
      case .notRealised(let tries): "not realised in \(tries) tries"
      }
    }
  }

  /// What one crash leaves.
  package enum Aftermath: Hashable, Sendable {
    /// This tree.
    case tree(SeenTree)
    /// Nothing that the kernel would mount, for this reason.
    case unmountable(String)
  }

  private let recording: Recording
  private let disk: FaultDisk
  private let fileSystem: CrashableFileSystem
  private let base: MemoryDisk

  private static let directory: BytePath = "tree"
  private static let bystander: BytePath = "bystander"

  /// Why this machine or this model cannot do it; nil where both can.
  package static func obstacle(for model: PersistenceModel) -> String? {
    if geteuid() != 0 { return "only root may make, mount and shut down a file system; run it as root" }
    if CrashableFileSystem(model) != nil { return nil }
    return "\(model.name) is no file system that this kernel can be asked about. Those that can: "
      + CrashableFileSystem.modelNames.joined(separator: ", ")
  }

  /// Makes the disk that every try begins with; `disk` holds the bytes of the recording.
  package init(_ recording: Recording, on disk: FaultDisk, as model: PersistenceModel) throws(ConfirmationError) {
    if let obstacle = Self.obstacle(for: model) { throw ConfirmationError(obstacle) }
    guard let fileSystem = CrashableFileSystem(model) else { preconditionFailure("no file system, and no obstacle") }
    self.recording = recording
    self.disk = disk
    self.fileSystem = fileSystem
    let bytes = fileSystem.bytesMin + 2 * Self.bytesWritten(recording)
    base = try Self.makeBase(bytes, fileSystem, recording, disk).copy()
  }

  /// A disk with the tree at the beginning, unmounted.
  private static func makeBase(
    _ bytes: UInt64, _ fileSystem: CrashableFileSystem, _ recording: Recording, _ disk: FaultDisk
  ) throws(ConfirmationError) -> MemoryDisk {
    let made = try MemoryDisk("faultfs-\(fileSystem.name)", bytes: bytes)
    let device = try made.attach()
    try device.format(as: fileSystem)
    let mount = try device.mount(as: fileSystem)
    let root = try mount.volume(of: .root)
    try reaching { () throws(FileCallError) in try root.makeDirectory(directory, permissions: 0o755) }
    let volume = try mount.volume(of: directory)
    try reaching { () throws(FileCallError) in try recording.tree.make(in: volume, from: disk) }
    _ = try mount.open(bystander, flags: O_RDWR | O_CREAT, permissions: 0o600)
    try mount.synchronize()
    return made
  }

  private static func bytesWritten(_ recording: Recording) -> UInt64 {
    let written = recording.records.reduce(0) { sum, record in
      sum + (record.kind == .write ? record.lengthTaken : record.kind == .allocate ? record.lengthAsked : 0)
    }
    return written + recording.tree.nodes.values.reduce(0) { $0 + $1.content.extents.allocatedBytes }
  }
}

extension Confirmation {
  /// Whether a crash at one of these moments leaves this tree here, in at most so many tries.
  ///
  /// `moments` are those of a `CrashState`. `stops` is asked before each try; the tries so far are then the answer.
  package func realise(
    _ tree: DiskTree, during moments: [ClosedRange<UInt64>], triesMax: Int, seed: UInt64,
    stops: () -> Bool = { false }
  ) throws(ConfirmationError) -> Answer {
    let wanted = SeenTree(tree, on: disk)
    let moments = self.moments(within: moments)
    for number in 1...max(1, triesMax) {
      if stops() { return .notRealised(tries: number - 1) }
      var draws = Draws(seed: seed, number: number)
      let moment = draws.oneIn(2) ? moments[moments.count - 1] : moments[draws.below(moments.count)]
      if try crash(during: moment, &draws) == .tree(wanted) { return .realised(tries: number) }
    }
    return .notRealised(tries: max(1, triesMax))
  }

  /// What one crash leaves.
  ///
  /// `moment` is the record under way, 0 before the first, the greatest number behind the last.
  package func crash(during moment: UInt64, seed: UInt64) throws(ConfirmationError) -> Aftermath {
    var draws = Draws(seed: seed)
    return try crash(during: moment, &draws)
  }

  /// The moments of these ranges; the last of them where there is none.
  private func moments(within ranges: [ClosedRange<UInt64>]) -> [UInt64] {
    let all = [0] + recording.records.map(\.number) + [UInt64.max]
    let within = all.filter { moment in ranges.contains { $0.contains(moment) } }
    return within.isEmpty ? [UInt64.max] : within
  }

  private func crash(during moment: UInt64, _ draws: inout Draws) throws(ConfirmationError) -> Aftermath {
    let copy = try base.copy()
    let device = try copy.attach()
    try play(until: moment, on: device, &draws)
    return try look(at: device)
  }

  /// Mounts, makes the operations, crashes; all of it is closed when this returns.
  private func play(
    until moment: UInt64, on device: LoopDevice, _ draws: inout Draws
  ) throws(ConfirmationError) {
    let mount = try device.mount(as: fileSystem)
    let bystander = try mount.open(Self.bystander, flags: O_WRONLY | O_APPEND)
    let root = try mount.open(Self.directory, flags: O_RDONLY | cposix_O_DIRECTORY)
    let volume = try mount.volume(of: Self.directory)
    let temper = Temper(&draws)
    // Whether what is under way has been done already when the crash comes.
    let includesLast = draws.oneIn(2)
    var player = try reaching { () throws(FileCallError) in
      try RecordingPlayer(recording, on: disk, in: volume, root: root)
    }
    for (index, record) in recording.records.enumerated() {
      if record.number > moment || record.number == moment && !includesLast { break }
      do throws(FileCallError) {
        try player.make(index)
      } catch {
        throw ConfirmationError("operation \(record.number) cannot be made again: \(error)")
      }
      for disturbance in temper.disturbances(player.dirty, &draws) {
        Self.disturb(player, bystander, disturbance)
      }
    }
    try mount.crash(writingLog: draws.oneIn(2))
  }

  private static func disturb(_ player: RecordingPlayer, _ bystander: Descriptor, _ disturbance: Disturbance) {
    switch disturbance {
    case .commit:
      _ = write(bystander.number, "x", 1)
      _ = fsync(bystander.number)
    case .writeBack(let range, let waits): player.writeBack(range, waits: waits)
    case .pause(let milliseconds): _ = try? waitReadable([], until: .after(milliseconds: milliseconds))
    }
  }

  /// Mounts what the crash has left, which replays the log, and reads it.
  private func look(at device: LoopDevice) throws(ConfirmationError) -> Aftermath {
    let mount: LooseMount
    do throws(ConfirmationError) {
      mount = try device.mount(as: fileSystem)
    } catch {
      return .unmountable(error.description)
    }
    let volume = try mount.volume(of: Self.directory)
    return .tree(try reaching { () throws(FileCallError) in try SeenTree(of: volume) })
  }
}
