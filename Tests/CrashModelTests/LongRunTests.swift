import FaultDisk
import FileTracing
import Files
import Synchronization
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")

/// What long runs cost: work is counted, and what is held, and no time is taken.
@Suite struct LongRunTests {
  /// Some files that are durable, and writes to a few of them.
  private static func recording(files: Int) throws -> Recording {
    let setUp = (0..<files).map { WorkloadCall.put(BytePath("f\($0)"), n, 100) }
    let calls = (0..<50).map { WorkloadCall.write(BytePath("f\($0 % 5)"), at: 0, n, 10) }
    return try Workbench.recording(setUp, calls + [.syncfs]).recording
  }

  private static func settledCount(_ recording: Recording, _ model: PersistenceModel) throws -> Int {
    try CrashWindow(recording, model, isPowerCut: true, at: .max).settledCount
  }

  /// However many files there are, only those are looked at that changed.
  @Test(arguments: [PersistenceModel.strict, .ext4Ordered, .posixWeakest])
  func onlyWhatChangedIsMadeDurable(_ model: PersistenceModel) throws {
    let (few, many) = (try Self.recording(files: 5), try Self.recording(files: 300))
    let count = try Self.settledCount(many, model)
    #expect(try Self.settledCount(few, model) == count)
    #expect(count == (model == .strict ? 50 : 5))
  }

  /// A cut or a write behind a hole of a TiB is as quick as any other, and told as a run.
  @Test(arguments: PersistenceModel.all.map(\.name)) func holesHaveAnySize(_ name: String) throws {
    let model = try #require(PersistenceModel.named(name))
    let tebibyte = 1 << 40
    let calls: [WorkloadCall] = [
      .truncate("f", tebibyte), .write("f", at: tebibyte, n, 5000), .truncate("f", 100), .write("f", at: 9000, n, 10),
    ]
    let (disk, recording) = try Workbench.recording([.put("f", n, 8192)], calls)
    let exploration = try CrashExploration(recording, on: disk, model)
    #expect(exploration.states.count > 3 && exploration.states.count < 300 && !exploration.wasCut)
    var largest: UInt64 = 0
    for state in exploration.states {
      #expect(try ExplorationTests.allows(recording, model, state.tree, at: state.moments.first), "\(state.number)")
      largest = max(largest, state.tree.nodes.values.map(\.content.size).max() ?? 0)
      let explanation = try CrashExplanation(of: state, in: recording, model)
      #expect(explanation.account.bars.allSatisfy { $0.runs.count < 20 })
      for bar in explanation.account.bars {
        let blocks = bar.runs.reduce(0) { $0 + $1.count }
        #expect(blocks == Int((bar.size + 4095) / 4096))
      }
    }
    #expect(largest > 1 << 40)
    let window = try CrashWindow(recording, model, isPowerCut: true, at: .max)
    #expect(window.files.values.allSatisfy { $0.blocks.count <= 6 })
  }

  /// What was written behind a cut still needs the cut, though the cut was of a hole.
  @Test func aWriteBehindACutOfAHoleNeedsTheCut() throws {
    let calls: [WorkloadCall] = [.truncate("f", 0), .write("f", at: 40960, n, 4096)]
    let (disk, recording) = try Workbench.recording([.put("f", n, 4096), .truncate("f", 1 << 20)], calls)
    for state in try CrashExploration(recording, on: disk, .posixWeakest).states {
      let content = try #require(state.tree.nodes.values.first { $0.attributes.kind == .regular }?.content)
      #expect(content.size < 1 << 20 || !content.hasData(in: 10))
    }
  }

  /// Two files that are written in turns never merge their extents: all versions would be half a square of them.
  @Test func versionsAreMadeAgain() throws {
    var draws = SplitMix64(5)
    var window = FileWindow()
    var contents = [FileContent()]
    for record in 0..<1000 {
      let offset = record % 50 == 49 ? draws.next() % 4_000_000 : UInt64(record) * 4096
      let change: ContentChange =
        record % 97 == 96 ? .truncate(offset) : .write(offset: offset, length: 4096, address: UInt64(record) * 8192)
      window.add(change, record: UInt64(record), .posixWeakest)
      var content = contents[record]
      content.take(change)
      contents.append(content)
    }
    #expect(contents.indices.allSatisfy { window.content(of: $0) == contents[$0] })
    #expect(contents.indices.allSatisfy { window.size(of: $0) == contents[$0].size })
    let all = contents.reduce(0) { $0 + $1.extents.extents.count }
    #expect(window.extentsKept < 20 * 1000 && all > 100_000, "\(window.extentsKept) of \(all)")
  }

  @Test func picksAreMadeOneByOne() {
    func chain(_ inode: UInt64, _ records: [UInt64]) -> CrashWindow.Chain {
      let values = (0...records.count).map { SlotValue.inode(UInt64($0)) }
      return CrashWindow.Chain(slot: .name(directory: 1, name: BytePath("f\(inode)")), values: values, records: records)
    }
    let few = FreePicks([chain(1, [1, 3]), chain(2, [2])], [1, 2, 3], seed: 4)
    #expect((0..<few.count).map { few[$0] } == [[2, 1], [2, 0], [1, 1], [1, 0], [0, 1], [0, 0]] && few.isWhole)
    let chains = (0..<3000).map { chain($0, [2 * $0 + 1, 2 * $0 + 2]) }
    let many = FreePicks(chains, (1...6000).map { $0 }, seed: 4)
    #expect(!many.isWhole && many.count == 2 + 6000 + 12000 + 256)
    #expect(many[0] == chains.map { _ in 2 } && many[1] == chains.map { _ in 0 })
    #expect(many[2 + 2].prefix(3) == [2, 1, 0])
    let singles = (0..<4).map { many[6002 + 4 + $0] }
    #expect(singles.map { $0[1] } == [0, 1, 1, 2] && singles.map { $0[0] } == [2, 0, 2, 0])
    var draws = SplitMix64(4)
    for number in 0..<2 { #expect(many[18_002 + number] == chains.map { _ in Int(draws.next() % 3) }) }
  }

  @Test func combinationsAreBounded() {
    let many = Combinations([Int](repeating: 40, count: 2000), 4096, seed: 1)
    #expect(many.isBounded && !many.isWhole && many.list.count * 2000 <= 1 << 22)
    #expect(many.list[0].allSatisfy { $0 == 0 } && many.list[1].allSatisfy { $0 == 39 })
    #expect(!Combinations([20, 20, 20, 20], 100, seed: 1).isBounded)
  }

  @Test func contentsOfAMomentAreBounded() throws {
    let calls = [WorkloadCall.create("f")] + (0..<60).map { .write("f", at: 5000 * $0, n, 5000) }
    let (_, recording) = try Workbench.recording([], calls)
    let window = try CrashWindow(recording, .posixWeakest, isPowerCut: true, at: .max)
    let cut = window.newestCut
    let inode = try #require(cut.namespace.inode(at: "f"))
    let all = FileChoices(window.space(of: inode, in: cut))
    let some = FileChoices(window.space(of: inode, in: cut), partsMax: 1 << 14)
    #expect(!all.isBounded && some.isBounded && some.list.count < all.list.count / 4 && some.list.count > 10)
    #expect(some.list.first == all.list.first && some.list.contains { $0.content.size == 0 })
  }
}
