import Confirming
import CrashModel
import FaultDisk
import FileTracing
import Files
import Glibc
import TestSupport
import Testing

/// The running kernel leaves what the models say, where root may mount and the programs that make file systems are there.
@Suite(.serialized, .enabled(if: KernelHere.isUsable, "\(KernelHere.reason)")) struct ConfirmationTests {
  /// Tries until a state counts as one that the kernel does not leave.
  static let triesMax = 100

  /// A file that was renamed without having been synced, and then the fsync of its directory: the name is there, and
  /// nothing in it. On ext4 only a rename over another file starts to write the data, so there the name is new.
  @Test(arguments: [("ext4-ordered", true), ("xfs", false)])
  func leavesWhatACarelessRenameRisks(_ name: String, _ isNew: Bool) throws {
    let (recording, disk) = try Self.replacement(isNew: isNew, syncsFile: false, syncsDirectory: true)
    let model = try #require(PersistenceModel.named(name))
    let states = try CrashExploration(recording, on: disk, model).states
    let state = try #require(states.last { Self.hasOnlyFile($0.tree, size: 0) })
    let answer = try Confirmation(recording, on: disk, as: model).realise(
      state.tree, during: state.moments.ranges, triesMax: Self.triesMax, seed: 1)
    guard case .realised = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  @Test(arguments: ["ext4-ordered", "ext4-fast-commit", "xfs"])
  func neverLeavesTheOldFileBehindBothSyncs(_ name: String) throws {
    let (recording, disk) = try Self.replacement(syncsFile: true, syncsDirectory: true)
    let model = try #require(PersistenceModel.named(name))
    let states = try CrashExploration(recording, on: disk, model).states
    let old = try #require(states.first { Self.hasOnlyFile($0.tree, size: 8242) })
    let confirmation = try Confirmation(recording, on: disk, as: model)
    let tries = name == "xfs" ? 5 : 30
    let behind = try confirmation.realise(
      old.tree, during: [UInt64.max...UInt64.max], triesMax: tries, seed: 1)
    #expect(behind == .notRealised(tries: tries))
    #expect(try confirmation.realise(old.tree, during: [0...0], triesMax: 1, seed: 1) == .realised(tries: 1))
  }

  @Test func stopsWhenItIsAsked() throws {
    let (recording, disk) = try Self.replacement(syncsFile: true, syncsDirectory: true)
    let confirmation = try Confirmation(recording, on: disk, as: .ext4Ordered)
    let other = DiskTree(root: 1, nodes: [:], entries: [:])
    var asked = 0
    let answer = try confirmation.realise(other, during: [0...0], triesMax: 50, seed: 1) {
      asked += 1
      return asked > 2
    }
    #expect(answer == .notRealised(tries: 2))
  }

  @Test func leavesNothingBehind() throws {
    // No other test has this model.
    let model = PersistenceModel.ext4NoAutoFlush
    do {
      let (recording, disk) = try Self.replacement(syncsFile: false, syncsDirectory: true)
      let confirmation = try Confirmation(recording, on: disk, as: model)
      for seed: UInt64 in 0..<3 { _ = try confirmation.crash(during: .max, seed: seed) }
      #expect(KernelHere.traces(of: model) == ["open"])
    }
    #expect(KernelHere.traces(of: model) == [])
  }

  /// A new file over an old one of 8242 bytes, or over none.
  static func replacement(
    isNew: Bool = false, syncsFile: Bool, syncsDirectory: Bool
  ) throws -> (recording: Recording, disk: FaultDisk) {
    let disk = FaultDisk()
    let volume = disk.volume()
    if !isNew { try volume.make("f", [UInt8](repeating: UInt8(ascii: "o"), count: 8242)) }
    disk.beginRecording()
    let file = try volume.open("t", for: .creating(permissions: 0o644))
    try volume.writeWhole(file, at: 0, [UInt8](repeating: UInt8(ascii: "n"), count: 12_388))
    if syncsFile { try volume.synchronize(file) }
    try volume.close(file)
    try volume.rename("t", to: "f")
    let directory = try volume.open(.root, for: .directory)
    if syncsDirectory { try volume.synchronize(directory) }
    try volume.close(directory)
    return (try #require(disk.recording), disk)
  }

  static func hasOnlyFile(_ tree: DiskTree, size: UInt64) -> Bool {
    guard let inode = tree.entries[tree.root]?["f"], tree.entries[tree.root]?.count == 1 else { return false }
    return tree.nodes[inode]?.content.size == size
  }
}

/// Whether file systems of the kernel can be crashed here.
enum KernelHere {
  static let reason = "needs root, loop devices, mkfs.ext4 and mkfs.xfs, to crash file systems of the kernel"

  static let isUsable: Bool = {
    let tree = DiskTree(
      root: 1, nodes: [1: .init(attributes: RecordedAttributes(kind: .directory, permissions: 0o755))], entries: [:])
    let empty = Recording(tree: tree, records: [])
    for model in [PersistenceModel.ext4Ordered, .xfs] {
      guard (try? Confirmation(empty, on: FaultDisk(), as: model).crash(during: .max, seed: 0)) != nil else {
        return false
      }
    }
    return true
  }()

  /// What there is of disks in memory of this name: open here, or attached as a device by anybody.
  static func traces(of model: PersistenceModel) -> [String] {
    let name = "memfd:faultfs-\(model.name) "
    let open = names(in: "/proc/self/fd").compactMap {
      try? Host.linkTarget(of: BytePath("/proc/self/fd").appending($0))
    }
    let devices = names(in: "/sys/block").compactMap { device in
      try? HostVolume(root: BytePath("/sys/block").appending(device).appending("loop"))
        .readWhole("backing_file", sizeMax: 4096)
    }
    return open.filter { "\($0)".contains(name) }.map { _ in "open" }
      + devices.filter { String(decoding: $0, as: UTF8.self).contains(name) }.map { _ in "attached" }
  }

  private static func names(in directory: BytePath) -> [BytePath] {
    ((try? HostVolume(root: directory).entries(of: .root, countMax: 4096)) ?? []).map(\.name)
  }
}
