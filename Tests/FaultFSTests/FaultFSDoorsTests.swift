import FaultDisk
import FileTracing
import Files
import Glibc
import TestSupport
import Testing

/// What a program saw and what the disk counted, without what may differ between the doors.
private struct DoorStory: Equatable {
  /// What each step answered: "ok", or the name of the error.
  var answers: [String] = []
  /// The counted operations, one line each.
  var operations: [String] = []
  /// Which rule fired at which counted operation.
  var firings: [String] = []
  /// The tree in the end, after a restart where the power was cut.
  var tree: [String: [UInt8]] = [:]
}

extension MountTests {
  /// The same plan and the same program on both doors of the disk: the same counted operations, the same outcome.
  @Suite struct FaultFSDoorsTests {
    static let eio = Errno(rawValue: EIO)

    private static func rule(
      _ effect: FaultEffect, _ operations: Set<OperationKind>, at glob: BytePath? = nil,
      _ occurrence: FaultOccurrence = FaultOccurrence(), phase: FaultPhase? = nil
    ) -> FaultRule {
      let target = glob.map { FaultTarget(patterns: [NamePattern($0)], spelling: $0.description) }
      return FaultRule(
        name: "rule", effect: effect, operations: operations, target: target, occurrence: occurrence, phase: phase)
    }

    static let plans: [FaultRule?] =
      [
        nil,
        rule(.errno(eio), [.fsync], FaultOccurrence(nth: 2)),
        rule(.errno(Errno(rawValue: ENOSPC)), [.write], at: "**/.*.tmp", FaultOccurrence(nth: 3)),
        rule(.errno(eio), [.rename], phase: .after),
        rule(.errno(Errno(rawValue: EACCES)), [.create], FaultOccurrence(every: 3)),
        rule(.errno(eio), [], FaultOccurrence(nth: 17)),
        rule(.errno(eio), [.write], FaultOccurrence(afterBytes: 2_000_000)),
        rule(.shortWrite(bytesMax: 1000), [.write], FaultOccurrence(every: 2)),
        rule(.powerCut(.keepAll), [.rename], at: "d/page", phase: .before),
        rule(.powerCut(.keepNone), [.rename], at: "d/page"),
        rule(.powerCut(.keepNone), [.write], FaultOccurrence(nth: 4), phase: .during),
        rule(.powerCut(.keepNone), [.unlink]),
        rule(.fsyncFail(.drop), [.fsync], FaultOccurrence(nth: 3)),
        rule(.fsyncLie, [.fsync], FaultOccurrence(nth: 3)),
        rule(.flip(bits: 7), [.write], at: "**/.*.tmp", FaultOccurrence(nth: 2)),
        rule(.zeroBlock, [.write], at: "**/.*.tmp", FaultOccurrence(nth: 2)),
        rule(.misplacedBlock, [.write], at: "**/.*.tmp", FaultOccurrence(nth: 2)),
        rule(.asyncError, [.write], FaultOccurrence(nth: 2)),
        rule(.remountReadOnly, [.rename], FaultOccurrence(nth: 3)),
        rule(.lockedDevice, [.truncate], FaultOccurrence(nth: 1)),
        rule(.rolledBack, [.truncate], at: "d/page", FaultOccurrence(nth: 2)),
      ] + TornRename.all.map { rule(.tornRename($0), [.rename], at: "d/page") }

