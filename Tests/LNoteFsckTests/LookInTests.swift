import Bytes
import CrashModel
import FaultDisk
import Files
import JSON
import LNoteFormat
import TestSupport
import Testing

@testable import LNoteFsck

/// `--look-in`: what is damaged or missing is looked for in backups before it is called lost.
@Suite struct LookInTests {
  static func fsck(_ bench: Bench, _ backups: [Bench]) -> Fsck {
    fsck(bench.volume, backups)
  }

  static func fsck(_ volume: any Volume, _ backups: [Bench]) -> Fsck {
    Fsck(
      volume: volume, now: Bench.now,
      lookIn: backups.enumerated().map { LookIn(volume: $1.volume, shown: "BACKUP\($0 + 1)") })
  }

  static let rows: [(name: String, found: String, damage: @Sendable (Bench) throws -> Void)] = [
    ("a page with a wrong bit", "LN3001", { try $0.damage(DamageCase.page1) { $0[200] ^= 1 } }),
    ("a page that is cut off", "LN3002", { try $0.damage(DamageCase.page2) { $0 = Array($0.dropLast(33)) } }),
    ("an empty page file", "LN1203", { try $0.put([], at: DamageCase.page1) }),
    ("a missing page", "LN2005", { try $0.remove(DamageCase.page2) }),
    ("a missing image", "LN4001", { try $0.remove(DamageCase.picture) }),
    ("a damaged image", "LN4006", { try $0.damage(DamageCase.picture) { $0[700] ^= 1 } }),
    ("a missing document.json", "LN2001", { try $0.remove(DamageCase.document) }),
    ("a page that went back", "LN2018", { try $0.write(page: 0) { $0.generation = 4 } }),
    (
      "everything", "LN1203 LN2001 LN2005 LN4001 LN5001",
      { bench in
        try bench.remove(DamageCase.document)
        try bench.remove(DamageCase.manifest)
        try bench.remove(DamageCase.page2)
        try bench.remove(DamageCase.picture)
        try bench.put([], at: DamageCase.page1)
      }
    ),
  ]

  @Test(arguments: rows.indices) func aSoundBackupBringsEverythingBack(_ place: Int) throws {
    let (name, _, damage) = Self.rows[place]
    let (bench, backup) = (try Bench(), try Bench())
    let sound = try bench.snapshots.map { try bench.bytes(PackagePaths.page($0.id)) }
    try damage(bench)
    try UndoTests.mark(bench.volume)
    let before = try UndoTests.picture(bench.volume)
    let untouched = try backup.picture()
    let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
    #expect(codes(report.left) == "" && report.exit.rawValue == 1, "\(name): \(report.left.map(\.message))")
    #expect(try bench.snapshots.map { try bench.bytes(PackagePaths.page($0.id)) } == sound, "\(name)")
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
    #expect(try backup.picture() == untouched)
    #expect(Self.fsck(bench, [backup]).repair(Bench.package, mode: .all).actions.isEmpty)
    let undo = try #require(bench.undo().undo)
    #expect(undo.refused.isEmpty)
    #expect(try UndoTests.picture(bench.volume) == before, "\(name)")
  }

  @Test(arguments: rows.indices) func theReportSaysWhereItWasFound(_ place: Int) throws {
    let (name, found, damage) = Self.rows[place]
    let (bench, backup) = (try Bench(), try Bench())
    try damage(bench)
    let check = Self.fsck(bench, [backup]).check(Bench.package)
    #expect(name == "everything" || codes(check.found.filter { $0.severity >= .error }) == found, "\(name)")
    #expect(RefusalTests.text(check, .check).contains("A whole copy was found: BACKUP1/\(Bench.package)/"), "\(name)")
    let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
    #expect(RefusalTests.text(report, .repair(.all)).contains("from BACKUP1/\(Bench.package)/"), "\(name)")
    var run = RunReport(mode: .check, arguments: ["Notes"])
    run.add(RunReport.Item(report: check, shown: "Notes/X", prefix: "Notes/"))
    let lines = JSONReport(run).bytes(milliseconds: 1)
    #expect(String(decoding: lines, as: UTF8.self).contains("\"action\":\"fetch\""))
    #expect(try JSONLineTests.refused(lines) == [:])
  }

