import FaultDisk
import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--only`, `--severity`, `--strict`, `--subset`: what is left out is counted, and never trouble or a known loss.
@Suite struct SelectionTests {
  static func rules(only: [ProblemKind] = [], _ weights: [ProblemKind: FindingRules.Weight] = [:]) -> FindingRules {
    var rules = FindingRules()
    for kind in only { rules.tellOnly(kind) }
    for (kind, weight) in weights { rules.weigh(kind, as: weight) }
    return rules
  }

  static func fsck(_ bench: Bench, _ rules: FindingRules) -> Fsck {
    Fsck(volume: bench.volume, now: Bench.now, rules: rules)
  }

  static func run(_ report: PackageReport, _ mode: RunReport.Mode, _ rules: FindingRules) -> RunReport {
    var selection = RunSelection()
    selection.rules = rules
    var run = RunReport(mode: mode, arguments: ["Notes"], selection: selection)
    run.add(RunReport.Item(report: report, shown: "Notes/\(Bench.package)", prefix: "Notes/"))
    return run
  }

  static func text(_ run: RunReport) -> String {
    run.plainText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A damaged page, and a manifest that is missing.
  static func damaged() throws -> Bench {
    let bench = try Bench()
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    try bench.remove(DamageCase.manifest)
    return bench
  }

  typealias Row = (rules: FindingRules, told: String, hidden: String, exit: Int32, says: String)

  static let rows: [Row] = [
    (rules(), "LN3001 LN5001", "", 4, "1 damaged"),
    (
      rules(only: [.manifestMissing]), "LN5001", "LN3001", 0,
      "about LN5001 only. 1 other finding is not told: LN3001 (1)."
    ),
    (rules(only: [.pageDamaged]), "LN3001", "LN5001", 4, "1 other finding is not told: LN5001 (1)."),
    (rules(only: [.pageDamaged, .manifestMissing]), "LN3001 LN5001", "", 4, "LN3001 and LN5001 only. Nothing else"),
    (rules(only: [.assetOrphan]), "", "LN3001 LN5001", 0, "none of what was looked for was found."),
    (rules([.pageDamaged: .ignore]), "LN5001", "LN3001", 0, "1 finding was ignored, as asked: LN3001 (1)."),
    (
      rules([.pageDamaged: .ignore, .manifestMissing: .ignore]), "", "LN3001 LN5001", 0,
      "no other problems found. Every page and image was read. Nothing was changed. 2 findings were ignored"
    ),
    (rules([.pageDamaged: .warn]), "LN3001 LN5001", "", 0, "1 with something to look at"),
    (rules([.manifestMissing: .error]), "LN3001 LN5001", "", 4, "1 damaged"),
    (rules([.assetMissing: .ignore]), "LN3001 LN5001", "", 4, "1 damaged"),
  ]

  @Test(arguments: rows.indices) func aRunTellsWhatItIsAbout(index: Int) throws {
    let row = SelectionTests.rows[index]
    let bench = try SelectionTests.damaged()
    let report = SelectionTests.fsck(bench, row.rules).check(Bench.package)
    #expect(codes(report.found) == row.told && codes(report.left) == row.told)
    #expect(codes(report.hidden) == row.hidden)
    let run = SelectionTests.run(report, .check, row.rules)
    #expect(run.exit.rawValue == row.exit)
    let text = SelectionTests.text(run)
    #expect(text.contains(row.says), "\(text)")
    #expect(row.hidden.isEmpty || !text.contains("every byte agrees"), "\(text)")
    let lines = try JSONLines.parse(JSONReport(run).bytes(milliseconds: 0))
    #expect(lines.last?["ignored"]?.object?.keys.sorted().joined(separator: " ") == row.hidden)
    #expect(row.hidden.isEmpty || lines.last?["verdict"]?.string != "clean")
    #expect(try JSONLineTests.refused(JSONReport(run).bytes(milliseconds: 0)) == [:])
  }

  @Test func onlyWhatWasAskedForIsRepaired() throws {
    let bench = try SelectionTests.damaged()
    let rules = SelectionTests.rules(only: [.manifestMissing])
    let damagedPage = try bench.bytes(DamageCase.page1)
    let report = SelectionTests.fsck(bench, rules).repair(Bench.package, mode: .all)
    #expect(codes(report.repaired) == "LN5001" && report.left.isEmpty && codes(report.hidden) == "LN3001")
    #expect(try bench.bytes(DamageCase.page1) == damagedPage)
    #expect(!report.isWithoutLoss)
    let text = SelectionTests.text(SelectionTests.run(report, .repair(.all), rules))
    #expect(text.contains("Checked again: 1 problem that this run is not about is left."), "\(text)")
    #expect(codes(bench.check().found) == "LN3001")
    // Ignored is not repaired either.
    let other = try SelectionTests.damaged()
    _ = SelectionTests.fsck(other, SelectionTests.rules([.pageDamaged: .ignore])).repair(Bench.package, mode: .all)
    #expect(codes(other.check().found) == "LN3001")
  }

  @Test func aRepairWaitsForTheDocumentThatItIsNotAbout() throws {
    let bench = try Bench()
    try bench.makeNode("pages/pipe", kind: .fifo)
    try bench.remove(DamageCase.document)
    let before = try bench.picture()
    let rules = SelectionTests.rules(only: [.unexpectedType])
    let report = SelectionTests.fsck(bench, rules).repair(Bench.package, mode: .all)
    #expect(report.actions.isEmpty && codes(report.left) == "LN1002" && codes(report.hidden).contains("LN2001"))
    #expect(try bench.picture() == before)
    let text = SelectionTests.text(SelectionTests.run(report, .repair(.all), rules))
    #expect(text.contains("Something was not repaired, since document.json"), "\(text)")
    let plan = SelectionTests.fsck(bench, rules).plan(Bench.package, mode: .all)
    #expect(plan.plan == nil)
  }

  @Test func everyDamageIsLeftAloneOrRepairedByEachOfItsCodes() throws {
    for row in DamageCase.all {
      let codes = Set(row.found.split(separator: " ").map(String.init))
      // Of a single code there is nothing to leave out.
      for code in codes where codes.count > 1 {
        let kind = try #require(ProblemKind.named(code))
        let bench = try Bench()
        try row.damage(bench)
        let fsck = SelectionTests.fsck(bench, SelectionTests.rules(only: [kind]))
        let first = fsck.repair(Bench.package, mode: .all)
        if case .unsettled = first.refusal { Issue.record("\(row.name): \(code) is unsettled") }
        let after = try bench.picture()
        #expect(fsck.repair(Bench.package, mode: .all).actions.isEmpty, "\(row.name): \(code)")
        #expect(try bench.picture() == after, "\(row.name): \(code)")
      }
    }
  }

  @Test func troubleAndKnownLossAreAlwaysTold() throws {
    let bench = try SelectionTests.damaged()
    try bench.edit { $0.pages[1].losses = [DamageCase.loss(generation: 5)] }
    try bench.disk.arm(OperationalTests.rule("EIO", [.open], "\(Bench.asset).jpg"))
    let report = SelectionTests.fsck(bench, SelectionTests.rules(only: [.assetOrphan])).repair(
      Bench.package, mode: .all)
    #expect(codes(report.found) == "LN0005 LN9001" && report.actions.isEmpty)
    #expect(report.exit.rawValue == 12)
    for kind in ProblemKind.all where kind == .knownLoss || kind.repairClass == .operational {
      #expect(FindingRules.refusal(of: kind) != nil, "\(kind.code)")
    }
    #expect(FindingRules.refusal(of: .pageDamaged) == nil)
    // What is no document at all is told whatever is looked for.
    let volume = FaultDisk().volume()
    try volume.make("X.lnote/a.txt", [1])
    let nothing = Fsck(volume: volume, now: Bench.now, rules: SelectionTests.rules(only: [.assetOrphan]))
    #expect(codes(nothing.check("X.lnote").found) == "LN0001")
  }

  @Test func strictCountsWarnings() throws {
    let bench = try Bench()
    try bench.remove(DamageCase.manifest)
    for (isStrict, exit) in [(false, Int32(0)), (true, 4)] {
      var run = RunReport(mode: .check, arguments: ["Notes"])
      run.selection.isStrict = isStrict
      run.add(RunReport.Item(report: bench.check(), shown: "Notes", prefix: ""))
      #expect(run.exit.rawValue == exit)
      #expect(SelectionTests.text(run).contains("Exit status 4: there is something to look at") == isStrict)
    }
    var run = RunReport(mode: .check, arguments: ["Notes"])
    run.selection.isStrict = true
    try bench.edit { _ in }
    run.add(RunReport.Item(report: bench.check(), shown: "Notes", prefix: ""))
    #expect(run.exit.isEmpty)
  }

  // MARK: --subset

  static let names = (0..<300).map { BytePath("Notes/Document \($0).lnote") }

  @Test(arguments: [1, 2, 3, 7, 50]) func thePartsHoldEachDocumentOnce(count: Int) throws {
    let parts = try (1...count).map { number in
      SelectionTests.names.filter(try #require(DocumentPart("\(number)/\(count)")).contains)
    }
    #expect(parts.reduce(0) { $0 + $1.count } == 300 && Set(parts.flatMap { $0 }).count == 300)
    // None is much larger than its share, and only the name counts.
    #expect(parts.allSatisfy { $0.count <= 3 * 300 / count + 6 })
    let first = try #require(DocumentPart("1/\(count)"))
    for name in parts[0] { #expect(first.contains(BytePath("Elsewhere/In").appending(name.name))) }
  }

  @Test func aShareIsContainedInALargerOne() throws {
    let shares = try ["2.5%", "25%", "99.99%", "100%"].map { text in
      Set(SelectionTests.names.filter(try #require(DocumentPart(text)).contains))
    }
    #expect(shares[3].count == 300 && (40...110).contains(shares[1].count) && (1...30).contains(shares[0].count))
    for place in 1...3 { #expect(shares[place - 1].isSubset(of: shares[place])) }
  }

  @Test(arguments: [
    "", "1", "/", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "1 /3", "+1/3", "1/1000001", "%", "0%", "100.01%", "101%",
    "2.555%", "2.%", ".5%", "x%", "1/3%", "99999999999999999999/3",
  ]) func whatIsNoPartIsRefused(text: String) { #expect(DocumentPart(text) == nil) }

  // MARK: The program

  static let senseless: [(arguments: [String], says: String)] = [
    (["--severity", "LN5003", "Notes"], "as LN5003=ignore"),
    (["--severity", "LN5003=no", "Notes"], "as LN5003=ignore"),
    (["--severity", "LN9999=warn", "Notes"], "there is no code \"LN9999\""),
    (["--severity", "LN0005=ignore", "Notes"], "LN0005 keeps its weight"),
    (["--severity", "LN9001=warn", "Notes"], "--accept-loss"), (["--only", "", "Notes"], "there is no code"),
    (["--only", "LN4002,LN4003", "Notes"], "there is no code"),
    (["--only", "LN4002", "--severity", "asset-orphan=ignore", "Notes"], "cannot be looked for and ignored"),
    (["--subset", "4/3", "Notes"], "as 1/3, or a share"), (["--subset", "0%", "Notes"], "as 1/3, or a share"),
    (["--strict", "--undo", "Notes/\(Bench.package)"], "--strict is for"),
    (["--only", "LN4002", "--accept-loss", "all", "Notes/\(Bench.package)"], "--only is for"),
    (["--subset", "1/2", "--undo", "Notes/\(Bench.package)"], "--subset is for"),
    (["--only", "LN4002", "--save-plan", "P", "Notes"], "leave --only out"),
    (["--severity", "LN4002=warn", "--apply-plan", "P", "Notes"], "leave --severity out"),
    (["--subset", "1/2", "--apply-plan", "P", "Notes"], "leave --subset out"),
    (["--carve", "--only", "LN4002", "--to", "F", "Notes"], "--carve and --only"),
    (["--carve", "--strict", "--to", "F", "Notes"], "--carve and --strict"),
    (["--carve", "--subset", "1/2", "--to", "F", "Notes"], "--carve and --subset"),
    (["--carve", "--severity", "LN4002=warn", "--to", "F", "Notes"], "--carve and --severity"),
  ]

  @Test(arguments: senseless.indices) func whatMakesNoSenseEndsWith16(index: Int) throws {
    let row = SelectionTests.senseless[index]
    let directory = try ProgramTests.folder()
    let (status, text) = try ProgramTests.run(row.arguments, in: directory)
    #expect(status == 16 && text.contains(row.says), "\(text)")
  }

  @Test func theProgramTellsAndRepairsWhatItIsAbout() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
      try bench.remove(DamageCase.manifest)
    }
    // An empty document, of which the folder tells (LN8004), and one not named by an identity (LN8002).
    try directory.volume().makeDirectories("Notes/Empty.lnote")
    try directory.volume().makeDirectories("Notes/Other.lnote/pages")
    let only = try ProgramTests.run(["--only", "LN5001", "Notes"], in: directory)
    #expect(only.status == 0, "\(only.text)")
    for code in ["LN8002 (1)", "LN8004 (1)", "LN2001 (1)"] { #expect(only.text.contains(code), "\(only.text)") }
    #expect(!only.text.contains("  LN8"), "\(only.text)")
    #expect(only.text.contains("lnote-fsck -p --only LN5001 Notes"), "\(only.text)")
    #expect(try ProgramTests.run(["--only", "LN5001", "--strict", "Notes"], in: directory).status == 4)
    let none = try ProgramTests.run(["--severity", "page-damaged=ignore", "Notes/\(Bench.package)"], in: directory)
    #expect(none.status == 0 && none.text.contains("1 finding was ignored"), "\(none.text)")
    #expect(try ProgramTests.run(["-y", "--only", "LN5001", "Notes"], in: directory).status == 1)
    #expect(try ProgramTests.run(["Notes/\(Bench.package)"], in: directory).status == 4)
  }

  @Test func thePartsOfAFolderAreTheWhole() throws {
    let directory = try ProgramTests.folder()
    try directory.volume().makeDirectories("Notes/Other.lnote/pages")
    let counts = try (1...4).map { number in
      let (_, text) = try ProgramTests.run(["--subset", "\(number)/4", "--json", "Notes"], in: directory)
      #expect(try JSONLineTests.refused(Array(text.utf8)) == [:])
      let summary = try #require(try JSONLines.parse(Array(text.utf8)).last)
      #expect(summary["subset"]?["of"]?.integer == 2)
      #expect(summary["subset"]?["documents"]?.integer == summary["packages"]?.integer)
      return try #require(summary["packages"]?.integer)
    }
    #expect(counts.reduce(0, +) == 2)
    let number = try #require(counts.firstIndex(of: 0)) + 1
    let empty = try ProgramTests.run(["--subset", "\(number)/4", "Notes"], in: directory)
    #expect(empty.status == 0 && empty.text.contains("None of 2 documents is in the part \(number)/4"), "\(empty.text)")
    #expect(empty.text.contains("nothing was looked at"))
  }
}
