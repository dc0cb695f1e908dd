import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")

/// Explorations that are too large: each moment has its share.
@Suite struct SpreadTests {
  /// Files that are made and never synced, so that more and more is possible, and at the end a rename without a sync.
  private static func recording() throws -> (disk: FaultDisk, recording: Recording) {
    let files = (0..<12).flatMap { [.put(BytePath("f\($0)"), n, 5000), .mkdir(BytePath("d\($0)"))] as [WorkloadCall] }
    return try Workbench.recording([.put("page", o, 4096)], files + [.put("t", n, 4096), .rename("t", "page")])
  }

  private static let models: [PersistenceModel] = [.ext4Ordered, .btrfs, .posixWeakest]

  private static func limits(_ statesMax: Int) -> ExplorationLimits { ExplorationLimits(statesMax: statesMax) }

  @Test(arguments: models) func theLastMomentsAreLookedAt(_ model: PersistenceModel) throws {
    let (disk, recording) = try Self.recording()
    let last = try #require(recording.records.last?.number)
    let fromTheFront = try CrashExploration(recording, on: disk, model, Self.limits(100))
    #expect(fromTheFront.wasCut && !fromTheFront.isThinned)
    #expect(fromTheFront.states.map(\.moments.last).max() ?? 0 < last)
    let spread = try CrashExploration.toTheEnd(recording, on: disk, model, Self.limits(100))
    #expect(!spread.wasCut && spread.states.count <= 100)
    #expect(spread.states.map(\.moments.last).max() == .max)
    // Every quarter of the run has states that it alone brings about.
    for quarter in 0..<4 {
      let range = last * UInt64(quarter) / 4...last * UInt64(quarter + 1) / 4
      #expect(spread.states.contains { range.contains($0.moments.first) }, "quarter \(quarter)")
    }
    #expect(spread.thinnedMoments.count > 0 && spread.thinnedMoments.count < spread.momentCount)
    #expect(
      spread.extent == "\(spread.states.count) states, not all: they are spread over \(spread.momentCount) moments")
  }

  /// A page is empty behind the last call, and not before: who stops early does not see it.
  @Test(arguments: models) func whatGoesWrongAtTheEndIsFound(_ model: PersistenceModel) throws {
    let (disk, recording) = try Self.recording()
    func isSeen(_ exploration: CrashExploration) -> Bool {
      exploration.states.contains { state in
        guard let inode = state.tree.entries[state.tree.root]?["page"], let node = state.tree.nodes[inode] else {
          return false
        }
        return disk.bytes(of: node.content, from: 0, to: node.content.size) != Array(repeating: n, count: 4096)
          && disk.bytes(of: node.content, from: 0, to: node.content.size) != Array(repeating: o, count: 4096)
      }
    }
    #expect(!isSeen(try CrashExploration(recording, on: disk, model, Self.limits(200))))
    #expect(isSeen(try CrashExploration.toTheEnd(recording, on: disk, model, Self.limits(200))))
  }

  @Test(arguments: models, [1, 2, 7, 40]) func noMomentHasMoreThanItsShare(
    _ model: PersistenceModel, _ share: Int
  ) throws {
    let (disk, recording) = try Self.recording()
    var limits = ExplorationLimits()
    limits.share = share
    let found = try CrashExploration(recording, on: disk, model, limits)
    #expect(found.isThinned && !found.wasCut)
    #expect(found.madeCount <= share * found.momentCount)
    #expect(found.states.count >= found.momentCount - 1)
  }

  /// What fits is not thinned, and is what it was.
  @Test func whatFitsIsWhole() throws {
    let (disk, recording) = try Self.recording()
    let plain = try CrashExploration(recording, on: disk, .ext4Journal)
    let spread = try CrashExploration.toTheEnd(recording, on: disk, .ext4Journal, ExplorationLimits())
    #expect(!plain.wasCut && !spread.isThinned)
    #expect(plain.states.map(\.digest) == spread.states.map(\.digest))
    // A share that is enough changes nothing either.
    var limits = ExplorationLimits()
    limits.share = 4096
    let shared = try CrashExploration(recording, on: disk, .ext4Journal, limits)
    #expect(!shared.isThinned && Set(shared.states.map(\.digest)) == Set(plain.states.map(\.digest)))
  }

  @Test func evenOneStateAMomentMayBeTooMuch() throws {
    let (disk, recording) = try Self.recording()
    let few = try CrashExploration.toTheEnd(recording, on: disk, .strict, Self.limits(7))
    #expect(!few.wasCut && few.isThinned && few.states.count <= 7 && few.states.count >= 4)
    #expect(few.states.first?.moments.first == 0 && few.states.last?.moments.last == .max)
    let none = try CrashExploration.toTheEnd(recording, on: disk, .strict, Self.limits(1))
    #expect(none.wasCut && none.states.count == 1)
  }

  @Test func onlySomeMoments() throws {
    let (disk, recording) = try Self.recording()
    let whole = try CrashExploration(recording, on: disk, .ext4Journal)
    var limits = ExplorationLimits()
    limits.moments = 10...20
    let part = try CrashExploration(recording, on: disk, .ext4Journal, limits)
    let wanted = whole.states.filter { $0.moments.ranges.contains { $0.overlaps(10...20) } }
    #expect(Set(part.states.map(\.digest)) == Set(wanted.map(\.digest)))
    #expect(part.states.allSatisfy { $0.moments.first >= 10 && $0.moments.last <= 20 })
    #expect(part.states.count > 5 && part.states.count < whole.states.count)
  }

  @Test(arguments: [
    (0, 3, []), (3, 3, [0, 1, 2]), (9, 1, [0]), (9, 2, [0, 8]), (9, 5, [0, 8, 4, 2, 6]), (5, 4, [0, 4, 2, 1]),
  ]) func placesAreFarFromEachOther(_ count: Int, _ countMax: Int, _ wanted: [Int]) {
    #expect(spreadPlaces(of: count, atMost: countMax) == wanted)
  }

  @Test func aStrictBoundHoldsForPairsToo() {
    let counts = [5, 4, 6, 3]
    #expect(Combinations(counts, 7, seed: 1).list.count > 30)
    for countMax in [1, 2, 7, 30] {
      let strict = Combinations(counts, countMax, isStrict: true, seed: 1)
      #expect(strict.list.count == countMax && !strict.isWhole)
      #expect(strict.list[0] == [0, 0, 0, 0])
    }
    #expect(Combinations([2, 2], 4, isStrict: true, seed: 1).isWhole)
  }
}
