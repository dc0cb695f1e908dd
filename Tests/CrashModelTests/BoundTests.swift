import FaultDisk
import FileTracing
import Files
import Synchronization
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")

/// Explorations that have too little memory or time: they come to the end of the recording all the same.
@Suite struct BoundTests {
  private static func recording(_ count: Int = 10) throws -> (disk: FaultDisk, recording: Recording) {
    let calls = (0..<count).flatMap { [WorkloadCall.put(BytePath("f\($0)"), n, 5000), .mkdir(BytePath("d\($0)"))] }
    return try Workbench.recording([], calls)
  }

  @Test(arguments: [PersistenceModel.ext4Ordered, .btrfs, .posixWeakest])
  func memoryIsSpreadOverAllMoments(_ model: PersistenceModel) throws {
    let (disk, recording) = try Self.recording()
    var limits = ExplorationLimits(statesMax: 400)
    limits.memoryMax = 100_000
    let few = try CrashExploration.toTheEnd(recording, on: disk, model, limits)
    #expect(few.bound == .memory && !few.wasCut && few.isThinned && few.states.count < 300)
    #expect(few.states.map(\.moments.last).max() == .max)
    let last = try #require(recording.records.last?.number)
    #expect(few.states.contains { $0.moments.first > last / 2 && $0.moments.first < last })
    #expect(few.states.reduce(0) { $0 + $1.kept.bytes } < 2 * limits.memoryMax)
    limits.memoryMax = 1 << 30
    #expect(try CrashExploration.toTheEnd(recording, on: disk, model, limits).bound == .states)
  }

  /// A clock that goes on with each look at it.
  private final class Clock: Sendable {
    private let looks = Atomic<Int>(0)
    let looksMax: Int
    init(_ looksMax: Int) { self.looksMax = looksMax }
    var used: Double { Double(looks.add(1, ordering: .relaxed).newValue) / Double(looksMax) }
  }

  @Test(arguments: [PersistenceModel.strict, .ext4Ordered, .posixWeakest])
  func timeIsSpreadOverAllMoments(_ model: PersistenceModel) throws {
    let (disk, recording) = try Self.recording()
    let clock = Clock(model == .strict ? 250 : 1500)
    let few = try CrashExploration.toTheEnd(recording, on: disk, model, ExplorationLimits()) { clock.used }
    #expect(few.bound == .time && !few.wasCut && few.isThinned, "\(few.extent)")
    #expect(few.states.map(\.moments.last).max() == .max && few.states.count > 5)
    let none = try CrashExploration.toTheEnd(recording, on: disk, model, ExplorationLimits()) { 1 }
    #expect(none.bound == .time && none.wasCut && none.states.count == 1)
  }

  @Test func aSearchForAFixEnds() throws {
    let (disk, recording) = try Workbench.recording([.put("f", n, 10)], [.put("t", n, 4096), .rename("t", "f")])
    let states = try CrashExploration(recording, on: disk, .xfs).states
    let failing = states.filter { ExplorationTests.file("f", of: $0.tree, on: disk) == "0:" }
    #expect(!failing.isEmpty)
    func isFailing(_ state: CrashState) -> Bool { ExplorationTests.file("f", of: state.tree, on: disk) == "0:" }
    for mustStop in [false, true] {
      let fix = try CommonFix(
        for: [(.xfs, failing)], in: recording, on: disk, ExplorationLimits(), mustStop: { mustStop },
        isFailing: isFailing)
      #expect((fix == nil) == mustStop)
    }
  }

  /// Trees come back as they were, and those that are alike take little.
  @Test func keptTreesComeBack() throws {
    var draws = SplitMix64(3)
    var shelf = TreeShelf()
    let directory = RecordedAttributes(kind: .directory, permissions: 0o755)
    var tree = DiskTree(root: 1, nodes: [1: DiskTree.Node(attributes: directory)], entries: [:])
    for inode in UInt64(2)..<200 {
      tree.nodes[inode] = DiskTree.Node(attributes: RecordedAttributes(kind: .regular, permissions: 0o644))
      tree.entries[1, default: [:]][BytePath("f\(inode)")] = inode
    }
    var kept: [(KeptTree, DiskTree)] = [(shelf.keep(tree), tree)]
    let whole = shelf.bytes
    for round in 0..<300 {
      let inode = 2 + draws.next() % 220
      let name = BytePath("f\(inode)")
      if round % 3 == 0 {
        tree.nodes[inode] = nil
        tree.entries[1]?[name] = nil
      } else {
        tree.nodes[inode] = DiskTree.Node(
          attributes: RecordedAttributes(kind: .regular, permissions: UInt16(round)), content: FileContent())
        tree.entries[round % 2 == 0 ? 1 : 2, default: [:]][name] = inode
      }
      kept.append((shelf.keep(tree), tree))
    }
    tree.entries = [:]
    tree.nodes = [1: DiskTree.Node(attributes: directory)]
    kept.append((shelf.keep(tree), tree))
    #expect(kept.allSatisfy { $0.0.tree == $0.1 })
    #expect(shelf.bytes < 100 * whole)
  }

  /// Followed from operation to operation, names are as in the trees of a disk on which everything is durable at once.
  @Test func followedNamesAreThoseOfTheTrees() throws {
    let setUp: [WorkloadCall] = [.mkdir("A"), .put("A/a", n, 10), .mkdir("A/B"), .put("A/B/b", n, 10), .put("f", n, 9)]
    let calls: [WorkloadCall] = [
      .rename("A", "C"), .put("C/a", n, 20), .link("f", "C/l"), .write("f", at: 3, n, 4), .exchange("C/B", "f"),
      .unlink("C/l"), .mkdir("D"), .rename("f", "D/B"), .rename("D/B/b", "C/a"), .symlink("x", "D/s"), .unlink("C/B"),
      .fsync("D"), .truncate("C/a", 3), .rename("D", "C/D"),
    ]
    let (_, recording) = try Workbench.recording(setUp, calls)
    var followed = FollowedNames(recording)
    var window = CrashWindow(recording, .strict)
    var now = Dictionary(uniqueKeysWithValues: followed.all.map { ($0.path, $0.node) })
    for record in recording.records {
      for (path, node) in try #require(try followed.next()) { now[path] = .some(node) }
      _ = try window.begin(record)
      _ = window.finish()
      let cut = window.newestCut
      let tree = window.tree(cut, cut.namespace.reachable, [:])
      let there = now.compactMapValues { $0 }
      #expect(there.count == cut.namespace.reachable.count - 1, "record \(record.number)")
      for (path, inode) in cut.namespace.reachable where !path.isRoot {
        #expect(there[path]?.content == tree.nodes[inode]?.content, "\(path), record \(record.number)")
        #expect(there[path]?.attributes.kind == tree.nodes[inode]?.attributes.kind, "\(path)")
      }
    }
    #expect(try followed.next() == nil)
    #expect(try recording.treeAtEnd().entries.count == 3)
  }
}
