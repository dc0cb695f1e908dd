import FileTracing
import Files
import Synchronization
import TestSupport
import Testing

/// Keeps the bytes of a log in memory.
final class MemorySink: OperationLogSink {
  private let kept = Mutex<[UInt8]>([])
  var bytes: [UInt8] { kept.withLock { $0 } }
  func append(_ pieces: [UnsafeRawBufferPointer]) {
    kept.withLock { kept in for piece in pieces { kept.append(contentsOf: piece) } }
  }
}

@Suite struct OperationLogTests {
  static let operations: [(record: OperationRecord, data: [UInt8])] =
    [
      (OperationRecord(number: 1, countedNumber: 1, kind: .mkdir, path: "d", inode: 2, argument: 0o755, thread: 7), []),
      (
        OperationRecord(
          number: 2, countedNumber: 2, kind: .write, path: BytePath(bytes: [0xFF]), inode: 3, offset: 1 << 40,
          lengthAsked: 10, lengthTaken: 3, dataAddress: 0, thread: -1, firedRule: "short",
          firedEffect: .shortWrite(bytesMax: 3), firedPhase: .during,
          firedEnding: .init(effect: .powerCut(.keepNone), rule: "cut"), time: -1), [1, 2, 3]
      ),
      (
        OperationRecord(
          number: 3, countedNumber: 3, kind: .rename, path: "a", otherPath: "b", inode: 3, argument: 1, errno: .enospc),
        []
      ),
      (OperationRecord(number: 4, kind: .mark, path: "", mark: "sa\u{E9}"), []),
      (OperationRecord(number: 5, kind: .symlink, path: "l", otherPath: "", thread: 9), []),
      (
        OperationRecord(
          number: 6, kind: .create, path: "p", firedRule: "late", firedEffect: .errno(.eio), firedPhase: .after,
          attributes: RecordedAttributes(
            kind: .characterDevice, permissions: 0o4755, owner: .max, group: 7, deviceNumber: 0x103, accessed: -1,
            modified: .max)), []
      ),
      (
        {
          var record = OperationRecord(
            number: 7, kind: .fsync, path: "p", errno: .eio, firedRule: "broken", firedEffect: .errno(.eio),
            firedPhase: .before)
          record.firedDelays = [.init(milliseconds: 200, rule: "slow"), .init(milliseconds: 1, rule: "s2")]
          return record
        }(), []
      ),
    ] + OperationKind.allCases.map { (OperationRecord(number: 9, kind: $0, path: "x"), []) }

  static let header = OperationLogHeader(
    program: "faultfs 0.1", seed: .max, begun: -5, nextInode: 9, hasTree: false, hasData: false, droppedCount: 3,
    further: ["names": "normalising"])
  private static let headerBytes = file(recordsMax: 0).count

  private static func file(recordsMax: Int = .max) -> [UInt8] {
    let sink = MemorySink()
    OperationLogWriter.write(header, to: sink)
    for (record, data) in operations.prefix(recordsMax) {
      data.withUnsafeBytes { OperationLogWriter.write(record, data: [$0], to: sink) }
    }
    return sink.bytes
  }

  /// Reads to the end or to the first error.
  private static func read(
    _ bytes: [UInt8], step: Int = .max
  ) -> (found: [LoggedOperation], pending: Int, error: String?) {
    var reader = OperationLogReader()
    var found: [LoggedOperation] = []
    var left = bytes[...]
    do throws(OperationLogError) {
      repeat {
        reader.append(left.prefix(step))
        left = left.dropFirst(step)
        while let operation = try reader.next() { found.append(operation) }
      } while !left.isEmpty
    } catch {
      return (found, reader.pendingCount, error.description)
    }
    return (found, reader.pendingCount, nil)
  }

  private static func isAsWritten(_ found: [LoggedOperation]) -> Bool {
    zip(found, operations).allSatisfy { found, written in
      var record = written.record
      record.dataAddress = nil
      return found.record == record && found.data == written.data
    }
  }

  @Test(arguments: [1, 7, 1000, Int.max]) func comesBack(step: Int) {
    let (found, pending, error) = OperationLogTests.read(OperationLogTests.file(), step: step)
    #expect(found.count == OperationLogTests.operations.count)
    #expect(OperationLogTests.isAsWritten(found))
    #expect(pending == 0)
    #expect(error == nil)
  }

  @Test func aCutTailLosesOneRecord() {
    let file = OperationLogTests.file(recordsMax: 5)
    var counts: [Int] = []
    for end in 0...file.count {
      let (found, pending, error) = OperationLogTests.read(Array(file[..<end]))
      #expect(error == nil)
      #expect(OperationLogTests.isAsWritten(found))
      let isWhole = end == 0 || end == OperationLogTests.headerBytes || found.count > counts.last ?? 0
      #expect((pending == 0) == isWhole, "cut at \(end)")
      counts.append(found.count)
    }
    #expect(Set(counts) == Set(0...5))
  }

  @Test func everyFlippedBitIsSeen() {
    let file = OperationLogTests.file(recordsMax: 4)
    for bit in 0..<(file.count * 8) {
      var damaged = file
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let (found, pending, error) = OperationLogTests.read(damaged)
      #expect(error != nil || pending > 0, "bit \(bit)")
      #expect(OperationLogTests.isAsWritten(found), "bit \(bit)")
    }
  }