  @Test func aSoundDocumentIsLeftAloneAndNothingIsLookedFor() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try backup.write(page: 0) { $0.generation = 99 }
    backup.disk.beginRecording()
    let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
    #expect(report.actions.isEmpty && report.found.isEmpty)
    #expect(backup.disk.log.records.isEmpty)
  }

  @Test func safeFixesTakeOnlyAMissingImage() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try bench.remove(DamageCase.picture)
    try bench.remove(DamageCase.page1)
    let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .automatic)
    #expect(try bench.bytes(DamageCase.picture) == Bench.picture)
    #expect(codes(report.left.filter { $0.severity >= .error }) == "LN2005")
  }

  @Test func whatIsLeftOfANewerPageIsKeptRatherThanAnOlderOne() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try backup.write(page: 0) { page in
      page.generation = 4
      page.elements.removeLast()
    }
    try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
    let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
    #expect(report.repaired.contains { if case .salvagePage = $0.action { true } else { false } })
    // Of a page that is gone an older version is better than none, and what is missing stays on record.
    let other = try Bench()
    try other.remove(DamageCase.page1)
    let second = Self.fsck(other, [backup]).repair(Bench.package, mode: .all)
    #expect(codes(second.left) == "LN9001")
    #expect(try other.keeps(strokes: 2))
  }

  @Test func theNewestIsChosenThenTheFullestThenTheFirst() throws {
    let backups = try (0..<4).map { _ in try Bench() }
    let change: [@Sendable (inout PageSnapshot) -> Void] = [
      { $0.generation = 4 }, { $0.elements.removeLast() }, { _ in }, { _ in },
    ]
    for (backup, change) in zip(backups, change) { try backup.write(page: 0, change) }
    // One that is damaged is none, however new it says that it is.
    let bad = try Bench()
    try bad.write(page: 0) { $0.generation = 9 }
    try bad.damage(DamageCase.page1) { $0[200] ^= 1 }
    let bench = try Bench()
    try bench.remove(DamageCase.page1)
    let check = Self.fsck(bench, backups + [bad]).check(Bench.package)
    #expect(check.found[0].details == ["A whole copy was found: BACKUP3/\(Bench.package)/\(DamageCase.page1)."])
  }

  @Test func aKnownLossIsHealedUnlessThePageWasChangedSince() throws {
    for isChanged in [false, true] {
      let (bench, backup) = (try Bench(), try Bench())
      try bench.damage(DamageCase.page1) { $0 = Array($0.dropLast(33)) }
      #expect(codes(bench.repair().left).contains("LN9001"))
      if isChanged {
        var page = try bench.page(0)
        page.generation += 1
        try bench.put(page.encoded(), at: DamageCase.page1)
      }
      let report = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
      #expect(codes(report.left).contains("LN9001") == isChanged)
      #expect(try (bench.page(0).elements == bench.snapshots[0].elements) == !isChanged)
    }
  }

  @Test func namesOfFoldersAndCopiesDoNotMatterAndLinksAreNotFollowed() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try bench.remove(DamageCase.page1)
    let disk = FaultDisk()
    let volume = disk.volume()
    try volume.makeDirectories("Old/Caf\u{E9}/PAGES")
    let name = "\(Bench.pages[0])".lowercased()
    try volume.make(BytePath("Old/Caf\u{E9}/PAGES/\(name) (1).content"), try backup.bytes(DamageCase.page1))
    let fsck = Fsck(volume: bench.volume, now: Bench.now, lookIn: [LookIn(volume: volume, shown: "B")])
    #expect(codes(fsck.repair(Bench.package, mode: .all).left) == "")
    // A link of the right name is none.
    let directory = try TemporaryDirectory("look-in")
    try directory.volume().make("whole", try backup.bytes(DamageCase.page1))
    try directory.volume().makeDirectories("In")
    try directory.makeSymbolicLink(to: "../whole", at: BytePath("In/\(Bench.pages[0]).content"))
    try bench.remove(DamageCase.page1)
    let host = try HostVolume(root: directory.path.appending("In"))
    let check = Fsck(volume: bench.volume, now: Bench.now, lookIn: [LookIn(volume: host, shown: "B")])
      .check(Bench.package)
    #expect(check.found.allSatisfy { if case .fetch = $0.action { false } else { true } })
  }

  @Test func aCopyThatChangedMeanwhileIsNotTaken() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    let before = try UndoTests.picture(bench.volume)
    nonisolated(unsafe) let page = backup
    let fsck = Fsck(
      volume: bench.volume, now: Bench.now, lookIn: [LookIn(volume: backup.volume, shown: "B")],
      isStopped: {
        try? page.damage(DamageCase.page1) { $0[210] ^= 1 }
        return false
      })
    let report = fsck.repair(Bench.package, mode: .all)
    #expect(report.exit.contains(.operational))
    #expect(try UndoTests.picture(bench.volume) == before)
  }

  @Test func aPlanCarriesTheDigestOfWhatItTakes() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try bench.remove(DamageCase.page1)
    let planned = try #require(Self.fsck(bench, [backup]).plan(Bench.package, mode: .all).planned)
    #expect(planned.steps.map(\.result).contains(PlaceState(ofFile: try backup.bytes(DamageCase.page1))))
    let plan = SavedPlan(mode: .all, made: Bench.now, documents: [planned])
    // Another file there now, or none.
    let other = try Bench()
    try other.write(page: 0) { $0.elements.removeLast() }
    for wrong in [[other], []] {
      let report = Self.fsck(bench, wrong).apply(planned, of: plan, to: Bench.package)
      #expect(report.actions.isEmpty && report.exit.contains(.operational))
    }
    #expect(codes(Self.fsck(bench, [backup]).apply(planned, of: plan, to: Bench.package).left) == "")
  }

  @Test func aCrashInItIsTakenUp() throws {
    let (bench, backup) = (try Bench(), try Bench())
    try bench.damage(DamageCase.page1) { $0[200] ^= 1 }
    try bench.remove(DamageCase.picture)
    let before = try QuarantineTests.digests(bench.volume)
    bench.disk.beginRecording()
    _ = Self.fsck(bench, [backup]).repair(Bench.package, mode: .all)
    let recording = try #require(bench.disk.recording)
    bench.disk.keepForShowing()
    for model in [PersistenceModel.ext4Ordered, .posixWeakest] {
      var limits = ExplorationLimits()
      limits.share = 2
      let states = try CrashExploration(recording, on: bench.disk, model, limits).states
      for place in 0..<8 {
        bench.disk.show(states[place * states.count / 8].tree)
        let volume = bench.disk.volume()
        #expect(codes(Self.fsck(volume, [backup]).repair(Bench.package, mode: .all).left) == "")
        #expect(Self.fsck(volume, [backup]).repair(Bench.package, mode: .all).actions.isEmpty)
        #expect(try before.subtracting(QuarantineTests.digests(volume)).isEmpty)
      }
    }
  }

  @Test func theProgramTakesSeveralFoldersAndWritesCopies() throws {
    let directory = try ProgramTests.folder { bench in
      try bench.damage(PackagePaths.page(Bench.pages[0])) { $0 = Array($0.dropLast(33)) }
    }
    try directory.volume().makeDirectories("Empty")
    try directory.volume().makeDirectories("Backup")
    try Bench().disk.exportTree(to: HostVolume(root: directory.path.appending("Backup")))
    let before = try ProgramTests.picture(directory, "Backup")
    let look = ["--look-in", "Empty", "--look-in", "Backup/"]
    #expect(try ProgramTests.run(look + ["Notes"], in: directory).text.contains("Backup/\(Bench.package)/pages/"))
    #expect(try ProgramTests.run(look + ["-y", "--to", "Copy", "Notes"], in: directory).status == 1)
    #expect(try ProgramTests.run(["Copy"], in: directory).status == 0)
    #expect(try ProgramTests.run(look + ["-y", "Notes"], in: directory).status == 1)
    #expect(try ProgramTests.run(["Notes"], in: directory).status == 0)
    #expect(try ProgramTests.picture(directory, "Backup") == before)
    for words in [["--undo", "Notes"], ["--quick", "Notes"], ["--carve", "--to", "C", "Notes"]] {
      #expect(try ProgramTests.run(look + words, in: directory).status == 16)
    }
    #expect(try ProgramTests.run(["--look-in", "nowhere", "Notes"], in: directory).status == 16)
  }
}
