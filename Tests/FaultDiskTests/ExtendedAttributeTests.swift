import FileTracing
import Files
import Glibc
import TestSupport
import Testing

@testable import FaultDisk

@Suite struct ExtendedAttributeTests {
  private static let root = Caller(thread: 1, user: 0, group: 0)
  private static let stranger = Caller(thread: 2, user: 1000, group: 1000)

  private static func set(
    _ name: BytePath, _ value: [UInt8] = [1], of path: BytePath = "a", demand: AttributeDemand = [],
    by caller: Caller = root, on disk: FaultDisk
  ) -> Int32 {
    disk.withEngine { engine in
      answer { () throws(Errno) in
        let inode = try engine.inode(at: path, root).number
        try value.withUnsafeBytes { (bytes) -> Result<Void, Errno> in
          do throws(Errno) {
            return .success(try engine.setExtendedAttribute(name, of: inode, to: bytes, demand, caller))
          } catch {
            return .failure(error)
          }
        }.get()
      }
    }
  }

  private static func answer(_ body: () throws(Errno) -> Void) -> Int32 {
    do throws(Errno) {
      try body()
      return 0
    } catch {
      return error.rawValue
    }
  }

  private static func get(
    _ name: BytePath, of path: BytePath = "a", _ caller: Caller = root, on disk: FaultDisk
  ) throws(Errno) -> [UInt8] {
    try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
      try engine.extendedAttribute(name, of: engine.inode(at: path, root).number, caller)
    }
  }

  private static func names(of path: BytePath = "a", _ caller: Caller = root, on disk: FaultDisk) throws -> [BytePath] {
    try disk.withEngine { (engine: inout DiskEngine) throws in
      try engine.extendedAttributeNames(of: engine.inode(at: path, root).number, caller)
    }
  }

  private static func disk() throws -> FaultDisk {
    let disk = FaultDisk()
    try disk.volume().make("a", text: "text")
    try disk.volume().makeSymbolicLink("l", to: "a")
    disk.beginRecording()
    return disk
  }

  @Test func setsAndRefusesAsLinuxDoes() throws {
    let disk = try Self.disk()
    let longest = BytePath("user." + String(repeating: "x", count: 250))
    #expect(Self.set("user.a", on: disk) == 0)
    #expect(Self.set("user.a", demand: .isNew, on: disk) == EEXIST)
    #expect(Self.set("user.b", demand: .isThere, on: disk) == ENODATA)
    #expect(Self.set("user.a", [], demand: .isThere, on: disk) == 0)
    #expect(try Self.get("user.a", on: disk) == [])
    #expect(Self.set(longest, on: disk) == 0)
    #expect(Self.set(BytePath(longest.description + "x"), on: disk) == ERANGE)
    #expect(Self.set("user.", on: disk) == EINVAL)
    #expect(Self.set("system.s", on: disk) == ENOTSUP)
    #expect(Self.set("security.capability", on: disk) == ENOTSUP)
    #expect(Self.set("user.big", [UInt8](repeating: 7, count: 65_536), on: disk) == 0)
    #expect(Self.set("user.big", [UInt8](repeating: 7, count: 65_537), on: disk) == E2BIG)
    #expect(Self.set("user.a", of: "l", on: disk) == EPERM)
    #expect(Self.set("trusted.t", on: disk) == 0)
    #expect(Self.set("trusted.t", [], by: Self.stranger, on: disk) == EPERM)
    #expect(Self.set("user.a", [2], by: Self.stranger, on: disk) == EACCES)
    #expect(throws: Errno.enodata) { try Self.get("trusted.t", Self.stranger, on: disk) }
    #expect(throws: Errno.enodata) { try Self.get("user.none", on: disk) }
    #expect(try Self.names(on: disk) == ["trusted.t", "user.a", "user.big", longest])
    #expect(try Self.names(Self.stranger, on: disk) == ["user.a", "user.big", longest])
  }

  @Test func fsyncMakesThemDurable() throws {
    let disk = try Self.disk()
    #expect(Self.set("user.kept", [1, 2], on: disk) == 0)
    let volume = disk.volume()
    let file = try volume.open("a", for: .reading)
    try volume.synchronize(file)
    #expect(Self.set("user.lost", on: disk) == 0)
    disk.powerCut(.keepNone)
    disk.restart()
    #expect(try Self.names(on: disk) == ["user.kept"])
    #expect(Self.set("user.issued", on: disk) == 0)
    disk.powerCut(.keepAll)
    disk.restart()
    #expect(try Self.names(on: disk) == ["user.issued", "user.kept"])
    disk.powerCut(.keepNone)
    disk.restart()
    #expect(try Self.names(on: disk) == ["user.issued", "user.kept"])
  }

  @Test func aReplaySetsThemAgain() throws {
    let disk = try Self.disk()
    #expect(Self.set("user.before", [9], on: disk) == 0)
    disk.beginRecording()
    let sink = CollectingSink()
    disk.withEngine { $0.beginLog(to: sink) }
    #expect(Self.set("user.a", [1, 2, 3], on: disk) == 0)
    #expect(Self.set("user.empty", [], on: disk) == 0)
    #expect(Self.set("user.gone", on: disk) == 0)
    try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
      try engine.removeExtendedAttribute("user.gone", of: engine.inode(at: "a", Self.root).number, Self.root)
    }
    let (header, operations) = try ReplayTests.read(sink.bytes)
    let replayed = try ReplayTests.replay(header, operations)
    #expect(try Self.names(on: replayed) == ["user.a", "user.before", "user.empty"])
    #expect(try Self.get("user.a", on: replayed) == [1, 2, 3])
    #expect(try Self.get("user.before", on: replayed) == [9])
    #expect(try Self.get("user.empty", on: replayed) == [])
  }
}
