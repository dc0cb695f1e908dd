import FileTracing
import Files
import Glibc
import Processes
import TestSupport
import Testing

extension MountTests {
  /// Faults armed over the control socket of a mount.
  @Suite struct FaultFSFaultsTests {
    static let eio = Errno(rawValue: EIO)

    private func rule(
      _ effect: FaultEffect, on operations: Set<OperationKind>, at glob: BytePath? = nil, nth: UInt64? = nil,
      phase: FaultPhase? = nil
    ) -> FaultRule {
      let target = glob.map { FaultTarget(patterns: [NamePattern($0)], spelling: $0.description) }
      return FaultRule(
        name: "f", effect: effect, operations: operations, target: target, occurrence: FaultOccurrence(nth: nth),
        phase: phase)
    }

    /// What a call fails with; nil where it does not.
    private func errno(of work: () throws -> Void) -> Int32? {
      do {
        try work()
        return nil
      } catch {
        return (error as? FileCallError)?.errno.rawValue ?? -1
      }
    }

    static let errors: [(kind: OperationKind, name: String)] = [
      (.create, "EACCES"), (.open, "EMFILE"), (.write, "EDQUOT"), (.truncate, "EIO"), (.fsync, "EIO"),
      (.rename, "EXDEV"), (.link, "EMLINK"), (.unlink, "EBUSY"), (.mkdir, "ENOSPC"), (.rmdir, "EROFS"),
      (.readdir, "EIO"), (.statfs, "EIO"), (.close, "EIO"), (.read, "EIO"),
    ]

    @Test(arguments: errors) func answersWithTheError(kind: OperationKind, name: String) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("there", text: "bytes")
      _ = try volume.bytes(of: "there")
      try volume.makeDirectory("dir", permissions: 0o755)
      let open = try volume.open("there", for: .writing)
      let expected = try #require(Errno(name: name))
      #expect(try mount.ask(.arm(rule(.errno(expected), on: [kind], nth: 1))) == .done)

      let work: () throws -> Void = {
        switch kind {
        case .create: try volume.close(try volume.open("new", for: .creating(permissions: 0o600)))
        case .open: try volume.close(try volume.open("there", for: .reading))
        case .write: try volume.writeWhole(open, Array("more".utf8))
        case .truncate: try volume.truncate(open, to: 1)
        case .fsync: try volume.synchronize(open)
        case .rename: try volume.rename("there", to: "else")
        case .link: try volume.link("there", to: "second")
        case .unlink: try volume.unlink("there")
        case .mkdir: try volume.makeDirectory("more", permissions: 0o755)
        case .rmdir: try volume.removeDirectory("dir")
        case .readdir: _ = try volume.entries(of: .root, countMax: 10)
        case .statfs: _ = try volume.freeSpace()
        case .close: try volume.close(open)
        case .read: _ = try volume.bytes(of: "there")
        case .symlink, .setattr, .allocate, .getxattr, .setxattr, .listxattr, .removexattr, .lock, .sync, .mark,
          .control:
          Issue.record("not in the table")
        }
      }
      #expect(errno(of: work) == expected.rawValue)
      #expect(try mount.status().firings.map(\.rule) == ["f"])
      // Once, and everything is as it was.
      if kind != .close { #expect(errno(of: work) == nil) }
    }

    @Test func hitsTheNthOfAPattern() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      #expect(try mount.ask(.arm(rule(.errno(Self.eio), on: [.create], at: "**/*.tmp", nth: 2))) == .done)
      #expect(errno { try volume.make("a.tmp") } == nil)
      #expect(errno { try volume.make("other") } == nil)
      #expect(errno { try volume.make("b.tmp") } == EIO)
      #expect(errno { try volume.make("c.tmp") } == nil)
      #expect(try volume.tree() == ["a.tmp", "c.tmp", "other"])
    }

