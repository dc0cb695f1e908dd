import Bytes
import Files
import JSON
import LNoteFormat
import Processes
import TestSupport
import Testing

/// A ZIP of 40 documents as a user sends it: made on a Mac, two pages still in iCloud, one page truncated, and the
/// download cut off in the middle of another page. Made by this generator and by Python, so that both know what is in it.
struct CutLibrary {
  static let count = 40
  static let pagesEach = 3
  static let samples = 20
  /// The document of which pages 2 and 3 are in iCloud.
  static let inCloud = 3
  /// The document whose page 2 lost its last 100 bytes before it was packed.
  static let truncated = 7
  /// The document in whose page 2 the ZIP ends.
  static let cut = 21
  static let bytesLost = 100

  let workshop: Workshop
  let pages: [[PageSnapshot]]
  /// What Python knows of the ZIP: whole entries in front of the cut, bytes of the cut one that can be unpacked.
  let wholeEntries: Int
  let bytesUnpacked: Int
  let cutPath: String
  let cutSize: Int

  static func id(_ number: Int) -> NoteID {
    NoteID(high: 0x7000_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
  }

  static func package(_ number: Int) -> BytePath { BytePath(PackageNames.package(id(number))) }

  private static let made = Timestamp(milliseconds: 1_782_898_200_000)

  private static func page(_ number: Int, _ place: Int) -> PageSnapshot {
    let base = UInt64(number * 10_000 + place * 1000)
    let count = number == cut || number == truncated ? 30 : 1 + (number * 7 + place * 3) % 9
    return PageSnapshot(
      id: NoteID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0000 + base), generation: 3,
      canvas: CanvasSize(width: 8340, height: 11_940), created: made, modified: made,
      elements: (0..<count).map { .stroke(stroke(base + UInt64($0))) })
  }

  private static func stroke(_ number: UInt64) -> Stroke {
    var generator = SeededGenerator(seed: number)
    return Stroke(
      id: NoteID(high: 0xE000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number), pen: 0, colour: 0xFF,
      baseRadius: 12,
      samples: (0..<samples).map { index in
        StrokeSample(
          x: Int32.random(in: 0...8000, using: &generator), y: Int32.random(in: 0...8000, using: &generator),
          radius: 12,
          pressure: 500, time: UInt32(index) * 8)
      })
  }

  init() throws {
    workshop = try Workshop()
    let volume = try workshop.volume()
    pages = (1...CutLibrary.count).map { number in (0..<CutLibrary.pagesEach).map { CutLibrary.page(number, $0) } }
    for number in 1...CutLibrary.count { try CutLibrary.write(pages[number - 1], number, in: volume) }
    let found = try CutLibrary.pack(workshop)
    wholeEntries = Int(found["entries"]?.integer ?? 0)
    bytesUnpacked = Int(found["bytes"]?.integer ?? 0)
    cutPath = found["path"]?.string ?? ""
    cutSize = Int(found["size"]?.integer ?? 0)
  }

  private static func write(_ pages: [PageSnapshot], _ number: Int, in volume: HostVolume) throws {
    let package = BytePath("Notes").appending(CutLibrary.package(number))
    let record = DocumentRecord(
      id: id(number), title: "Notes \(number)", created: made, modified: made, generation: 9,
      pages: pages.map { page in
        PageEntry(
          id: page.id, canvas: page.canvas, created: page.created, modified: page.modified,
          elementCount: UInt64(page.elements.count), generation: page.generation)
      })
    for folder in [PackageNames.pages, PackageNames.assets, PackageNames.thumbnails] {
      try volume.makeDirectories(package.appending(folder))
    }
    try volume.make(package.appending(PackageNames.document), record.encoded())
    try volume.make(package.appending(PackageNames.manifest), ManifestRecord(mirroring: record).encoded())
    for (place, page) in pages.enumerated() {
      try volume.make(package.appending(PackageNames.thumbnail(page.id)), [0xFF, 0xD8, 0xFF, 0xD9])
      let name = package.appending(PackageNames.page(page.id))
      if number == inCloud && place > 0 {
        let mark = BytePath(bytes: Array(".".utf8) + name.name.bytes + Array(".icloud".utf8))
        try volume.make(name.parent.appending(mark), text: "bplist00")
      } else {
        let bytes = page.encoded()
        try volume.make(name, number == truncated && place == 1 ? bytes.dropLast(bytesLost) : bytes)
      }
    }
  }

