import Files
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// What has happened to users of such programs, as it was: leftovers, impossible numbers, names in two spellings.
@Suite struct UserCasesTests {
  static let page = PackagePaths.page(Bench.pages[0])

  /// D11: leftovers of several programs are neither pages nor images; one that is newer than its page is offered.
  @Test func leftoversAreNoPages() throws {
    let bench = try Bench()
    var newer = bench.snapshots[0]
    newer.generation = 6
    newer.elements += [.stroke(Bench.stroke(60, samples: 3)), .stroke(Bench.stroke(61, samples: 3))]
    try bench.put(newer.encoded(), at: "pages/.dat.nosync6036.OIpg7h")
    try bench.put([], at: "pages/tmpabc123")
    try bench.put(Array(Bench.picture.prefix(700)), at: BytePath("assets/\(Bench.asset).jpg.tmp"))
    try bench.put([0, 0, 0, 1], at: ".DS_Store")
    try bench.put([0x00, 0x05, 0x16, 0x07, 0, 2, 0, 0], at: BytePath("pages/._\(Bench.pages[0]).content"))
    let report = bench.check()
    #expect(codes(report.found) == "LN1502 LN1601 LN1602 LN1603 LN1603" && report.exit == [])
    #expect(bench.repair().exit.rawValue == 1)
    #expect(try bench.page(0).elements == newer.elements && bench.readDocument().pages.count == 3)
    let after = bench.check()
    #expect(codes(after.found) == "LN1601 LN1602 LN1603 LN1603" && after.exit == [])
    #expect(bench.repair().actions.isEmpty)
  }

  /// D16: what is no number, or none that fits, is damage of document.json, and no more than that.
  @Test(arguments: ["NaN", "-nan", "1e400", "1,5", "9223372036854775808", "-1", "4294967296", "Infinity"])
  func whatIsNoNumberCostsOneSizeAtMost(_ text: String) throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.document) { bytes in
      if let place = bytes.firstRange(of: Array("11940".utf8)) { bytes.replaceSubrange(place, with: text.utf8) }
    }
    #expect(bench.check().exit.rawValue == 4)
    #expect(bench.repair().exit.rawValue == 1)
    let after = try bench.readDocument()
    #expect(after.pages == bench.document.pages && after.title == bench.document.title)
    for (place, snapshot) in bench.snapshots.enumerated() { #expect(try bench.page(place) == snapshot) }
    #expect(codes(bench.check().found) == "" && bench.repair().actions.isEmpty)
  }

  /// D17: an image in lower case is neither missing nor unused; of two spellings the one that fits the page is taken.
  @Test(arguments: [false, true]) func aNameInAnotherSpellingIsTheSameImage(areBoth: Bool) throws {
    let bench = try Bench()
    let own = PackagePaths.asset(Bench.asset)
    let lower = own.parent.appending(BytePath(own.name.description.lowercased()))
    try bench.put(Bench.picture, at: lower)
    if areBoth {
      try bench.damage(own) { $0[900] ^= 1 }
    } else {
      try bench.remove(own)
    }
    let found = bench.check().found
    #expect(codes(found).contains("LN1102") && !codes(found).contains("LN4001") && !codes(found).contains("LN4002"))
    #expect(bench.repair().exit.rawValue == 1)
    #expect(try bench.bytes(own) == Bench.picture)
    #expect(codes(bench.check().found) == "" && bench.repair().actions.isEmpty)
  }
}
