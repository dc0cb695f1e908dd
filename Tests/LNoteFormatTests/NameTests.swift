import TestSupport
import Testing

@testable import LNoteFormat

@Suite struct NameTests {
  private static let id = Samples.pageID
  private static let text = "00112233-4455-4677-8899-AABBCCDDEEFF"

  @Test func namesThatAreWritten() {
    #expect(PackageNames.package(NameTests.id) == "\(NameTests.text).lnote")
    #expect(PackageNames.page(NameTests.id) == "pages/\(NameTests.text).content")
    #expect(PackageNames.asset(NameTests.id) == "assets/\(NameTests.text).jpg")
    #expect(PackageNames.thumbnail(NameTests.id) == "thumbnails/\(NameTests.text).jpg")
    #expect(PackageNames.temporary(for: "document.json", number: 42) == ".document.json.0000002a.tmp")
    #expect(PackageNames.temporary(for: "pages/A.content", number: .max) == "pages/.A.content.ffffffff.tmp")
  }

  static let rows: [(folder: PackageFolder, name: String, kind: PackageName)] = [
    (.library, "\(text).lnote", .package(id)), (.library, "Physics.lnote", .unknown),
    (.package, "document.json", .document), (.package, "manifest.json", .manifest),
    (.package, "pages", .folder(.pages)), (.package, "assets", .folder(.assets)),
    (.package, "thumbnails", .folder(.thumbnails)), (.package, "Document.json", .unknown),
    (.pages, "\(text).content", .page(id)), (.pages, "\(text).journal", .journal(id)),
    (.pages, "\(text).jpg", .unknown), (.pages, "\(text).content ", .unknown), (.pages, "x\(text).content", .unknown),
    (.pages, "00112233445546778899AABBCCDDEEFF1234.content", .unknown),
    (.assets, "\(text).jpg", .asset(id)), (.thumbnails, "\(text).jpg", .thumbnail(id)),
    (.assets, "00112233-4455-4677-8899-aabbccddeeff.jpg", .asset(id)),
    (.pages, ".A.content.0000002a.tmp", .temporary(.ours(target: Array("A.content".utf8), number: 42))),
    (.package, ".document.json.0000002A.tmp", .unknown), (.package, "..0000002a.tmp", .unknown),
    (.package, "document.json.0000002a.tmp", .unknown), (.package, ".document.json.2a.tmp", .unknown),
    (.package, ".dat.nosync1f4c.Ab3xYz", .temporary(.foundation(process: 0x1f4c))),
    (.package, ".dat.nosync.Ab3xYz", .unknown), (.package, ".dat.nosync1f4c.Ab3x", .unknown),
    (.package, "SCF.0a1B2c.tmp.q1W2e3", .temporary(.nsData)), (.package, "SCF..tmp.q1W2e3", .unknown),
    (.package, ".DS_Store", .foreign(.folderSettings)), (.pages, "Thumbs.db", .foreign(.folderSettings)),
    (.pages, "desktop.ini", .foreign(.folderSettings)), (.pages, ".nfs000001", .foreign(.nfsRemoved)),
    (.pages, ".fuse_hidden0001", .foreign(.fuseHidden)), (.pages, "\(text).content~", .foreign(.backup)),
    (.pages, "._\(text).content", .foreign(.appleDouble)),
    (.pages, "._.A.content.0000002a.tmp", .foreign(.appleDouble)),
    (.pages, ".hidden", .unknown), (.pages, "~", .unknown), (.pages, ".", .unknown), (.pages, "", .unknown),
  ]
  @Test(arguments: rows) func namesThatAreRead(folder: PackageFolder, name: String, kind: PackageName) {
    #expect(PackageName.read(Array(name.utf8), in: folder) == kind)
  }

  @Test func spellingIsToldFromMeaning() {
    let lower = Array("00112233-4455-4677-8899-aabbccddeeff.content".utf8)
    let kind = PackageName.read(lower, in: .pages)
    #expect(!kind.isCanonical(lower))
    #expect(kind.canonical == "\(NameTests.text).content")
    #expect(kind.isCanonical(Array("\(NameTests.text).content".utf8)))
  }

  @Test func temporaryNamesComeBack() {
    let name = PackageNames.temporary(for: "x.json", number: 7)
    #expect(TemporaryName.read(Array(name.utf8)) == .ours(target: Array("x.json".utf8), number: 7))
    #expect(PackageName.read([0xFF, 0xFE], in: .pages) == .unknown)
  }
}

@Suite struct TimestampTests {
  static let rows: [(text: String, milliseconds: Int64)] = [
    ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.999Z", -1), ("2026-07-01T09:30:00.000Z", 1_782_898_200_000),
    ("2000-02-29T12:00:00.500Z", 951_825_600_500), ("1900-03-01T00:00:00.000Z", -2_203_891_200_000),
    ("2100-02-28T23:59:59.999Z", 4_107_542_399_999), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ]
  @Test(arguments: rows) func textAndBack(text: String, milliseconds: Int64) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
    #expect(Timestamp(text: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026-07-01", "2026-07-01T09:30:00Z", "2026-07-01T09:30:00.00Z", "2026-07-01T09:30:00.0000Z",
    "2026-07-01t09:30:00.000Z", "2026-07-01T09:30:00.000z", "2026-07-01T09:30:00.000+00:00",
    "2026-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
    "2026-04-31T00:00:00.000Z", "2026-04-00T00:00:00.000Z", "2026-07-01T24:00:00.000Z", "2026-07-01T09:60:00.000Z",
    "2026-07-01T09:30:60.000Z", " 2026-07-01T09:30:00.000Z", "+026-07-01T09:30:00.000Z", "٢٠٢٦-07-01T09:30:00.000Z",
  ])
  func otherTextsAreRefused(text: String) { #expect(Timestamp(text: text) == nil) }

  @Test func daysOfFourCenturies() {
    // 11 and 146,097 have no common factor, so every day of the month and of the leap cycle comes up.
    for day in stride(from: -719_528 as Int64, to: -719_528 + 146_097, by: 11) {
      let time = Timestamp(milliseconds: day * 86_400_000 + 1)
      guard Timestamp(text: time.text) != time else { continue }
      Issue.record("day \(day) is \(time.text)")
    }
  }

  @Test func timesThatNoTextHasAreWrittenAsTheNearest() {
    #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
    #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
  }
}
