import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")

/// Laws that all states of a model obey.
@Suite struct ExplorationTests {
  static let setUp: [WorkloadCall] = [.put("f", o, 8242), .mkdir("A"), .put("A/a", o, 100)]

  /// Ways of replacing a file, from careless to careful.
  static let replacements: [String: [WorkloadCall]] = [
    "no sync": [.put("t", n, 12388), .rename("t", "f")],
    "file": [.put("t", n, 12388), .fsync("t"), .rename("t", "f")],
    "file and directory": [.put("t", n, 12388), .fsync("t"), .rename("t", "f"), .fsync("")],
    "directory only": [.put("t", n, 12388), .rename("t", "f"), .fsync("")],
    "in place": [.write("f", at: 0, n, 8242)],
    "cut and written": [.put("f", n, 12388)],
    "appended": [.append("f", n, 9000)],
    "moved": [.rename("A/a", "a2"), .fsync("")],
  ]

  static func explore(
    _ calls: [WorkloadCall], _ model: PersistenceModel, _ limits: ExplorationLimits = ExplorationLimits()
  ) throws -> (exploration: CrashExploration, disk: FaultDisk, recording: Recording) {
    let bench = try Workbench.recording(setUp, calls)
    return (try CrashExploration(bench.recording, on: bench.disk, model, limits), bench.disk, bench.recording)
  }

  @Test(arguments: Array(replacements.keys.sorted())) func everyStateIsAllowedWhereItIsSaidToBe(_ way: String) throws {
    for model in PersistenceModel.all {
      let (exploration, _, recording) = try Self.explore(Self.replacements[way] ?? [], model)
      for state in exploration.states {
        #expect(try Self.allows(recording, model, state.tree, at: state.moments.first), "\(model.name) \(state.number)")
      }
    }
  }