    @Test(arguments: plans) func doTheSame(rule: FaultRule?) throws {
      let steps = Self.fixedSteps()
      let disk = FaultDisk()
      if let rule { try disk.arm(rule) }
      let inProcess = try story(of: disk, steps)
      let mount = try FaultFSMount()
      if let rule { #expect(try mount.ask(.arm(rule)) == .done) }
      let mounted = try story(of: mount, steps)
      #expect(mounted.answers == inProcess.answers)
      #expect(mounted.operations == inProcess.operations)
      #expect(mounted.firings == inProcess.firings)
      #expect(mounted.tree.keys.sorted() == inProcess.tree.keys.sorted())
      #expect(mounted.tree == inProcess.tree)
      #expect((rule == nil) == inProcess.firings.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func doTheSameAtRandom(seed: UInt64) throws {
      var draws = Draws(state: seed)
      let steps = (0..<250).map { _ in Self.randomStep(&draws) }
      let rule = Self.plans[1 + Int(draws.below(UInt64(Self.plans.count - 1)))]
      let disk = FaultDisk()
      let mount = try FaultFSMount()
      if let rule {
        try disk.arm(rule)
        #expect(try mount.ask(.arm(rule)) == .done)
      }
      let (mounted, inProcess) = (try story(of: mount, steps), try story(of: disk, steps))
      #expect(mounted.answers == inProcess.answers)
      #expect(mounted.operations.difference(from: inProcess.operations).map { "\($0)" } == [])
      #expect(mounted == inProcess)
    }

    // MARK: - Steps

    typealias Step = @Sendable (any Volume) throws -> Void

    /// A store's day: a big file in pieces, saves, links, directories, cuts in place.
    private static func fixedSteps() -> [Step] {
      let big = [UInt8](repeating: 7, count: 3_000_000)
      return [
        { try $0.makeDirectory("d", permissions: 0o755) }, { try $0.makeDirectory("e", permissions: 0o700) },
        save("d/page", Array("first".utf8)), save("d/page", big), save("d/other", [UInt8](repeating: 1, count: 5000)),
        { try $0.link("d/other", to: "e/second") }, { try $0.link("d/other", to: "e/second") },
        { try $0.rename("d/other", to: "e/moved") }, { try $0.renameKeeping("e/moved", to: "e/second") },
        { try $0.unlink("e/second") }, { try $0.unlink("e/nothing") }, { try $0.removeDirectory("e") },
        overwrite("d/page", Array("in place".utf8)), truncate("d/page", to: 3), truncate("d/page", to: 100_000),
        { try $0.makeDirectory("e/f", permissions: 0o755) }, { try $0.removeDirectory("e/f") },
        save("e/page", Array("last".utf8)), save("d/page", Array("really last".utf8)),
      ]
    }

    private static func randomStep(_ draws: inout Draws) -> Step {
      func path() -> BytePath {
        BytePath(["d/page", "d/x", "e/page", "e/y.tmp", "f", "d", "e", "e/g"][Int(draws.below(8))])
      }
      let (first, second, size) = (path(), path(), Int(draws.below(20_000)))
      switch draws.below(10) {
      case 0: return { try $0.makeDirectory(first, permissions: 0o755) }
      case 1: return { try $0.removeDirectory(first) }
      case 2: return { try $0.rename(first, to: second) }
      case 3: return { try $0.renameKeeping(first, to: second) }
      case 4: return { try $0.link(first, to: second) }
      case 5: return { try $0.unlink(first) }
      case 6: return truncate(first, to: UInt64(size))
      case 7: return overwrite(first, [UInt8](repeating: UInt8(size & 0xFF), count: size))
      default: return save(first, [UInt8](repeating: UInt8(size & 0xFF), count: size))
      }
    }

    /// A save as it should be: temporary file, write, fsync, rename, fsync of the directory.
    private static func save(_ path: BytePath, _ bytes: [UInt8]) -> Step {
      { volume in
        let temporary = path.parent.appending(BytePath(bytes: Array(".".utf8) + path.name.bytes + Array(".tmp".utf8)))
        let file = try volume.open(temporary, for: .creating(permissions: 0o600))
        do {
          try volume.writeWhole(file, bytes)
          try volume.synchronize(file)
        } catch {
          try? volume.close(file)
          try volume.unlink(temporary)
          throw error
        }
        try volume.close(file)
        try volume.rename(temporary, to: path)
        let directory = try volume.open(path.parent, for: .directory)
        defer { try? volume.close(directory) }
        try volume.synchronize(directory)
      }
    }

    private static func overwrite(_ path: BytePath, _ bytes: [UInt8]) -> Step {
      { volume in
        let file = try volume.open(path, for: .overwriting(permissions: 0o644))
        defer { try? volume.close(file) }
        try volume.writeWhole(file, bytes)
      }
    }

    private static func truncate(_ path: BytePath, to size: UInt64) -> Step {
      { volume in
        let file = try volume.open(path, for: .writing)
        defer { try? volume.close(file) }
        try volume.truncate(file, to: size)
      }
    }

    // MARK: - Stories

    private func story(of disk: FaultDisk, _ steps: [Step]) throws -> DoorStory {
      var story = DoorStory(answers: answers(of: disk.volume(), steps))
      note(disk.log.records, disk.firings, in: &story)
      if disk.condition != .running { disk.restart() }
      disk.clearAll()
      story.tree = try tree(of: disk.volume())
      return story
    }

    private func story(of mount: FaultFSMount, _ steps: [Step]) throws -> DoorStory {
      var story = DoorStory(answers: answers(of: try mount.volume(), steps))
      guard case .records(let records) = try mount.ask(.log(since: 0)) else { throw MountFailure("no log") }
      let status = try mount.status()
      note(records, status.firings, in: &story)
      if status.condition == .cut { #expect(try mount.ask(.restart) == .done) }
      #expect(try mount.ask(.clearAll) == .done)
      story.tree = try tree(of: try mount.volume())
      return story
    }

    private func answers(of volume: any Volume, _ steps: [Step]) -> [String] {
      steps.map { step in
        do {
          try step(volume)
          return "ok"
        } catch {
          return (error as? FileCallError)?.errno.name ?? "\(error)"
        }
      }
    }

    private func note(_ records: [OperationRecord], _ firings: [FaultFiring], in story: inout DoorStory) {
      for record in records {
        guard let number = record.countedNumber else { continue }
        story.operations.append(
          "\(number) \(record.kind.rawValue) \(record.path) \(record.otherPath?.description ?? "-") \(record.offset) "
            + "\(record.lengthAsked) \(record.lengthTaken) \(record.errno?.name ?? "-") \(record.firedRule ?? "-")")
      }
      story.firings = firings.map { "\($0.rule) at \($0.countedNumber ?? 0)" }
    }

    private func tree(of volume: any Volume) throws -> [String: [UInt8]] {
      var found: [String: [UInt8]] = [:]
      for path in try volume.tree() {
        let isDirectory = try volume.status(at: path).kind == .directory
        found[path.description] = isDirectory ? Array("a directory".utf8) : try volume.bytes(of: path)
      }
      return found
    }
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
private struct Draws {
  var state: UInt64

  mutating func below(_ bound: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) % bound
  }
}
