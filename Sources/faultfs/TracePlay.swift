import FaultDisk
import FaultFS
import FileTracing
import Files
import Options
import Terminal

/// `faultfs trace play`: makes the tree of a log again, in memory, and writes it out where that is wished.
struct TracePlay {
  private let reading: OptionReading

  init(_ reading: OptionReading) { self.reading = reading }

  /// Does it; returns the exit status.
  func run(_ path: BytePath) throws(Refusal) -> CInt {
    let target = reading.value("to")
    if (target != nil) == reading.has("check") {
      throw Refusal(ExitCode.usage, "'play' takes --to DIR, or --check to write nothing")
    }
    // A first reading finds out until when each file is needed.
    var uses = InodeUses()
    var first = try LogFile(path)
    while let operation = try first.next() { uses.note(operation.record) }
    first.close()
    var log = try LogFile(path)
    defer { log.close() }
    let replay = try newReplay(log.header, uses, path)
    guard try play(&log, on: replay) else { return ExitCode.difference }
    let digest = try write(replay.disk, to: target)
    var output = LineOutput()
    try output.write("tree    \(digest)")
    try output.flush()
    return TraceCommand.status(log)
  }

  private func newReplay(
    _ header: OperationLogHeader, _ uses: InodeUses, _ path: BytePath
  ) throws(Refusal) -> DiskReplay {
    do throws(ReplayError) {
      return try DiskReplay(header, uses: uses)
    } catch {
      throw Refusal(ExitCode.usage, "\(path): \(error)")
    }
  }

  /// Writes the tree out, where that is wished; its digest.
  private func write(_ disk: FaultDisk, to target: Word?) throws(Refusal) -> String {
    do throws(FileCallError) {
      if let target { try exportTree(of: disk, to: Host.absolutePath(of: BytePath(bytes: target.bytes))) }
      // What a power cut has left is the tree.
      disk.restart()
      do throws(FileCallError) {
        return try TreeDigest.digest(of: disk.volume()).description
      } catch  where error.errno == .eio {
        // Sectors that a fault has made unreadable: their bytes go into the copy as into an export.
        let copy = FaultDisk()
        try disk.exportTree(to: copy.volume())
        return try TreeDigest.digest(of: copy.volume()).description
      }
    } catch {
      throw Refusal(ExitCode.usage, "\(error)")
    }
  }

  /// Follows the records; false where one disagrees, which is said.
  private func play(_ log: inout LogFile, on replay: DiskReplay) throws(Refusal) -> Bool {
    let last = reading.number("until").map { UInt64($0) } ?? .max
    var count = 0
    var faultCount = 0
    while let operation = try log.next(), operation.record.number <= last {
      do throws(ReplayError) {
        try replay.apply(operation)
      } catch {
        complain("\(error)")
        return false
      }
      if operation.record.number > 0 { count += 1 }
      if operation.record.firedRule != nil { faultCount += 1 }
    }
    replay.finishSetUp()
    var output = LineOutput()
    try output.write("played  \(count) records, \(faultCount) of them with a fault; every result as recorded")
    try output.flush()
    return true
  }
}