  /// Packs as a Mac does, with a twin beside each file, and cuts the ZIP in the middle of one page.
  private static func pack(_ workshop: Workshop) throws -> JSONValue {
    let page = PackageNames.page(page(cut, 1).id)
    let script = """
      import json, os, zipfile, zlib
      cut = "Notes/\(package(cut))/\(page)"
      order = lambda name: (0 if name.endswith("document.json") else 1 if name.endswith("manifest.json") else 2, name)
      with zipfile.ZipFile("whole.zip", "w", zipfile.ZIP_DEFLATED) as z:
          for document in sorted(os.listdir("Notes")):
              names = []
              for folder, folders, files in os.walk("Notes/" + document):
                  names += [os.path.join(folder, name) for name in files]
                  names += [os.path.join(folder, name) + "/" for name in folders]
              for name in sorted(names, key=order):
                  z.write(name)
                  if not name.endswith("/"):
                      z.writestr("__MACOSX/" + os.path.dirname(name) + "/._" + os.path.basename(name), b"\\0\\5\\x16\\7" * 30)
          infos = z.infolist()
      place = [info.filename for info in infos].index(cut)
      start = infos[place].header_offset + 30 + len(cut.encode())
      end = start + infos[place].compress_size // 2
      whole = open("whole.zip", "rb").read()
      open("Notes.zip", "wb").write(whole[:end])
      unpacked = zlib.decompressobj(-15).decompress(whole[start:end])
      print(json.dumps({
          "entries": len([i for i in infos[:place] if not i.filename.startswith("__MACOSX")]),
          "bytes": len(unpacked), "path": cut, "size": infos[place].file_size}))
      """
    let result = try workshop.wrapped(Launch("python3", ["-c", script]))
      .run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    return try JSONValue.parse(result.output)
  }

  /// Of a page of which only the first bytes are there: its whole strokes, and the whole points of the next.
  func kept(of page: PageSnapshot, bytes: Int) -> (strokes: Int, points: Int) {
    var prefix = page
    let size = { (count: Int) in
      prefix.elements = Array(page.elements.prefix(count))
      return prefix.encoded().count
    }
    let strokes = (0..<page.elements.count).last { size($0) <= bytes } ?? 0
    // A stroke's points stand at its end, 16 bytes each.
    let missing = size(strokes + 1) - bytes
    return (strokes, max(0, CutLibrary.samples - (missing + 15) / 16))
  }

  /// What the reader that shares no code with the checker finds in a folder: elements by document and page.
  func readIndependently(_ folder: String) throws -> [String: [String: Int]] {
    let reader = repositoryRoot.appending("Tests/Fixtures/reader").description
    let script = """
      import json, os, sys
      sys.path.insert(0, "\(reader)")
      import lnote_reader
      from pathlib import Path
      found = {}
      for folder, folders, files in os.walk("\(folder)"):
          for name in folders:
              if name.endswith(".lnote"):
                  pages = {}
                  for page in sorted(os.listdir(f"{folder}/{name}/pages")):
                      if page.startswith("."): continue
                      pages[page[:36]] = len(lnote_reader.read_page(open(f"{folder}/{name}/pages/{page}", "rb").read())["elements"])
                  found[name] = pages
      print(json.dumps(found))
      """
    let result = try workshop.wrapped(Launch("python3", ["-c", script]))
      .run(limitMilliseconds: Workshop.millisecondsMax)
    #expect(result.ending.isSuccess, "\(result.errorText)")
    let found = try JSONValue.parse(result.output)
    return (found.object ?? [:]).mapValues { ($0.object ?? [:]).mapValues { Int($0.integer ?? -1) } }
  }
}
