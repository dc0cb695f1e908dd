import Files
import JSON
import LNoteFormat
import Terminal
import TestSupport
import Testing

@testable import LNoteFsck

/// What the user sees, word for word. The texts stand in Tests/Fixtures/screens.
@Suite struct ScreenTests {
  /// On a difference the whole text is told, so that it can be put into the file.
  static func expect(_ text: String, isScreen name: String) throws {
    let screens = try HostVolume(root: repositoryRoot.appending("Tests/Fixtures/screens"))
    let wanted = String(decoding: try screens.bytes(of: BytePath("\(name).txt")), as: UTF8.self)
    if text != wanted { Issue.record("Tests/Fixtures/screens/\(name).txt is not:\n\(text)") }
  }

  @Test func aCleanFolder() throws {
    try ScreenTests.expect(Shelf().run(.check).plainText, isScreen: "clean")
  }

  @Test func oneCutPageAndAnUnprovenImage() throws {
    let shelf = try Shelf()
    try shelf.cutPage12()
    try ScreenTests.expect(shelf.run(.check).plainText, isScreen: "cut-page-check")
    try ScreenTests.expect(shelf.run(.plan(.all)).plainText, isScreen: "cut-page-plan")
    try ScreenTests.expect(shelf.run(.repair(.all)).plainText, isScreen: "cut-page-repair")
    try ScreenTests.expect(shelf.run(.repair(.all)).plainText, isScreen: "cut-page-second-run")
    try ScreenTests.expect(shelf.undo().plainText, isScreen: "cut-page-undo")
  }

  @Test func noLineIsWiderThanATerminal() throws {
    let shelf = try Shelf(others: 0)
    try shelf.cutPage12()
    for mode in [RunReport.Mode.check, .plan(.all), .repair(.all)] {
      for line in shelf.run(mode).plainText.split(separator: "\n") where !line.contains("/") {
        #expect(displayColumns(line) <= 80, "\(line)")
      }
    }
  }

  @Test func escapesInTitlesAndNamesAreShownAndNotSent() throws {
    let bench = try Bench()
    try bench.edit { $0.title = "\u{1B}[2JClean\u{202E}" }
    try bench.put([1], at: BytePath(bytes: Array("pages/\u{1B}]0;x\u{07}".utf8) + [0xFF]))
    let text = bench.run().plainText
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    #expect(text.contains("\\x1B[2JClean\\u{202E}"))
    #expect(text.contains("pages/\\x1B]0;x\\x07"))
    // JSON has the title as it is, and never a raw control character.
    let bytes = JSONReport(bench.run()).bytes(milliseconds: 0)
    #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A })
  }

  @Test func aDamagedImageThatStaysIsNotCalledWhole() throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.asset(Bench.asset)) { $0[700] ^= 1 }
    let text = RefusalTests.text(bench.repair(), .repair(.all))
    #expect(text.contains("Checked again: everything else that is there is whole"), "\(text)")
  }

  @Test func everyCaseHasWords() throws {
    for row in DamageCase.all {
      let bench = try Bench()
      try row.damage(bench)
      let text = bench.run().plainText
      #expect(!text.contains("{") && !text.contains("  ,"), "\(row.name): \(text)")
      #expect(
        text.contains(row.found.split(separator: " ").first ?? "")
          || ["LN1601", "LN2014"].contains { row.left.hasPrefix($0) },
        "\(row.name): \(text)")
    }
  }
}

@Suite struct JSONReportTests {
  @Test(arguments: [RunReport.Mode.check, .repair(.all), .repair(.automatic)])
  func everyLineIsJSONAndTheSummaryIsLast(mode: RunReport.Mode) throws {
    let bench = try Bench()
    try bench.damage(PackagePaths.page(Bench.pages[0])) { $0[200] ^= 1 }
    try bench.remove(PackagePaths.manifest)
    let lines = try JSONLines.parse(JSONReport(bench.run(mode)).bytes(milliseconds: 2617))
    let types = lines.map { $0["type"]?.string ?? "" }
    #expect(types.first == "start")
    #expect(types.last == "summary")
    #expect(types.count { $0 == "summary" } == 1)
    #expect(Set(types).isSubset(of: ["start", "problem", "action", "verify", "error", "summary"]))
    #expect(lines.allSatisfy { $0["v"]?.integer == 1 })
    let summary = try #require(lines.last)
    #expect(summary["exit"]?.integer == [.check: 4, .repair(.all): 5, .repair(.automatic): 5][mode])
    #expect(summary["byCode"]?.object == ["LN3001": 1, "LN5001": 1])
    #expect(summary["seconds"]?.real == 2.61)
    let problem = try #require(lines.first { $0["code"]?.string == "LN3001" && $0["type"]?.string == "problem" })
    #expect(problem["page"]?["number"]?.integer == 1)
    #expect(problem["repair"]?["class"]?.string == "consent")
    #expect(problem["repair"]?["loss"]?["elements"]?.integer == 1)
    #expect(problem["repair"]?["recovers"]?["elements"]?.integer == 2)
  }

  @Test func aUsageErrorHasItsSummaryToo() throws {
    var run = RunReport(mode: .check, arguments: [])
    run.fail("say which folder or document to check.", .usage)
    let lines = try JSONLines.parse(JSONReport(run).bytes(milliseconds: 0))
    #expect(lines.map { $0["type"]?.string } == ["start", "error", "summary"])
    #expect(lines.last?["exit"]?.integer == 16)
    #expect(lines.last?["verdict"]?.string == "usage")
  }
}

extension Bench {
  /// A run over this one package.
  func run(_ mode: RunReport.Mode = .check) -> RunReport {
    var run = RunReport(mode: mode, arguments: ["Notes"])
    let report: PackageReport
    switch mode {
    case .repair(let mode): report = repair(mode)
    case .plan(let mode): report = plan(mode)
    default: report = check()
    }
    run.add(RunReport.Item(report: report, shown: "Notes/\(Bench.package)", prefix: "Notes/"))
    return run
  }
}
