import FaultDisk
import FileTracing
import Files
import Glibc
import Linting
import Processes
import Synchronization

/// What came of a program that was run to be judged.
struct LintedRun: Sendable {
  /// Its name, without its directory.
  var program: String
  /// How it ended.
  var ending: ProcessEnding
  /// The last record of the log at the moment that is judged.
  var lastRecord: UInt64
  /// True where the marker was asked for; `markerCame` then says whether it was printed.
  var wantsMarker: Bool
  var markerCame: Bool
  /// False where sync(2) and syncfs(2) could not be watched.
  var isWatched: Bool
  /// True where sync_file_range(2) was called, which makes nothing durable.
  var callsRange: Bool
  /// The signal to `faultfs lint` that ended the run before the program ended by itself; nil for none.
  var interruption: CInt?
}

/// A pipe at whose end the mount ends; only this object holds the writing end, so that `cut` closes it.
final class Lifeline: Sendable {
  /// What the server watches.
  let reading: Descriptor
  private let writing: Mutex<Descriptor?>

  init() throws(ProcessCallError) {
    let ends = try makePipe()
    reading = ends.reading
    writing = Mutex(ends.writing)
  }

  /// Ends the mount.
  func cut() { writing.withLock { $0 = nil } }
}

/// Watches a program under judgement, on a thread of its own: its output, its syncs, its end.
final class LintSupervision: Sendable {
  private let child: ChildProcess
  private let watch: SyncWatch?
  private let disk: FaultDisk
  private let mountPoint: BytePath
  private let marker: [UInt8]?
  private let lifeline: Lifeline
  private let progress = Mutex(Progress())
  private let program: String

  /// What is known so far.
  private struct Progress {
    var markerRecord: UInt64?
    var callsRange = false
    var outcome: LintedRun?
  }

  /// Starts the program; the lifeline is let go when it has ended.
  init(
    _ launch: Launch, _ disk: FaultDisk, mountPoint: BytePath, marker: [UInt8]?, lifeline: Lifeline
  ) throws(ProcessCallError) {
    (child, watch) = try SyncWatch.start(launch)
    self.disk = disk
    self.mountPoint = mountPoint
    self.marker = marker
    self.lifeline = lifeline
    program = BytePath(bytes: launch.program).name.description
  }

  /// What came of it; nil before its end.
  var outcome: LintedRun? { progress.withLock { $0.outcome } }

  /// Asks the program to end, and ends it where it does not.
  @discardableResult
  func stop(_ signal: CInt) -> ProcessEnding {
    child.send(signal: signal)
    let ending = try? child.wait(milliseconds: LintSupervision.patienceMilliseconds)
    return ending ?? (try? child.end()) ?? .killed(signal: Int(SIGKILL))
  }

  /// What there is to judge after a signal to `faultfs lint` has taken the disk away; ends the program.
  func interrupt(_ signal: CInt) -> LintedRun {
    let last = lastRecord
    let ending = stop(signal)
    var run = progress.withLock { self.run(ending, at: last, $0) }
    run.interruption = signal
    return run
  }

  private func run(_ ending: ProcessEnding, at last: UInt64, _ progress: Progress) -> LintedRun {
    LintedRun(
      program: program, ending: ending, lastRecord: progress.markerRecord ?? last, wantsMarker: marker != nil,
      markerCame: progress.markerRecord != nil, isWatched: watch != nil, callsRange: progress.callsRange)
  }

  private static let patienceMilliseconds = 3_000

  /// Follows the program to its end; to be called once.
  func follow() {
    var output = MarkedOutput(marker)
    var listener = watch?.listener.number
    var pipe = child.output?.number
    do throws(ProcessCallError) {
      while true {
        // What a program printed is there when it has ended, so its end is looked at last.
        let waits = [listener, pipe, child.handle.number].compactMap { $0 }
        let ready = try waitReadable(waits, until: .never).map { waits[$0] }
        if let number = listener, ready.contains(number) {
          if let call = watch?.next() { take(call) } else { listener = nil }
        } else if let number = pipe, ready.contains(number) {
          if !output.pass(from: number, whenMarked: mark) { pipe = nil }
        } else if ready.contains(child.handle.number), let ending = try child.wait(until: .never) {
          progress.withLock { $0.outcome = run(ending, at: lastRecord, $0) }
          break
        }
      }
    } catch {}
    lifeline.cut()
  }

  private var lastRecord: UInt64 { disk.withEngine { $0.log.droppedCount + UInt64($0.log.records.count) } }

  /// The moment that is judged, before anybody reads the line.
  private func mark() {
    disk.mark("the marker was printed")
    progress.withLock { $0.markerRecord = lastRecord }
  }

  /// A sync takes effect for the judgement before the caller knows of it.
  private func take(_ call: SyncWatch.Call) {
    switch call.kind {
    case .everything: disk.mark(Lint.syncMark)
    case .fileSystem: if isOnMount(call) { disk.mark(Lint.syncMark) }
    case .range: if isOnMount(call) { progress.withLock { $0.callsRange = true } }
    }
    watch?.letPass(call)
  }

  /// True where the caller's descriptor leads to our mount; asked without opening it.
  private func isOnMount(_ call: SyncWatch.Call) -> Bool {
    let link = BytePath("/proc/\(call.thread)/fd/\(call.descriptor)")
    var (theirs, ours) = (stat(), stat())
    return stat(link.cString, &theirs) == 0 && stat(mountPoint.cString, &ours) == 0 && theirs.st_dev == ours.st_dev
  }
}

/// The output of the program on its way through, line by line until the marker has come.
struct MarkedOutput {
  private let marker: [UInt8]?
  private var line: [UInt8] = []
  private var isMarked = false

  init(_ marker: [UInt8]?) { self.marker = marker }

  /// Passes on what is there; false at the end. The line with the marker waits until `whenMarked` is done.
  mutating func pass(from descriptor: CInt, whenMarked: () -> Void) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    take(bytes[..<count], atEnd: count == 0, whenMarked)
    return count > 0
  }

  /// What stands behind the last newline is a line too, at the end.
  private mutating func take(_ bytes: ArraySlice<UInt8>, atEnd: Bool, _ whenMarked: () -> Void) {
    guard let marker, !isMarked else { return write(bytes) }
    line += bytes
    while let newline = line.firstIndex(of: UInt8(ascii: "\n")) {
      let next = Array(line[...newline])
      line.removeFirst(next.count)
      if contains(next, marker) {
        isMarked = true
        whenMarked()
        write(next[...])
        write(line[...])
        line = []
        return
      }
      write(next[...])
    }
    guard atEnd else { return }
    if contains(line, marker) {
      isMarked = true
      whenMarked()
    }
    write(line[...])
    line = []
  }

  private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
  }

  private func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
