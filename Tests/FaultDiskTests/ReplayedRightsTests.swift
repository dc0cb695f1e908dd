import FileTracing
import Files
import TestSupport
import Testing

@testable import FaultDisk

/// What a user's groups decided is in the log: a replay, which has root's rights, leaves the same bits.
@Suite struct ReplayedRightsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let what: String
    let groups: [UInt32]
    let before: UInt16
    let after: UInt16
    var testDescription: String { what }
  }

  static let rows: [Row] = [
    Row(what: "a member's write takes the right to run as the group", groups: [7], before: 0o2770, after: 0o770),
    Row(what: "a member's write leaves a set-group bit that runs nothing", groups: [7], before: 0o2660, after: 0o2660),
    Row(what: "a stranger's write takes that one, too", groups: [8], before: 0o2666, after: 0o666),
    Row(what: "anybody's write takes the set-user bit", groups: [7], before: 0o4770, after: 0o770),
    Row(what: "no set bit, nothing to take", groups: [7], before: 0o660, after: 0o660),
  ]

  private static let root = Caller(thread: 1, user: 0, group: 0)
  private static let user = Caller(thread: 2, user: 1000, group: 1000)

  /// A write, truncate or allocate of the user.
  private static func change(
    _ kind: OperationKind, _ engine: inout DiskEngine, _ inode: UInt64, _ handle: UInt64
  ) throws(Errno) {
    switch kind {
    case .write:
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
      defer { bytes.deallocate() }
      bytes.initializeMemory(as: UInt8.self, repeating: 1)
      _ = try engine.write(handle, at: 0, UnsafeRawBufferPointer(bytes), user)
    case .truncate: _ = try engine.setAttributes(of: inode, AttributeChange(size: 1), user)
    default: try engine.allocate(handle, offset: 0, length: 100, AllocationWish(.reserve, keepsSize: false), user)
    }
  }

  @Test(arguments: rows) func theBitsAreThoseThatTheGroupsLeft(row: Row) throws {
    for kind in [OperationKind.write, .truncate, .allocate] {
      let disk = FaultDisk()
      let groups = row.groups
      disk.withEngine { $0.furtherGroups = { caller in caller.user == Self.user.user ? groups : [] } }
      disk.beginRecording()
      let sink = CollectingSink()
      disk.withEngine { $0.beginLog(to: sink) }
      try disk.volume().make("file", text: "text")
      try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
        let inode = try engine.inode(at: "file", Self.root).number
        _ = try engine.setAttributes(of: inode, AttributeChange(group: 7), Self.root)
        _ = try engine.setAttributes(of: inode, AttributeChange(permissions: row.before), Self.root)
        let handle = try engine.open(inode, access: FileAccess(reads: false, writes: true), Self.user)
        try Self.change(kind, &engine, inode, handle)
        engine.release(handle)
      }
      #expect(try disk.volume().status(at: "file").permissions == row.after)
      let (header, operations) = try ReplayTests.read(sink.bytes)
      let replayed = try ReplayTests.replay(header, operations).volume()
      #expect(try replayed.status(at: "file").permissions == row.after)
      // Only what took something away says so.
      let telling = operations.filter { $0.record.attributes != nil }.map(\.record.kind).suffix(1)
      #expect((telling != [.setattr]) == (row.before != row.after))
    }
  }
}
