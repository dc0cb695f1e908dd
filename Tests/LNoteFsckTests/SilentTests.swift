import FaultDisk
import Files
import JSON
import LNoteFormat
import Rendering
import TestSupport
import Testing

@testable import LNoteFsck

/// What looks like a problem and is none: each row names the code that must stay silent, and what is found instead.
@Suite struct SilentTests {
  typealias Row = (silent: String, found: String, why: String, change: @Sendable (Bench) throws -> Void)

  static let rows: [Row] = [
    (
      "LN1204", "", "points that are all zero are points",
      { bench in
        var stroke = Bench.stroke(40, samples: 200)
        stroke.samples = stroke.samples.map { _ in StrokeSample(x: 0, y: 0, radius: 0, pressure: 0, time: 0) }
        try bench.write(page: 2) { $0.elements = [.stroke(stroke)] }
        try bench.edit { $0.pages[2].elementCount = 1 }
      }
    ),
    (
      "LN1501", "LN1603", "no name of a temporary file",
      { try $0.put([1], at: BytePath("pages/\(Bench.pages[0]).content.tmp")) }
    ),
    (
      "LN1502", "LN1501", "the same generation is not newer",
      { try $0.writeTemporary(page: 0) { _ in } }
    ),
    (
      "LN1503", "LN1501", "a temporary page that no document lists was never saved",
      { bench in
        let id = NoteID(high: 0xF0, low: 1)
        var page = bench.snapshots[0]
        page.id = id
        try bench.put(page.encoded(), at: Bench.temporary(PackagePaths.page(id)))
      }
    ),
    (
      "LN1504", "LN1102", "a copy is no second name",
      { bench in
        let name = DamageCase.page1.name.description.lowercased()
        try bench.put(bench.snapshots[0].encoded(), at: DamageCase.page1.parent.appending(BytePath(name)))
      }
    ),
    ("LN1601", "LN1603", "only nearly the system's name", { try $0.put([1], at: "DS_Store") }),
    (
      "LN1701", "", "clocks that differ by less than a day, and the year 2010",
      { bench in
        try bench.edit { document in
          document.created = Timestamp(milliseconds: 1_262_304_000_000)
          document.modified = Timestamp(milliseconds: Bench.now.milliseconds + 86_400_000)
        }
      }
    ),
    (
      "LN2008", "", "the smallest and the greatest size",
      { bench in
        for (place, size) in [(1 as UInt32, UInt32.max), (UInt32.max, 1)].enumerated() {
          let canvas = CanvasSize(width: size.0, height: size.1)
          try bench.write(page: place) { $0.canvas = canvas }
          try bench.edit { $0.pages[place].canvas = canvas }
        }
      }
    ),
    (
      "LN2009", "", "changed a little before it was made",
      { bench in try bench.edit { $0.created = Timestamp(milliseconds: Bench.made.milliseconds + 86_400_000) } }
    ),
    (
      "LN2010", "", "no title, or one in any script",
      { bench in try bench.edit { $0.title = "\u{200E}e\u{301}\u{202E}🧪 <b>" } }
    ),
    ("LN2010", "", "a title of no letter", { bench in try bench.edit { $0.title = "" } }),
    (
      "LN2011", "LN9001", "what a repair itself noted",
      { bench in
        try bench.edit { document in
          document.pages[0].losses = [DamageCase.loss(generation: 5)]
          document.pages[0].elementCount = 15
          document.pages[1].unknown["healed"] = .object(["from": .integer(4), "to": .integer(5)])
        }
      }
    ),
    (
      "LN2012", "LN2006 LN2006 LN2006", "three pages",
      { bench in try bench.edit { $0.pages = [] } }
    ),
    (
      "LN2015", "LN2002", "no JSON at all",
      { try $0.damage(DamageCase.document) { $0[40] = 0x7B } }
    ),
    (
      "LN8008", "LN2007 LN2007", "two pages newer than their entries, as after a crash",
      { bench in for page in 0..<2 { try bench.write(page: page) { $0.generation = 6 } } }
    ),
    (
      "LN2017", "", "a deleted page whose file is gone",
      { bench in
        try bench.edit { $0.deleted = [DeletedPage(id: NoteID(high: 0xF0, low: 2), generation: 3)] }
      }
    ),
    (
      "LN2019", "LN9001", "a count that a recorded loss explains",
      { bench in
        try bench.edit { document in
          document.pages[0].losses = [DamageCase.loss(generation: 5)]
          document.pages[0].elementCount = 15
        }
      }
    ),
    (
      "LN3005", "", "one stroke on two pages",
      { bench in try bench.rewrite(page: 2) { $0.elements = [bench.snapshots[0].elements[1]] } }
    ),
    (
      "LN3006", "LN2006", "a page that the document does not list is told as that",
      { bench in
        try bench.write(page: 1) { $0.elements.append(.unknown(UnknownElement(type: 99, payload: [1, 2]))) }
        try bench.edit { $0.pages.remove(at: 1) }
      }
    ),
    (
      "LN3102", "", "the greatest pressure, and points outside of the canvas",
      { bench in
        var stroke = Bench.stroke(1, samples: 10)
        stroke.samples[2] = StrokeSample(x: .max, y: .min, radius: .max, pressure: 1000, time: 16)
        try bench.rewrite(page: 0) { $0.elements[0] = .stroke(stroke) }
      }
    ),
    (
      "LN3104", "", "time that stands still, and time at its greatest",
      { bench in
        var stroke = Bench.stroke(1, samples: 10)
        for place in 0..<10 { stroke.samples[place].time = place < 5 ? 7 : .max }
        try bench.rewrite(page: 0) { $0.elements[0] = .stroke(stroke) }
      }
    ),
    (
      "LN3105", "LN3001", "a stroke whose number of points was changed by the disk",
      { try $0.damage(DamageCase.page1) { $0[84 + 9 + 28] ^= 1 } }
    ),
    (
      "LN3105", "LN3001", "another page's strokes, one of which says one point more than it has",
      { bench in
        try bench.put(
          DamageCase.claiming(try bench.bytes(DamageCase.page1), samples: 11), at: PackagePaths.page(Bench.pages[2]))
      }
    ),
    (
      "LN3106", "", "a stroke of one point",
      { bench in try bench.rewrite(page: 2) { $0.elements = [.stroke(Bench.stroke(40, samples: 1))] } }
    ),
    (
      "LN3108", "LN2007", "an entry that does not know the page's generation",
      { bench in try bench.edit { $0.pages[0].generation = 0 } }
    ),
    (
      "LN3108", "LN2018", "a page that came back without a number is told as older",
      { bench in try bench.write(page: 0) { $0.generation = 0 } }
    ),
    (
      "LN4009", "", "one image in two places",
      { bench in
        try bench.rewrite(page: 2) { page in
          page.elements = [.image(Bench.image(of: Bench.asset, Bench.picture, element: 22))]
        }
      }
    ),
    (
      "LN4001", "LN9001", "an image whose loss is recorded",
      { bench in
        try bench.remove(PackagePaths.asset(Bench.asset))
        try bench.edit { document in
          document.losses = [
            RecordedLoss(
              at: Bench.made, code: "LN4001", elements: 1, stamp: "20260701T093000Z",
              unknown: ["asset": .string("\(Bench.asset)")])
          ]
        }
      }
    ),
    (
      "LN4002", "LN1502", "an image that a newer temporary page uses",
      { bench in
        let image = JPEGMaker.picture(sizeBytes: 700, seed: 9)
        try bench.put(image, at: PackagePaths.asset(Bench.free))
        try bench.writeTemporary(page: 0) { page in
          page.generation = 6
          page.elements.append(.image(Bench.image(of: Bench.free, image, element: 33)))
        }
      }
    ),
    (
      "LN4002", "LN2006", "an image that an unlisted page uses",
      { bench in try bench.edit { $0.pages.remove(at: 1) } }
    ),
    (
      "LN5003", "", "fields of a newer app in the manifest",
      { bench in
        var manifest = ManifestRecord(mirroring: bench.document)
        manifest.unknown = ["shelf": .string("left")]
        try bench.put(manifest.encoded(), at: PackagePaths.manifest)
      }
    ),
    (
      "LN2013", "LN2005 LN4003", "one page of three",
      { try $0.remove(PackagePaths.page(Bench.pages[1])) }
    ),
    (
      "LN5101", "LN3002", "a damaged page is drawn when it is repaired",
      { bench in
        try bench.remove(DamageCase.small1)
        try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
      }
    ),
    ("LN5101", "LN1301", "a small picture that is in iCloud", { try $0.evict(DamageCase.small1) }),
    ("LN5102", "", "a small picture of this version", { try $0.putThumbnail(of: 0) }),
    (
      "LN5102", "LN2018", "the small picture of a page that came back older may be the last one of it",
      { bench in
        try bench.putThumbnail(of: 0, generation: 7)
        try bench.edit { $0.pages[0].generation = 7 }
      }
    ),
    ("LN5103", "", "a picture of another kind", { try $0.put(Array("GIF89a".utf8), at: DamageCase.small1) }),
    (
      "LN5103", "LN3002", "the damaged small picture of a damaged page may be the last one of it",
      { bench in
        try bench.put([1], at: DamageCase.small1)
        try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
      }
    ),
    (
      "LN5104", "LN2006", "the small picture of a page that is not listed",
      { bench in try bench.edit { $0.pages.remove(at: 2) } }
    ),
    (
      "LN5104", "LN3002", "while a page is damaged nobody knows what was lost",
      { bench in
        try bench.put(Bench.picture, at: PackagePaths.thumbnail(Bench.free))
        try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
      }
    ),
    (
      "LN5104", "LN2016", "a later document may list the page",
      { bench in
        try bench.put(Bench.picture, at: PackagePaths.thumbnail(Bench.free))
        var later = ManifestRecord(mirroring: bench.document)
        later.documentGeneration = 18
        try bench.put(later.encoded(), at: PackagePaths.manifest)
      }
    ),
    (
      "LN9002", "LN2018", "a page was back once, and saved since",
      { bench in
        try bench.edit { document in
          document.pages[0].generation = 8
          document.pages[0].unknown["healed"] = .object(["from": .integer(5), "to": .integer(7)])
        }
      }
    ),
    (
      "LN9002", "LN9001", "the page is still the repaired one",
      { bench in
        try bench.edit { $0.pages[0].losses = [DamageCase.loss(generation: 5)] }
      }
    ),
  ]