  @Test func zerosBehindTheEndAreNoRecords() {
    let file = OperationLogTests.file()
    let (found, _, error) = OperationLogTests.read(file + [UInt8](repeating: 0, count: 4096))
    #expect(found.count == OperationLogTests.operations.count)
    #expect(error == "log, byte \(file.count): a record of 0 bytes cannot be")
  }

  @Test func aForeignFileIsNamed() {
    #expect(
      OperationLogTests.read(Array("FAULTLOX then something".utf8)).error
        == "log, byte 0: this is no operation log of faultfs")
    for version: UInt8 in [1, 7] {
      let other = Array("FAULTLOG".utf8) + [version, 0, 0, 0]
      #expect(
        OperationLogTests.read(other).error
          == "log, byte 0: made by a faultfs with log version \(version); this one reads version 3")
    }
    var damaged = OperationLogTests.file()
    damaged[25] ^= 1
    #expect(OperationLogTests.read(damaged).error == "log, byte 0: the header is damaged")
  }

  @Test func theHeaderComesBack() throws {
    var reader = OperationLogReader()
    reader.append(OperationLogTests.file(recordsMax: 1))
    #expect(reader.header == nil)
    _ = try reader.next()
    #expect(reader.header == OperationLogTests.header)
  }

  @Test func aSinkWritesAFile() throws {
    let directory = try TemporaryDirectory()
    let volume = try directory.volume()
    let sink = try VolumeLogSink(volume: volume, path: "log")
    OperationLogWriter.write(OperationLogTests.header, to: sink)
    let large = [UInt8](repeating: 5, count: 1 << 20)
    let record = OperationRecord(number: 1, kind: .write, path: "a", lengthTaken: 1 << 20, dataAddress: 0)
    large.withUnsafeBytes { OperationLogWriter.write(record, data: [$0], to: sink) }
    OperationLogWriter.write(OperationRecord(number: 2, kind: .fsync, path: "a"), data: [], to: sink)
    try sink.close()
    let (found, pending, error) = OperationLogTests.read(try volume.bytes(of: "log"))
    #expect(found.map(\.record.number) == [1, 2])
    #expect(found.first?.data == large)
    #expect(pending == 0 && error == nil)
    #expect(throws: FileCallError("open", ["log"], .eexist)) { try VolumeLogSink(volume: volume, path: "log") }
  }

  @Test func theOldestRecordsGo() {
    var log = OperationLog(recordsMax: 4)
    for number in 1...5 { log.append(OperationRecord(number: UInt64(number), kind: .fsync, path: "a")) }
    #expect(log.records.map(\.number) == [3, 4, 5])
    #expect(log.droppedCount == 2)
    #expect(log.tally.operations == [.fsync: 5])
    #expect(log.records(after: 0, countMax: 2).map(\.number) == [3, 4])
    #expect(log.records(after: 3, countMax: 9).map(\.number) == [4, 5])
    #expect(log.records(after: 9, countMax: 9) == [])
    log.removeAll()
    #expect(log.records == [] && log.droppedCount == 0 && log.tally.operations == [:])
  }

  @Test func talliesWhatWasTakenAndGiven() {
    var log = OperationLog(recordsMax: 1)
    log.append(OperationRecord(number: 1, countedNumber: 1, kind: .write, path: "a", lengthAsked: 9, lengthTaken: 5))
    log.append(OperationRecord(number: 2, kind: .write, path: "a", lengthAsked: 9, errno: .enospc))
    log.append(OperationRecord(number: 3, kind: .read, path: "a", lengthAsked: 9, lengthTaken: 4))
    #expect(log.tally.operations == [.write: 2, .read: 1])
    #expect(log.tally.counted == [.write: 1])
    #expect(log.tally.bytesWritten == 5 && log.tally.bytesRead == 4)
  }

  static let lines: [(record: OperationRecord, line: String)] = [
    (
      OperationRecord(
        number: 14, countedNumber: 9, kind: .write, path: "a.tmp", offset: 8192, lengthAsked: 4096, lengthTaken: 1024,
        thread: 7, firedRule: "f1"), "14 [9] write a.tmp 8192+4096 = 1024 by 7 !f1"
    ),
    (
      OperationRecord(number: 15, kind: .rename, path: "a", otherPath: "b", argument: 1, errno: .eexist, thread: 7),
      "15 [-] rename a -> b (no replace): EEXIST by 7"
    ),
    (OperationRecord(number: 1, kind: .fsync, path: "", thread: 7), "1 [-] fsync / by 7"),
    (
      OperationRecord(number: 1, kind: .create, path: "a\u{1B}[2J", argument: 0o644), "1 [-] create a\\x1b[2J 0644 by 0"
    ),
    (OperationRecord(number: 1, kind: .unlink, path: BytePath(bytes: [0xC3, 0x5C])), "1 [-] unlink \\xc3\\x5c by 0"),
    (OperationRecord(number: 1, kind: .truncate, path: "a", offset: 5), "1 [-] truncate a to 5 by 0"),
    (OperationRecord(number: 3, kind: .mark, path: "", mark: "saved\n"), "3 [-] mark saved\\x0a"),
  ]

  @Test(arguments: lines) func prints(row: (record: OperationRecord, line: String)) {
    #expect(row.record.line == row.line)
  }
}
