import Archives
import FaultDisk
import FileTracing
import Files
import LNoteFormat
import LNoteFsck
import TestSupport

/// A damaged library on a disk in memory, and runs of the checker over it as the program makes them.
package final class DamagedLibrary {
  /// When every run is made.
  package static let now = Timestamp(milliseconds: 1_796_047_332_000)  // 2026-11-30T14:02:12Z

  /// The damage.
  package let stage: DamageStage
  /// Where it is, as somebody sees it whom no fault hits.
  package let volume: FaultVolume
  private let disk = FaultDisk()
  private var archive: Archive?
  private var seen: any Volume
  // Another program that has the document open.
  private let other: FaultVolume

  /// The library of this damage, on a disk of its own.
  package init(_ stage: DamageStage) throws {
    self.stage = stage
    volume = disk.volume()
    other = disk.volume()
    seen = volume
    try stage.tree.write(to: volume)
    for surrounding in stage.surroundings { try surround(surrounding) }
  }

  private func surround(_ surrounding: DamageStage.Surrounding) throws {
    switch surrounding {
    case .failing(let call, let name, let errno):
      let pattern = FaultTarget(patterns: [NamePattern(BytePath("**/" + name))], spelling: name)
      let operation = OperationKind(rawValue: call)
      try disk.arm(
        FaultRule(
          name: "\(call) \(name)", effect: .errno(Errno(name: errno) ?? .eio),
          operations: Set([operation].compactMap(\.self)), target: pattern))
    case .isOpen:
      try other.lockExclusively(try other.open(stage.package.name, for: .directory))
    case .space(let bytes): disk.setFreeSpace(bytes: bytes)
    case .restless:
      let (volume, stage) = (volume, stage)
      seen = RestlessVolume(volume, times: 1000) { number in
        guard var page = stage.package.pages.first else { return }
        page.generation += UInt64(number)
        try volume.replace(stage.package.path(PackageNames.page(page.id)), with: page.encoded())
      }
    case .packed(let name, let percent):
      let folder = try TemporaryDirectory("packed")
      let tar = TarText(stage.tree).bytes
      let host = try folder.volume()
      try host.make(BytePath(name), Array(tar.prefix(tar.count * percent / 100)))
      archive = try Archive.read(BytePath(name), in: host)
      if let archive { seen = archive.volume }
    }
  }

  /// What a run finds, does and leaves; a library in an archive is only checked.
  package func run(_ mode: RepairMode = .all) -> DamageRun {
    let finder = PackageFinder(below: .root, in: seen, now: DamagedLibrary.now)
    let named = finder.files.filter { $0.hasSuffix(".lnote") }.map { PackageFinder.Found(path: $0, place: $0) }
    let found = (finder.found + named).sorted { $0.path < $1.path }
    let fsck = Fsck(volume: seen, now: DamagedLibrary.now)
    var reports = found.map { archive == nil ? fsck.repair($0.path, mode: mode) : fsck.check($0.path) }
    let duplicates = LibraryCheck.duplicates(
      among: zip(found, reports).map { ($1.documentID, $0.path.description, $0.isConflictCopy) })
    for place in reports.indices { reports[place].note(found[place].notes + [duplicates[place]].compactMap(\.self)) }
    let ofArchive = archive.flatMap { ArchiveCheck.report(of: $0.account, name: "archive") }
    return DamageRun(reports: [ofArchive].compactMap(\.self) + finder.others + reports)
  }

  /// Takes the last repair of a package back.
  package func undo(_ package: BytePath) -> PackageReport {
    Fsck(volume: volume, now: DamagedLibrary.now).undo(package)
  }

  /// What stands on the disk, for somebody whom no fault hits.
  package func look(known: DiskLook? = nil) throws -> DiskLook {
    disk.holdFaults(true)
    defer { disk.holdFaults(false) }
    return try DiskLook(at: volume, known: known)
  }
}
