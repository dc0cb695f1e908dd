import FaultDisk
import Files
import JSON
import LNoteFormat
import Rendering
import Terminal
import TestSupport

@testable import LNoteFsck

/// A folder of documents as a user has it: "Physics 3" with 40 pages, and 41 small ones.
final class Shelf {
  let disk = FaultDisk()
  let volume: FaultVolume
  private(set) var packages: [BytePath] = []

  init(others: Int = 41) throws {
    volume = disk.volume()
    var pages = (0..<40).map { place in
      PageSnapshot(
        id: NoteID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(place)), generation: 3,
        canvas: CanvasSize(width: 8340, height: 11_940), created: Bench.made, modified: Bench.made,
        elements: place == 11 ? Shelf.strokes : [.stroke(Bench.stroke(UInt64(place), samples: 1))])
    }
    try add(Bench.id, title: "Physics 3", pages)
    for number in 0..<others {
      pages[0].id = NoteID(high: 0x1000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
      try add(
        NoteID(high: 0x7000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number)), title: "Notes \(number)",
        [pages[0]])
    }
  }

  /// 1,512 strokes; the 1,500th has 410 points, and the twelve behind it 1,196 together.
  private static let strokes = (0..<1512).map { number in
    let samples = number == 1499 ? 410 : number < 1499 ? 2 : number == 1511 ? 96 : 100
    return PageElement.stroke(Bench.stroke(UInt64(number), samples: samples))
  }

  private func add(_ id: NoteID, title: String, _ pages: [PageSnapshot]) throws {
    var record = Bench.record(of: pages)
    record.id = id
    record.title = title
    let package = BytePath(PackageNames.package(id))
    for directory in PackagePaths.directories { try volume.makeDirectories(package.appending(directory)) }
    for page in pages {
      try volume.make(package.appending(PackagePaths.page(page.id)), page.encoded())
      try volume.make(package.appending(PackagePaths.thumbnail(page.id)), [0xFF, 0xD8, 0xFF, 0xD9])
    }
    try volume.make(package.appending(PackagePaths.document), record.encoded())
    try volume.make(package.appending(PackagePaths.manifest), ManifestRecord(mirroring: record).encoded())
  }

  /// Page 12 loses 22,336 bytes, and an image is left that no page uses.
  func cutPage12() throws {
    let package = BytePath(PackageNames.package(Bench.id))
    let page = NoteID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_000B)
    let path = package.appending(PackagePaths.page(page))
    let bytes = try volume.bytes(of: path)
    try volume.replace(path, with: Array(bytes.dropLast(22_336)))
    try volume.make(
      package.appending(PackagePaths.asset(Bench.free)), JPEGMaker.picture(sizeBytes: 1_800_000, seed: 3))
  }

  func run(_ mode: RunReport.Mode) -> RunReport {
    var run = RunReport(mode: mode, arguments: ["~/Notes"])
    let fsck = Fsck(volume: volume, now: Bench.now)
    for package in PackageFinder(below: .root, in: volume).packages {
      let report: PackageReport
      switch mode {
      case .check, .copy, .ask: report = fsck.check(package)
      case .undo: report = fsck.undo(package)
      case .acceptLoss(let place): report = fsck.acceptLoss(package, at: place)
      case .plan(let mode): report = fsck.plan(package, mode: mode)
      case .applyPlan: continue
      case .repair(let mode): report = fsck.repair(package, mode: mode)
      }
      run.add(RunReport.Item(report: report, shown: "~/Notes/\(package)", prefix: "~/Notes/"))
    }
    return run
  }
}

extension Shelf {
  /// Takes the repair of "Physics 3" back.
  func undo() -> RunReport {
    let package = BytePath(PackageNames.package(Bench.id))
    var run = RunReport(mode: .undo, arguments: ["~/Notes/\(package)"])
    let report = Fsck(volume: volume, now: Bench.now).undo(package)
    run.add(RunReport.Item(report: report, shown: "~/Notes/\(package)", prefix: "~/Notes/"))
    return run
  }
}

extension RunReport {
  /// As on a terminal without colours.
  var plainText: String { TextReport(self, paint: Paint(isOn: false)).text }
}
