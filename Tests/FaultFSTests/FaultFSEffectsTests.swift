import FileTracing
import Files
import Glibc
import TestSupport
import Testing

extension MountTests {
  /// Faults that change a file or the disk behind the kernel's back.
  @Suite struct FaultFSEffectsTests {
    private func arm(_ effect: FaultEffect, _ kinds: Set<OperationKind>, on mount: FaultFSMount) throws {
      let target = FaultTarget(patterns: [NamePattern("f")], spelling: "f")
      let rule = FaultRule(
        name: "r", effect: effect, operations: kinds, target: target, occurrence: FaultOccurrence(nth: 1))
      #expect(try mount.ask(.arm(rule)) == .done)
    }

    private func errno(of work: () throws -> Void) -> Int32? {
      do {
        try work()
        return nil
      } catch {
        return (error as? FileCallError)?.errno.rawValue ?? -1
      }
    }

    private func mount() throws -> (FaultFSMount, HostVolume) {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("f", text: "old")
      let file = try volume.open("f", for: .writing)
      try volume.synchronize(file)
      try volume.close(file)
      #expect(try volume.bytes(of: "f") == Array("old".utf8))
      return (mount, volume)
    }

    /// Reads show the new bytes after the failure, and the old ones are back after a remount.
    @Test func aFailedSyncDropsWhatItWasToWrite() throws {
      let (mount, volume) = try mount()
      try arm(.fsyncFail(.drop), [.fsync], on: mount)
      let file = try volume.open("f", for: .writing)
      try volume.writeWhole(file, at: 0, Array("NEW".utf8))
      #expect(errno { try volume.synchronize(file) } == EIO)
      #expect(errno { try volume.synchronize(file) } == nil)
      try volume.close(file)
      #expect(try volume.bytes(of: "f") == Array("NEW".utf8))
      #expect(try mount.ask(.restart) == .done)
      #expect(try mount.volume().bytes(of: "f") == Array("old".utf8))
    }

    @Test func aFileThatWasRolledBackShowsItsEarlierVersion() throws {
      let (mount, volume) = try mount()
      let file = try volume.open("f", for: .writing)
      try volume.writeWhole(file, at: 0, Array("newer and longer".utf8))
      try volume.close(file)
      #expect(try volume.bytes(of: "f") == Array("newer and longer".utf8))
      try arm(.rolledBack, [.open], on: mount)
      #expect(try volume.bytes(of: "f") == Array("old".utf8))
      #expect(try volume.status(at: "f").size == 3)
    }

    @Test func aPlaceholderCannotBeRead() throws {
      let (mount, volume) = try mount()
      try arm(.placeholder, [.open], on: mount)
      #expect(errno { _ = try volume.bytes(of: "f") } == EIO)
      #expect(try volume.status(at: "f").size == 3)
    }

    @Test func readOnlyEndsWithItsRule() throws {
      let (mount, volume) = try mount()
      try arm(.remountReadOnly, [.open], on: mount)
      #expect(try volume.bytes(of: "f") == Array("old".utf8))
      #expect(errno { try volume.make("g") } == EROFS)
      #expect(errno { _ = try volume.open("f", for: .writing) } == EROFS)
      #expect(try mount.ask(.clear(name: "r")) == .done)
      #expect(errno { try volume.make("g") } == nil)
    }

    @Test func shutdownEndsWithItsRule() throws {
      let (mount, volume) = try mount()
      try arm(.shutdown, [.open], on: mount)
      #expect(errno { _ = try volume.bytes(of: "f") } == EIO)
      #expect(errno { _ = try volume.status(at: "f") } == EIO)
      #expect(try mount.ask(.clearAll) == .done)
      #expect(try volume.bytes(of: "f") == Array("old".utf8))
    }

    @Test func aBadSectorIsReadAsAnErrorAndTheRestIsNot() throws {
      let (mount, volume) = try mount()
      let file = try volume.open("f", for: .writing)
      try volume.writeWhole(file, at: 0, [UInt8](repeating: 1, count: 12_288))
      try arm(.badSector, [.write], on: mount)
      try volume.writeWhole(file, at: 8192, [UInt8](repeating: 2, count: 4096))
      #expect(try mount.ask(.clearAll) == .done)
      let reading = try volume.open("f", for: .reading)
      var bytes = [UInt8](repeating: 0, count: 4096)
      #expect(try bytes.withUnsafeMutableBytes { try volume.read(reading, at: 0, into: $0) } == 4096)
      #expect(errno { _ = try bytes.withUnsafeMutableBytes { try volume.read(reading, at: 8192, into: $0) } } == EIO)
      try volume.writeWhole(file, at: 8192, [UInt8](repeating: 3, count: 4096))
      #expect(try bytes.withUnsafeMutableBytes { try volume.read(reading, at: 8192, into: $0) } == 4096)
      #expect(bytes.first == 3)
    }
  }
}
