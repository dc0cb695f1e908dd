import Files
import JSON
import LNoteFormat
import Rendering
import Testing

@testable import LNoteFsck

/// What `--quick` and `--deep` find, and what they leave alone.
@Suite struct LevelTests {
  static func check(_ bench: Bench, _ level: CheckLevel) -> PackageReport {
    Fsck(volume: bench.volume, now: Bench.now, level: level).check(Bench.package)
  }

  static func text(_ bench: Bench, _ level: CheckLevel) -> String {
    var run = RunReport(mode: .check, arguments: ["Notes"], level: level)
    run.add(
      RunReport.Item(report: check(bench, level), shown: "Notes/\(Bench.package)", prefix: "Notes/"))
    return run.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  typealias Row = (name: String, quick: String, damage: @Sendable (Bench) throws -> Void)

  static let rows: [Row] = [
    ("sound", "", { _ in }),
    ("a damaged body is not seen", "", { try $0.damage(DamageCase.page1) { $0[200] ^= 1 } }),
    ("a damaged image is not seen", "", { try $0.damage(DamageCase.picture) { $0[700] ^= 1 } }),
    ("an image that no page uses is not seen", "", { try $0.put(Bench.picture, at: PackagePaths.asset(Bench.free)) }),
    ("an image that is missing is not seen", "", { try $0.remove(DamageCase.picture) }),
    ("a cut page", "LN3002", { try $0.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) } }),
    ("a page cut in its header", "LN3002", { try $0.damage(DamageCase.page1) { $0 = Array($0.prefix(40)) } }),
    ("a longer page", "LN3003", { try $0.damage(DamageCase.page1) { $0 += [1, 2, 3] } }),
    ("a damaged header", "LN3001", { try $0.damage(DamageCase.page1) { $0[20] ^= 1 } }),
    ("no page at all", "LN3001", { try $0.put(Array("hello".utf8), at: DamageCase.page1) }),
    ("a page of zeros", "LN1204", { try $0.damage(DamageCase.page1) { $0 = $0.map { _ in 0 } } }),
    ("a page of 0 bytes", "LN1203", { try $0.put([], at: DamageCase.page1) }),
    ("an image of 0 bytes", "LN1203", { try $0.put([], at: DamageCase.picture) }),
    (
      "a newer version of the format", "LN3004",
      { bench in
        try bench.damage(DamageCase.page1) { bytes in
          bytes[8] = 2
          bytes = Bench.sealed(header: bytes)
        }
      }
    ),
    (
      "more elements than the format allows", "LN0011",
      { bench in
        try bench.damage(DamageCase.page1) { bytes in
          (bytes[32], bytes[33], bytes[34], bytes[35]) = (0x41, 0x42, 0x0F, 0)
          bytes = Bench.sealed(header: bytes)
        }
      }
    ),
    (
      "another page's content", "LN1104",
      { try $0.put($0.snapshots[2].encoded(), at: DamageCase.page1) }
    ),
    ("a newer page", "LN2007", { try $0.write(page: 0) { $0.generation = 6 } }),
    ("an older page", "LN2018", { try $0.write(page: 0) { $0.generation = 4 } }),
    ("another count", "LN2019", { bench in try bench.edit { $0.pages[0].elementCount = 9 } }),
    ("another size", "LN3107", { bench in try bench.edit { $0.pages[0].canvas.width += 1 } }),
    (
      "no version number", "LN3108",
      { bench in
        try bench.edit { $0.pages[0].generation = 0 }
        try bench.write(page: 0) { $0.generation = 0 }
      }
    ),
    ("no version number in a page that came back", "LN2018", { try $0.write(page: 0) { $0.generation = 0 } }),
    ("a size of nothing", "LN2008", { bench in try bench.edit { $0.pages[0].canvas.width = 0 } }),
    (
      "another count that a known loss explains", "LN9001",
      { bench in
        try bench.edit { document in
          document.pages[0].losses = [DamageCase.loss(generation: 5)]
          document.pages[0].elementCount = 15
        }
      }
    ),
    ("a missing page", "LN2005", { try $0.remove(DamageCase.page1) }),
    ("an unlisted page", "LN2006", { bench in try bench.edit { $0.pages.remove(at: 0) } }),
    (
      "a deleted page", "LN2017",
      { bench in
        try bench.edit { document in
          document.deleted = [DeletedPage(id: document.pages.remove(at: 0).id, generation: 5)]
        }
      }
    ),
    (
      "a FIFO as page", "LN1002",
      {
        try $0.remove(DamageCase.page1)
        try $0.makeNode(DamageCase.page1, kind: .fifo)
      }
    ),
    (
      "a FIFO as image", "LN1002",
      {
        try $0.remove(DamageCase.picture)
        try $0.makeNode(DamageCase.picture, kind: .fifo)
      }
    ),
    ("a temporary page", "LN1501", { try $0.writeTemporary(page: 0) { $0.generation = 6 } }),
    ("a damaged document", "LN2002", { try $0.damage(DamageCase.document) { $0 = Array($0.dropLast(9)) } }),
    ("no manifest", "LN5001", { try $0.remove(DamageCase.manifest) }),
  ]

  @Test(arguments: rows.indices) func quickFindsWhatHeadersAndSizesTell(index: Int) throws {
    let row = LevelTests.rows[index]
    let bench = try Bench()
    try row.damage(bench)
    let before = try bench.picture()
    let report = LevelTests.check(bench, .quick)
    #expect(codes(report.found) == row.quick, Comment(rawValue: row.name))
    #expect(report.verified.pages == 0 && report.verified.images == 0)
    // Nothing is offered that only the content can decide.
    #expect(report.found.allSatisfy { $0.action == nil && $0.recovered == nil })
    #expect(try bench.picture() == before)
    let text = LevelTests.text(bench, .quick)
    #expect(text.contains("Pages and images were not read"), "\(text)")
    for claim in ["whole", "Nothing needs it", "can be saved:", "{"] { #expect(!text.contains(claim), "\(text)") }
  }

  @Test func quickSaysNothingThatAWholeCheckTakesBack() throws {
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      let full = LevelTests.check(bench, .default)
      let quick = LevelTests.check(bench, .quick)
      // A quick check calls nothing damaged that is sound; only a loss that is back is not seen to be.
      let damaged = quick.found.contains { $0.severity >= .error && $0.kind != .knownLoss }
      #expect(!damaged || !full.exit.isEmpty, "\(row.name): \(codes(quick.found))")
      let text = LevelTests.text(bench, .quick)
      #expect(!text.contains("{") && !text.contains("can be saved:"), "\(row.name): \(text)")
      // Nor does it pass over a loss that is known.
      let known = full.found.contains { $0.kind == .knownLoss }
      #expect(!known || quick.found.contains { $0.kind == .knownLoss }, "\(row.name)")
    }
  }

  // MARK: --deep

  static let inserted: [(name: String, bytes: [UInt8], code: String, says: String)] = [
    ("a sound picture", Bench.picture, "", ""),
    ("cut", Array(Bench.picture.prefix(1100)), "LN4005", "is cut off, and was when it was inserted"),
    ("a PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "LN4004", "a picture of the kind PNG, and no JPEG"),
    ("text", Array("hello, this is no picture".utf8), "LN4004", "is no picture of a known kind"),
    ("more behind its end", Bench.picture + [1, 2, 3], "LN4007", "has 3 bytes behind its end"),
    ("no markers", [0xFF, 0xD8, 0x41, 0x41, 0x41, 0x41], "LN4006", "is damaged, and was when it was inserted"),
    ("no size", LevelTests.sized(0, 0), "LN4008", "has no size"),
    ("a very large size", LevelTests.sized(0x80, 0), "LN0011", "too large to be decoded"),
    ("damaged in its picture", LevelTests.hit(), "LN4006", "is damaged, and was when it was inserted"),
  ]

  /// The picture with this width and height.
  static func sized(_ high: UInt8, _ low: UInt8) -> [UInt8] {
    var bytes = Bench.picture
    let frame = bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 } ?? 0
    for place in 5...8 { bytes[frame + place] = place % 2 == 1 ? high : low }
    return bytes
  }

  /// The picture with a restart marker where none belongs.
  static func hit() -> [UInt8] {
    var bytes = Bench.picture
    (bytes[bytes.count - 100], bytes[bytes.count - 99]) = (0xFF, 0xD3)
    return bytes
  }

  @Test(arguments: inserted.indices) func deepTellsOfPicturesThatWereInsertedLikeThis(index: Int) throws {
    let row = LevelTests.inserted[index]
    let bench = try Bench()
    try bench.put(row.bytes, at: DamageCase.picture)
    try bench.write(page: 1) { $0.elements[2] = .image(Bench.image(of: Bench.asset, row.bytes)) }
    #expect(codes(LevelTests.check(bench, .default).found) == "", Comment(rawValue: row.name))
    let report = LevelTests.check(bench, .deep)
    #expect(codes(report.found) == row.code, Comment(rawValue: row.name))
    // Nothing is lost, and nothing can be repaired.
    #expect(report.exit.isEmpty && report.found.allSatisfy { $0.action == nil && $0.repairClass == .report })
    #expect(LevelTests.text(bench, .deep).contains(row.says))
    let repair = Fsck(volume: bench.volume, now: Bench.now, level: .deep).repair(Bench.package, mode: .all)
    #expect(repair.actions.isEmpty && repair.exit.isEmpty)
  }

  @Test func deepSaysHowMuchOfADamagedImageCanBeShown() throws {
    let bench = try Bench()
    try bench.damage(DamageCase.picture) { $0 = Array($0.prefix(1100)) }
    let report = LevelTests.check(bench, .deep)
    #expect(codes(report.found) == "LN4005")
    let detail = try #require(report.found.first?.details.last)
    let percent = JPEGCheck.decode(Array(Bench.picture.prefix(1100))).goodPercent
    #expect((1...99).contains(percent) && detail == "Of the picture the upper \(percent) % can be shown.", "\(detail)")
    // The repair is the same at both levels, so that a plan of the one can be followed by the other.
    let plans = [CheckLevel.default, .deep].map { level in
      Fsck(volume: bench.volume, now: Bench.now, level: level).plan(Bench.package, mode: .all).planned
    }
    #expect(plans[0] != nil && plans[0] == plans[1])
  }

  @Test func deepFindsAllThatTheDefaultFinds() throws {
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      #expect(codes(LevelTests.check(bench, .deep).found) == row.found, "\(row.name)")
    }
  }

  @Test func everyLevelSaysItsScope() throws {
    let bench = try Bench()
    #expect(LevelTests.text(bench, .quick).hasPrefix("1 document, 3 pages, 1 image: no problems found. Pages and"))
    #expect(LevelTests.text(bench, .default).contains("Whether images can also be decoded is checked with --deep."))
    #expect(LevelTests.text(bench, .deep).contains("Every image was decoded."))
    for level in CheckLevel.allCases {
      var run = RunReport(mode: .check, arguments: ["Notes"], level: level)
      run.add(RunReport.Item(report: LevelTests.check(bench, level), shown: "Notes", prefix: ""))
      let lines = try JSONLines.parse(JSONReport(run).bytes(milliseconds: 0))
      #expect(lines.first?["level"]?.string == level.rawValue && lines.last?["level"]?.string == level.rawValue)
      let isQuick = level == .quick
      #expect(lines.last?["verified"]?["pages"]?.integer == (isQuick ? 0 : 3))
      #expect(lines.last?["verified"]?["decoded"]?.integer == (level == .deep ? 1 : 0))
      #expect(lines.last?["unverified"]?["pages"]?.integer == (isQuick ? 3 : 0))
      #expect(lines.last?["unverified"]?["images"]?.integer == (isQuick ? 1 : 0))
      #expect(try JSONLineTests.refused(JSONReport(run).bytes(milliseconds: 0)) == [:])
    }
  }

  static let senseless: [[String]] = [
    ["--quick", "--deep", "Notes"], ["--quick", "-y", "Notes"], ["--quick", "-p", "Notes"],
    ["--quick", "--plan", "Notes"], ["--quick", "--save-plan", "P", "Notes"],
    ["--quick", "--apply-plan", "P", "Notes"],
    ["--quick", "-y", "--to", "Copy", "Notes"], ["--quick", "--render", "PDF", "Notes"],
    ["--quick", "--undo", "Notes/\(Bench.package)"], ["--deep", "--undo", "Notes/\(Bench.package)"],
    ["--deep", "--accept-loss", "all", "Notes/\(Bench.package)"], ["--carve", "--deep", "--to", "F", "Notes"],
    ["--carve", "--quick", "--to", "F", "Notes"],
  ]

  @Test(arguments: senseless) func whatMakesNoSenseEndsWith16(arguments: [String]) throws {
    let directory = try ProgramTests.folder()
    let before = try ProgramTests.picture(directory)
    let (status, text) = try ProgramTests.run(arguments, in: directory)
    #expect(status == 16 && text.contains(arguments[0]), "\(text)")
    #expect(try ProgramTests.picture(directory) == before)
  }

  @Test func theProgramLooksAsCloselyAsItIsTold() throws {
    let directory = try ProgramTests.folder { try $0.damage(DamageCase.page1) { $0[200] ^= 1 } }
    let quick = try ProgramTests.run(["--quick", "Notes"], in: directory)
    #expect(quick.status == 0 && quick.text.contains("Pages and images were not read"), "\(quick.text)")
    #expect(try ProgramTests.run(["--deep", "Notes"], in: directory).status == 4)
    #expect(try ProgramTests.run(["--quick", "--report", "r.html", "Notes"], in: directory).status == 0)
    let json = try ProgramTests.run(["--json", "--quick", "Notes"], in: directory)
    #expect(json.text.contains("\"level\":\"quick\""), "\(json.text)")
    #expect(try ProgramTests.run(["--deep", "-y", "Notes"], in: directory).status == 5)
  }
}
