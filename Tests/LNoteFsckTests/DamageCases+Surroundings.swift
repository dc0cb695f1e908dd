import Files
import LNoteFormat

@testable import LNoteFsck

extension DamageCase {
  // MARK: Names and links: LN1004, LN1101, LN1602

  static let surroundings = linked + badlyNamed + doubles

  private static func stranger(_ generation: UInt64 = 40) -> PageSnapshot {
    var page = foreignPage
    page.generation = generation
    return page
  }

  private static let linked = [
    DamageCase("a page that a backup has a link to", "LN1004", left: "LN1004", exit: 0) { bench in
      try bench.volume.link(Bench.package.appending(page1), to: "backup")
    },
    DamageCase("two files that a backup has links to", "LN1004", left: "LN1004", exit: 0) { bench in
      try bench.volume.link(Bench.package.appending(document), to: "backup 1")
      try bench.volume.link(Bench.package.appending(picture), to: "backup 2")
    },
  ]

  private static let badlyNamed = [
    DamageCase("a page of nobody under a name that is none", "LN1101", left: "LN1701") { bench in
      try bench.put(stranger().encoded(), at: "pages/lost.content")
    },
    DamageCase("two versions of a page of nobody under wrong names", "LN1101 LN1603", left: "LN1603 LN1701", exit: 1) {
      bench in
      try bench.put(stranger(3).encoded(), at: "pages/a.content")
      try bench.put(stranger(4).encoded(), at: "assets/b")
    },
    DamageCase("a page that was deleted under a wrong name", "LN1603", left: "LN1603", exit: 0) { bench in
      try bench.edit { $0.deleted.append(DeletedPage(id: foreignPage.id, generation: 3)) }
      try bench.put(stranger().encoded(), at: "pages/lost.content")
    },
  ]

  private static let doubles = [
    DamageCase("what a Mac keeps about a page", "LN1602", left: "LN1602", exit: 0) { bench in
      try bench.put(
        [0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00], at: BytePath("pages/._\(Bench.pages[0]).content"))
    },
    DamageCase("a name as a Mac gives it, and something else in it", "LN1601", left: "LN1601", exit: 0) { bench in
      try bench.put([0x00, 0x05, 0x16], at: "._document.json")
    },
  ]
}
