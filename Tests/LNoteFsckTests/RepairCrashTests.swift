import Bytes
import CrashModel
import FaultDisk
import Files
import TestSupport
import Testing

@testable import LNoteFsck

/// Repairs, and every state that a crash in the course of them may leave: the next repair takes it up, and loses nothing.
@Suite struct RepairCrashTests {
  static let damages: [(name: String, damage: @Sendable (Bench) throws -> Void)] = [
    ("a page with a wrong bit", { try $0.damage(DamageCase.page1) { $0[200] ^= 1 } }),
    (
      "two pages and a newer temporary file",
      { bench in
        try bench.remove(DamageCase.page2)
        try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
        try bench.writeTemporary(page: 2) { $0.generation = 6 }
      }
    ),
    ("no document.json", { try $0.remove(DamageCase.document) }),
    (
      "zeros in document.json, an empty manifest",
      { bench in
        try bench.damage(DamageCase.document) { $0 = Array(repeating: 0, count: $0.count) }
        try bench.put([], at: DamageCase.manifest)
      }
    ),
    (
      "an image that nothing uses, and one that is empty",
      { bench in
        try bench.put(Bench.picture, at: PackagePaths.asset(Bench.free))
        try bench.put([], at: DamageCase.picture)
      }
    ),
  ]

  /// The digests of all files of a disk.
  private static func digests(_ volume: FaultVolume) throws -> Set<Digest128> {
    Set(
      try volume.tree().compactMap { path in
        guard try volume.status(at: path).kind == .regular else { return nil }
        return XXH3.digest128(of: try volume.bytes(of: path))
      })
  }

  @Test(arguments: damages.indices) func aCrashAnywhereInARepairIsTakenUpByTheNext(_ place: Int) throws {
    let (name, damage) = Self.damages[place]
    let bench = try Bench()
    try damage(bench)
    try UndoTests.mark(bench.volume)
    let picture = try UndoTests.picture(bench.volume)
    let before = try Self.digests(bench.volume)
    bench.disk.beginRecording()
    let whole = bench.repair()
    let recording = try #require(bench.disk.recording)
    let pages = try Bench.Again(bench).document().pages.map(\.id)
    let trees = try Self.trees(recording, of: bench.disk, name)
    #expect(trees.count > 10)
    bench.disk.keepForShowing()
    for tree in trees {
      bench.disk.show(tree)
      let again = Bench.Again(bench)
      let second = again.repair()
      // An image whose page has lost something may have been in use: behind some crashes it stays, and is told.
      let left = second.left.filter { $0.kind != .assetUnproven || whole.left.contains { $0.kind == .assetUnproven } }
      #expect(codes(left) == codes(whole.left), "\(name)")
      #expect(again.repair().actions.isEmpty, "\(name)")
      #expect(try again.document().pages.map(\.id) == pages, "\(name)")
      // Nothing is deleted: what was there is in the package or set aside.
      #expect(try before.subtracting(Self.digests(again.volume)).isEmpty, "\(name)")
      // Both repairs are taken back. What the first one had begun to write is an ordinary temporary file.
      for _ in 0..<2 {
        let undo = try #require(again.undo().undo)
        #expect(undo.refused.isEmpty && undo.failure == nil, "\(name): \(undo)")
      }
      let back = try UndoTests.picture(again.volume).filter { line in
        picture.contains(line) || !line.contains(".tmp regular")
      }
      #expect(back == picture, "\(name)")
    }
  }

  @Test(arguments: damages.indices) func aCrashAnywhereInAnUndoIsTakenUpByTheNext(_ place: Int) throws {
    let (name, damage) = Self.damages[place]
    let bench = try Bench()
    try damage(bench)
    try UndoTests.mark(bench.volume)
    let picture = try UndoTests.picture(bench.volume)
    _ = bench.repair()
    let before = try Self.digests(bench.volume)
    bench.disk.beginRecording()
    #expect(bench.undo().undo?.isUnfinished == false)
    let recording = try #require(bench.disk.recording)
    let trees = try Self.trees(recording, of: bench.disk, name)
    #expect(trees.count > 5)
    bench.disk.keepForShowing()
    for tree in trees {
      bench.disk.show(tree)
      let again = Bench.Again(bench)
      // Nothing is left to take back where the first one had come to its end.
      let second = try #require(again.undo().undo)
      #expect(second.refused.isEmpty && second.failure == nil, "\(name)")
      #expect(try UndoTests.picture(again.volume) == picture, "\(name)")
      #expect(try before.subtracting(Self.digests(again.volume)).isEmpty, "\(name)")
      #expect(again.undo().undo?.repair == nil, "\(name)")
    }
  }

  /// The states that a crash may leave, of every model whose fsync endures.
  private static func trees(_ recording: Recording, of disk: FaultDisk, _ name: String) throws -> [DiskTree] {
    var trees: [Digest128: DiskTree] = [:]
    for model in PersistenceModel.all.filter(\.fsyncEndures) {
      let exploration = try CrashExploration(recording, on: disk, model)
      #expect(!exploration.wasCut && exploration.isWholeOverFiles, "\(name), \(model.name): \(exploration.extent)")
      for state in exploration.states { trees[state.digest] = state.tree }
    }
    return trees.sorted(by: { $0.key < $1.key }).map(\.value)
  }
}