    @Test func cutsAWriteShort() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      #expect(try mount.ask(.arm(rule(.shortWrite(bytesMax: 3), on: [.write], nth: 1))) == .done)
      let file = try volume.open("f", for: .creating(permissions: 0o600))
      let bytes = Array("seven b".utf8)
      let taken = try bytes.withUnsafeBytes { try volume.write(file, at: 0, $0) }
      #expect(taken == 3)
      try volume.close(file)
      #expect(try volume.bytes(of: "f") == Array("sev".utf8))
    }

    @Test func refusesWhatCannotBe() throws {
      let mount = try FaultFSMount()
      guard case .refused = try mount.ask(.arm(rule(.errno(Self.eio), on: [.rename], at: "a//b"))) else {
        Issue.record("armed a pattern that matches nothing")
        return
      }
      #expect(try mount.ask(.arm(rule(.errno(Self.eio), on: [.rename]))) == .done)
      guard case .refused = try mount.ask(.arm(rule(.errno(Self.eio), on: [.rename]))) else {
        Issue.record("armed one name twice")
        return
      }
      #expect(try mount.ask(.clear(name: "f")) == .done)
      #expect(try mount.ask(.clear(name: "f")) == .refused("no rule 'f' is armed"))
      #expect(try mount.ask(.clearAll) == .done)
      #expect(errno { try mount.volume().make("a") } == nil)
    }

    @Test func runsOutOfSpace() throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("old", [UInt8](repeating: 1, count: 8192))
      #expect(try mount.ask(.setFreeSpace(bytes: 65536)) == .done)
      #expect(try volume.freeSpace().bytes == 65536)
      let df = try mount.run("df", ["--output=avail", "-B1", "."])
      #expect(df.outputText.split(separator: "\n").last?.trimmingSpaces == "65536")

      let file = try volume.open("big", for: .creating(permissions: 0o600))
      #expect(errno { try volume.writeWhole(file, [UInt8](repeating: 2, count: 100_000)) } == ENOSPC)
      #expect(try volume.status(of: file).size == 65536)
      try volume.close(file)
      #expect(try volume.freeSpace().bytes == 0)
      // Listing and reading work, deleting frees, and then there is room.
      #expect(try volume.tree() == ["big", "old"])
      try volume.unlink("big")
      #expect(try volume.freeSpace().bytes == 65536)
      #expect(try mount.ask(.setFreeSpace(bytes: nil)) == .done)
      #expect(errno { try volume.make("big", [UInt8](repeating: 2, count: 100_000)) } == nil)
    }

    static let phases: [(phase: FaultPhase, size: UInt64)] = [(.before, 0), (.during, 2048), (.after, 4096)]

    @Test(arguments: phases) func killsTheWriter(phase: FaultPhase, size: UInt64) throws {
      let mount = try FaultFSMount()
      #expect(try mount.ask(.arm(rule(.kill, on: [.write], nth: 1, phase: phase))) == .done)
      let script = "import os; f = os.open('f', os.O_CREAT | os.O_WRONLY); os.write(f, b'x' * 4096); print('alive')"
      let result = try mount.run("python3", ["-c", script])
      #expect(result.ending == .killed(signal: 9))
      #expect(result.outputText == "")
      // The page cache survives a kill: what was written is there for the next.
      #expect(try mount.volume().status(at: "f").size == size)
      #expect(try mount.status().condition == .running)
    }

    @Test func answersNothingMoreOfAKilledProcess() throws {
      // One write(2) of three pieces: the second one kills, and the third must not come through.
      let mount = try FaultFSMount()
      #expect(try mount.ask(.arm(rule(.kill, on: [.write], nth: 2))) == .done)
      let script = "import os; f = os.open('f', os.O_CREAT | os.O_WRONLY); os.write(f, bytes(3 * 1020 * 1024))"
      #expect(try mount.run("python3", ["-c", script]).ending == .killed(signal: 9))
      #expect(try mount.volume().status(at: "f").size == 2 * 1020 * 1024)
      guard case .records(let records) = try mount.ask(.log(since: 0)) else { throw MountFailure("no log") }
      #expect(records.compactMap(\.countedNumber).count == 3)
      #expect(records.filter { $0.kind == .close } == [])
    }

    @Test func killsAProgramOfThreads() throws {
      let mount = try FaultFSMount()
      #expect(try mount.ask(.arm(rule(.kill, on: [.create], at: "second"))) == .done)
      let script = """
        import threading, time
        open('first', 'w').close()
        t = threading.Thread(target=lambda: open('second', 'w').close()); t.start(); t.join(); print('alive')
        """
      let result = try mount.run("python3", ["-c", script])
      #expect(result.ending == .killed(signal: 9))
      #expect(try mount.volume().tree() == ["first", "second"])
    }

    static let torn: [(way: TornRename, shown: [String: String])] = [
      (.bothNames, ["s": "new!", "t": "new!"]), (.neitherName, [:]), (.targetEmpty, ["t": ""]),
      (.targetZeros, ["t": "\0\0\0\0"]), (.targetPrefix(bytes: nil), ["t": "ne"]),
      (.targetPrefix(bytes: 3), ["t": "new"]),
      (.targetHoles, ["t": "ne\0\0"]), (.oldTarget, ["t": "old"]), (.sourceOnly, ["s": "new!"]),
      (.notDone, ["s": "new!", "t": "old"]), (.doneButError, ["t": "new!"]),
    ]

    @Test(arguments: torn) func tearsARename(way: TornRename, shown: [String: String]) throws {
      let mount = try FaultFSMount()
      let volume = try mount.volume()
      try volume.make("t", text: "old")
      try volume.make("s", text: "new!")
      // Everything about both names is in the kernel's cache now, and the truth must be seen in spite of it.
      #expect(try volume.bytes(of: "t") == Array("old".utf8))
      #expect(try volume.bytes(of: "s") == Array("new!".utf8))
      #expect(try mount.ask(.arm(rule(.tornRename(way), on: [.rename], at: "t", nth: 1))) == .done)
      #expect(errno { try volume.rename("s", to: "t") } == (way == .doneButError ? EIO : nil))
      for round in ["at once", "after a power cut"] {
        let seen = try mount.volume()
        for name in ["s", "t"] {
          let bytes = shown[name].map { Array($0.utf8) }
          let found = try? seen.bytes(of: BytePath(name))
          #expect(found == bytes, "\(name) \(round)")
        }
        #expect(try seen.tree().map(\.description) == shown.keys.sorted(), "\(round)")
        guard round == "at once" else { break }
        #expect(try mount.ask(.powerCut(.keepAll)) == .done)
        #expect(try mount.ask(.restart) == .done)
      }
    }
  }
}

extension StringProtocol {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
