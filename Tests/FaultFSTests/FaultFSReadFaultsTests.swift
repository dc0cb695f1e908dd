import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Faults of reads, listings and opens, and errors that come with a later call, through the kernel.
  @Suite struct FaultFSReadFaultsTests {
    private func errno(of work: () throws -> Void) -> Int32? {
      do {
        try work()
        return nil
      } catch {
        return (error as? FileCallError)?.errno.rawValue ?? -1
      }
    }

    private func arm(_ text: String, on mount: FaultFSMount) throws {
      #expect(try mount.ask(.armText(text)) == .armed(name: "fault-1"))
    }

    @Test func aLateErrorIsToldOnceToEachDescriptor() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("f", text: "old")
      let (first, second) = (try volume.open("f", for: .writing), try volume.open("f", for: .writing))
      try arm("async-error on write of \"f\" nth 1", on: mount)
      try volume.writeWhole(first, at: 0, Array("new".utf8))
      for file in [first, second] {
        #expect(errno { try volume.synchronize(file) } == EIO)
        #expect(errno { try volume.synchronize(file) } == nil)
      }
      #expect(try volume.bytes(of: "f") == Array("new".utf8))
    }

    @Test func aLockedDeviceOpensNothing() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("f", text: "old")
      let open = try volume.open("f", for: .writing)
      try arm("locked-device on write nth 1 after", on: mount)
      try volume.writeWhole(open, at: 0, Array("new".utf8))
      #expect(errno { _ = try volume.open("f", for: .reading) } == EPERM)
      #expect(errno { try volume.make("g") } == EPERM)
      // What is open stays usable, and directories can be listed.
      #expect(errno { try volume.writeWhole(open, at: 3, Array("er".utf8)) } == nil)
      #expect(try volume.tree() == ["f"])
      #expect(try mount.ask(.clear(name: "fault-1")) == .done)
      #expect(try volume.bytes(of: "f") == Array("newer".utf8))
    }

    @Test func aStaleReadIsFollowedByATrueOne() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("f", text: "old")
      try volume.replace("f", with: Array("now".utf8))
      let file = try volume.open("f", for: .writing)
      try volume.writeWhole(file, at: 0, Array("new".utf8))
      try arm("stale-read on read of \"f\" nth 1", on: mount)
      #expect(try volume.bytes(of: "f") == Array("now".utf8))
      #expect(try volume.bytes(of: "f") == Array("new".utf8))
    }

    @Test func aReadIsShortAndTheNextOneIsNot() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("f", text: "seven b")
      try arm("short-read 3B on read of \"f\" nth 1", on: mount)
      let file = try volume.open("f", for: .reading)
      var bytes = [UInt8](repeating: 0, count: 7)
      #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 3)
      #expect(bytes == Array("sev".utf8) + [0, 0, 0, 0])
      #expect(try bytes.withUnsafeMutableBytes { try volume.read(file, at: 0, into: $0) } == 7)
      #expect(bytes == Array("seven b".utf8))
    }

    /// `ls -U` shows names in the order in which the directory gives them.
    private func listing(_ mount: FaultFSMount) throws -> [String] {
      try mount.run("ls", ["-U"]).outputText.split(separator: "\n").map(String.init)
    }

    @Test func aShuffledDirectoryHoldsTheSameNames() throws {
      let names = (10..<40).map { "file-\($0)" }
      var orders: [[String]] = []
      for seed in ["7", "7", "8"] {
        let mount = try FaultFSMount(["--seed", seed])
        for name in names { try mount.volume().make(BytePath(name)) }
        let plain = try listing(mount)
        try arm("shuffled on readdir", on: mount)
        let order = try listing(mount)
        #expect(order != plain && order.sorted() == names)
        orders.append(order)
      }
      #expect(orders[0] == orders[1] && orders[0] != orders[2])
    }
  }
}
