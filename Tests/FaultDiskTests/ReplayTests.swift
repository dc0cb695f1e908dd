import FaultDisk
import FileTracing
import Files
import TestSupport
import Testing

/// A log file's replay leaves the disk that the operations had left.
@Suite struct ReplayTests {
  /// Reads a whole log.
  static func read(_ bytes: [UInt8]) throws -> (header: OperationLogHeader, operations: [LoggedOperation]) {
    var reader = OperationLogReader()
    reader.append(bytes)
    var operations: [LoggedOperation] = []
    while let operation = try reader.next() { operations.append(operation) }
    return (try #require(reader.header), operations)
  }

  static func replay(_ header: OperationLogHeader, _ operations: [LoggedOperation]) throws -> FaultDisk {
    var uses = InodeUses()
    for operation in operations { uses.note(operation.record) }
    let replay = try DiskReplay(header, uses: uses)
    for operation in operations { try replay.apply(operation) }
    replay.finishSetUp()
    return replay.disk
  }

  /// Rules for every fault that this disk can be told, drawn by chance; cuts and kills are rare.
  private static func rules() -> [FaultRule] {
    func rule(_ effect: FaultEffect, _ phase: FaultPhase? = nil, _ probability: Double = 0.05) -> FaultRule {
      FaultRule(
        name: "\(effect) \(phase.map { $0.rawValue } ?? "")", effect: effect, operations: [],
        occurrence: FaultOccurrence(probability: probability), phase: phase)
    }
    var rules = [rule(.errno(.eio)), rule(.errno(.enospc), .after)]
    rules += TornRename.all.map { rule(.tornRename($0), nil, 0.2) }
    rules += [rule(.shortWrite(bytesMax: 700), nil, 0.2)]
    let ofFsync = [FaultEffect.fsyncFail(.drop), .fsyncFail(.keep), .fsyncLie]
    let ofWrite: [FaultEffect] = [
      .tornWrite(bytesMax: 512), .flip(bits: 3), .zeroBlock, .misplacedBlock, .badSector, .asyncError, .rolledBack,
      .placeholder,
    ]
    for effect in ofFsync {
      var rule = rule(effect, nil, 0.2)
      rule.operations = [.fsync]
      rules.append(rule)
    }
    for effect in ofWrite {
      var rule = rule(effect)
      rule.operations = [.write]
      rules.append(rule)
    }
    for phase in [FaultPhase.before, .during, .after] {
      rules += [rule(.powerCut(.keepAll), phase, 0.003), rule(.powerCut(.keepNone), phase, 0.003)]
      rules.append(rule(.kill, phase, 0.003))
    }
    for index in rules.indices {
      if case .tornRename = rules[index].effect { rules[index].operations = [.rename] }
      if case .shortWrite = rules[index].effect { rules[index].operations = [.write] }
    }
    return rules.filter { $0.reasonToRefuse == nil }
  }

  /// The digest of everything, also of what a fault has made unreadable.
  private func exported(_ disk: FaultDisk) throws -> String {
    let copy = FaultDisk()
    try disk.exportTree(to: copy.volume())
    return try TreeDigest.digest(of: copy.volume()).description
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func leavesTheSameTree(seed: UInt64) throws {
    let disk = FaultDisk(DiskConfiguration(seed: seed))
    try disk.volume().make("a", text: "old")
    try disk.volume().makeDirectory("d", permissions: 0o750)
    try disk.volume().link("a", to: "d/b")
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    for rule in ReplayTests.rules() { try disk.control(.arm(rule)) }
    var generator = SeededGenerator(seed: seed)
    var pair = VolumePair(host: FaultDisk().volume(), disk: disk.volume(), seed: seed)
    pair.drawsAttributes = true
    for step in 0..<1200 {
      let answer = pair.perform(pair.nextCall()).disk
      let isOver = disk.condition != .running
      if isOver || Int.random(in: 0..<300, using: &generator) == 0 { try disk.control(.restart) }
      if isOver || answer.hasSuffix("ENOTCONN") || answer.hasSuffix("ECANCELED") {
        pair = VolumePair(host: pair.host, disk: disk.volume(), seed: seed + UInt64(step) * 100)
        pair.drawsAttributes = true
      }
      if step == 500 { try disk.control(.setFreeSpace(bytes: 20_000, inodes: 4)) }
      if step == 800 { try disk.control(.setFreeSpace(bytes: nil)) }
      if step == 900 { try disk.control(.beginRecording) }
    }
    disk.clearAll()
    let (header, operations) = try ReplayTests.read(sink.bytes)
    #expect(Set(operations.compactMap(\.record.firedRule)).count > 3)
    let again = try ReplayTests.replay(header, operations)
    #expect(try exported(again) == exported(disk))
    // What is durable is the same, too.
    for disk in [disk, again] {
      disk.powerCut(.keepNone)
      disk.restart()
    }
    #expect(try exported(again) == exported(disk))
  }

  /// A fault during or after a write says nothing of what was written: that stands in the length.
  @Test func whatTookNothingIsNotDoneAgain() throws {
    let effects: [(FaultEffect, FaultPhase)] = [
      (.powerCut(.keepAll), .during), (.kill, .during), (.errno(.eio), .after),
    ]
    for (effect, phase) in effects {
      for isFull in [false, true] {
        let disk = FaultDisk()
        disk.beginRecording()
        let sink = CollectingSink()
        disk.withEngine { $0.beginLog(to: sink) }
        if isFull { disk.setFreeSpace(bytes: 0) }
        try disk.arm(FaultRule(effect, on: [.write], nth: 1, phase: phase))
        #expect(errno { try disk.volume().make("a", text: "x") } != nil)
        let (header, operations) = try ReplayTests.read(sink.bytes)
        let again = try ReplayTests.replay(header, operations)
        #expect(try exported(again) == exported(disk), "\(effect) \(phase), full: \(isFull)")
        let size: UInt64 = phase == .after && !isFull ? 1 : 0
        again.restart()
        #expect(try again.volume().status(at: "a").size == size)
      }
    }
  }

  @Test func aLogWrittenLaterReplaysToo() throws {
    let disk = FaultDisk()
    try disk.volume().make("a", text: "old")
    disk.beginRecording()
    let volume = disk.volume()
    try volume.make("b", [UInt8](repeating: 7, count: 3_000_000))
    let file = try volume.open("b", for: .writing)
    try volume.unlink("b")
    try volume.make("b", text: "new")
    _ = try [UInt8]("lost".utf8).withUnsafeBytes { try volume.write(file, at: 0, $0) }
    let sink = CollectingSink()
    disk.withEngine { $0.writeLog(to: sink) }
    let (header, operations) = try ReplayTests.read(sink.bytes)
    let again = try ReplayTests.replay(header, operations)
    #expect(try TreeDigest.digest(of: again.volume()) == TreeDigest.digest(of: volume))
  }

  @Test func aFileWithoutANameIsNoMatter() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    let file = try volume.open("gone", for: .creating(permissions: 0o600))
    try volume.unlink("gone")
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    _ = try [UInt8]("x".utf8).withUnsafeBytes { try volume.write(file, at: 0, $0) }
    try volume.make("b", text: "new")
    let (header, operations) = try ReplayTests.read(sink.bytes)
    let again = try ReplayTests.replay(header, operations)
    #expect(try TreeDigest.digest(of: again.volume()) == TreeDigest.digest(of: volume))
  }

  static let refusals: [(change: @Sendable (inout OperationLogHeader) -> Void, reason: String)] = [
    ({ $0.droppedCount = 7 }, "the first 7 records of this log were let go"),
    ({ $0.hasData = false }, "this log has no data; mount with --log, or with --keep-data"),
    ({ $0.hasTree = false }, "this log has no data; mount with --log, or with --keep-data"),
  ]

  @Test(arguments: refusals.indices) func refusesWhatDoesNotSuffice(row: Int) {
    var header = OperationLogHeader()
    ReplayTests.refusals[row].change(&header)
    let reason = said { _ = try DiskReplay(header, uses: InodeUses()) }
    #expect(reason == ReplayTests.refusals[row].reason)
  }

  /// How coarse times are, stands in the header; a disk with fine times says nothing.
  @Test(arguments: [2_000_000_000, 1] as [Int64]) func timesAreAsCoarseAsTheyWere(step: Int64) throws {
    let disk = FaultDisk(
      DiskConfiguration(clock: { 1_000_000_000_000_000_007 }, timeStepNanoseconds: step, memoryBytesMax: 64 << 20))
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    try disk.volume().make("a", text: "x")
    let (header, operations) = try ReplayTests.read(sink.bytes)
    #expect(header.number("time-step") == (step == 1 ? nil : step))
    #expect(header.number("memory") == 64 << 20)
    let modified = try ReplayTests.replay(header, operations).volume().status(at: "a").modified
    #expect(modified == 1_000_000_000_000_000_007 / step * step)
  }

  @Test func aDisagreementIsSaid() throws {
    let disk = FaultDisk()
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    try disk.volume().make("a", text: "x")
    try disk.volume().rename("a", to: "b")
    let (header, operations) = try ReplayTests.read(sink.bytes)
    var log = operations
    let rename = log.removeLast()
    let write = try #require(log.firstIndex { $0.record.kind == .write })
    _ = try ReplayTests.replay(header, log)
    var record = rename.record
    record.path = "c"
    #expect(
      said { _ = try ReplayTests.replay(header, log + [LoggedOperation(record: record, data: [])]) }
        == "record \(record.number): \(record.line) was answered with ENOENT in the replay")
    record = log[write].record
    record.inode = 9
    #expect(
      said { _ = try ReplayTests.replay(header, [log[0], LoggedOperation(record: record, data: [])]) }
        == "record \(record.number): inode 9 is not there")
    record = log[1].record
    record.inode = 1
    #expect(
      said { _ = try ReplayTests.replay(header, [log[0], LoggedOperation(record: record, data: [])]) }
        == "record 1: \(record.line) was inode 2 in the replay, not 1")
  }

  private func said(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
