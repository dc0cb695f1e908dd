import Files
import LNoteFormat

/// A healthy package of many pages, each filled with handwriting to about the same size. The same on every run.
struct GeneratedPackage {
  let pages: Int
  /// The least size of each page's file; the last stroke may pass it.
  let pageBytes: Int
  /// Which of a library's documents it is; each has an identity of its own.
  var number: UInt64 = 0

  private static let canvas = CanvasSize(width: 8340, height: 11940)
  private static let moment = Timestamp(milliseconds: 1_782_898_200_000)
  private static let generation: UInt64 = 3

  /// Writes the package into the volume's root; the name of its folder.
  func write(to volume: any Volume) throws(FileCallError) -> String {
    let document = NoteID(high: 0x6F96_19FF_8B86_4011, low: 0xB42D_00C0_4FC9_64FF + number)
    let folder = BytePath(PackageNames.package(document))
    try volume.makeDirectory(folder, permissions: 0o755)
    for name in [PackageNames.pages, PackageNames.assets, PackageNames.thumbnails] {
      try volume.makeDirectory(folder.appending(name), permissions: 0o755)
    }
    var entries: [PageEntry] = []
    var pen = Handwriting(seed: 1)
    for number in 1...pages {
      let page = snapshot(NoteID(high: 0x0BE4_C400_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number)), &pen)
      try write(page.encoded(), folder.appending(PackageNames.page(page.id)), volume)
      entries.append(
        PageEntry(
          id: page.id, canvas: page.canvas, created: page.created, modified: page.modified,
          elementCount: UInt64(page.elements.count), generation: page.generation))
    }
    let record = DocumentRecord(
      id: document, title: "Measured", created: GeneratedPackage.moment, modified: GeneratedPackage.moment,
      generation: GeneratedPackage.generation, pages: entries)
    try write(record.encoded(), folder.appending(PackageNames.document), volume)
    try write(ManifestRecord(mirroring: record).encoded(), folder.appending(PackageNames.manifest), volume)
    return PackageNames.package(document)
  }

  private func snapshot(_ id: NoteID, _ pen: inout Handwriting) -> PageSnapshot {
    var page = PageSnapshot(
      id: id, generation: GeneratedPackage.generation, canvas: GeneratedPackage.canvas,
      created: GeneratedPackage.moment, modified: GeneratedPackage.moment, elements: [])
    var size = PageLimits.headerBytes
    while size < pageBytes {
      let stroke = pen.stroke(on: GeneratedPackage.canvas)
      page.elements.append(.stroke(stroke))
      size += PageLimits.framePrefixBytes + PageLimits.strokeBytes + PageLimits.sampleBytes * stroke.samples.count
    }
    return page
  }

  private func write(_ bytes: [UInt8], _ path: BytePath, _ volume: any Volume) throws(FileCallError) {
    let file = try volume.open(path, for: .creating(permissions: 0o644))
    try volume.writeWhole(file, bytes)
    try volume.close(file)
  }
}
