import Exploring
import FaultDisk
import Files
import Glibc
import Processes
import Synchronization

/// How a program that is to be explored has ended.
struct WorkloadOutcome: Sendable {
  /// The command that ended: the set-up where that failed, else the program.
  var isSetUp = false
  /// How it ended.
  var ending: ProcessEnding
  /// The last record of the log then.
  var lastRecord: UInt64 = 0
  /// False where sync(2) and syncfs(2) could not be watched.
  var isWatched = true
  /// True where sync_file_range(2) was called.
  var callsRange = false
}

/// Runs the set-up and the program on a mount that this process serves, on a thread of its own.
///
/// What the program prints is taken from its pipe under the lock of the disk, before each operation has its effect. So
/// all that it had written before an operation is known to be older than it.
final class WorkloadSupervision: Sendable {
  private let setUp: Launch?
  private let program: Launch
  private let disk: FaultDisk
  private let mountPoint: BytePath
  private let lifeline: Lifeline
  private let running: Mutex<ChildProcess?> = Mutex(nil)
  private let result: Mutex<Result<WorkloadOutcome, ProcessCallError>?> = Mutex(nil)
  private let said: Mutex<OutputTimeline> = Mutex(OutputTimeline())

  init(setUp: Launch?, _ program: Launch, _ disk: FaultDisk, mountPoint: BytePath, lifeline: Lifeline) {
    self.setUp = setUp
    self.program = program
    self.disk = disk
    self.mountPoint = mountPoint
    self.lifeline = lifeline
  }

  /// What came of it; nil before its end.
  var outcome: Result<WorkloadOutcome, ProcessCallError>? { result.withLock { $0 } }

  /// What the program has printed.
  var output: OutputTimeline { said.withLock { $0 } }

  /// Ends what runs.
  func stop() {
    let child = running.withLock { $0 }
    _ = try? child?.end()
  }

  /// Runs both to their ends; to be called once, on a thread of its own.
  func follow() {
    do throws(ProcessCallError) {
      let outcome = try runBoth()
      result.withLock { $0 = .success(outcome) }
    } catch {
      result.withLock { $0 = .failure(error) }
    }
    lifeline.cut()
  }

  private func runBoth() throws(ProcessCallError) -> WorkloadOutcome {
    if let setUp {
      let child = try ChildProcess(setUp)
      running.withLock { $0 = child }
      if let ending = try child.wait(until: .never), !ending.isSuccess {
        return WorkloadOutcome(isSetUp: true, ending: ending)
      }
      endLeft()
    }
    disk.beginRecording()
    return try runProgram()
  }

  private func runProgram() throws(ProcessCallError) -> WorkloadOutcome {
    var launch = program
    let pipe = try makePipe()
    launch.output = .descriptor(pipe.writing)
    let (child, watch) = try SyncWatch.start(launch)
    running.withLock { $0 = child }
    disk.withEngine { engine in
      engine.whenOperationBegins = { [self] number in drain(pipe.reading, before: number) }
    }
    defer { disk.withEngine { $0.whenOperationBegins = nil } }
    var outcome = WorkloadOutcome(ending: .exited(0), isWatched: watch != nil)
    var listener = watch?.listener.number
    var isOpen = true
    while true {
      // What a program printed is there when it has ended, so its end is looked at last.
      let waits = [listener, isOpen ? pipe.reading.number : nil, child.handle.number].compactMap { $0 }
      let ready = try waitReadable(waits, until: .never).map { waits[$0] }
      if let number = listener, ready.contains(number) {
        if let watch, let call = watch.next() { take(call, watch, &outcome) } else { listener = nil }
      } else if ready.contains(pipe.reading.number) {
        isOpen = disk.withEngine { drain(pipe.reading, before: $0.nextRecordNumber) }
      } else if let ending = try child.wait(until: .never) {
        outcome.ending = ending
        outcome.lastRecord = disk.withEngine { $0.nextRecordNumber - 1 }
        endLeft()
        return outcome
      }
    }
  }

  /// Takes what waits in the pipe, without waiting for more; only to be called under the lock of the disk.
  @discardableResult
  private func drain(_ pipe: Descriptor, before record: UInt64) -> Bool {
    do throws(ProcessCallError) {
      while let piece = try readSome(from: pipe.number, bytesMax: 64 << 10, until: .after(milliseconds: 0)) {
        if piece.isEmpty { return false }
        said.withLock { $0.add(piece, before: record) }
      }
      return true
    } catch {
      return false
    }
  }

  /// A sync takes effect before the caller knows of it.
  private func take(_ call: SyncWatch.Call, _ watch: SyncWatch, _ outcome: inout WorkloadOutcome) {
    if MountSyncs(disk: disk, mountPoint: mountPoint).take(call) { outcome.callsRange = true }
    watch.letPass(call)
  }

  private func endLeft() {
    LeftOvers.end()
  }
}