  /// A clock that was never set tells nothing of the future.
  @Test func aClockThatIsBehindMakesNoTimeOdd() throws {
    let bench = try Bench()
    let report = Fsck(volume: bench.volume, now: Timestamp(milliseconds: 0)).check(Bench.package)
    #expect(codes(report.found) == "")
  }

  @Test(arguments: rows.indices) func itStaysSilent(index: Int) throws {
    let row = SilentTests.rows[index]
    let bench = try Bench()
    try row.change(bench)
    let found = codes(bench.check().found)
    #expect(!found.contains(row.silent), Comment(rawValue: row.why))
    #expect(found == row.found, Comment(rawValue: row.why))
  }

  @Test func aDocumentThatChangesOnceIsReadAgain() throws {
    let bench = try Bench()
    let restless = RestlessVolume(bench.volume, times: 1) { number in
      try bench.write(page: 0) { $0.generation = UInt64(5 + number) }
    }
    let report = Fsck(volume: restless, now: Bench.now).check(Bench.package)
    #expect(codes(report.found) == "LN2007")
    #expect(restless.changes == 1)
  }

  @Test func aDocumentThatNeverRestsCannotBeJudged() throws {
    let bench = try Bench()
    let restless = RestlessVolume(bench.volume, times: 1000) { number in
      try bench.write(page: 0) { $0.generation = UInt64(5 + number) }
    }
    let report = Fsck(volume: restless, now: Bench.now).repair(Bench.package, mode: .all)
    #expect(codes(report.found) == "LN0004")
    #expect(report.exit.rawValue == 8)
    #expect(report.actions.isEmpty)
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
  ]) func base64IsThatOfTheStandard(text: String, expected: String) {
    #expect(base64(Array(text.utf8)) == expected)
  }
}
