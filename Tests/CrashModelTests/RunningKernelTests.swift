import Bytes
import Confirming
import FaultDisk
import FileTracing
import Files
import Glibc
import TestSupport
import Testing

@testable import CrashModel

/// Every tree that the running kernel leaves after a crash must be possible under the model of its file system.
///
/// `LNOTE_CRASH_TRIES` says how many crashes each model gets (30 without it, all models together), `LNOTE_CRASH_SEED`
/// which seed is the first, `LNOTE_CRASH_MODEL` which model alone.
@Suite(.serialized, .enabled(if: geteuid() == 0, "needs root, to make, mount and crash file systems of the kernel"))
struct RunningKernelTests {
  /// Few workloads where time is short: each shows another rule.
  static let few = ["T04d", "T30c-4k", "T43", "T35", "T12"]

  /// With data=writeback a new block may hold what its place on the disk held before, for which no tree has words.
  static let showOldBytes: Set<String> = ["ext4-writeback", "ext4-wb-nodelalloc"]

  static let tries = Host.environment("LNOTE_CRASH_TRIES").flatMap(Int.init)
  static let seed = Host.environment("LNOTE_CRASH_SEED").flatMap(UInt64.init) ?? 1

  static let models =
    Host.environment("LNOTE_CRASH_MODEL").map { [$0] }
    ?? (tries == nil ? ["ext4-ordered"] : CrashableFileSystem.modelNames)

  @Test(arguments: models) func leavesOnlyWhatIsPossible(_ name: String) throws {
    let model = try #require(PersistenceModel.named(name))
    let workloads = Self.tries == nil ? Self.few : RealWorkload.all.keys.sorted()
    let triesOfWorkload = max(1, (Self.tries ?? 30) / workloads.count)
    var seen: [String: Set<SeenTree>] = [:]
    var unmountable: [String] = []
    for label in workloads {
      let workload = try #require(RealWorkload.all[label])
      let bench = try Workbench.run(workload)
      let recording = try #require(bench.disk.recording)
      let confirmation = try Confirmation(recording, on: bench.disk, as: model)
      var draws = SeededGenerator(seed: Self.seed)
      for number in 0..<triesOfWorkload {
        let moment = Self.moment(of: recording, &draws)
        let seed = draws.next()
        guard case .tree(let tree) = try confirmation.crash(during: moment, seed: seed) else {
          unmountable.append("\(label), crash \(number) at \(moment) with seed \(seed)")
          continue
        }
        seen[label, default: []].insert(tree)
        guard try !Self.allows(recording, model, tree, at: moment, on: bench.disk) else { continue }
        Issue.record("\(name) \(label), crash \(number) at \(moment) with seed \(seed), leaves\n\(tree)")
      }
    }
    let count = seen.values.reduce(0) { $0 + $1.count }
    print("\(name): \(workloads.count * triesOfWorkload) crashes of \(workloads.count) workloads, \(count) trees")
    if !unmountable.isEmpty { print("\(name): nothing that can be mounted is left by \(unmountable)") }
    // The replay of fast commits is known to leave that at times, which says nothing about the model.
    #expect(unmountable.isEmpty || name == "ext4-fast-commit")
    #expect(count > workloads.count, "all crashes of each workload left the same tree")
  }

  /// Half of all crashes come behind the last operation, the others at any.
  private static func moment(of recording: Recording, _ draws: inout SeededGenerator) -> UInt64 {
    let numbers = [0] + recording.records.map(\.number)
    return draws.next() & 1 == 0 ? UInt64.max : numbers[Int(draws.next() % UInt64(numbers.count))]
  }

  static func allows(
    _ recording: Recording, _ model: PersistenceModel, _ tree: SeenTree, at moment: UInt64, on disk: FaultDisk
  ) throws -> Bool {
    var window = CrashWindow(recording, model)
    for record in recording.records where record.number <= moment {
      _ = try window.begin(record)
      if record.number == moment { break }
      _ = window.finish()
    }
    return window.allows(tree, on: disk)
  }

  /// The judge itself: what was never written is not possible, and what is durable cannot be missing.
  @Test func theJudgeSaysNo() throws {
    let bench = try Workbench.run(try #require(RealWorkload.all["T04c"]))
    let recording = try #require(bench.disk.recording)
    let new = try Self.treeAtTheEnd(bench)
    let old = SeenTree(recording.tree, on: bench.disk)
    func allows(_ tree: SeenTree, at moment: UInt64) throws -> Bool {
      try Self.allows(recording, .ext4Ordered, tree, at: moment, on: bench.disk)
    }
    #expect(try allows(new, at: .max))
    #expect(try !allows(old, at: .max))
    #expect(try allows(old, at: 0))
    #expect(try !allows(new, at: 0))
    let overwritten = try Self.treeAtTheEnd(Workbench.run(try #require(RealWorkload.all["T10"])))
    for moment in recording.records.map(\.number) { #expect(try !allows(overwritten, at: moment)) }
  }

  private static func treeAtTheEnd(_ bench: Workbench) throws -> SeenTree {
    let recording = try #require(bench.disk.recording)
    let states = try CrashExploration(recording, on: bench.disk, .strict).states
    return SeenTree(try #require(states.last).tree, on: bench.disk)
  }
}

extension CrashWindow {
  /// True where some cut, and under it some content of every file, looks like this.
  func allows(_ tree: SeenTree, on disk: FaultDisk) -> Bool {
    hasCut { cut in
      var names: [UInt64: BytePath] = [:]
      var count = 0
      for (path, inode) in cut.namespace.reachable.sorted(by: { $0.path < $1.path }) where !path.isRoot {
        count += 1
        guard let node = cut.namespace.nodes[inode] ?? reader.namespace.nodes[inode], let thing = tree.things[path],
          thing.kind == node.attributes.kind
        else { return false }
        if thing.kind == .symbolicLink && thing.text != node.text { return false }
        if thing.kind != .symbolicLink && thing.permissions != node.attributes.permissions { return false }
        if thing.kind != .directory && thing.sameAs != names[inode] { return false }
        names[inode] = names[inode] ?? path
        guard thing.kind == .regular, thing.sameAs == nil else { continue }
        if !space(of: inode, in: cut).allows(thing, on: disk) { return false }
      }
      return count == tree.things.count
    }
  }
}

extension FileSpace {
  fileprivate func allows(_ thing: SeenTree.Thing, on disk: FaultDisk) -> Bool {
    let changed = Set(changedBlocks)
    return sizes.contains { run in
      guard run.contains(thing.size) else { return false }
      let pick = SizePick(size: thing.size, version: run.version)
      return thing.blocks.indices.allSatisfy { index in
        let block = UInt64(index)
        let versions = changed.contains(block) ? versions(of: block, at: pick) : [0]
        if RunningKernelTests.showOldBytes.contains(model.name),
          versions.contains(where: { !window.content(of: $0).hasData(in: block) })
        {
          return true
        }
        return versions.contains { version in
          let low = block * FileWindow.blockBytes
          let bytes = disk.bytes(
            of: window.content(of: version), from: low, to: min(low + FileWindow.blockBytes, thing.size))
          return XXH3.digest128(of: bytes) == thing.blocks[index]
        }
      }
    }
  }
}
