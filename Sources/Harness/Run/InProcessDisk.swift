import CrashModel
import FaultDisk
import FileTracing
import Files
import LNoteStore

/// The fault disk through its in-process door: no kernel, no second process, the same in every run.
final class InProcessDisk: TestDisk {
  let disk: FaultDisk
  private var reader: FaultVolume
  /// True once it shows trees one after the other.
  private(set) var isForOneLook = false
  /// Where one step of the stores on this disk is altered; nil where none is.
  let seam: Seam?
  private var memory: StoreMemory?

  /// An empty disk; `seed` decides the draws of rules with a probability.
  init(seed: UInt64, seam: Seam? = nil) {
    self.seam = seam
    disk = FaultDisk(DiskConfiguration(seed: seed))
    reader = disk.volume()
  }

  var door: String { "in process" }
  var volume: any Volume { reader }
  var changeCount: UInt64? { disk.withEngine { $0.changeCount } }

  func copy() -> any Volume { FaultDisk(sharing: disk).volume() }

  func startSubject(_ configuration: StoreConfiguration) throws(HarnessError) -> any Subject {
    SessionSubject(volume: disk.volume(), configuration: configuration, seam: seam, memory: memory)
  }

  func arm(_ rule: FaultRule) throws(HarnessError) {
    do throws(FaultRuleError) { try disk.arm(rule) } catch { throw .disk("\(error)") }
  }

  func clear(_ name: String) { disk.clear(name) }
  func clearAll() { disk.clearAll() }
  func holdFaults(_ holds: Bool) { disk.holdFaults(holds) }
  func setFreeSpace(_ bytes: UInt64?) { disk.setFreeSpace(bytes: bytes) }
  func powerCut(_ surviving: SurvivingState) { disk.powerCut(surviving) }

  func restart() {
    disk.restart()
    reader = disk.volume()
  }

  func restart(
    leaving chosen: ChosenState, among models: [PersistenceModel]
  ) throws(HarnessError) -> [String] {
    guard let (recording, moment) = disk.recording?.untilCut else {
      throw .disk("the log has let go of operations, so that no state can be made of it")
    }
    do throws(ChoiceError) {
      let found = try ChosenTree(chosen, of: recording, at: moment, among: models)
      disk.restart(with: found.tree)
      reader = disk.volume()
      return found.models.map(\.name)
    } catch {
      throw .disk("'power-cut \(chosen.spelling)': \(error)")
    }
  }

  func status() -> DiskStatus {
    disk.withEngine { engine in
      DiskStatus(
        isCut: engine.condition != .running, firings: engine.firings,
        operations: engine.log.records.last { $0.countedNumber != nil }?.countedNumber ?? 0,
        delayedMilliseconds: engine.delayedMilliseconds, records: engine.log.records.last?.number ?? 0)
    }
  }

  func mark(_ text: String) { disk.mark(text) }
  func beginRecording() { disk.beginRecording() }
  func finish() {}

  /// Keeps what was recorded; from now on the disk shows trees made of it.
  ///
  /// - Parameter memory: what stores that are started then share.
  func beginShowing(memory: StoreMemory?) {
    self.memory = memory
    disk.keepForShowing()
    isForOneLook = true
  }

  /// Ends the last `beginShowing`: trees that were kept before are shown again.
  func endShowing() { disk.endShowing() }

  /// Makes a tree the whole disk. What was written to the last one is forgotten.
  ///
  /// - Parameter isRecorded: true where a crash in what is done then is looked at, too.
  func show(_ tree: DiskTree, isRecorded: Bool) {
    disk.show(tree, isRecorded: isRecorded)
    reader = disk.volume()
  }
}

/// The store in this process, on a volume of its own that a kill or a cut takes from it.
final class SessionSubject: Subject {
  private let volume: FaultVolume
  private let seam: Seam?
  private var session: StoreSession?

  init(volume: FaultVolume, configuration: StoreConfiguration, seam: Seam?, memory: StoreMemory?) {
    self.volume = volume
    self.seam = seam
    let seen: any Volume = seam.map { AlteredVolume(over: volume, at: $0) } ?? volume
    session = StoreSession(volume: seen, configuration: configuration, memory: memory)
  }

  func perform(_ command: NumberedCommand) -> StoreAnswer? {
    seam?.enter(command.command.word)
    guard let answer = session?.perform(command), isAlive else {
      session = nil
      return nil
    }
    return answer
  }

  func kill() {
    volume.kill()
    session = nil
  }

  /// A process that was killed, or whose disk is gone, cannot have answered.
  private var isAlive: Bool {
    do throws(FileCallError) {
      _ = try volume.status(at: .root)
      return true
    } catch {
      return false
    }
  }
}
