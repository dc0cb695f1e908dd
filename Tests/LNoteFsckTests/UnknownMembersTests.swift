import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// What a newer app noted in a record stays where the record is damaged and made anew, as far as it can be read.
@Suite struct UnknownMembersTests {
  static let noted: [String: JSONValue] = [
    "binder": .object(["rings": .array([.integer(1), .real(2.5)])]), "tags": .array([.string("exam")]),
    "zoom": .integer(3),
  ]

  /// Pages 3, 2 and 1, with notes on the document, on page 2 and on its size.
  static func noting() throws -> Bench {
    let bench = try Bench()
    try bench.edit { document in
      document.pages.reverse()
      document.unknown = noted
      document.pages[1].unknown = ["paper": .string("grid")]
      document.pages[1].canvasUnknown = ["unit": .string("pt")]
    }
    return bench
  }

  struct Damage: Sendable {
    let name: String
    var keeps: Set<String> = ["binder", "tags", "zoom"]
    var keepsPage = true
    let make: @Sendable (inout [UInt8]) -> Void
  }

  static let damages: [Damage] = [
    Damage(name: "a bit of the title") { $0.put("Qhysics", for: "Physics") },
    Damage(name: "a generation that is a text") { $0.put("\"generation\": \"17\"", for: "\"generation\": 17") },
    Damage(name: "a count of another page that is a text") { $0.put("\": \"0\"", for: "\": 0") },
    Damage(name: "the count of the page itself that is a text") { bytes in
      bytes.put("Count\": \"3\"", for: "Count\": 3")
      bytes.put("Count\": \"3\"", for: "Count\": 3")
    },
    Damage(name: "a key of a bit more") { $0.put("\"modifiedAu\"", for: "\"modifiedAt\"") },
    Damage(name: "a title that is there twice") {
      $0.put("  \"title\": \"Other\",\n  \"title\"", for: "  \"title\"")
    },
    Damage(name: "a byte order mark") { $0 = [0xEF, 0xBB, 0xBF] + $0 },
    Damage(name: "no UTF-8 in the title") { $0.put([0xFF], for: "Physics") },
    Damage(name: "a note that is no JSON", keeps: ["tags", "zoom"]) { $0.put("[ 1", for: "[\n") },
    Damage(name: "no brace at the end") { $0.removeLast(2) },
    Damage(name: "cut in the last note", keeps: ["binder", "tags"]) { $0.removeLast(3) },
    Damage(name: "cut behind the pages", keeps: ["binder"]) { $0.cut(before: "  \"tags\"") },
    Damage(name: "cut in the pages", keeps: ["binder"], keepsPage: false) { $0.cut(before: "\"paper\"") },
    Damage(name: "no notes any more", keeps: []) { bytes in
      for key in noted.keys { bytes.put("    ", for: "  \"\(key)\"") }
    },
  ]

  @Test(arguments: damages.indices) func whatANewerAppNotedStays(_ place: Int) throws {
    let damage = Self.damages[place]
    let bench = try Self.noting()
    try bench.damage(PackagePaths.document) { bytes in
      let before = bytes
      damage.make(&bytes)
      #expect(bytes != before, "\(damage.name)")
    }
    #expect(bench.repair().exit.rawValue == 1, "\(damage.name)")
    let document = try bench.readDocument()
    #expect(document.unknown == Self.noted.filter { damage.keeps.contains($0.key) }, "\(damage.name)")
    let page = try #require(document.pages.first { $0.id == Bench.pages[1] })
    #expect(page.unknown == (damage.keepsPage ? ["paper": .string("grid")] : [:]), "\(damage.name)")
    #expect(page.canvasUnknown == (damage.keepsPage ? ["unit": .string("pt")] : [:]), "\(damage.name)")
    #expect(bench.repair().actions.isEmpty, "\(damage.name)")
  }

  /// An entry of which one field is of no use still says where its page stands, and what the page has lost.
  @Test func anEntryThatIsReadInPartKeepsItsPlaceAndItsLosses() throws {
    let bench = try Self.noting()
    let loss = RecordedLoss(
      at: Bench.made, code: "LN3001", elements: 2, stamp: Bench.stampText, unknown: ["generation": .integer(5)])
    try bench.edit { document in
      document.pages[1].losses = [loss]
      document.pages[1].elementCount = 7
    }
    try bench.remove(PackagePaths.manifest)
    try bench.damage(PackagePaths.document) { $0.put("Count\": \"7\"", for: "Count\": 7") }
    #expect(bench.repair().exit.rawValue == 5)
    let document = try bench.readDocument()
    #expect(document.pages.map(\.id) == Bench.pages.reversed())
    #expect(document.pages[1].losses == [loss] && document.pages[1].elementCount == 5)
    // Nobody can say whether another entry was hit: that is recorded, and nothing else.
    #expect(document.losses.allSatisfy { $0.elements == 0 && $0.code == "LN2002" })
  }

  @Test func aPageThatIsListedTwiceKeepsTheNotesOfBothEntries() throws {
    let bench = try Self.noting()
    try bench.edit { document in
      var second = document.pages[1]
      second.unknown = ["paper": .string("lines"), "bookmark": .bool(true)]
      document.pages.append(second)
    }
    _ = bench.repair()
    let page = try bench.readDocument().pages[1]
    #expect(page.unknown == ["paper": .string("grid"), "bookmark": .bool(true)])
  }

