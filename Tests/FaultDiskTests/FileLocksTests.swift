import FileTracing
import Files
import Glibc
import TestSupport
import Testing

@testable import FaultDisk

private let noLocks = Errno(rawValue: ENOLCK)

/// Locks of byte ranges, against a model that keeps a row of holders for each byte.
@Suite struct FileLocksTests {
  private static func wish(
    _ kind: LockWish.Kind, _ range: ClosedRange<UInt64> = 0 ... .max, by owner: UInt64, through handle: UInt64 = 0,
    whole: Bool = false
  ) -> LockWish {
    LockWish(
      kind, range: range, isOfWholeFile: whole, owner: owner, handle: handle, process: Int32(truncatingIfNeeded: owner))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func agreesWithARowOfBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var locks = FileLocks()
    var model = [[UInt64: LockWish.Kind]](repeating: [:], count: 12)
    for _ in 0..<500 {
      let first = UInt64.random(in: 0..<12, using: &generator)
      let last = UInt64.random(in: first..<12, using: &generator)
      let kind = [LockWish.Kind.none, .shared, .exclusive][Int.random(in: 0..<3, using: &generator)]
      let wish = Self.wish(kind, first...last, by: UInt64.random(in: 1...3, using: &generator))
      let isInTheWay = (first...last).contains { byte in
        model[Int(byte)].contains { owner, held in
          kind != .none && owner != wish.owner && (held == .exclusive || kind == .exclusive)
        }
      }
      #expect((locks.conflict(with: wish) != nil) == isInTheWay)
      if isInTheWay { continue }
      locks.grant(wish)
      for byte in first...last { model[Int(byte)][wish.owner] = kind == .none ? nil : kind }
    }
  }

  @Test func anEndlessRangeIsCutInTwo() {
    var locks = FileLocks()
    locks.grant(Self.wish(.exclusive, by: 1))
    locks.grant(Self.wish(.none, 5...9, by: 1))
    #expect(locks.held.map(\.range) == [0...4, 10 ... .max])
    #expect(locks.conflict(with: Self.wish(.shared, 5...9, by: 2)) == nil)
    #expect(locks.conflict(with: Self.wish(.shared, 9...10, by: 2))?.owner == 1)
  }

  @Test func theTwoKindsKnowNothingOfEachOther() {
    var locks = FileLocks()
    locks.grant(Self.wish(.exclusive, by: 1, through: 7, whole: true))
    #expect(locks.conflict(with: Self.wish(.exclusive, by: 2)) == nil)
    #expect(locks.conflict(with: Self.wish(.shared, by: 2, whole: true)) != nil)
    locks.grant(Self.wish(.exclusive, by: 1, through: 8))
    // A close of any descriptor ends a process's ranges, and not what flock(2) gave.
    locks.release(owner: 1)
    #expect(locks.held.map(\.isOfWholeFile) == [true])
    locks.release(handle: 7)
    #expect(locks.held == [])
  }

  @Test func whatIsTakenIsRecordedAndCanFail() throws {
    let disk = FaultDisk()
    try disk.volume().make("a")
    disk.beginRecording()
    try disk.arm(FaultRule(.errno(noLocks), on: [.lock], nth: 2))
    let caller = Caller(thread: 4, user: 0, group: 0)
    func lock(_ wish: LockWish) -> Errno? {
      errno {
        try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
          try engine.lock(wish, on: engine.inode(at: "a", caller).number, caller)
        }
      }
    }
    #expect(lock(Self.wish(.shared, 0...9, by: 1)) == nil)
    #expect(lock(Self.wish(.none, by: 1)) == nil)
    #expect(lock(Self.wish(.exclusive, by: 1)) == noLocks)
    #expect(lock(Self.wish(.exclusive, by: 2)) == nil)
    #expect(lock(Self.wish(.shared, 5...5, by: 3)) == .eagain)
    #expect(disk.log.records.map(\.kind) == [OperationKind](repeating: .lock, count: 5))
    #expect(disk.log.records.map(\.argument) == [1, 0, 2, 2, 1])
    #expect(disk.log.records.map(\.errno) == [nil, nil, noLocks, nil, .eagain])
    #expect(disk.log.records.map(\.lengthAsked) == [10, 0, 0, 0, 1])
    #expect(disk.firings.map(\.operation) == [3])
  }

  /// At the in-process door the lock of an open file is hit too.
  @Test func theLockOfAVolumeCanFail() throws {
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.makeDirectory("d", permissions: 0o700)
    let file = try volume.open("d", for: .directory)
    try disk.arm(FaultRule(.errno(noLocks), on: [.lock], "d", nth: 1))
    #expect(errno { try volume.lockExclusively(file) } == noLocks)
    #expect(volume.lockHolder(of: file) == nil)
    try volume.lockExclusively(file)
    #expect(volume.lockHolder(of: file) == volume.number)
  }
}
