import Bytes
import CrashModel
import FaultDisk
import FileTracing
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--quarantine`: what is set aside goes to a folder that the user named, on another volume.
@Suite struct QuarantineTests {
  static let folder: BytePath = "Elsewhere"

  /// The same disk, so that crashes and failures meet both halves; the code sees two volumes.
  static func fsck(_ volume: FaultVolume) -> Fsck {
    Fsck(volume: volume, now: Bench.now, quarantine: Quarantine(volume: volume, folder: folder, shown: "Q"))
  }

  static func bench(_ damage: (Bench) throws -> Void) throws -> Bench {
    let bench = try Bench()
    try bench.volume.makeDirectories(folder)
    try damage(bench)
    try UndoTests.mark(bench.volume)
    return bench
  }

  static func digests(_ volume: FaultVolume) throws -> Set<Digest128> {
    Set(
      try volume.tree().compactMap { path in
        guard try volume.status(at: path).kind == .regular else { return nil }
        return XXH3.digest128(of: try volume.bytes(of: path))
      })
  }

  private static let statesMax = 6

  private static func isRefused(_ report: PackageReport) -> Bool {
    if case .cannotBeCopied = report.refusal { true } else { false }
  }

  /// Every third row; a test of the undo has them all.
  static let rows = DamageCase.all.indices.filter { $0 % 3 == 1 }.map { DamageCase.all[$0] }

  @Test(arguments: rows) func everyRepairSetsAsideThereAndIsTakenBack(row: DamageCase) throws {
    let bench = try Self.bench(row.damage)
    let before = try UndoTests.picture(bench.volume)
    let digests = try Self.digests(bench.volume)
    let names = try bench.volume.entries(of: .root, countMax: 100).map(\.name)
    let repair = Self.fsck(bench.volume).repair(Bench.package, mode: .all)
    // Nothing beside the document.
    #expect(try bench.volume.entries(of: .root, countMax: 100).map(\.name) == names)
    if Self.isRefused(repair) {
      #expect(!repair.didChange && repair.exit.contains(.operational))
      #expect(try UndoTests.picture(bench.volume) == before)
      return
    }
    #expect(codes(repair.left) == row.left)
    #expect(try digests.subtracting(Self.digests(bench.volume)).isEmpty)
    #expect(repair.asides.allSatisfy { $0.to.isWithin(Self.folder) })
    let second = Self.fsck(bench.volume).repair(Bench.package, mode: .all)
    #expect(second.actions.isEmpty)
    let everything = try Self.digests(bench.volume)
    let undo = Self.fsck(bench.volume).undo(Bench.package)
    #expect(try UndoTests.picture(bench.volume) == before)
    #expect(undo.undo?.didChange == repair.didChange)
    #expect(try everything.subtracting(Self.digests(bench.volume)).isEmpty)
    #expect(Self.fsck(bench.volume).undo(Bench.package).undo?.repair == nil)
  }

  @Test func whatIsNoFileIsRefusedBeforeAnythingIsDone() throws {
    let refused = try DamageCase.all.filter { row in
      Self.isRefused(Self.fsck(try Self.bench(row.damage).volume).repair(Bench.package, mode: .all))
    }
    #expect(refused.count > 2 && refused.count < DamageCase.all.count / 4)
    let row = try #require(refused.first)
    let bench = try Self.bench(row.damage)
    let report = Self.fsck(bench.volume).repair(Bench.package, mode: .all)
    #expect(RefusalTests.text(report, .repair(.all)).contains("Repair this document without --quarantine."))
    // Beside the document it goes.
    #expect(codes(bench.repair().left) == row.left)
  }

  @Test(arguments: [0, 3, 4]) func aCrashLosesNothingAndIsTakenUp(_ place: Int) throws {
    let (name, damage) = RepairCrashTests.damages[place]
    let bench = try Self.bench(damage)
    let picture = try UndoTests.picture(bench.volume)
    let before = try Self.digests(bench.volume)
    bench.disk.beginRecording()
    let whole = Self.fsck(bench.volume).repair(Bench.package, mode: .all)
    var trees = try Self.trees(bench.disk)
    bench.disk.keepForShowing()
    for tree in trees {
      bench.disk.show(tree)
      let volume = bench.disk.volume()
      let second = Self.fsck(volume).repair(Bench.package, mode: .all)
      let left = second.left.filter { $0.kind != .assetUnproven || whole.left.contains { $0.kind == .assetUnproven } }
      #expect(codes(left) == codes(whole.left), "\(name)")
      #expect(Self.fsck(volume).repair(Bench.package, mode: .all).actions.isEmpty, "\(name)")
      #expect(try before.subtracting(Self.digests(volume)).isEmpty, "\(name)")
      for _ in 0..<2 {
        let undo = try #require(Self.fsck(volume).undo(Bench.package).undo)
        #expect(undo.refused.isEmpty && undo.failure == nil, "\(name): \(undo)")
      }
      let back = try UndoTests.picture(volume).filter { picture.contains($0) || !$0.contains(".tmp regular") }
      #expect(back == picture, "\(name)")
    }
    // And a crash in the way back.
    trees = []
    let again = try Self.bench(damage)
    _ = Self.fsck(again.volume).repair(Bench.package, mode: .all)
    let repaired = try Self.digests(again.volume)
    again.disk.beginRecording()
    #expect(Self.fsck(again.volume).undo(Bench.package).undo?.isUnfinished == false)
    trees = try Self.trees(again.disk)
    again.disk.keepForShowing()
    for tree in trees {
      again.disk.show(tree)
      let volume = again.disk.volume()
      let undo = try #require(Self.fsck(volume).undo(Bench.package).undo)
      #expect(undo.refused.isEmpty && undo.failure == nil, "\(name): \(undo)")
      #expect(try UndoTests.picture(volume) == picture, "\(name)")
      #expect(try repaired.subtracting(Self.digests(volume)).isEmpty, "\(name)")
    }
  }

  /// A few of the states that a crash may leave, from its beginning to its end; the sweep of repairs has the others.
  private static func trees(_ disk: FaultDisk) throws -> [DiskTree] {
    let recording = try #require(disk.recording)
    var limits = ExplorationLimits()
    limits.share = 2
    var trees: [Digest128: DiskTree] = [:]
    for model in [PersistenceModel.ext4Ordered, .btrfs, .posixWeakest] {
      for state in try CrashExploration(recording, on: disk, model, limits).states { trees[state.digest] = state.tree }
    }
    let all = trees.sorted(by: { $0.key < $1.key }).map(\.value)
    return (0..<statesMax).map { all[$0 * all.count / statesMax] }
  }

  @Test(arguments: [Errno.eio, .enospc]) func aFailureLosesNothingAndIsTakenUp(errno: Errno) throws {
    let damage = RepairCrashTests.damages[4].damage
    let bench = try Self.bench(damage)
    let before = try Self.digests(bench.volume)
    bench.disk.beginRecording()
    let tree = try #require(bench.disk.recording).tree
    bench.disk.keepForShowing()
    bench.disk.show(tree)
    let whole = Self.fsck(bench.disk.volume()).repair(Bench.package, mode: .all)
    let count = bench.disk.log.records.count { $0.countedNumber != nil }
    #expect(count > 20)
    for place in stride(from: errno == .eio ? 0 : 3, to: count, by: 7) {
      bench.disk.show(tree)
      try bench.disk.arm(
        FaultRule(
          name: "trouble", effect: .errno(errno), operations: OperationKind.counted,
          occurrence: FaultOccurrence(nth: UInt64(place + 1))))
      _ = Self.fsck(bench.disk.volume()).repair(Bench.package, mode: .all)
      bench.disk.clearAll()
      let volume = bench.disk.volume()
      #expect(try before.subtracting(Self.digests(volume)).isEmpty, "\(errno.name) on call \(place + 1)")
      let second = Self.fsck(volume).repair(Bench.package, mode: .all)
      // An image whose page has lost something may have been in use: behind some failures it stays, and is told.
      #expect(
        codes(second.left.filter { $0.kind != .assetUnproven }) == codes(whole.left),
        "\(errno.name) on call \(place + 1)")
    }
  }

  @Test func aCopyThatDoesNotHoldTheSameTakesNothingAway() throws {
    let bench = try Self.bench { try $0.put(Bench.picture, at: PackagePaths.asset(Bench.free)) }
    let other = FaultDisk()
    // The other disk changes what is written to it.
    let lying = LyingTarget(other.volume())
    let before = try UndoTests.picture(bench.volume)
    let fsck = Fsck(volume: bench.volume, now: Bench.now, quarantine: Quarantine(volume: lying, shown: "Q"))
    let report = fsck.repair(Bench.package, mode: .all)
    #expect(report.exit.contains(.operational))
    #expect(try UndoTests.picture(bench.volume) == before)
  }

  @Test func theOtherDiskMustHaveRoom() throws {
    let bench = try Self.bench { try $0.put(Bench.picture, at: PackagePaths.asset(Bench.free)) }
    let small = FaultDisk()
    small.setFreeSpace(bytes: 64 << 10)
    let before = try UndoTests.picture(bench.volume)
    let fsck = Fsck(volume: bench.volume, now: Bench.now, quarantine: Quarantine(volume: small.volume(), shown: "Q"))
    let report = fsck.repair(Bench.package, mode: .all)
    #expect(codes(report.left.filter { $0.repairClass == .operational }) == "LN0010")
    #expect(try UndoTests.picture(bench.volume) == before)
  }

  @Test func theOrderOfPagesIsFoundThere() throws {
    let bench = try Bench()
    try bench.edit { $0.pages.reverse() }
    let order = bench.document.pages.map(\.id)
    let other = FaultDisk()
    let fsck = Fsck(volume: bench.volume, now: Bench.now, quarantine: Quarantine(volume: other.volume(), shown: "Q"))
    // A repair that writes the document anew sets the old one aside.
    try bench.remove(PackagePaths.page(Bench.pages[0]))
    _ = fsck.repair(Bench.package, mode: .all)
    try bench.remove(PackagePaths.document)
    _ = fsck.repair(Bench.package, mode: .all)
    #expect(try bench.readDocument().pages.map(\.id) == order)
  }
}

/// Another volume on which one byte of what is written comes out wrong, and nobody says so.
private final class LyingTarget: VolumeLayer {
  let below: any Volume

  init(_ below: any Volume) { self.below = below }

  func write(_ file: OpenFile, at offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws(FileCallError) -> Int {
    guard bytes.count == Bench.picture.count else { return try below.write(file, at: offset, bytes) }
    var wrong = Array(bytes)
    wrong[700] ^= 1
    var result: Result<Int, FileCallError> = .success(0)
    wrong.withUnsafeBytes { wrong in
      do throws(FileCallError) {
        result = .success(try below.write(file, at: offset, wrong))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}
