import FaultDisk
import FileTracing
import Files
import Testing

@testable import CrashModel

private let n = UInt8(ascii: "n")
private let o = UInt8(ascii: "o")

@Suite struct ExplanationTests {
  /// "f is the old or the new file", for which a careless replacement fails.
  static func isBad(_ state: CrashState, _ disk: FaultDisk) -> Bool {
    !["8242:ooo", "12388:nnnn"].contains(ExplorationTests.file("f", of: state.tree, on: disk))
  }

  @Test func tellsWhatIsLostAndWhy() throws {
    let (exploration, disk, recording) = try ExplorationTests.explore(
      ExplorationTests.replacements["no sync"] ?? [], .ext4Ordered)
    let zeros = try #require(
      exploration.states.first { ExplorationTests.file("f", of: $0.tree, on: disk) == "12388:nn0n" })
    let explanation = try CrashExplanation(of: zeros, in: recording, .ext4Ordered)
    #expect(
      explanation.lines == [
        "possible on: ext4-ordered, ext4-fast-commit, ext4-noauto, ext4-writeback, ext4-wb-nodelalloc, "
          + "xfs, f2fs (not measured), posix-weakest; not on: strict, ext4-journal, ext4-nodelalloc, btrfs, "
          + "apfs (not measured)",
        "crash: at operation 4, rename t -> f", "kept  #1 create t", "kept  #4 rename t -> f",
        "lost  #3 write t 0..12387, 1 of 4 blocks",
        "why: no fsync of t between #3 and #4; ext4-ordered may keep a name before the data of its file",
        "on disk: f  12388 bytes  n n 0 n", "         n as written, m as written before, o as it was, 0 zeros",
      ])
  }

  @Test(
    arguments: [
      ("ext4-ordered", "no sync", ["t"]), ("xfs", "no sync", ["t"]), ("btrfs", "directory only", ["t"]),
      ("posix-weakest", "no sync", ["t"]), ("ext4-ordered", "in place", nil), ("ext4-ordered", "file", []),
    ] as [(String, String, [String]?)])
  func proposesTheFewestSyncs(_ name: String, _ way: String, _ wanted: [String]?) throws {
    let model = try #require(PersistenceModel.named(name))
    let (exploration, disk, recording) = try ExplorationTests.explore(
      ExplorationTests.replacements[way] ?? [], model)
    let failing = exploration.states.filter { Self.isBad($0, disk) }
    let search = FixSearch(recording, on: disk, model, ExplorationLimits()) { Self.isBad($0, disk) }
    #expect(failing.isEmpty == (wanted == []))
    let fix = failing.isEmpty ? [] : try search.smallest(for: failing)
    #expect(fix?.map { "\($0.path)" } == wanted)
    if let fix, !fix.isEmpty { #expect(try search.outcome(of: fix).failing == 0) }
  }

  /// What the end of a run must show is mended by the sync of the directory.
  @Test func anAcknowledgementNeedsTheDirectory() throws {
    for name in ["ext4-ordered", "xfs", "btrfs", "posix-weakest"] {
      let model = try #require(PersistenceModel.named(name))
      let (exploration, disk, recording) = try ExplorationTests.explore(
        ExplorationTests.replacements["file"] ?? [], model)
      let isBad: (CrashState) -> Bool = { state in
        state.moments.ranges.last?.upperBound == .max
          && ExplorationTests.file("f", of: state.tree, on: disk) != "12388:nnnn"
      }
      let failing = exploration.states.filter(isBad)
      #expect(!failing.isEmpty)
      let fix = try FixSearch(recording, on: disk, model, ExplorationLimits(), isFailing: isBad).smallest(for: failing)
      #expect(fix?.map { "\($0)" } == ["fsync of the root directory behind #6"], "\(name)")
    }
  }
}
