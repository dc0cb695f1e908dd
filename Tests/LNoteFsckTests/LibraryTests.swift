import FaultDisk
import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// Documents in a folder: where they are found, and what their names and neighbours tell.
@Suite struct LibraryTests {
  static let id = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
  static let other = "7F9619FF-8B86-D011-B42D-00C04FC964FF"

  /// What is found in a volume with these files: "code path" for each note, and the places of the packages.
  static func find(_ files: [String], now: Timestamp? = Bench.now) throws -> (notes: [String], places: [String]) {
    let volume = FaultDisk().volume()
    for file in files {
      if file.hasSuffix("/") {
        try volume.makeDirectories(BytePath(String(file.dropLast())))
      } else {
        try volume.make(BytePath(file), [1])
      }
    }
    let finder = PackageFinder(below: .root, in: volume, now: now)
    let notes =
      finder.found.flatMap { found in found.notes.map { "\($0.kind.code) \(found.path)" } }
      + finder.others.flatMap { other in other.found.map { "\($0.kind.code) \(other.package)" } }
    return (notes.sorted(), finder.found.map { "\($0.path) -> \($0.place)" })
  }

  static let names: [(files: [String], notes: [String])] = [
    (["\(id).lnote/document.json"], []),
    (["\(id.lowercased()).lnote/document.json"], []),
    (["Physics.lnote/document.json"], ["LN8002 Physics.lnote"]),
    (["\(id) 2.lnote/document.json", "\(id).lnote/document.json"], ["LN8003 \(id) 2.lnote"]),
    (["a/\(id) (conflicted copy 2026-11-02).lnote/pages/x"], ["LN8003 a/\(id) (conflicted copy 2026-11-02).lnote"]),
    (["\(id).lnote/"], ["LN8004 \(id).lnote"]),
    (["\(id).lnote/.DS_Store"], ["LN8004 \(id).lnote"]),
    (["\(id).lnote/document.json", "\(id).lnote/\(other).lnote/document.json"], ["LN8005 \(id).lnote/\(other).lnote"]),
    (["\(id).lnote/\(id).lnote/document.json"], ["LN8009 \(id).lnote/\(id).lnote"]),
    (["\(id).lnote.folder/document.json"], ["LN8009 \(id).lnote.folder"]),
    (["\(id).lnote.folder/a.txt"], []),
    (["\(id).lnote/document.json", "\(id.lowercased()).lnote/document.json"], ["LN8006 \(id.lowercased()).lnote"]),
    (["a/\(id).lnote/document.json", "b/\(id.lowercased()).lnote/document.json"], []),
    (["\(id).lnote-lost+found/20261030T140000Z/x"], ["LN8007 \(id).lnote-lost+found"]),
    (["\(id).lnote-lost+found/20261101T140000Z/x", "\(id).lnote-lost+found/20201030T140000Z/x"], []),
    ([".\(id).lnote.icloud"], ["LN1301 \(id).lnote"]),
    ([".\(id).lnote.icloud", "\(id).lnote/document.json"], []),
    ([".note.txt.icloud"], []),
    (["__MACOSX/\(id).lnote/document.json", ".hidden/\(id).lnote/document.json"], []),
  ]

  @Test(arguments: names) func namesAndPlacesAreTold(files: [String], notes: [String]) throws {
    #expect(try LibraryTests.find(files).notes == notes)
  }

  @Test func accentsAreComparedAsDisksDo() throws {
    let notes = try LibraryTests.find(["\u{E9}.lnote/document.json", "e\u{301}.lnote/document.json"]).notes
    #expect(notes.filter { $0.hasPrefix("LN8006") }.count == 1)
  }

  @Test func aCopyHasNoWrappers() throws {
    let id = LibraryTests.id
    #expect(
      try LibraryTests.find([
        "a/\(id).lnote/\(id).lnote/document.json", "\(LibraryTests.other).lnote.folder/document.json",
      ])
      .places == [
        "\(LibraryTests.other).lnote.folder -> \(LibraryTests.other).lnote",
        "a/\(id).lnote/\(id).lnote -> a/\(id).lnote",
      ])
  }

  @Test func twoDocumentsOfOneIdentityAreTold() throws {
    let bench = try Bench()
    let twin = Bench.pages[0]
    let found = LibraryCheck.duplicates(among: [
      (Bench.id, "Notes/a.lnote", false), (twin, "Notes/b.lnote", false), (nil, "Notes/c.lnote", false),
      (nil, "Notes/d.lnote", false), (Bench.id, "Notes/\(Bench.id) 2.lnote", true),
      (Bench.id, "Notes/f.lnote", false), (Bench.id, "Notes/\(twin) 2.lnote", true),
    ])
    #expect(
      found.mapValues(\.message) == [
        5: "f.lnote has the same identity as Notes/a.lnote: the app may show only one of them.",
        6: "\(twin) 2.lnote has the same identity as Notes/a.lnote: the app may show only one of them.",
      ])
    #expect(bench.check().documentID == Bench.id)
  }
}