  @Test func whatWasSetAsideKnowsWhatIsReadNowhereElse() throws {
    let bench = try Self.noting()
    try bench.remove(PackagePaths.page(Bench.pages[0]))
    _ = bench.repair()
    // A repair sets aside what it writes anew, so that the second one finds the notes of the first.
    try bench.damage(PackagePaths.page(Bench.pages[2])) { $0[60] ^= 1 }
    _ = bench.repair()
    try bench.remove(PackagePaths.document)
    _ = bench.repair()
    let document = try bench.readDocument()
    #expect(document.unknown == Self.noted)
    #expect(document.pages.map(\.id) == Bench.pages.reversed())
    #expect(document.pages[1].unknown == ["paper": .string("grid")])
  }

  static let manifests: [(name: String, keeps: Bool, make: @Sendable (inout [UInt8]) -> Void)] = [
    ("a bit of the title", true, { $0.put("Qhysics", for: "Physics") }),
    ("a count that is a text", true, { $0.put("Count\": \"3\"", for: "Count\": 3") }),
    ("cut at its end", true, { $0.removeLast(2) }),
    ("a key of a bit more", true, { $0.put("\"titlf\"", for: "\"title\"") }),
    ("zeros", false, { $0 = Array(repeating: 0, count: $0.count) }),
    ("not a byte", false, { $0 = [] }),
  ]

  @Test(arguments: manifests.indices) func aManifestKeepsItsNotesToo(_ place: Int) throws {
    let (name, keeps, make) = Self.manifests[place]
    let bench = try Bench()
    var manifest = ManifestRecord(mirroring: bench.document)
    manifest.unknown = Self.noted
    try bench.put(manifest.encoded(), at: PackagePaths.manifest)
    #expect(codes(bench.check().found) == "")
    try bench.damage(PackagePaths.manifest, make)
    let report = bench.repair(.automatic)
    #expect(codes(report.found).contains("LN5002") || codes(report.found).contains("LN1203") || !keeps, "\(name)")
    let after = try #require(ManifestRecord.read(try bench.bytes(PackagePaths.manifest)).record)
    #expect(after.unknown == (keeps ? Self.noted : [:]), "\(name)")
  }

  // MARK: Losses and times

  /// Page 1 has lost two strokes, which is known; how many are on the older version that comes back.
  @Test(arguments: [0, 1, 2, 3]) func aLossThatIsKnownNeverShrinks(_ strokes: Int) throws {
    let bench = try Bench()
    let loss = RecordedLoss(
      at: Bench.made, code: "LN3001", elements: 2, stamp: Bench.stampText,
      unknown: ["generation": .integer(6), "lostGeneration": .integer(5)])
    try bench.edit { document in
      document.pages[0].losses = [loss]
      document.pages[0].generation = 6
    }
    try bench.write(page: 0) { page in
      page.generation = 4
      page.elements = Array(page.elements.prefix(strokes))
    }
    #expect(codes(bench.check().found) == "LN2018 LN9001")
    #expect(bench.repair().exit.rawValue == 5)
    var entry = try bench.readDocument().pages[0]
    #expect(entry.losses.map(\.code) == ["LN3001", "LN2018"])
    #expect(entry.losses.map(\.elements) == [2, strokes == 0 ? 1 : 0])
    #expect(PageLoss.expected(by: entry) == UInt64(strokes))
    #expect(codes(bench.check().found) == "LN9001 LN9001" && bench.repair().actions.isEmpty)
    // It happens again: what is told of it takes what is missing now.
    try bench.write(page: 0) { page in
      page.generation = 3
      page.elements = []
    }
    _ = bench.repair()
    entry = try bench.readDocument().pages[0]
    #expect(entry.losses.map(\.elements) == [2, UInt64(max(strokes, 1))])
    #expect(codes(bench.check().found) == "LN9001 LN9001")
  }

  /// When the disk says that the page was written.
  private static let written: Int64 = 1_790_000_000_000

  /// Nothing but the disk tells the time of a page: then that counts, where it can be.
  @Test(arguments: [written, 0, 4_000_000_000_000]) func aPageThatNothingDescribesHasTheTimeOfItsFile(
    _ time: Int64
  ) throws {
    let expected = time == Self.written ? time : Bench.now.milliseconds
    let bench = try Bench()
    for path in [PackagePaths.document, PackagePaths.manifest] { try bench.remove(path) }
    for id in Bench.pages[1...] { try bench.remove(PackagePaths.page(id)) }
    let path = PackagePaths.page(Bench.pages[0])
    try bench.damage(path) { $0.replaceSubrange(0..<84, with: repeatElement(0x55, count: 84)) }
    let file = try bench.volume.open(Bench.package.appending(path), for: .reading)
    try bench.volume.setAttributes(file, permissions: nil, modified: time &* 1_000_000)
    try bench.volume.close(file)
    _ = bench.repair()
    let entry = try bench.readDocument().pages[0]
    #expect([entry.created, entry.modified].allSatisfy { $0.milliseconds == expected })
    #expect(!codes(bench.check().found).contains("LN1701"))
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ new: String, for old: String) { put(Array(new.utf8), for: old) }

  fileprivate mutating func put(_ new: [UInt8], for old: String) {
    if let place = firstRange(of: Array(old.utf8)) { replaceSubrange(place, with: new) }
  }

  fileprivate mutating func cut(before text: String) {
    if let place = firstRange(of: Array(text.utf8)) { removeSubrange(place.lowerBound...) }
  }
}
