import Files
import JSON
import LNoteFormat
import Rendering
import Testing

@testable import LNoteFsck

/// One damage: what a check finds, what `-y` leaves, and what it exits with.
struct DamageCase: CustomTestStringConvertible, Sendable {
  let name: String
  /// The codes that a check finds, sorted, each as often as it is found.
  let found: String
  /// The codes that are left after `-y`; the second run finds exactly these.
  let left: String
  let exit: Int32
  let damage: @Sendable (Bench) throws -> Void

  init(
    _ name: String, _ found: String, left: String = "", exit: Int32 = 1,
    _ damage: @escaping @Sendable (Bench) throws -> Void
  ) {
    self.name = name
    self.found = found
    self.left = left
    self.exit = exit
    self.damage = damage
  }

  var testDescription: String { name }

  static let all =
    names + otherNames + absent + misplaced + documents + pages + elements + assets + derived + thumbnails + losses
    + mirrored + identities + journals + surroundings + fields
}

extension DamageCase {
  static let page1 = PackagePaths.page(Bench.pages[0])
  static let page2 = PackagePaths.page(Bench.pages[1])
  static let page3 = PackagePaths.page(Bench.pages[2])
  static let picture = PackagePaths.asset(Bench.asset)
  static let document = PackagePaths.document
  static let manifest = PackagePaths.manifest

  // MARK: Names and kinds of file

