import Bytes
import FaultDisk
import FileTracing
import Files
import LNoteFormat
import Rendering
import Synchronization
import TestSupport

@testable import LNoteFsck

/// A small sound document on a fault disk in memory, and the means to damage, check and repair it.
///
/// Page 1 holds three strokes, page 2 two strokes and an image, page 3 nothing.
final class Bench {
  static let id = NoteID(high: 0x6F96_19FF_8B86_D011, low: 0xB42D_00C0_4FC9_64FF)
  static let package = BytePath(PackageNames.package(id))
  static let now = Timestamp(milliseconds: 1_796_047_332_000)  // 2026-11-30T14:02:12Z
  static let made = Timestamp(milliseconds: 1_782_898_200_000)
  static let pages = (1...3).map { NoteID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64($0)) }
  static let asset = NoteID(high: 0xB000_0000_0000_4000, low: 0x8000_0000_0000_0001)
  static let free = NoteID(high: 0xC000_0000_0000_4000, low: 0x8000_0000_0000_0001)
  static let stampText = "20261130T140212Z"
  static let picture = JPEGMaker.picture(sizeBytes: 1500, seed: 1)

  let disk = FaultDisk()
  let volume: FaultVolume
  private(set) var document: DocumentRecord
  private(set) var snapshots: [PageSnapshot]

  init() throws {
    volume = disk.volume()
    snapshots = Bench.sound()
    document = Bench.record(of: snapshots)
    for directory in PackagePaths.directories { try volume.makeDirectories(Bench.package.appending(directory)) }
    for page in snapshots { try put(page.encoded(), at: PackagePaths.page(page.id)) }
    try put(Bench.picture, at: PackagePaths.asset(Bench.asset))
    for page in snapshots { try put([0xFF, 0xD8, 0xFF, 0xD9], at: PackagePaths.thumbnail(page.id)) }
    try writeDocument()
  }

  static func sound() -> [PageSnapshot] {
    var elements = [
      (0..<3).map { PageElement.stroke(stroke(UInt64($0) + 1, samples: 10)) },
      (0..<2).map { PageElement.stroke(stroke(UInt64($0) + 11, samples: 20)) }, [],
    ]
    elements[1].append(.image(image(of: asset, picture)))
    return pages.indices.map { place in
      PageSnapshot(
        id: pages[place], generation: 5, canvas: CanvasSize(width: 8340, height: 11_940),
        created: Timestamp(milliseconds: made.milliseconds + Int64(place)), modified: made, elements: elements[place])
    }
  }

  static func record(of pages: [PageSnapshot]) -> DocumentRecord {
    DocumentRecord(
      id: id, title: "Physics 3", created: made, modified: made, generation: 17,
      pages: pages.map { page in
        PageEntry(
          id: page.id, canvas: page.canvas, created: page.created, modified: page.modified,
          elementCount: UInt64(page.elements.count), generation: page.generation)
      })
  }

  static func stroke(_ number: UInt64, samples: Int) -> Stroke {
    Stroke(
      id: NoteID(high: 0xE000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number), pen: 0, colour: 0xFF,
      baseRadius: 12,
      samples: (0..<samples).map { index in
        StrokeSample(
          x: Int32(index) * 7 + Int32(number), y: Int32(index) * 5, radius: 12, pressure: 500, time: UInt32(index) * 8)
      })
  }

  static func image(of asset: NoteID, _ bytes: [UInt8], element: UInt64 = 21) -> PlacedImage {
    let digest = XXH3.digest128(of: bytes)
    return PlacedImage(
      id: NoteID(high: 0xE000_0000_0000_4000, low: 0x8000_0000_0000_0000 + element), asset: asset, x: 10, y: 20,
      width: 400, height: 300, rotation: 0, assetLength: UInt64(bytes.count),
      assetDigest: AssetDigest(high: digest.high, low: digest.low))
  }

  // MARK: Changing it

  /// Writes or replaces a file of the package.
  func put(_ bytes: [UInt8], at path: BytePath) throws {
    let path = Bench.package.appending(path)
    if (try? volume.status(at: path)) == nil {
      try volume.make(path, bytes)
    } else {
      try volume.replace(path, with: bytes)
    }
  }

  func bytes(_ path: BytePath) throws -> [UInt8] { try volume.bytes(of: Bench.package.appending(path)) }

  func remove(_ path: BytePath) throws { try volume.unlink(Bench.package.appending(path)) }

  /// Changes the bytes of a file.
  func damage(_ path: BytePath, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try bytes(path)
    change(&bytes)
    try put(bytes, at: path)
  }

  /// Changes the document, and the manifest with it.
  func edit(_ change: (inout DocumentRecord) -> Void) throws {
    change(&document)
    try writeDocument()
  }

  /// Changes the document and cuts it off behind its generation; the manifest is as before, or as the document.
  func cutDocument(keepsManifest: Bool = true, _ change: (inout DocumentRecord) -> Void) throws {
    let manifest = try bytes(PackagePaths.manifest)
    try edit { document in
      change(&document)
      document.generation += 1
    }
    if keepsManifest { try put(manifest, at: PackagePaths.manifest) }
    try damage(PackagePaths.document) { bytes in
      let end = bytes.firstRange(of: Array("\"losses\"".utf8))?.lowerBound ?? bytes.count
      bytes.removeSubrange(end...)
    }
  }

  /// Writes another version of a page; the document is left alone.
  func write(page place: Int, _ change: (inout PageSnapshot) -> Void) throws {
    var page = snapshots[place]
    change(&page)
    try put(page.encoded(), at: PackagePaths.page(page.id))
  }

  /// A version of a page as a temporary file of a save.
  func writeTemporary(page place: Int, number: UInt32 = 1, _ change: (inout PageSnapshot) -> Void) throws {
    var page = snapshots[place]
    change(&page)
    try put(page.encoded(), at: Bench.temporary(PackagePaths.page(Bench.pages[place]), number))
  }

  static func temporary(_ path: BytePath, _ number: UInt32 = 1) -> BytePath {
    BytePath(PackageNames.temporary(for: path.description, number: number))
  }

  /// A page file with the checksum of its changed header put right.
  static func sealed(header bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for place in 44..<48 { bytes[place] = 0 }
    let checksum = CRC32C.checksum(of: Array(bytes.prefix(84)))
    for place in 0..<4 { bytes[44 + place] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(place))) }
    return bytes
  }

  private func writeDocument() throws {
    try put(document.encoded(), at: PackagePaths.document)
    try put(ManifestRecord(mirroring: document).encoded(), at: PackagePaths.manifest)
  }

  /// A FIFO, socket or link, which no volume makes.
  func makeNode(_ path: BytePath, kind: FileKind) throws {
    try makeNode(besides: Bench.package.appending(path), kind: kind)
  }

  /// The same at a path of the disk.
  func makeNode(besides path: BytePath, kind: FileKind) throws {
    let caller = Caller(thread: 1, user: 0, group: 0)
    try disk.withEngine { (engine: inout DiskEngine) throws(Errno) in
      var directory = engine.rootInode
      for name in path.parent.components { directory = try engine.lookup(name, in: directory, caller).number }
      if kind == .symbolicLink {
        _ = try engine.makeSymbolicLink(path.name, in: directory, text: "elsewhere", caller)
      } else {
        _ = try engine.makeNode(path.name, in: directory, kind: kind, permissions: 0o644, caller)
      }
    }
  }

  // MARK: Asking about it

  func readDocument() throws -> DocumentRecord { try Again(self).document() }

  func page(_ place: Int) throws -> PageSnapshot {
    let bytes = try bytes(PackagePaths.page(Bench.pages[place]))
    guard let page = PageReader.read(bytes).snapshot else { throw UnreadableFile() }
    return page
  }

  /// True where page 1 still has all of its strokes, perhaps with fewer points.
  func keeps(strokes count: Int) throws -> Bool {
    try page(0).elements.compactMap(\.id) == snapshots[0].elements.prefix(count).compactMap(\.id)
  }

  struct UnreadableFile: Error {}

  /// The same package after the disk was started again.
  struct Again {
    let volume: FaultVolume

    init(_ bench: Bench) { volume = bench.disk.volume() }

    func repair() -> PackageReport { Fsck(volume: volume, now: Bench.now).repair(Bench.package, mode: .all) }

    /// A repair that the user ends behind so many steps.
    func repair(_ mode: RepairMode = .all, endingBehind stop: Int) -> PackageReport {
      let asked = Mutex(0)
      let fsck = Fsck(
        volume: volume, now: Bench.now,
        isStopped: {
          asked.withLock { asked in
            asked += 1
            return asked > stop
          }
        })
      return fsck.repair(Bench.package, mode: mode)
    }

    func undo() -> PackageReport { Fsck(volume: volume, now: Bench.now).undo(Bench.package) }

    func document() throws -> DocumentRecord {
      let bytes = try volume.bytes(of: Bench.package.appending(PackagePaths.document))
      guard let record = DocumentRecord.read(bytes).record else { throw UnreadableFile() }
      return record
    }

    /// Which of the three strokes of page 1 are left, by their numbers.
    func strokes() throws -> [UInt64] {
      let bytes = try volume.bytes(of: Bench.package.appending(PackagePaths.page(Bench.pages[0])))
      guard let page = PageReader.read(bytes).snapshot else { throw UnreadableFile() }
      return page.elements.compactMap { $0.id.map { $0.low & 0xFF } }
    }
  }

  func check() -> PackageReport { Fsck(volume: volume, now: Bench.now).check(Bench.package) }

  func repair(_ mode: RepairMode = .all) -> PackageReport {
    Fsck(volume: volume, now: Bench.now).repair(Bench.package, mode: mode)
  }

  /// Every name of the disk, with kind, permissions, times and bytes.
  func picture(leavingOut name: String? = nil) throws -> [String] {
    try volume.tree().compactMap { path in
      if let name, path.name == BytePath(name) { return nil }
      let status = try volume.status(at: path)
      let digest = status.kind == .regular ? XXH3.digest64(of: try volume.bytes(of: path)) : 0
      return "\(path) \(status.kind) \(status.permissions) \(status.modified) \(status.changed) \(digest)"
    }
  }
}

/// "LN2005 LN4003 LN4003": the codes of problems, sorted.
func codes(_ problems: [Problem]) -> String {
  problems.map(\.kind.code).sorted().joined(separator: " ")
}
