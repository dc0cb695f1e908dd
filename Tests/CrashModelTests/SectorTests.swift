import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")

/// Blocks of 4096 bytes that are torn between two of their sectors of 512.
@Suite struct SectorTests {
  /// What `f` may hold, a letter a sector.
  private static func contents(
    _ calls: [WorkloadCall], _ model: PersistenceModel
  ) throws -> (all: Set<String>, count: Int) {
    let bench = try Workbench.recording([.put("f", o, 4096)], calls)
    let exploration = try CrashExploration(bench.recording, on: bench.disk, model)
    let all = exploration.states.compactMap { state -> String? in
      guard let inode = state.tree.entries[state.tree.root]?["f"], let node = state.tree.nodes[inode] else {
        return nil
      }
      return stride(from: 0, to: node.content.size, by: 512).map { low in
        let bytes = bench.disk.bytes(of: node.content, from: low, to: min(low + 512, node.content.size))
        return Set(bytes).count == 1 ? bytes[0] == 0 ? "0" : String(UnicodeScalar(bytes[0])) : "?"
      }.joined()
    }
    return (Set(all), exploration.states.count)
  }

  @Test func anOverwrittenBlockTearsAtEachBoundaryAndNowhereElse() throws {
    let calls: [WorkloadCall] = [.write("f", at: 0, n, 4096)]
    #expect(try Self.contents(calls, .ext4Ordered).all == ["oooooooo", "nnnnnnnn"])
    let torn = try Self.contents(calls, .ext4Ordered.tearing(true))
    var wanted: Set<String> = ["oooooooo", "nnnnnnnn"]
    for place in 1..<8 {
      wanted.insert(String(repeating: "n", count: place) + String(repeating: "o", count: 8 - place))
      wanted.insert(String(repeating: "o", count: place) + String(repeating: "n", count: 8 - place))
    }
    #expect(torn.all == wanted)
    #expect(torn.count == 16)
  }

  /// Copies in a new place and journals show a block whole.
  @Test(arguments: [PersistenceModel.strict, .ext4Journal, .btrfs, .apfs]) func copiesDoNotTear(
    _ model: PersistenceModel
  ) throws {
    let calls: [WorkloadCall] = [.write("f", at: 0, n, 4096)]
    #expect(try Self.contents(calls, model.tearing(true)).all == Self.contents(calls, model).all)
  }

  @Test func aNewBlockTearsWhereItMayBeZeros() throws {
    let calls: [WorkloadCall] = [.create("g"), .write("g", at: 0, n, 4096), .rename("g", "f")]
    #expect(try Self.contents(calls, .ext4Ordered.tearing(true)).all.contains("nnn00000"))
    #expect(try Self.contents(calls, .xfs.tearing(true)).all.isDisjoint(with: ["nnn00000", "00000nnn"]))
  }

  @Test func whatIsSyncedDoesNotTear() throws {
    let calls: [WorkloadCall] = [.write("f", at: 0, n, 4096), .fsync("f"), .create("g")]
    let bench = try Workbench.recording([.put("f", o, 4096)], calls)
    let exploration = try CrashExploration(bench.recording, on: bench.disk, .ext4Ordered.tearing(true))
    #expect(exploration.states.count { $0.moments.last == .max } == 2)
  }

  /// With sectors there is every state that is there without, and each is found again by who explains it.
  @Test(arguments: Array(ExplorationTests.replacements.keys.sorted())) func sectorsOnlyAdd(_ way: String) throws {
    let calls = ExplorationTests.replacements[way] ?? []
    for model in [PersistenceModel.ext4Ordered, .xfs, .btrfs, .posixWeakest] {
      let without = try ExplorationTests.explore(calls, model).exploration
      let (with, _, recording) = try ExplorationTests.explore(calls, model.tearing(true))
      #expect(Set(without.states.map(\.digest)).isSubset(of: with.states.map(\.digest)), "\(model.name)")
      for state in with.states {
        #expect(try ExplorationTests.allows(recording, model.tearing(true), state.tree, at: state.moments.first))
      }
    }
  }

  @Test func aTornBlockIsTold() throws {
    let bench = try Workbench.recording([.put("f", o, 4096)], [.write("f", at: 0, n, 4096)])
    let model = PersistenceModel.ext4Ordered.tearing(true)
    let exploration = try CrashExploration(bench.recording, on: bench.disk, model)
    let texts = try exploration.states.map { state in
      try CrashExplanation(of: state, in: bench.recording, model).lines.joined(separator: "\n")
    }
    #expect(texts.count { $0.contains("f  4096 bytes  t\n") && $0.contains("t torn between two sectors") } == 14)
    #expect(texts.allSatisfy { !$0.contains(" t\n") || $0.contains("possible on: ext4-nodelalloc, ext4-ordered") })
  }
}