  /// Each model has every state of a stronger one.
  @Test(arguments: Array(replacements.keys.sorted())) func strongerModelsHaveFewerStates(_ way: String) throws {
    let chain: [PersistenceModel] = [.strict, .ext4Ordered, .ext4Writeback, .posixWeakest]
    for (stronger, weaker) in zip(chain, chain.dropFirst()) {
      let (exploration, _, recording) = try Self.explore(Self.replacements[way] ?? [], stronger)
      for state in exploration.states {
        #expect(
          try Self.allows(recording, weaker, state.tree, at: state.moments.first),
          "\(weaker.name) lacks state \(state.number) of \(stronger.name)")
      }
    }
  }

  @Test func theSameAgain() throws {
    for model in PersistenceModel.all {
      let one = try Self.explore(Self.replacements["no sync"] ?? [], model).exploration
      let two = try Self.explore(Self.replacements["no sync"] ?? [], model).exploration
      #expect(one.states.map(\.digest) == two.states.map(\.digest))
      #expect(Set(one.states.map(\.digest)).count == one.states.count)
    }
  }

  /// What fsync of file and directory has made durable is in every later state, but where fsync does not endure.
  @Test func aCarefulReplacementIsOldOrNew() throws {
    for model in PersistenceModel.all {
      let (exploration, disk, recording) = try Self.explore(Self.replacements["file and directory"] ?? [], model)
      let names = exploration.states.map { Self.file("f", of: $0.tree, on: disk) }
      #expect(Set(names).isSubset(of: ["8242:ooo", "12388:nnnn"]), "\(model.name): \(Set(names))")
      let last = exploration.states.filter { $0.moments.ranges.last?.upperBound == .max }
      #expect(last.count == 1 || !model.fsyncEndures, "\(model.name) ends in \(last.count) states")
      if model.fsyncEndures { #expect(last.first.map { Self.file("f", of: $0.tree, on: disk) } == "12388:nnnn") }
      _ = recording
    }
  }

  /// The table of rename over a file whose data was never synced.
  @Test(arguments: [
    ("strict", ["8242:ooo", "12388:nnnn"]), ("ext4-nodelalloc", ["8242:ooo", "12388:nnnn"]),
    ("ext4-journal", ["8242:ooo", "12388:nnnn"]),
  ]) func aCarelessReplacementIsStillOldOrNew(_ name: String, _ contents: [String]) throws {
    let model = try #require(PersistenceModel.named(name))
    let (exploration, disk, _) = try Self.explore(Self.replacements["no sync"] ?? [], model)
    #expect(Set(exploration.states.map { Self.file("f", of: $0.tree, on: disk) }) == Set(contents))
  }

  @Test(arguments: [
    ("ext4-ordered", "12388:0000", true), ("ext4-ordered", "0:", false), ("ext4-ordered", "12388:nn0n", true),
    ("ext4-noauto", "0:", true), ("xfs", "0:", true), ("xfs", "12388:0000", false), ("xfs", "8192:nn", true),
    ("btrfs", "0:", true), ("btrfs", "12388:0000", false), ("btrfs", "12388:nn0n", false),
    ("posix-weakest", "12388:0000", true), ("posix-weakest", "none", false), ("ext4-ordered", "none", false),
    ("xfs", "none", false), ("btrfs", "none", false),
  ]) func aCarelessReplacementShows(_ name: String, _ content: String, _ isPossible: Bool) throws {
    let model = try #require(PersistenceModel.named(name))
    let (exploration, disk, _) = try Self.explore(Self.replacements["no sync"] ?? [], model)
    let contents = Set(exploration.states.map { Self.file("f", of: $0.tree, on: disk) })
    #expect(contents.contains(content) == isPossible, "\(contents)")
  }

  @Test func saysHowFarItWent() throws {
    let whole = try Self.explore(Self.replacements["no sync"] ?? [], .ext4Ordered).exploration
    #expect(whole.extent == "\(whole.states.count) states, all of them")
    let few = try Self.explore(
      Self.replacements["no sync"] ?? [], .ext4Ordered, ExplorationLimits(statesMax: 5)
    ).exploration
    #expect(few.wasCut && few.states.count == 5 && few.extent.hasPrefix("5 states, not all"))
    let pairs = try Self.explore(
      [.put("t", n, 12388), .put("u", n, 12388), .put("v", n, 12388)], .posixWeakest,
      ExplorationLimits(combinationsMax: 100)
    ).exploration
    #expect(!pairs.isWholeOverFiles && pairs.extent.contains("pairs of files complete, of at most"), "\(pairs.extent)")
    let bench = try Workbench.recording(Self.setUp, Self.replacements["no sync"] ?? [])
    let ended = try CrashExploration(bench.recording, on: bench.disk, .xfs, mustStop: { true })
    #expect(ended.wasCut && ended.bound == .time && ended.states.count == 1)
  }

  /// fallocate(2) with FALLOC_FL_ZERO_RANGE: what it zeroed is zeros at the end.
  @Test func aZeroedRangeIsZeros() throws {
    let (exploration, disk, _) = try Self.explore([.zero("f", 0..<4096), .fsync("f")], .ext4Ordered)
    let last = exploration.states.filter { $0.moments.last == .max }
    #expect(last.map { Self.file("f", of: $0.tree, on: disk) } == ["8242:0oo"])
  }

  /// A rename to another directory: which names a crash may leave.
  @Test(arguments: [
    ("ext4-ordered", [[true, false], [false, true]]), ("xfs", [[true, false], [false, true]]),
    ("btrfs", [[true, false], [true, true], [false, true]]),
    ("posix-weakest", [[true, false], [true, true], [false, true], [false, false]]),
  ]) func aMoveShows(_ name: String, _ wanted: [[Bool]]) throws {
    let model = try #require(PersistenceModel.named(name))
    let (exploration, _, recording) = try Self.explore(Self.replacements["moved"] ?? [], model)
    let directory = try #require(recording.tree.entries[recording.tree.root]?["A"])
    let shown = exploration.states.map { state in
      [state.tree.entries[directory]?["a"] != nil, state.tree.entries[state.tree.root]?["a2"] != nil]
    }
    #expect(Set(shown) == Set(wanted))
  }

  static func allows(
    _ recording: Recording, _ model: PersistenceModel, _ tree: DiskTree, at moment: UInt64
  ) throws -> Bool {
    var window = CrashWindow(recording, model)
    if moment == 0 { return window.allows(tree) }
    for record in recording.records {
      _ = try window.begin(record)
      if record.number == moment { return window.allows(tree) }
      _ = window.finish()
    }
    return window.allows(tree)
  }

  static func file(_ path: BytePath, of tree: DiskTree, on disk: FaultDisk) -> String {
    guard let inode = tree.entries[tree.root]?[path], let content = tree.nodes[inode]?.content else { return "none" }
    var letters = ""
    for low in stride(from: 0, to: content.size, by: 4096) {
      letters.append(FileSpace.letter(of: disk.bytes(of: content, from: low, to: min(low + 4096, content.size))))
    }
    return "\(content.size):\(letters)"
  }
}