  static let names = [
    DamageCase("a thumbnails folder is missing", "LN1001 LN5101") { bench in
      for page in Bench.pages { try bench.remove(PackagePaths.thumbnail(page)) }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.thumbnails))
    },
    DamageCase("a FIFO as page", "LN1002", left: "LN9001", exit: 5) { bench in
      try bench.remove(page1)
      try bench.makeNode(page1, kind: .fifo)
    },
    DamageCase("a socket as empty page loses nothing", "LN1002") { bench in
      try bench.remove(page3)
      try bench.makeNode(page3, kind: .socket)
    },
    DamageCase("a folder as manifest", "LN1002") { bench in
      try bench.remove(manifest)
      try bench.volume.makeDirectory(Bench.package.appending(manifest), permissions: 0o755)
    },
    DamageCase("a device as document", "LN1002") { bench in
      try bench.remove(document)
      try bench.makeNode(document, kind: .characterDevice)
    },
    DamageCase("a file as assets folder", "LN1002", left: "LN9001", exit: 5) { bench in
      try bench.remove(picture)
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.assets))
      try bench.put([1], at: PackagePaths.assets)
    },
    DamageCase("a file as pages folder", "LN1002 LN4003", left: "LN4003 LN9001 LN9001", exit: 5) { bench in
      for page in Bench.pages { try bench.remove(PackagePaths.page(page)) }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.pages))
      try bench.put([1], at: PackagePaths.pages)
    },
    DamageCase(
      "a link as pages folder: what is behind it may be whole", "LN1003 LN4003", left: "LN1003 LN4003", exit: 4
    ) {
      bench in
      for page in Bench.pages { try bench.remove(PackagePaths.page(page)) }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.pages))
      try bench.makeNode(PackagePaths.pages, kind: .symbolicLink)
    },
    DamageCase("a page and an image in lower case", "LN1102 LN1102") { bench in
      for path in [page1, picture] {
        let name = BytePath(path.name.description.lowercased())
        try bench.volume.rename(
          Bench.package.appending(path), to: Bench.package.appending(path.parent.appending(name)))
      }
    },
    DamageCase("a page and an image under a second name", "LN1504 LN1504") { bench in
      for path in [page1, picture] {
        let name = BytePath(path.name.description.lowercased())
        try bench.volume.link(
          Bench.package.appending(path), to: Bench.package.appending(path.parent.appending(name)))
      }
    },
    DamageCase(
      "no document, and a link as pages folder: nothing is made up", "LN1003 LN2001 LN4003",
      left: "LN1003 LN2001 LN4003", exit: 4
    ) { bench in
      try bench.remove(document)
      for page in Bench.pages { try bench.remove(PackagePaths.page(page)) }
      try bench.volume.removeDirectory(Bench.package.appending(PackagePaths.pages))
      try bench.makeNode(PackagePaths.pages, kind: .symbolicLink)
    },
    DamageCase("a FIFO nobody knows", "LN1002") { try $0.makeNode("pages/pipe", kind: .fifo) },
    DamageCase("a link as page", "LN1003", left: "LN9001", exit: 5) { bench in
      try bench.remove(page1)
      try bench.makeNode(page1, kind: .symbolicLink)
    },
    DamageCase("a link as image", "LN1003", left: "LN9001", exit: 5) { bench in
      try bench.remove(picture)
      try bench.makeNode(picture, kind: .symbolicLink)
    },
    DamageCase("a page of 0 bytes", "LN1203", left: "LN9001", exit: 5) { try $0.put([], at: page1) },
    DamageCase("an image of 0 bytes (D02)", "LN1203", left: "LN9001", exit: 5) { try $0.put([], at: picture) },
    DamageCase("an unused image of 0 bytes", "LN1203") { try $0.put([], at: PackagePaths.asset(Bench.free)) },
    DamageCase("a document of 0 bytes", "LN1203") { try $0.put([], at: document) },
    DamageCase("a document and a page of 0 bytes (D01)", "LN1203 LN1203 LN4003", left: "LN4003 LN9001", exit: 5) {
      bench in
      try bench.put([], at: document)
      try bench.put([], at: page2)
    },
    DamageCase("a page of zeros", "LN1204", left: "LN9001", exit: 5) { bench in
      try bench.damage(page1) { bytes in bytes = [UInt8](repeating: 0, count: bytes.count) }
    },
    DamageCase("a page with zeros at its end", "LN1204", left: "LN9001", exit: 5) { bench in
      let long = Bench.stroke(30, samples: 100)
      try bench.write(page: 0) { $0.elements.append(.stroke(long)) }
      try bench.edit { $0.pages[0].elementCount = 4 }
      try bench.damage(page1) { bytes in
        for place in 1024..<bytes.count { bytes[place] = 0 }
      }
    },
    DamageCase("a document of zeros", "LN1204") { bench in
      try bench.damage(document) { bytes in bytes = [UInt8](repeating: 0, count: bytes.count) }
    },
    DamageCase("an image with zeros", "LN1204", left: "LN9001", exit: 5) { bench in
      try bench.damage(picture) { bytes in for place in 512..<1024 { bytes[place] = 0 } }
    },
    DamageCase("a temporary file cut short", "LN1501") { bench in
      try bench.put([1, 2, 3], at: Bench.temporary(page1))
    },
    DamageCase("an older temporary page", "LN1501") { bench in
      try bench.writeTemporary(page: 0) { $0.generation = 4 }
    },
    DamageCase("Foundation's leftovers", "LN1501 LN1501") { bench in
      try bench.put([], at: "pages/.dat.nosync6036.OIpg7h")
      try bench.put([1], at: "SCF.1f.tmp.a1b2c3")
    },
    DamageCase("an image that was never put in its place", "LN1501") { bench in
      try bench.put(Bench.picture, at: Bench.temporary(PackagePaths.asset(Bench.free)))
    },
    DamageCase("a newer temporary page", "LN1502") { bench in
      try bench.writeTemporary(page: 0) { $0.generation = 6 }
    },
    DamageCase("a newer temporary document", "LN1502") { bench in
      var newer = bench.document
      newer.generation = 18
      newer.title = "Physics 4"
      try bench.put(newer.encoded(), at: Bench.temporary(document))
    },
    DamageCase("a page that is only there as temporary file", "LN1503") { bench in
      try bench.writeTemporary(page: 0) { _ in }
      try bench.remove(page1)
    },
    DamageCase("a damaged page with a whole temporary file", "LN1503 LN3001") { bench in
      try bench.writeTemporary(page: 0) { _ in }
      try bench.damage(page1) { $0[200] ^= 1 }
    },
    DamageCase("an empty page with Foundation's leftover", "LN1203 LN1503") { bench in
      try bench.put(bench.snapshots[0].encoded(), at: "pages/.dat.nosync6036.OIpg7h")
      try bench.put([], at: page1)
    },
    DamageCase("an image that is only there under another name", "LN1101") { bench in
      try bench.put(Bench.picture, at: "assets/photo.tmp")
      try bench.remove(picture)
    },
    DamageCase("a missing document with a staged copy", "LN1503 LN2001") { bench in
      try bench.put(bench.document.encoded(), at: "staged.tmp")
      try bench.remove(document)
    },
    DamageCase("files of the system (D20)", "LN1601 LN1601 LN1601", left: "LN1601 LN1601 LN1601", exit: 0) { bench in
      try bench.put([1], at: ".DS_Store")
      try bench.put([1], at: "pages/.fuse_hidden0000000600000001")
      try bench.put([], at: "assets/.nfs0001")
    },
    DamageCase("unknown files", "LN1603 LN1603", left: "LN1603 LN1603", exit: 0) { bench in
      try bench.put([1], at: "pages/notes.txt")
      try bench.volume.makeDirectory(Bench.package.appending("extras"), permissions: 0o755)
    },
  ]

  // MARK: document.json

  static let documents = [
    DamageCase("an unknown version", "LN0003", left: "LN0003", exit: 4) { bench in
      let text = String(decoding: bench.document.encoded(), as: UTF8.self)
      let lines = text.replacing("\"formatVersion\": 1", with: "\"formatVersion\": 2")
        .split(separator: "\n").filter { !$0.contains("checksum") }
      try bench.put(Array(lines.joined(separator: "\n").utf8), at: document)
    },
    DamageCase("a document that is too large", "LN0011", left: "LN0011", exit: 4) { bench in
      try bench.put([UInt8](repeating: 32, count: Int(SurveyLimits.recordBytesMax) + 1), at: document)
    },
    DamageCase("a document that is missing", "LN2001") { try $0.remove(document) },
    DamageCase("document and manifest are missing", "LN2001", left: "LN9001", exit: 5) { bench in
      try bench.remove(document)
      try bench.remove(manifest)
    },
    DamageCase("a damaged document, no manifest, and a page is missing", "LN2002", left: "LN9001", exit: 5) { bench in
      let text = String(decoding: bench.document.encoded(), as: UTF8.self)
      let id = "\"id\": \"\(Bench.pages[0])\""
      try bench.put(Array(text.replacing(id, with: id.replacing(":", with: ";")).utf8), at: document)
      try bench.remove(page1)
      try bench.remove(manifest)
    },
    DamageCase("the document is missing and so is a page", "LN2001", left: "LN9001", exit: 5) { bench in
      try bench.remove(document)
      try bench.remove(page3)
    },
    DamageCase("a document cut in its pages", "LN2002") { bench in
      try bench.damage(document) { $0 = Array($0.prefix($0.count * 3 / 4)) }
    },
    DamageCase("a document cut near its beginning", "LN2002") { bench in
      try bench.damage(document) { $0 = Array($0.prefix(40)) }
    },
    DamageCase("a document that is no JSON", "LN2002") { try $0.damage(document) { $0[$0.count / 2] = 0x01 } },
    DamageCase("a page listed twice, alike", "LN2004 LN5003") { bench in
      try bench.edit { $0.pages.insert($0.pages[0], at: 2) }
    },
    DamageCase("a page listed twice, the first time wrongly", "LN2004 LN5003") { bench in
      try bench.edit { document in
        document.pages.insert(document.pages[0], at: 0)
        document.pages[0].generation = 99
      }
    },
    DamageCase("a page listed twice, once with a loss", "LN2004 LN5003 LN9001", left: "LN9001", exit: 5) { bench in
      try bench.edit { document in
        document.pages.append(document.pages[0])
        document.pages[3].losses = [loss(generation: 3)]
      }
    },
    DamageCase("a key of a page's entry is damaged: that is no deletion", "LN2002") { bench in
      let text = String(decoding: bench.document.encoded(), as: UTF8.self)
      try bench.put(Array(text.replacing("\"canvas\"", with: "\"cbnvas\"").utf8), at: document)
    },
    DamageCase("a page that is missing", "LN2005", left: "LN9001", exit: 5) { try $0.remove(page1) },
    DamageCase("an empty page that is missing", "LN2005") { try $0.remove(page3) },
    DamageCase("the page with the image is missing", "LN2005 LN4003", left: "LN4003 LN9001", exit: 5) { bench in
      try bench.remove(page2)
    },
    DamageCase("most pages are missing", "LN2013", left: "LN2013", exit: 4) { bench in
      try bench.edit { document in
        for number: UInt64 in 0..<4 {
          var entry = document.pages[0]
          entry.id = NoteID(high: 0xD0, low: number)
          document.pages.append(entry)
        }
      }
    },
    DamageCase("a page that nobody lists", "LN2006") { bench in
      try bench.edit { $0.pages.remove(at: 0) }
    },
    DamageCase("a page newer than its entry", "LN2007") { bench in
      try bench.write(page: 0) { page in
        page.generation = 6
        page.elements.append(.stroke(Bench.stroke(4, samples: 2)))
      }
    },
    DamageCase("a title changed on the disk", "LN2014") { bench in
      try bench.damage(document) { bytes in
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: "Physics".utf8) }) { bytes[place] = 0x51 }
      }
    },
    DamageCase("an identity changed on the disk", "LN2014") { bench in
      try bench.damage(document) { bytes in
        let id = Array("\(Bench.pages[0])".utf8)
        if let place = bytes.indices.first(where: { bytes[$0...].starts(with: id) }) { bytes[place] = 0x42 }
      }
    },
    DamageCase("a document without a checksum", "LN2014", left: "LN2014", exit: 0) { bench in
      try bench.damage(document) { bytes in
        bytes = Array(bytes.split(separator: 10, maxSplits: 2)[2])
        bytes = Array("{\n".utf8) + bytes
      }
    },
    DamageCase("a document older than its manifest", "LN2016", left: "LN9001", exit: 5) { bench in
      let old = bench.document
      try bench.edit { $0.generation = 19 }
      try bench.put(old.encoded(), at: document)
    },
    DamageCase("a deleted page whose file is still there", "LN2017 LN5104") { bench in
      try bench.edit { document in
        let gone = document.pages.removeFirst()
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
    },
    DamageCase("document.json cut off behind a deletion that manifest.json does not know yet", "LN2002") { bench in
      try bench.cutDocument { document in
        let gone = document.pages.remove(at: 1)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
    },
    DamageCase(
      "the same, but manifest.json knows it, and another page is gone", "LN2002", left: "LN4003 LN9001", exit: 5
    ) { bench in
      try bench.cutDocument(keepsManifest: false) { document in
        let gone = document.pages.remove(at: 1)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
      try bench.remove(page3)
    },
    DamageCase("the same, and another page is gone", "LN2002", left: "LN4003 LN9001", exit: 5) { bench in
      try bench.cutDocument { document in
        let gone = document.pages.remove(at: 1)
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation)]
      }
      try bench.remove(page3)
    },
    DamageCase("a deleted page that was made anew", "LN2006") { bench in
      try bench.edit { document in
        let gone = document.pages.removeFirst()
        document.deleted = [DeletedPage(id: gone.id, generation: gone.generation - 1)]
      }
    },
    DamageCase("an older page came back", "LN2018", left: "LN9001", exit: 5) { bench in
      try bench.edit { $0.pages[0].generation = 7 }
    },
    DamageCase("the count differs: too many in the page", "LN2019") { try $0.edit { $0.pages[0].elementCount = 2 } },
    DamageCase("the count differs: too few in the page", "LN2019", left: "LN9001", exit: 5) { bench in
      try bench.edit { $0.pages[0].elementCount = 9 }
    },
  ]
}
