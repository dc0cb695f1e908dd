import FileTracing
import Files
import Testing

@testable import FaultDisk

@Suite struct ControlRecordTests {
  static let rule = FaultRule(name: "f", effect: .errno(Errno(rawValue: 5)), operations: [.fsync])

  /// What changes the disk is recorded, as a record that holds the request; what only asks is not.
  static let rows: [(request: ControlRequest, isRecorded: Bool)] = [
    (.arm(rule), true), (.clearAll, true), (.holdFaults(true), true), (.powerCut(.keepNone), true), (.restart, true),
    (.setFreeSpace(bytes: 1, inodes: 2), true), (.setFreeSpace(bytes: nil), true), (.status, false),
    (.log(since: 0), false), (.writeLog("/l"), false), (.export("/t"), false), (.unmount, false),
  ]

  @Test(arguments: rows) func records(request: ControlRequest, isRecorded: Bool) throws {
    let disk = FaultDisk()
    try disk.control(request)
    let records = disk.log.records
    #expect(records.map(\.kind) == (isRecorded ? [.control] : []))
    #expect(try records.map { try ControlRequest.read(recordText: $0.mark ?? "") } == (isRecorded ? [request] : []))
  }

  @Test func takesEffectAtItsRecord() throws {
    let disk = FaultDisk()
    try disk.control(.arm(Self.rule))
    try disk.control(.clear(name: "f"))
    try disk.control(.setFreeSpace(bytes: 0))
    try disk.control(.mark("m"))
    try disk.control(.powerCut(.keepAll))
    #expect(disk.condition == .cut(.keepAll))
    #expect(disk.log.records.map(\.kind) == [.control, .control, .control, .mark, .control])
    try disk.control(.restart)
    #expect(disk.condition == .running)
    #expect(disk.rules == [])
  }

  @Test func refusesWithoutARecord() throws {
    let disk = FaultDisk()
    #expect(throws: ControlRefusal("no rule 'f' is armed")) { try disk.control(.clear(name: "f")) }
    try disk.control(.arm(Self.rule))
    #expect(throws: ControlRefusal("fault 'f': a fault of this name is armed; clear it first")) {
      try disk.control(.arm(Self.rule))
    }
    #expect(disk.log.records.count == 1)
  }

  @Test func beginsAnewBehindItsRecord() throws {
    let disk = FaultDisk()
    try disk.control(.arm(Self.rule))
    try disk.control(.beginRecording)
    #expect(disk.log.records == [])
    #expect(disk.rules == [Self.rule])
  }
}
